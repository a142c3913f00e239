"""What one build of the rooms holds, counted."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from components.harness.types import JsonObject, Language, Request, ToolError
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import Fault, FaultyRoom
from components.liveroom.overlaps import Overlap, overlaps
from components.liveroom.room import CatalogueRoom
from components.liveroom.spoken import normal
from components.liveroom.truth import calls
from components.liveroom.types import Ask, Case, Intent, Split


class Reference(StrEnum):
    """How a viewer points at the item of an ask."""

    NUMBER = "link number"
    TITLE = "title"
    NOUN = "short title"
    EARLIER = "earlier turn"
    SCREEN = "item on screen"
    NONE = "no item"


@dataclass
class Lot:
    """What the cases of one split and language come to."""

    requests: Counter[Intent] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)
    """Characters of each comment."""
    merged: Counter[int] = field(default_factory=Counter)
    """Comments a request → requests."""
    references: Counter[Reference] = field(default_factory=Counter)
    dialogues: int = 0
    campaigns: int = 0
    audiences: int = 0
    phrasings: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class FaultCount:
    """One kind of fault: the rate that is set, and in how many of the experts' calls it was met."""

    fault: Fault
    rate: float
    met: int


@dataclass(frozen=True)
class Stats:
    """The statistics of one build."""

    lots: dict[tuple[Split, Language], Lot]
    overlaps: list[Overlap]
    faults: list[FaultCount]
    calls: int
    """Calls that right answers to all cases make."""

    @property
    def apart(self) -> bool:
        """Whether the splits share nothing."""
        return not any(one.shared for one in self.overlaps)


async def room_stats(cases: Sequence[Case], catalogue: Catalogue, rates: Mapping[str, float], seed: int) -> Stats:
    """Count `cases`, and make every call of their right answers once in a room that fails at `rates`, seeded with `seed`."""
    lots: dict[tuple[Split, Language], Lot] = defaultdict(Lot)
    for case in cases:
        _count(case, lots[case.split, case.request.language])
    met: Counter[Fault | None] = Counter()
    for case in cases:
        room = CatalogueRoom(catalogue, case.request)
        for implementation, arguments in calls(case.asks):
            met[await _fault(room, rates, f"{seed}:{case.case_id}", implementation, arguments)] += 1
    faults = [FaultCount(fault, rates.get(fault, 0.0), met[fault]) for fault in Fault]
    return Stats({of: lots[of] for of in sorted(lots, key=_place)}, overlaps(cases, catalogue), faults, sum(met.values()))


def reference(ask: Ask, request: Request) -> Reference:
    """How the comments of `request` point at the item of `ask`, by their words."""
    if ask.link is None:
        return Reference.NONE
    text = normal("\n".join(request.comments))
    title = normal(dict(request.links)[ask.link])
    if title in text:
        return Reference.TITLE
    numbered = rf"(?<![a-z])(?:link|item|no\.) {ask.link}(?!\d)|第{ask.link}个|(?<!\d){ask.link}链"
    if re.search(numbered, text):
        return Reference.NUMBER
    # What is left of a title without its first word, or in Chinese its first two characters.
    if (title.partition(" ")[2] or title[2:]) in text:
        return Reference.NOUN
    return Reference.SCREEN if ask.link == request.on_screen_link else Reference.EARLIER


def _place(of: tuple[Split, Language]) -> tuple[bool, Language]:
    return of[0] == "eval", of[1]


def _count(case: Case, lot: Lot) -> None:
    request = case.request
    lot.requests[case.intent] += 1
    lot.lengths += map(len, request.comments)
    lot.merged[len(request.comments)] += 1
    lot.references.update(reference(ask, request) for ask in case.asks)
    lot.dialogues += bool(request.dialogue)
    lot.campaigns += bool(request.campaign)
    lot.audiences += bool(request.audience)
    lot.phrasings.update(case.phrasing.split("+"))


async def _fault(
    room: CatalogueRoom, rates: Mapping[str, float], seed: str, implementation: str, arguments: JsonObject
) -> Fault | None:
    """What a caller meets at the first try, told by what comes back; a denial is told from a time-out by trying again."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    faulty = FaultyRoom(room, rates, seed, sleep)
    try:
        result = await faulty.call(implementation, arguments)
    except ToolError:
        try:
            await faulty.call(implementation, arguments)
        except ToolError:
            return Fault.PERMISSION_DENIED
        return Fault.TIME_OUT
    if slept:
        return Fault.SLOW
    if not result:
        return Fault.EMPTY
    if "data" in result:
        return Fault.MALFORMED
    return Fault.STALE if "as_of_minutes_ago" in result else None
