"""Seeded rooms, their items and coupons, and cases for both splits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from components.errors import UserError
from components.harness.types import Language
from components.liveroom.furnish import LINKS_PER_ROOM, furnish, titles
from components.liveroom.types import Case, Coupon, Intent, Item, RoomRecord, Split
from components.liveroom.viewers import write_case


@dataclass(frozen=True)
class World:
    """Everything that one build of the rooms holds."""

    items: tuple[Item, ...]
    rooms: tuple[RoomRecord, ...]
    coupons: tuple[Coupon, ...]
    cases: tuple[Case, ...]


def generate(
    seed: int, train_rooms: int, eval_rooms: int, comments_per_room: int, languages: tuple[Language, ...] = ("en",)
) -> World:
    """Make rooms of six links that take turns in `languages`, and their cases; a pure function of its arguments.

    The splits share no item, word of a title, comment, phrasing or number pattern. In each split and language every
    intent occurs, equally often up to one. A room depends on the seed, its split, its language and its number in that
    language only: neither on how many rooms there are nor on the other split or language. Raises UserError where a split
    is too small to hold every intent in every language, or too large for every title to be its own, or a language is named
    twice.
    """
    for language in languages:
        if languages.count(language) > 1:
            raise UserError(f"rooms: languages: {language} is named twice; expected each once; remove one")
    items: list[Item] = []
    rooms: list[RoomRecord] = []
    coupons: list[Coupon] = []
    cases: list[Case] = []
    sizes: tuple[tuple[Split, int], ...] = (("train", train_rooms), ("eval", eval_rooms))
    for split, count in sizes:
        shelves = [
            _rooms(seed, split, language, len(range(place, count, len(languages))), comments_per_room)
            for place, language in enumerate(languages)
        ]
        for number in range(count):
            made = next(shelves[number % len(languages)])
            items += made.items
            rooms += made.rooms
            coupons += made.coupons
            cases += made.cases
    return World(tuple(items), tuple(rooms), tuple(coupons), tuple(cases))


def _rooms(seed: int, split: Split, language: Language, count: int, comments: int) -> Iterator[World]:
    """`count` rooms of one split and language, each as a world of its own."""
    if count * comments < len(Intent):
        raise UserError(
            f"rooms: {split}: {count} rooms of {comments} comments in language {language} cannot hold every intent; "
            f"expected at least {len(Intent)} comments in each split and language; raise the rooms or the comments per room"
        )
    here = f"{seed}/{split}/{language}"
    titled = titles(split, language, Random(f"{here}/titles"))
    if count * LINKS_PER_ROOM > len(titled):
        most = len(titled) // LINKS_PER_ROOM
        raise UserError(
            f"rooms: {split}: expected at most {most} rooms in language {language}, so that every title is its own; "
            f"found {count}; lower the number"
        )
    return _furnished(here, split, language, count, comments)


def _furnished(here: str, split: Split, language: Language, count: int, comments: int) -> Iterator[World]:
    titled = titles(split, language, Random(f"{here}/titles"))
    dealt = _deal(Random(f"{here}/intents"))
    for number in range(count):
        room_id = f"{split}-{language}-{number + 1:03d}"
        intents = list(islice(dealt, comments))
        shelf = titled[number * LINKS_PER_ROOM : (number + 1) * LINKS_PER_ROOM]
        room = furnish(room_id, split, language, shelf, Intent.CAMPAIGN in intents, Random(f"{here}/{room_id}"))
        cases = []
        for place, intent in enumerate(intents, 1):
            case_id = f"{room_id}-{place:02d}"
            cases.append(write_case(case_id, split, intent, room, Random(f"{here}/{case_id}")))
        yield World(room.items, (room.record,), room.coupons, tuple(cases))


def _deal(rng: Random) -> Iterator[Intent]:
    """Every intent once, shuffled, again and again."""
    while True:
        yield from rng.sample(list(Intent), len(Intent))
