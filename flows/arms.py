"""The arms of a run: which stage makes each, and from what. Repeats of an arm differ from it in the seed of training only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

REPEATS = 3
"""How often an ablation trains each arm; repeat n of an arm is named `<arm>-<n>`, the first by the arm's name alone."""
_SEEDS_APART = 1000


@dataclass(frozen=True)
class Arm:
    """One recipe."""

    stage: Literal["sft", "opd", "rl"]
    start: str
    """The arm whose model it goes on from."""
    augmented: bool
    """Whether its own stage sees augmented harnesses."""


ARMS = {
    "fixed_sft": Arm("sft", "base", augmented=False),
    "hsa_sft": Arm("sft", "base", augmented=True),
    "fixed_opd": Arm("opd", "fixed_sft", augmented=False),
    "hsa_opd": Arm("opd", "hsa_sft", augmented=False),
    "rl_fixed": Arm("rl", "hsa_opd", augmented=False),
    "rl_hsa": Arm("rl", "hsa_opd", augmented=True),
}
"""In the order of a report."""
CANDIDATE = "rl_hsa"
"""The whole recipe: what a retraining puts before the gate."""
RETRAINED = ("base", "fixed_sft", "hsa_sft", "hsa_opd", "rl_hsa")
"""What a retraining evaluates beside the champion; an ablation evaluates every arm."""


def repeats(arm: str, count: int = REPEATS) -> list[str]:
    """The names of an arm and its repeats. The base model is trained by nobody and has none."""
    return [arm, *(f"{arm}-{number}" for number in range(2, count + 1))] if arm in ARMS else [arm]


def split(name: str) -> tuple[str, int]:
    """Arm and number of the repeat, from 1, of a name that `repeats` gave."""
    arm, _, number = name.partition("-")
    return arm, int(number or 1)


def start_of(name: str) -> str:
    """The name that this one goes on from: the same repeat of the arm before it."""
    arm, number = split(name)
    start = ARMS[arm].start
    return start if number == 1 or start not in ARMS else f"{start}-{number}"


def seed_of(name: str, seed: int) -> int:
    """The seed that trains this repeat."""
    return seed + _SEEDS_APART * (split(name)[1] - 1)


def trained_by(stage: str) -> list[str]:
    """The names, repeats included, that a stage may be asked for."""
    return [name for arm, recipe in ARMS.items() if recipe.stage == stage for name in repeats(arm)]
