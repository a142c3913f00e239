"""What two splits of one build share: nothing, or what is learnt by heart on one helps on the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from components.liveroom.catalogue import Catalogue
from components.liveroom.options import matching_skus
from components.liveroom.pricing import quote, yuan
from components.liveroom.spoken import CJK
from components.liveroom.types import Campaign, Case, Coupon, Intent, Item, Split
from components.liveroom.wordings import wording
from components.liveroom.words import number_patterns

_PAID = (Intent.PRICE, Intent.COUPON, Intent.PURCHASE, Intent.COMPARISON)
"""Intents that ask what is to pay."""


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
        for kind, things in (*_of_case(case), ("sums asked for", _sums(case, catalogue))):
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


def _of_case(case: Case) -> Iterator[tuple[str, Iterable[str]]]:
    yield "rooms", (case.request.room_id,)
    # An emoji alone has no words.
    yield "comments", filter(None, map(wording, case.request.comments))
    yield "lines of dialogue", (wording(line.text) for line in case.request.dialogue)
    yield "phrasings", case.phrasing.split("+")
    yield "number patterns", (pattern for ask in case.asks for pattern in number_patterns(ask))


def _sums(case: Case, catalogue: Catalogue) -> Iterator[str]:
    """What is to pay, before and after coupons, and the units left, of everything that a comment asks for."""
    room_id = case.request.room_id
    for ask in case.asks:
        for link in (ask.link, ask.other_link):
            item = catalogue.item(room_id, link) if link is not None else None
            if link is None or item is None:
                continue
            skus = matching_skus(link, item, ask.colour, ask.size)
            if ask.intent is Intent.STOCK and (units := sum(sku.stock for sku in skus)) > 1:
                yield f"{units} units"
            if ask.intent in _PAID:
                orders = [quote(sku, ask.quantity, catalogue.coupons(room_id, item.item_id)) for sku in skus]
                yield from (yuan(cents) for order in orders for cents in (order.list_cents, order.total_cents))


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
        yield "titles", (wording(title),)
        yield "title words", title_words(title)
        things += [item] if (item := catalogue.item(room_id, link)) else []
    for thing in things:
        yield "number patterns", number_patterns(thing)
