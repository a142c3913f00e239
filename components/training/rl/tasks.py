"""The tasks of HSA-RL: which case, under which harness, with or without tool faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from components.augment.types import Variant
from components.data.types import ORIGINAL, episode_id
from components.errors import UserError
from components.liveroom.types import Case
from components.training.params import RlParams


@dataclass(frozen=True)
class RlTask:
    """What all episodes of a group have in common, so that they can be compared."""

    task_id: str
    """Unique among the tasks of a run."""
    case: Case
    variant_id: str
    """`original`, or a train variant."""
    faults: bool
    """Whether tools fail."""


def draw_tasks(cases: Sequence[Case], variants: Sequence[Variant], params: RlParams, seed: int) -> list[RlTask]:
    """`params.tasks` tasks: all cases in random order, again and again, with faults and variants at exactly the set shares.

    A pure function of its arguments; a different share of the one moves nothing of the other. Raises UserError where there
    is no train case, or no train variant although the share asks for some.
    """
    cases = [case for case in cases if case.split == "train"]
    pool = [variant.variant_id for variant in variants if variant.family == "train"]
    if not cases:
        raise UserError("rl.tasks: expected train cases to draw from, found none; generate rooms first")
    if params.hsa_share and not pool:
        raise UserError(
            f"rl.hsa_share: {params.hsa_share:g} of the tasks are to run under train variants, found none; sample some"
        )
    count = params.tasks
    harnesses = Random(f"{seed}:variants").choices(pool, k=count) if pool else [ORIGINAL] * count
    varied, failing = _share(count, params.hsa_share, f"{seed}:hsa"), _share(count, params.fault_share, f"{seed}:faults")
    drawn = zip(_in_turns(cases, f"{seed}:cases"), range(count), strict=False)
    tasks = []
    for case, number in drawn:
        variant_id = harnesses[number] if number in varied else ORIGINAL
        tasks.append(RlTask(f"{episode_id(case.case_id, variant_id)}#{number}", case, variant_id, number in failing))
    return tasks


def scaled(faults: Mapping[str, float], rate: float) -> dict[str, float]:
    """The rates of tool faults in their proportions, adding up to `rate`. Raises UserError where all are 0."""
    total = sum(faults.values())
    if not total:
        raise UserError("faults: all rates are 0, but rl.fault_share asks for tasks whose tools fail; raise some or set it to 0")
    return {name: share * rate / total for name, share in faults.items()}


def _share(count: int, share: float, seed: str) -> frozenset[int]:
    return frozenset(Random(seed).sample(range(count), round(count * share)))


def _in_turns(cases: Sequence[Case], seed: str) -> Iterator[Case]:
    random = Random(seed)
    while True:
        yield from random.sample(cases, len(cases))
