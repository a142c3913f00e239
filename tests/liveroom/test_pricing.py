"""Coupon arithmetic beside known sums and beside a search over every allowed combination."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.liveroom.pricing import Quote, quote, yuan
from components.liveroom.types import Coupon, Sku


def sku(price: int) -> Sku:
    return Sku("s", "White", "", price, 1)


def percent(name: str, off: int, group: str = "percent", minimum: int = 0) -> Coupon:
    return Coupon(name, "r", name, group, percent_off=off, minimum_cents=minimum)


def money(name: str, off: int, group: str = "money", minimum: int = 0) -> Coupon:
    return Coupon(name, "r", name, group, cents_off=off, minimum_cents=minimum)


@pytest.mark.parametrize(
    ("price", "quantity", "coupons", "discounts", "total"),
    [
        pytest.param(5900, 1, [], [], 5900, id="no coupon"),
        pytest.param(5900, 2, [money("ten", 1000)], [("ten", 1000)], 10800, id="once an order, not once a piece"),
        pytest.param(5900, 3, [percent("five", 5), money("ten", 1000)], [("five", 885), ("ten", 1000)], 15815, id="groups stack"),
        pytest.param(5900, 1, [money("ten", 1000), money("six", 600)], [("ten", 1000)], 4900, id="one group excludes"),
        pytest.param(30000, 1, [percent("a", 5, "g"), money("b", 1000, "g")], [("a", 1500)], 28500, id="percent saves more"),
        pytest.param(10000, 1, [percent("a", 5, "g"), money("b", 1000, "g")], [("b", 1000)], 9000, id="money saves more"),
        pytest.param(10000, 1, [money("b", 500, "g"), percent("a", 5, "g")], [("a", 500)], 9500, id="a tie goes to the first id"),
        pytest.param(
            10000, 1, [percent("x", 10, "1"), percent("y", 20, "2")], [("x", 1000), ("y", 2000)], 7000, id="off the list"
        ),
        pytest.param(9900, 1, [money("m", 1000, minimum=9900)], [("m", 1000)], 8900, id="minimum reached exactly"),
        pytest.param(9899, 1, [money("m", 1000, minimum=9900)], [], 9899, id="minimum missed by a cent"),
        pytest.param(
            10000, 1, [percent("p", 50), money("m", 100, minimum=8000)], [("p", 5000), ("m", 100)], 4900, id="list total"
        ),
        pytest.param(5000, 1, [money("m", 900, minimum=9900), money("n", 100)], [("n", 100)], 4900, id="out of reach yields"),
        pytest.param(1050, 1, [percent("p", 5)], [("p", 53)], 997, id="half a cent rounds up"),
        pytest.param(1049, 1, [percent("p", 5)], [("p", 52)], 997, id="less than half rounds down"),
        pytest.param(49, 1, [percent("p", 1)], [], 49, id="less than half a cent is nothing"),
        pytest.param(500, 1, [money("m", 500)], [("m", 499)], 1, id="never free"),
        pytest.param(
            500, 1, [money("m", 9000), money("n", 9000, "2")], [("m", 499)], 1, id="a coupon left with nothing is not told"
        ),
        pytest.param(1, 1, [percent("p", 90)], [], 1, id="one cent stays"),
    ],
)
def test_known_sums(price: int, quantity: int, coupons: list[Coupon], discounts: list[tuple[str, int]], total: int) -> None:
    expected = Quote(price * quantity, tuple(discounts), total)
    assert quote(sku(price), quantity, coupons) == expected
    assert quote(sku(price), quantity, coupons[::-1]) == expected


COUPONS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.one_of(st.tuples(st.integers(1, 90), st.just(0)), st.tuples(st.just(0), st.integers(1, 20_000))),
        st.integers(0, 40_000),
    ),
    max_size=5,
).map(lambda rows: [Coupon(f"c{n}", "r", f"t{n}", group, *off, minimum) for n, (group, off, minimum) in enumerate(rows)])


def cheapest(list_cents: int, coupons: list[Coupon]) -> int:
    """The smallest total over every choice of at most one coupon a group, in exact fractions."""
    usable = [one for one in coupons if one.minimum_cents <= list_cents]
    groups = [[None, *(one for one in usable if one.group == name)] for name in sorted({one.group for one in usable})]
    totals = []
    for choice in product(*groups):
        total = Fraction(list_cents)
        for one in choice:
            if one is not None:
                exact = Fraction(list_cents * one.percent_off, 100) if one.percent_off else Fraction(one.cents_off)
                total -= (exact + Fraction(1, 2)).__floor__()
        totals.append(max(Fraction(1), total))
    return int(min(totals))


@settings(deadline=None, derandomize=True)
@given(price=st.integers(1, 30_000), quantity=st.integers(1, 20), coupons=COUPONS, data=st.data())
def test_no_allowed_combination_is_cheaper(price: int, quantity: int, coupons: list[Coupon], data: st.DataObject) -> None:
    found = quote(sku(price), quantity, data.draw(st.permutations(coupons)))
    assert found == quote(sku(price), quantity, coupons)
    assert found.list_cents == price * quantity
    assert found.total_cents == cheapest(price * quantity, coupons)
    assert found.total_cents == found.list_cents - sum(cents for _, cents in found.discounts) >= 1
    by_title = {one.title: one for one in coupons}
    used = [by_title[title] for title, _ in found.discounts]
    assert len({one.group for one in used}) == len(used)
    assert all(cents > 0 for _, cents in found.discounts)
    assert [bool(one.cents_off) for one in used] == sorted(bool(one.cents_off) for one in used)


@pytest.mark.parametrize(("cents", "text"), [(4900, "49.00"), (5, "0.05"), (0, "0.00"), (123_456_789, "1234567.89")])
def test_money_is_told_with_two_decimals(cents: int, text: str) -> None:
    assert yuan(cents) == text
