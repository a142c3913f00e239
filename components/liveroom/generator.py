"""Seeded items, rooms and cases for both splits."""

from __future__ import annotations

import hashlib
from itertools import product
from random import Random

from components.errors import UserError
from components.harness.types import Request
from components.liveroom import words
from components.liveroom.types import Case, Intent, Item, RoomRecord, Split

LINKS_PER_ROOM = 4
SHARE_WITHOUT_COUPON = 0.15
SHARE_SOLD_OUT = 0.2
SHARE_ON_SCREEN = 0.4
"""Share of comments that point at the item on screen and name no link."""
SHARE_MISSPELT = 0.15
SHARE_WITH_BYSTANDER = 0.2
"""Share of requests that merge in another viewer's comment."""
WITHOUT_ITEM = (Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE)
"""Intents that ask about no item."""


def generate(
    seed: int, train_rooms: int, eval_rooms: int, comments_per_room: int
) -> tuple[list[Item], list[RoomRecord], list[Case]]:
    """Make items, rooms of four links and cases; a pure function of its arguments.

    The splits share no item, title or comment; in each, every intent occurs (equally often, up to one). A split does
    not depend on the number of rooms of the other. Raises UserError where a split is too small or too large.
    """
    items: list[Item] = []
    rooms: list[RoomRecord] = []
    cases: list[Case] = []
    sizes: tuple[tuple[Split, int], ...] = (("train", train_rooms), ("eval", eval_rooms))
    for split, count in sizes:
        rng = Random(f"{seed}/{split}")
        if count * comments_per_room < len(Intent):
            raise UserError(
                f"rooms: {split}: {count} rooms of {comments_per_room} comments cannot hold every intent; "
                f"expected at least {len(Intent)} comments in a split; raise the rooms or the comments per room"
            )
        split_items = _items(split, count * LINKS_PER_ROOM, rng)
        intents = _intents(count * comments_per_room, rng)
        for number in range(count):
            room_items = split_items[number * LINKS_PER_ROOM : (number + 1) * LINKS_PER_ROOM]
            room = RoomRecord(f"{split}-{number + 1:03d}", tuple((i, item.item_id) for i, item in enumerate(room_items, 1)))
            links = tuple((link, item.title) for link, item in enumerate(room_items, 1))
            rooms.append(room)
            for comment in range(comments_per_room):
                intent = intents[number * comments_per_room + comment]
                cases.append(_case(f"{room.room_id}-{comment + 1:02d}", split, intent, room.room_id, links, rng))
        items += split_items
    return items, rooms, cases


def phrasing_id(template: str) -> str:
    """Identity of a template by its words, so that a leak between the splits shows."""
    return hashlib.sha256(template.encode()).hexdigest()[:8]


def _items(split: Split, count: int, rng: Random) -> list[Item]:
    nouns = [(category, noun) for category, names in words.NOUNS[split].items() for noun in names]
    titles = list(product(words.COLLECTIONS[split], nouns))
    if count > len(titles):
        most = len(titles) // LINKS_PER_ROOM
        raise UserError(f"rooms: {split}: expected at most {most} rooms, so that every title is its own; lower the number")
    chosen = rng.sample(titles, count)
    return [_item(f"{split}-{i:04d}", f"{first} {noun}", category, rng) for i, (first, (category, noun)) in enumerate(chosen, 1)]


def _item(item_id: str, title: str, category: str, rng: Random) -> Item:
    # Prices spread evenly over orders of magnitude, as in a shop: 9 to 1999 yuan.
    price = 100 * round(9 * (1999 / 9) ** rng.random()) + rng.choice((0, 0, 0, 50, 80, 90, 99))
    coupon = 0 if rng.random() < SHARE_WITHOUT_COUPON else 50 * rng.randint(2, max(2, price * 4 // 10 // 50))
    return Item(
        item_id=item_id,
        title=title,
        category=category,
        price_cents=price,
        coupon_cents=coupon,
        stock=0 if rng.random() < SHARE_SOLD_OUT else rng.randint(5, 400),
        ship_days=rng.choice(words.SHIP_DAYS),
        ship_from=rng.choice(words.TOWNS),
        material=rng.choice(words.MATERIALS[category]),
        colour=rng.choice(words.COLOURS),
        return_days=rng.choice(words.RETURN_DAYS),
        warranty_months=rng.choice(words.WARRANTY_MONTHS),
    )


def _intents(count: int, rng: Random) -> list[Intent]:
    """Every intent once, shuffled, again and again up to `count`."""
    intents: list[Intent] = []
    while len(intents) < count:
        intents += rng.sample(list(Intent), len(Intent))
    return intents[:count]


def _case(case_id: str, split: Split, intent: Intent, room_id: str, links: tuple[tuple[int, str], ...], rng: Random) -> Case:
    numbers = [number for number, _ in links]
    on_screen = rng.choice(numbers)
    template = rng.choice(words.COMMENTS[split][intent])
    text = _misspell(template, rng) if rng.random() < SHARE_MISSPELT else template
    target: int | None = None
    if intent not in WITHOUT_ITEM:
        shown = rng.random() < SHARE_ON_SCREEN
        target = on_screen if shown else rng.choice(numbers)
        reference = rng.choice(words.REFERENCES_ON_SCREEN if shown else words.REFERENCES_BY_NUMBER)
        text = text.replace("{it}", reference.replace("{n}", str(target)))
    comments = [text]
    if rng.random() < SHARE_WITH_BYSTANDER:
        comments.insert(rng.randint(0, 1), rng.choice(words.BYSTANDERS[split]))
    request = Request(case_id, room_id, tuple(comments), on_screen, links)
    return Case(case_id, split, intent, request, target, phrasing_id(template))


def _misspell(template: str, rng: Random) -> str:
    """Swap two letters inside one longer word, as hurried thumbs do."""
    parts = template.split(" ")
    long = [index for index, part in enumerate(parts) if len(part) > 4 and part.isalpha()]
    if not long:
        return template
    index = rng.choice(long)
    word = parts[index]
    place = rng.randint(1, len(word) - 3)
    parts[index] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return " ".join(parts)
