"""What stands in one generated room: items with SKUs, coupons, perhaps a campaign, answers to frequent questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import get_args

from components.harness.types import Language
from components.liveroom.types import Campaign, Coupon, Faq, FaqTopic, Item, RoomRecord, Sku, Split
from components.liveroom.words import GOODS, NUMBERS, Answered, Category, Goods, Numbers
from components.liveroom.words.numbers import THREE

LINKS_PER_ROOM = 6
SHARE_WITH_CAMPAIGN = 0.5
"""Of rooms in which no viewer asks about one; the others have one."""
SHARE_SIZES_DIFFER = 0.5
"""Share of items in sizes whose larger sizes cost more, of those that are no bargain."""
SIZE_STEP = 1000 * THREE
"""What a larger size costs more, in cents: keeps a price's ending and its rest."""
SHARE_ITEM_SOLD_OUT = 0.12
SHARE_SKU_SOLD_OUT = 0.15
SHARE_FREE_SHIPPING = 0.6
SHARE_PERCENT_COUPON = 0.7
SHARE_SECOND_TIER = 0.6
"""Share of rooms with two coupons in money, which exclude each other."""
FAQ_PER_ROOM = 4

Title = tuple[str, Category]


@dataclass(frozen=True)
class Furnished:
    """One room with everything in it, items in link order."""

    record: RoomRecord
    items: tuple[Item, ...]
    coupons: tuple[Coupon, ...]


def titles(split: Split, language: Language, rng: Random) -> list[Title]:
    """Every title of a split with its category, shuffled; a room takes `LINKS_PER_ROOM` of them."""
    goods = GOODS[language]
    nouns = [(noun, category) for category in goods.categories for noun in category.nouns[split]]
    made = [
        (goods.title(collection, noun), category) for collection, (noun, category) in product(goods.collections[split], nouns)
    ]
    rng.shuffle(made)
    return made


def furnish(room_id: str, split: Split, language: Language, titled: list[Title], campaign: bool, rng: Random) -> Furnished:
    """Make room `room_id` with an item of each of `titled`; `campaign`: whether there must be one."""
    goods, numbers = GOODS[language], NUMBERS[split]
    items = tuple(
        _item(f"{room_id}-{link}", split, title, category, goods, numbers, rng)
        for link, (title, category) in enumerate(titled, 1)
    )
    coupons = tuple(_coupons(room_id, split, items, goods, numbers, rng))
    runs = campaign or rng.random() < SHARE_WITH_CAMPAIGN
    topics: tuple[FaqTopic, ...] = get_args(FaqTopic)
    record = RoomRecord(
        room_id=room_id,
        links=tuple((link, item.item_id) for link, item in enumerate(items, 1)),
        language=language,
        campaign=_campaign(split, goods, numbers, rng) if runs else None,
        faq=tuple(_faq(topic, rng.choice(goods.faq[topic][split])) for topic in rng.sample(topics, FAQ_PER_ROOM)),
    )
    return Furnished(record, items, coupons)


def _faq(topic: FaqTopic, answered: Answered) -> Faq:
    return Faq(topic, answered.answer, answered.key)


def _item(item_id: str, split: Split, title: str, category: Category, goods: Goods, numbers: Numbers, rng: Random) -> Item:
    return Item(
        item_id=item_id,
        title=title,
        category=category.name,
        material=rng.choice(category.materials),
        skus=tuple(_skus(item_id, category, goods, numbers, rng)),
        ship_from=rng.choice(goods.towns),
        ship_days=rng.choice(numbers.ship_days),
        ship_fee_cents=0 if rng.random() < SHARE_FREE_SHIPPING else rng.choice(numbers.fees),
        return_days=rng.choice(numbers.return_days),
        warranty_months=rng.choice(numbers.warranty_months),
        features={name: rng.choice(values[split]) for name, values in category.features.items()},
    )


def _skus(item_id: str, category: Category, goods: Goods, numbers: Numbers, rng: Random) -> Iterator[Sku]:
    # Prices spread evenly over orders of magnitude, as in a shop: 10 to 2000 yuan.
    price = 1000 * round(200 ** rng.random()) + rng.choice(numbers.price_endings)
    price += 1000 * ((rng.choice(numbers.price_rests) - price) % THREE)
    step = SIZE_STEP if price > 2 * SIZE_STEP and rng.random() < SHARE_SIZES_DIFFER else 0
    sold_out = rng.random() < SHARE_ITEM_SOLD_OUT
    colours = rng.sample(goods.colours, rng.randint(1, category.most_colours))
    sizes = rng.choice(category.sizes) or ("",)
    for number, (colour, (place, size)) in enumerate(product(colours, enumerate(sizes)), 1):
        stock = 0 if sold_out or rng.random() < SHARE_SKU_SOLD_OUT else rng.choice(numbers.stock)
        yield Sku(f"{item_id}-{number}", colour, size, price + place * step, stock)


def _coupons(
    room_id: str, split: Split, items: tuple[Item, ...], goods: Goods, numbers: Numbers, rng: Random
) -> Iterator[Coupon]:
    in_money, in_percent = goods.coupon_groups
    tiers = sorted(rng.sample(numbers.coupons, 2 if rng.random() < SHARE_SECOND_TIER else 1))
    for title, (off, minimum) in zip(rng.sample(goods.money_coupons[split], len(tiers)), tiers, strict=True):
        yield Coupon(f"{room_id}-{off}", room_id, title, in_money, cents_off=off, minimum_cents=minimum)
    if rng.random() < SHARE_PERCENT_COUPON:
        title, off = rng.choice(goods.percent_coupons[split]), rng.choice(numbers.percents)
        chosen = sorted(item.item_id for item in rng.sample(items, rng.randint(2, len(items) - 1)))
        yield Coupon(f"{room_id}-{off}%", room_id, title, in_percent, percent_off=off, item_ids=tuple(chosen))


def _campaign(split: Split, goods: Goods, numbers: Numbers, rng: Random) -> Campaign:
    return Campaign(
        name=rng.choice(goods.campaigns[split]),
        ends=rng.choice(goods.campaign_ends[split]),
        gift=rng.choice(goods.gifts[split]),
        gift_over_cents=rng.choice(numbers.gift_over),
    )
