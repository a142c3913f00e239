"""The teacher answers every case under the original harness and under some of its train variants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random

from components.augment.types import Variant
from components.data.types import ORIGINAL, CollectedTrajectory, episode_id
from components.errors import UserError
from components.harness import AgentLoop
from components.harness.types import Harness, Limits, Policy
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import FaultyRoom
from components.liveroom.room import CatalogueRoom
from components.liveroom.truth import truth
from components.liveroom.types import Case, Truth
from components.policy.expert import ExpertPolicy

TeacherFor = Callable[[Harness, Truth], Policy]
"""Who teaches one case under one harness: the expert, which uses both, or a model, which is given neither."""


def choose_variants(case_id: str, variant_ids: Sequence[str], count: int, seed: int) -> list[str]:
    """The variants a case is collected under, in the order of `variant_ids`; depends on nothing but the arguments.

    Raises UserError where `count` is more than there are.
    """
    if count > len(variant_ids):
        raise UserError(
            f"variants_per_case: {count} is more than the {len(variant_ids)} train variants; lower it or sample more variants"
        )
    chosen = set(Random(f"{seed}:{case_id}").sample(variant_ids, count))
    return [variant_id for variant_id in variant_ids if variant_id in chosen]


async def collect(
    base: Harness,
    variants: Sequence[Variant],
    cases: Sequence[Case],
    catalogue: Catalogue,
    *,
    variants_per_case: int,
    seed: int,
    concurrency: int,
    limits: Limits | None = None,
    faults: Mapping[str, float] | None = None,
    teacher_for: TeacherFor = ExpertPolicy,
) -> list[CollectedTrajectory]:
    """Run the teacher through the agent loop: each case under `base` and under `variants_per_case` of `variants`.

    At most `concurrency` episodes run at once. `faults` are the rates at which tools fail (`components.liveroom.faults`),
    each episode with its own. The result is in the order of the cases, the original harness first,
    then the variants in their own order. Raises UserError where a case is asked to have more variants than there are.
    """
    loops = {ORIGINAL: AgentLoop(base, limits)}
    loops |= {variant.variant_id: AgentLoop(variant.harness, limits) for variant in variants}
    variant_ids = [variant.variant_id for variant in variants]
    gate = asyncio.Semaphore(concurrency)

    async def run(case: Case, variant_id: str) -> CollectedTrajectory:
        async with gate:
            loop = loops[variant_id]
            teacher = teacher_for(loop.harness, truth(case, catalogue))
            episode = episode_id(case.case_id, variant_id)
            room = FaultyRoom(CatalogueRoom(catalogue, case.request), faults or {}, f"{seed}:{episode}")
            trajectory = await loop.run(case.request, room, teacher, episode)
            return CollectedTrajectory(case.case_id, variant_id, trajectory)

    episodes = [
        run(case, variant_id)
        for case in cases
        for variant_id in [ORIGINAL, *choose_variants(case.case_id, variant_ids, variants_per_case, seed)]
    ]
    return await asyncio.gather(*episodes)
