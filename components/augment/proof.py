"""The proof that a variant keeps the task: the expert does the same under both harnesses, and nothing said is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from components.augment.mapping import NameMap
from components.augment.meaning import lost_meaning
from components.augment.types import AugmentError, Variant
from components.harness import AgentLoop, check_harness
from components.harness.types import Harness, HarnessError, JsonObject, StopReason, Trajectory
from components.liveroom.catalogue import Catalogue
from components.liveroom.room import CatalogueRoom
from components.liveroom.truth import truth
from components.liveroom.types import Case, Truth
from components.policy.expert import ExpertPolicy

Check = Callable[[Case, Truth, Trajectory], object]
"""A judge: its verdicts of two trajectories are compared by `==`."""


@dataclass(frozen=True)
class Proof:
    """What trying to tell a variant from its base harness came to."""

    variant_id: str
    cases: int
    """How many cases were tried."""
    problems: tuple[str, ...]
    """Every difference found, a sentence each."""

    @property
    def holds(self) -> bool:
        """Whether the variant keeps the task, as far as the cases show."""
        return not self.problems

    @property
    def reason(self) -> str:
        """The first difference; empty where the proof holds."""
        return next(iter(self.problems), "")


def prove(base: Harness, variant: Variant, cases: Sequence[Case], catalogue: Catalogue, check: Check | None = None) -> Proof:
    """Run the expert over `cases` under both harnesses and compare skills, tools, arguments, results, hooks and reply.

    Before that, compare what the two harnesses say. `check` judges both trajectories as well, where one is given (a
    judge stands a floor above this room). Starts an event loop of its own. Raises AugmentError where there are no
    cases: nothing would be proved.
    """
    if not cases:
        raise AugmentError(f"variant {variant.variant_id}: no cases to prove it on; give at least one")
    return Proof(variant.variant_id, len(cases), tuple(_problems(base, variant, cases, catalogue, check)))


def _problems(base: Harness, variant: Variant, cases: Sequence[Case], catalogue: Catalogue, check: Check | None) -> Iterator[str]:
    try:
        check_harness(variant.harness, variant.variant_id)
        names = NameMap.between(base, variant.harness)
    except (HarnessError, AugmentError) as error:
        yield str(error)
        return
    yield from lost_meaning(base, variant.harness, names)
    for case, right, before, after in asyncio.run(_episodes(base, variant.harness, cases, catalogue)):
        yield from (f"case {case.case_id}: {problem}" for problem in _differences(before, after))
        if check is not None and check(case, right, before) != check(case, right, after):
            yield f"case {case.case_id}: the verdicts differ"


async def _episodes(
    base: Harness, variant: Harness, cases: Sequence[Case], catalogue: Catalogue
) -> list[tuple[Case, Truth, Trajectory, Trajectory]]:
    """What the expert does in each case, under the base harness and under the variant."""
    loops = AgentLoop(base), AgentLoop(variant)

    async def run(loop: AgentLoop, case: Case, right: Truth) -> Trajectory:
        room = CatalogueRoom(catalogue, case.request.room_id)
        return await loop.run(case.request, room, ExpertPolicy(loop.harness, right), case.case_id)

    truths = [(case, truth(case, catalogue)) for case in cases]
    return [(case, right, await run(loops[0], case, right), await run(loops[1], case, right)) for case, right in truths]


def _differences(before: Trajectory, after: Trajectory) -> Iterator[str]:
    if before.stop_reason is not StopReason.REPLIED:
        yield f"the base harness itself gives no reply ({before.stop_reason})"
    if after.stop_reason is not before.stop_reason:
        yield f"the episode ends with {after.stop_reason} instead of {before.stop_reason}"
    if _events(after) != _events(before):
        yield f"the expert did {_told(after)} instead of {_told(before)}"
    if after.reply != before.reply:
        yield f"the reply is {after.reply!r} instead of {before.reply!r}"


def _events(trajectory: Trajectory) -> list[tuple[str, str, JsonObject, JsonObject]]:
    return [(event.kind, event.name, event.arguments, event.result) for event in trajectory.events]


def _told(trajectory: Trajectory) -> str:
    return ", ".join(f"{event.kind} {event.name} {event.arguments or ''}".strip() for event in trajectory.events) or "nothing"
