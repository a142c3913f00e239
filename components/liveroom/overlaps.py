"""What two splits of one build share: nothing, or what is learnt by heart on one helps on the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from components.liveroom.catalogue import Catalogue
from components.liveroom.spoken import CJK, normal
from components.liveroom.types import Campaign, Case, Coupon, Item, Split
from components.liveroom.words import number_patterns


@dataclass(frozen=True)
class Overlap:
    """One kind of things, counted without repetition."""

    kind: str
    train: int
    held: int
    """How many there are in `eval`."""
    shared: tuple[str, ...]
    """Those in both, sorted."""


def overlaps(cases: Sequence[Case], catalogue: Catalogue) -> list[Overlap]:
    """What the splits share, kind by kind. A room is of the splits that its cases are of."""
    found: dict[str, dict[Split, set[str]]] = defaultdict(lambda: {"train": set(), "eval": set()})
    rooms: set[tuple[str, Split]] = set()
    for case in cases:
        rooms.add((case.request.room_id, case.split))
        for kind, things in _of_case(case):
            found[kind][case.split].update(things)
    for room_id, split in sorted(rooms):
        for kind, things in _of_room(room_id, catalogue):
            found[kind][split].update(things)
    return [
        Overlap(kind, len(seen["train"]), len(seen["eval"]), tuple(sorted(seen["train"] & seen["eval"])))
        for kind, seen in found.items()
    ]


def title_words(title: str) -> set[str]:
    """Words of a title; of a Chinese one, which has no spaces, every two neighbouring characters."""
    if re.search(f"[{CJK}]", title):
        return {first + second for first, second in pairwise(title)}
    return set(title.casefold().split())


def _words(text: str) -> str:
    """What is left of a text without case and marks: nothing of a comment that is an emoji."""
    return " ".join(re.findall(r"\w+", normal(text)))


def _of_case(case: Case) -> Iterator[tuple[str, Iterable[str]]]:
    yield "rooms", (case.request.room_id,)
    yield "comments", filter(None, map(_words, case.request.comments))
    yield "lines of dialogue", (_words(line.text) for line in case.request.dialogue)
    yield "phrasings", case.phrasing.split("+")
    yield "number patterns", (pattern for ask in case.asks for pattern in number_patterns(ask))


def _of_room(room_id: str, catalogue: Catalogue) -> Iterator[tuple[str, Iterable[str]]]:
    room = catalogue.room(room_id)
    if room is None:
        return
    yield "items", (item_id for _, item_id in room.links)
    coupons = catalogue.coupons(room_id)
    yield "coupons, campaigns, FAQ", (one.title for one in coupons)
    yield "coupons, campaigns, FAQ", (one.answer for one in room.faq)
    things: list[Item | Coupon | Campaign] = [*coupons]
    if room.campaign:
        yield "coupons, campaigns, FAQ", (room.campaign.name, room.campaign.gift)
        things.append(room.campaign)
    for link, title in catalogue.links(room_id):
        yield "titles", (_words(title),)
        yield "title words", title_words(title)
        things += [item] if (item := catalogue.item(room_id, link)) else []
    for thing in things:
        yield "number patterns", number_patterns(thing)
