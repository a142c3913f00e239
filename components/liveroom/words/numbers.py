"""The numbers of each split: no two splits share one, the ending of a list price, nor a sum that is asked for.

What is to pay: in training every price and every sum that coupons take off is divisible by `THREE` cents and percentages
come out exact, so what is left to pay is divisible too, for any quantity. In evaluation no price, quantity or rest of a
percentage is, while the coupons are, so what is left to pay never is. Units: each SKU in stock holds a multiple of `THIRTEEN`
in training and one more than that in evaluation, so up to twelve of them never sum up to the same in both. What coupons
take off together is not kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from components.liveroom.types import Ask, Campaign, Coupon, Item, Split

THREE, THIRTEEN = 3, 13


@dataclass(frozen=True)
class Numbers:
    """Values that a split draws from. Money is in cents."""

    price_endings: tuple[int, ...]
    """Of list prices, below ten yuan."""
    price_rests: tuple[int, ...]
    """Of list prices divided by `THREE`."""
    fees: tuple[int, ...]
    coupons: tuple[tuple[int, int], ...]
    """(taken off, least order)."""
    percents: tuple[int, ...]
    gift_over: tuple[int, ...]
    ship_days: tuple[int, ...]
    return_days: tuple[int, ...]
    warranty_months: tuple[int, ...]
    stock: range
    quantities: tuple[int, ...]


NUMBERS: dict[Split, Numbers] = {
    "train": Numbers(
        price_endings=(900, 900, 980, 940, 500, 0),
        price_rests=(0,),
        fees=(500, 1000, 1500),
        coupons=((900, 4900), (1500, 9900), (3000, 14900), (4500, 19900), (6000, 29900), (9000, 49900), (15000, 99900)),
        percents=(5, 10, 15, 20),
        gift_over=(5900, 9900, 15000, 19900, 29900, 50000),
        ship_days=(1, 3, 5, 9),
        return_days=(7, 15, 25, 30, 60),
        warranty_months=(3, 6, 12, 24),
        stock=range(THIRTEEN, 400, THIRTEEN),
        quantities=(2, 3, 6),
    ),
    "eval": Numbers(
        price_endings=(800, 800, 850, 650, 600, 200),
        price_rests=(1, 2),
        fees=(600, 800, 1200),
        coupons=((600, 4800), (1200, 6800), (1800, 8800), (3600, 16800), (4800, 26600), (6600, 38800), (9600, 88800)),
        percents=(6, 8, 12, 18),
        gift_over=(6800, 8800, 12600, 18800, 26800, 48800),
        ship_days=(2, 4, 6, 8),
        return_days=(10, 14, 20, 21, 45),
        warranty_months=(4, 8, 18, 36),
        stock=range(THIRTEEN + 1, 400, THIRTEEN),
        quantities=(4, 5),
    ),
}

_MEASURE = re.compile(r"\d+:\d+|\d+(?:\.\d+)?\s*\w*")


def number_patterns(thing: Item | Coupon | Campaign | Ask) -> frozenset[str]:
    """What is typical of its numbers: `money …9.90`, `days 7`, `months 12`, `units 37`, `percent 5`, `pieces 2`, measures.

    0 and 1 are typical of nothing, so free shipping, sold out and one piece are no pattern.
    """
    return frozenset(_patterns(thing))


def _patterns(thing: Item | Coupon | Campaign | Ask) -> Iterator[str]:
    match thing:
        case Item():
            for sku in thing.skus:
                yield from _money(sku.price_cents)
                if sku.stock > 1:
                    yield f"units {sku.stock}"
            yield from _money(thing.ship_fee_cents)
            yield f"days {thing.ship_days}"
            yield f"days {thing.return_days}"
            yield f"months {thing.warranty_months}"
            for value in thing.features.values():
                yield from _MEASURE.findall(value)
        case Coupon():
            yield from _money(thing.cents_off)
            yield from _money(thing.minimum_cents)
            if thing.percent_off:
                yield f"percent {thing.percent_off}"
        case Campaign():
            yield from _money(thing.gift_over_cents)
            yield from _MEASURE.findall(thing.ends)
        case Ask():
            if thing.quantity > 1:
                yield f"pieces {thing.quantity}"


def _money(cents: int) -> Iterator[str]:
    if cents:
        yield f"money …{cents // 100 % 10}.{cents % 100:02d}"
