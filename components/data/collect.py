"""The teacher answers every case under the original harness and under some of its train variants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random

from components.augment.slips import probes
from components.augment.tasks import Task
from components.augment.types import Variant
from components.data.retries import has_retry
from components.data.types import ORIGINAL, CollectedTrajectory, episode_id
from components.errors import UserError
from components.harness import AgentLoop
from components.harness.types import Harness, HookAction, HookPoint, Limits, Policy, Room, StopReason, Trajectory
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import FaultyRoom
from components.liveroom.room import CatalogueRoom
from components.liveroom.spoken import is_chinese
from components.liveroom.truth import truth
from components.liveroom.types import Case, Truth
from components.policy.expert import ExpertPolicy
from components.policy.thinking import Thinking

TeacherFor = Callable[[Harness, Truth], Policy]
"""Who teaches one case under one harness; a model is given neither."""


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
    teacher_for: TeacherFor | None = None,
    thinking_wordiness: float | None = None,
    slip_share: float = 0.0,
) -> list[CollectedTrajectory]:
    """Run the teacher through the agent loop: each case under `base` and under `variants_per_case` of `variants`.

    At most `concurrency` episodes run at once. `faults` are the rates at which tools fail (`components.liveroom.faults`),
    each episode with its own. The result is in the order of the cases, the original harness first,
    then the variants in their own order. Raises UserError where a case is asked to have more variants than there are.

    `teacher_for` None is the expert, and what follows is of it alone: `thinking_wordiness`, 0 to 1, makes it think aloud
    (`components.policy.thinking`); in a share `slip_share` of its episodes its first reply is one that a hook of the
    episode's harness refuses, wherever the harness has such a hook.
    """
    loops = {ORIGINAL: AgentLoop(base, limits)}
    loops |= {variant.variant_id: AgentLoop(variant.harness, limits) for variant in variants}
    variant_ids = [variant.variant_id for variant in variants]
    gate = asyncio.Semaphore(concurrency)

    async def play(case: Case, variant_id: str, teacher: Policy) -> Trajectory:
        episode = episode_id(case.case_id, variant_id)
        room = FaultyRoom(CatalogueRoom(catalogue, case.request), faults or {}, f"{seed}:{episode}")
        return await loops[variant_id].run(case.request, room, teacher, episode)

    async def taught(case: Case, variant_id: str) -> Trajectory:
        harness, right = loops[variant_id].harness, truth(case, catalogue)
        if teacher_for is not None:
            return await play(case, variant_id, teacher_for(harness, right))
        own = f"{seed}:{episode_id(case.case_id, variant_id)}"
        thinking = None if thinking_wordiness is None else Thinking(own, thinking_wordiness)
        random = Random(f"{own}:slip")
        if random.random() < slip_share:
            texts = _slips(harness, case, right, CatalogueRoom(catalogue, case.request))
            for slip in random.sample(texts, len(texts)):
                trajectory = await play(case, variant_id, ExpertPolicy(harness, right, thinking=thinking, slip=slip))
                if has_retry(trajectory) and trajectory.stop_reason is StopReason.REPLIED:
                    return trajectory
        return await play(case, variant_id, ExpertPolicy(harness, right, thinking=thinking))

    async def run(case: Case, variant_id: str) -> CollectedTrajectory:
        async with gate:
            return CollectedTrajectory(case.case_id, variant_id, await taught(case, variant_id))

    episodes = [
        run(case, variant_id)
        for case in cases
        for variant_id in [ORIGINAL, *choose_variants(case.case_id, variant_ids, variants_per_case, seed)]
    ]
    return await asyncio.gather(*episodes)


def _slips(harness: Harness, case: Case, right: Truth, room: Room) -> list[str]:
    """Replies that hooks of the harness should send back, in the room's language unless that is what is wrong with them."""
    task = Task(case.case_id, case.request, right, room)
    hooks = [hook for hook in harness.hooks if hook.action is HookAction.RETRY and hook.point is not HookPoint.RETRY_CONTROL]
    said = [(hook, probe.late[0]) for hook in hooks for probe in probes(hook, harness, [task]) if probe.late]
    chinese = case.request.language == "zh"
    return [text for hook, text in said if any(map(is_chinese, text)) is chinese or hook.check == "reply_language"]
