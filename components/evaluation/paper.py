"""What the technical report (arXiv 2608.15763) measured, and what this run did and did not do of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from components.evaluation.types import JUDGE_IN_WORDS, Row, RunFacts, Suite

PAPER: dict[str, dict[str, float]] = {
    "base": {"T1 AVG": 80.3, "T2 AVG": 75.4, "T4 prompt": 81.5, "T4 instruction": 87.7},
    "fixed_sft": {"T4 prompt": 73.8, "T4 instruction": 82.4},
    "hsa_opd": {"Thinking, tool calls": 290.6, "Thinking, reply": 93.6},
    "rl_hsa": {
        "T1 AVG": 94.8,
        "T2 AVG": 94.6,
        "T4 prompt": 83.5,
        "T4 instruction": 88.7,
        "Thinking, tool calls": 171.2,
        "Thinking, reply": 37.0,
    },
}
"""Arm → label (`measures.HEADLINE`) → the paper's figure for the same recipe: points of 100, for reasoning tokens a turn."""

BEST_GENERAL_T1 = 93.0
"""T1 AVG of the best general model that the paper measured."""


@dataclass(frozen=True)
class Effect:
    """What one ingredient does: the arm with it minus the arm without."""

    name: str
    first: str
    second: str
    paper: dict[str, float] = field(default_factory=dict)
    """Label → the paper's difference, where it gives one: points, for reasoning tokens a turn. Of IFEval after OPD and of
    HSA in RL it does not say which level it means; they stand beside the prompt level."""


EFFECTS = (
    Effect("SFT on the fixed harness", "fixed_sft", "base", {"T4 prompt": -7.7, "T4 instruction": -5.3}),
    Effect("SFT with HSA", "hsa_sft", "base"),
    Effect("HSA in SFT", "hsa_sft", "fixed_sft", {"T4 prompt": 9.4}),
    Effect("OPD after fixed SFT", "fixed_opd", "fixed_sft", {"T4 prompt": 8.5}),
    Effect("OPD after HSA-SFT", "hsa_opd", "hsa_sft", {"T4 prompt": 0.2}),
    Effect("RL on the fixed harness", "rl_fixed", "hsa_opd"),
    Effect("RL with HSA", "rl_hsa", "hsa_opd", {"Thinking, tool calls": -119.4, "Thinking, reply": -56.6}),
    Effect("HSA in RL", "rl_hsa", "rl_fixed", {"T4 prompt": 1.0}),
    Effect(
        "the whole recipe",
        "rl_hsa",
        "base",
        {"T1 AVG": 14.5, "T2 AVG": 19.2, "T4 prompt": 2.0, "T4 instruction": 1.0},
    ),
)


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
    of = {suite: [r for r in rows if r["suite"] == suite] for suite in Suite}
    t1, t2, t3, t4 = (len(of[suite]) for suite in Suite)
    variants = len({r["variant_id"] for r in of[Suite.T2]})
    opd, rl = (run.training.get(stage) for stage in ("opd", "rl"))
    return [
        ScaleLine("Base model", "Qwen3.6-35B-A3B", run.model, "reduced"),
        ScaleLine("Teacher", "DeepSeek-V4-pro", run.teacher, "reduced"),
        ScaleLine("HSA-SFT", "tens of thousands of trajectories from room logs", f"{run.rooms}; counts above", "reduced"),
        _line("General on-policy distillation", "on Tulu 3 prompts", f"{opd['count']} general prompts" if opd else None),
        _line("HSA-RL", "GRPO, thousands of tasks in a simulator", f"{rl['tasks']} tasks in the simulator" if rl else None),
        ScaleLine(
            "T1 Live-Stream QA", "real traffic; over 4,500 cases in the four suites", f"{t1} cases from {run.rooms}", "reduced"
        ),
        ScaleLine(
            "T2 Harness-Variant QA", "T1 under changed harnesses", f"{t2} cases under {variants} held-out variants", "reduced"
        ),
        _line(
            "T3 tool and prompt robustness",
            "generated scenarios",
            f"{t3} cases of T1 with failing tools; prompt robustness is part of T2" if t3 else None,
        ),
        _line("T4 IFEval", "IFEval", f"{t4} generated prompts with IFEval's instructions and checkers" if t4 else None),
        ScaleLine("Judge", "panel of three models, calibrated against human labels", JUDGE_IN_WORDS, "reduced"),
        ScaleLine("Latency", "one H20, concurrency 1, P50 3.4 s", f"{run.hardware}; not comparable", "not run"),
    ]


def _line(what: str, paper: str, here: str | None) -> ScaleLine:
    return ScaleLine(what, paper, here or "none", "reduced" if here else "not run")
