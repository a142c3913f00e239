"""How good an arm is, on the same cases for all arms, with error bars, on a page that a person can read.

Suites of cases → `evaluate` (one row a case, resumable) → `summarise` and `compare` → `write_report`; over arms and seeds
`write_ablation`. The judge of T1 to T3 is the deterministic fact-and-intent checker of `components.judge`.
"""

from components.evaluation.ablation import write_ablation
from components.evaluation.arms import by_recipe
from components.evaluation.report import write_report
from components.evaluation.runner import evaluate
from components.evaluation.suites import build_suites
from components.evaluation.summary import compare, summarise
from components.evaluation.types import EvalCase, EvaluationError, Row, RunFacts, Suite

__all__ = [
    "EvalCase",
    "EvaluationError",
    "Row",
    "RunFacts",
    "Suite",
    "build_suites",
    "by_recipe",
    "compare",
    "evaluate",
    "summarise",
    "write_ablation",
    "write_report",
]
