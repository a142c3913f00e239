"""What is told of a step's episodes: rewards and where they come from, reasoning, recovery, how episodes end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from components.data.types import ORIGINAL
from components.training.rl.rewards import REWARDS
from components.training.rl.simulator import Outcome


def summarise(outcomes: Sequence[Outcome], group_size: int) -> dict[str, float]:
    """Name → value of all episodes of a step, groups together. What no episode has is left out.

    `thinking/…` is in tokens a turn; everything else is a reward or a share from 0 to 1.
    """
    of_tasks = {
        "reward/faults": [one for one in outcomes if one.task.faults],
        "reward/variants": [one for one in outcomes if one.task.variant_id != ORIGINAL],
        "reward/original": [one for one in outcomes if one.task.variant_id == ORIGINAL],
    }
    found: dict[str, list[float]] = {name: _known(one.scores.mean for one in some) for name, some in of_tasks.items()}
    found["recovery_rate"] = _known(one.scores.recovered for one in outcomes)
    for segment, name in enumerate(("tool_calls", "reply")):
        found[f"thinking/{name}"] = [float(tokens) for one in outcomes for tokens in one.thinking[segment]]
    groups = list(_groups(outcomes, group_size))
    found["groups_without_signal"] = [float(not any(_differ(group, name) for name in REWARDS)) for group in groups]
    for reason in sorted({one.stop_reason for one in outcomes}):
        found[f"stop/{reason}"] = [float(one.stop_reason == reason) for one in outcomes]
    return {name: fmean(values) for name, values in found.items() if values}


def _groups(outcomes: Sequence[Outcome], size: int) -> Iterable[Sequence[Outcome]]:
    return (outcomes[start : start + size] for start in range(0, len(outcomes), size))


def _differ(group: Sequence[Outcome], name: str) -> bool:
    return len(set(_known(getattr(one.scores, name) for one in group))) > 1


def _known(values: Iterable[float | None]) -> list[float]:
    return [float(value) for value in values if value is not None]
