"""General instructions: what OPD asks the student and suite T4 asks every arm.

Prompts in IFEval's vocabulary from a seed, a reference answer to each, the official checkers, and prompts from files.
"""

from components.data.general.answers import answer
from components.data.general.generator import general_prompts
from components.data.general.prompt_files import load_ifeval, load_prompts
from components.data.general.scoring import check_scorable, score
from components.data.general.types import Family, GeneralPrompt, GeneralScore

__all__ = [
    "Family",
    "GeneralPrompt",
    "GeneralScore",
    "answer",
    "check_scorable",
    "general_prompts",
    "load_ifeval",
    "load_prompts",
    "score",
]
