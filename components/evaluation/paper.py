"""What the technical report (arXiv 2608.15763) measured, and what this run did and did not do of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from components.evaluation.types import JUDGE_IN_WORDS, Row, RunFacts, Suite


@dataclass(frozen=True)
class PaperFigure:
    """AVG of one of the paper's models on T1 and T2, in points (0 to 100); None where it gives none."""

    model: str
    t1: float | None
    t2: float | None


PAPER = {
    "base": PaperFigure("base model", 80.3, 75.4),
    "fixed_sft": PaperFigure("fixed-harness SFT", None, None),
    "hsa_sft": PaperFigure("full recipe (HSA-SFT, then distillation, then RL)", 94.8, 94.6),
}
"""By arm: the paper's model that stands nearest."""

BEST_GENERAL_T1 = 93.0
"""T1 AVG of the best general model that the paper measured."""


@dataclass(frozen=True)
class ScaleLine:
    """One thing that the paper did, and how far this run did it."""

    what: str
    paper: str
    here: str
    state: str
    """`run` (as the paper), `reduced` (the same thing, smaller or simpler) or `not run`."""


def scale(run: RunFacts, arms: Mapping[str, Sequence[Row]]) -> list[ScaleLine]:
    """What was and was not run at the paper's scale, for the reader of a figure."""
    rows = max(arms.values(), key=len, default=[])
    t1, t2 = (sum(r["suite"] == suite for r in rows) for suite in Suite)
    variants = len({r["variant_id"] for r in rows if r["suite"] == Suite.T2})
    return [
        ScaleLine("Base model", "Qwen3.6-35B-A3B", run.model, "reduced"),
        ScaleLine("Teacher", "DeepSeek-V4-pro", run.teacher, "reduced"),
        ScaleLine("HSA-SFT", "tens of thousands of trajectories from room logs", f"{run.rooms}; counts above", "reduced"),
        ScaleLine("General on-policy distillation", "on Tulu 3 prompts", "no arm has it", "not run"),
        ScaleLine("HSA-RL", "GRPO, thousands of tasks in a simulator", "no arm has it", "not run"),
        ScaleLine(
            "T1 Live-Stream QA", "real traffic; over 4,500 cases in the four suites", f"{t1} cases from {run.rooms}", "reduced"
        ),
        ScaleLine(
            "T2 Harness-Variant QA", "T1 under changed harnesses", f"{t2} cases under {variants} held-out variants", "reduced"
        ),
        ScaleLine("T3 tool and prompt robustness", "generated scenarios", "none", "not run"),
        ScaleLine("T4 IFEval", "base 81.5 / 87.7, HAT 83.5 / 88.7", "none", "not run"),
        ScaleLine("Judge", "panel of three models, calibrated against human labels", JUDGE_IN_WORDS, "reduced"),
        ScaleLine("Latency", "one H20, concurrency 1, P50 3.4 s", f"{run.hardware}; not comparable", "not run"),
    ]
