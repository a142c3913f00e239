"""Whether a response follows the instructions of its prompt: IFEval's official checkers, from the package `if-verifiable`.

The package loads on use: it imports `datasets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from components.data.general.types import GeneralPrompt, GeneralScore
from components.errors import UserError

NEEDS_DATA = frozenset({"length_constraints:number_sentences", "change_case:capital_word_frequency"})
"""Instructions whose checkers split text by a model that nltk downloads (`punkt_tab`)."""


def score(prompt: GeneralPrompt, response: str) -> GeneralScore:
    """Strict accuracy of one response, by prompt and by instruction (arXiv 2311.07911).

    What stands up to `</think>` is not judged, and an empty response follows nothing. Raises UserError as
    `check_scorable` does, so that an instruction nobody could check is never counted as not followed.
    """
    from if_verifiable.common import evaluate_instructions

    check_scorable([prompt])
    results, _ = evaluate_instructions(response, list(prompt.instruction_ids), list(prompt.kwargs), prompt.prompt, _checkers())
    followed = tuple(result.strict_pass for result in results) or (False,) * len(prompt.instruction_ids)
    return GeneralScore(all(followed), followed)


def check_scorable(prompts: Sequence[GeneralPrompt]) -> None:
    """Raise UserError for a prompt without instructions or with one that has no checker, or none that runs on this machine."""
    for prompt in prompts:
        if not prompt.instruction_ids or len(prompt.instruction_ids) != len(prompt.kwargs):
            raise UserError(f"prompt {prompt.prompt_id}: expected instructions, each with its arguments; mend the prompt")
        for instruction in prompt.instruction_ids:
            if instruction not in _checkers():
                raise UserError(f"prompt {prompt.prompt_id}: instruction {instruction}: expected one of IFEval's; mend its name")
            if instruction in NEEDS_DATA and not _has_punkt():
                raise UserError(
                    f"prompt {prompt.prompt_id}: instruction {instruction}: its checker needs nltk's punkt_tab, which is not on "
                    "this machine; run `python -m nltk.downloader punkt_tab` or leave the prompt out"
                )


@cache
def _checkers() -> dict[str, Any]:
    """IFEval's name of an instruction → class of its checker."""
    from if_verifiable.ifeval import INSTRUCTION_DICT
    from langdetect import DetectorFactory

    # Language detection draws random numbers; unseeded, a response could pass today and fail tomorrow.
    DetectorFactory.seed = 0
    return dict(INSTRUCTION_DICT)


def _has_punkt() -> bool:
    import nltk

    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError:
        return False
    return True
