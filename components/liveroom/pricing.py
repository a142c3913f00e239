"""What an order costs: coupon arithmetic in integer cents, by the rule of `Coupon`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from components.liveroom.types import Coupon, Sku


@dataclass(frozen=True)
class Quote:
    """What an order costs, in cents."""

    list_cents: int
    discounts: tuple[tuple[str, int], ...]
    """(coupon's title, cents that it takes off), of every coupon that takes something off, in the order of their counting."""
    total_cents: int
    """`list_cents` less all discounts; at least 1."""


def quote(sku: Sku, quantity: int, coupons: Iterable[Coupon]) -> Quote:
    """What `quantity` (1 or more) of `sku` cost with those of `coupons` that count; all of them must hold for its item.

    Nothing depends on the order of `coupons`: of two that save the same, and in the order of counting, coupon_id decides.
    """
    total = list_cents = sku.price_cents * quantity
    best: dict[str, Coupon] = {}
    for coupon in sorted(coupons, key=lambda one: (-_saving(one, list_cents), one.coupon_id)):
        if list_cents >= coupon.minimum_cents:
            best.setdefault(coupon.group, coupon)
    discounts = []
    for coupon in sorted(best.values(), key=lambda one: (one.percent_off == 0, one.coupon_id)):
        # However much coupons promise together, an order is never free.
        if off := min(_saving(coupon, list_cents), total - 1):
            discounts.append((coupon.title, off))
            total -= off
    return Quote(list_cents, tuple(discounts), total)


def yuan(cents: int) -> str:
    """Cents as the text that tools return and replies speak, `4900` → `49.00`."""
    return f"{cents // 100}.{cents % 100:02d}"


def _saving(coupon: Coupon, list_cents: int) -> int:
    return coupon.cents_off or (list_cents * coupon.percent_off + 50) // 100
