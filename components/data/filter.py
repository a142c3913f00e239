"""Only what is accurate and effective is taught, once, and nearly always without its hook retries."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from components.data.retries import cut_retries, has_retry
from components.data.types import CollectedTrajectory
from components.harness.messages import tools_to_openai
from components.harness.types import StopReason, Trajectory
from components.judge.checker import check
from components.liveroom.catalogue import Catalogue
from components.liveroom.truth import truth
from components.liveroom.types import Case

REASONS = ("kept", "not_replied", "not_accurate", "not_effective", "duplicate")
"""What becomes of a collected trajectory; every one has exactly one of these."""


@dataclass(frozen=True)
class Filtered:
    """The trajectories that may be taught; their messages are what the student sees, their events stay as they were."""

    kept: tuple[CollectedTrajectory, ...]
    counts: dict[str, int]
    """Trajectories by reason (`REASONS`), and of those with a hook retry, `retry_cut` and `retry_kept`."""


def filter_collected(
    collected: Sequence[CollectedTrajectory],
    cases: Sequence[Case],
    catalogue: Catalogue,
    *,
    keep_retry_share: float,
    seed: int,
) -> Filtered:
    """Keep trajectories with a verdict of accuracy 1 and effectiveness 1, the first of those that look the same.

    A share `keep_retry_share` (0 to 1, rounded to whole trajectories, chosen by `seed`) of the good ones with hook
    retries keeps them; from all the others they are cut.
    """
    case_of = {case.case_id: case for case in cases}
    counts: Counter[str] = Counter(dict.fromkeys((*REASONS, "retry_cut", "retry_kept"), 0))
    good = []
    for one in collected:
        reason = _fault(case_of[one.case_id], catalogue, one.trajectory)
        if reason:
            counts[reason] += 1
        else:
            good.append(one)

    with_retry = [one.episode_id for one in good if has_retry(one.trajectory)]
    whole = set(Random(seed).sample(with_retry, round(keep_retry_share * len(with_retry))))
    kept, seen = [], set()
    for one in good:
        retried = has_retry(one.trajectory)
        if retried and one.episode_id not in whole:
            one = replace(one, trajectory=replace(one.trajectory, messages=cut_retries(one.trajectory)))
        look = _look(one.trajectory)
        if look in seen:
            counts["duplicate"] += 1
            continue
        seen.add(look)
        kept.append(one)
        counts["kept"] += 1
        if retried:
            counts["retry_kept" if one.episode_id in whole else "retry_cut"] += 1
    return Filtered(tuple(kept), dict(counts))


def _fault(case: Case, catalogue: Catalogue, trajectory: Trajectory) -> str | None:
    """Why the trajectory is not to be taught, or None."""
    if trajectory.stop_reason is not StopReason.REPLIED:
        return "not_replied"
    verdict = check(case, truth(case, catalogue), trajectory)
    if verdict.accuracy != 1:
        return "not_accurate"
    return "not_effective" if verdict.effectiveness != 1 else None


def _look(trajectory: Trajectory) -> str:
    """What the student would see: the messages without the identities of calls, and the tools."""
    messages = [(m.role, m.content, [(call.name, call.arguments) for call in m.tool_calls]) for m in trajectory.messages]
    return json.dumps([messages, tools_to_openai(trajectory.tools)], sort_keys=True)
