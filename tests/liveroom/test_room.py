from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.errors import UserError
from components.harness.types import JsonObject, ToolError
from components.liveroom.catalogue import Catalogue
from components.liveroom.room import CatalogueRoom
from components.liveroom.tools import TOOLS
from tests.liveroom.shop import CHINESE_REQUEST, COUPONS, ITEMS, REQUEST, ROOMS


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    path: Path = tmp_path_factory.mktemp("room") / "c.sqlite"
    return Catalogue.create(path, ITEMS, ROOMS, COUPONS)


@pytest.fixture(scope="module")
def room(catalogue: Catalogue) -> CatalogueRoom:
    return CatalogueRoom(catalogue, REQUEST)


def ask(room: CatalogueRoom, tool: str, **arguments: Any) -> JsonObject:
    return asyncio.run(room.call(tool, arguments))


LAMP = {"link_id": 1, "title": "Willow Lamp"}
MUG = {"link_id": 3, "title": "Harbor Mug"}


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        (
            "item_lookup",
            {"link_id": 1},
            {
                **LAMP,
                "category": "home",
                "material": "oak",
                "colours": ["White", "Sea Green"],
                "sizes": ["S", "L"],
                "features": {"bulb": "LED", "cable": "two metres"},
            },
        ),
        (
            "item_lookup",
            {"link_id": 3},
            {**MUG, "category": "kitchen", "material": "glass", "colours": ["Teal"], "sizes": [], "features": {}},
        ),
        # 59.00 - 5 % (2.95) - 10.00, and 89.00 - 4.45 - 10.00.
        (
            "price_lookup",
            {"link_id": 1, "size": "S"},
            {
                **LAMP,
                "list_price": "59.00",
                "coupon": "12.95",
                "price_after_coupon": "46.05",
                "coupons": ["Room 5%", "Lamp 10 off"],
            },
        ),
        (
            "price_lookup",
            {"link_id": 1, "colour": "white", "size": " l "},
            {
                **LAMP,
                "list_price": "89.00",
                "coupon": "14.45",
                "price_after_coupon": "74.55",
                "coupons": ["Room 5%", "Lamp 10 off"],
            },
        ),
        (
            "price_lookup",
            {"link_id": 3},
            {**MUG, "list_price": "29.05", "coupon": "1.45", "price_after_coupon": "27.60", "coupons": ["Room 5%"]},
        ),
        (
            "compare_items",
            {"link_ids": [1, 3]},
            {
                "items": [
                    {
                        **LAMP,
                        "price_after_coupon": "46.05",
                        "several_prices": True,
                        "material": "oak",
                        "ships_within_days": 2,
                        "return_days": 7,
                    },
                    {
                        **MUG,
                        "price_after_coupon": "27.60",
                        "several_prices": False,
                        "material": "glass",
                        "ships_within_days": 1,
                        "return_days": 30,
                    },
                ],
                "cheaper": 3,
            },
        ),
        # 177.00 reaches the minimum of the larger coupon of its group.
        (
            "order_quote",
            {"link_id": 1, "quantity": 3, "size": "S"},
            {
                **LAMP,
                "quantity": 3,
                "in_stock": True,
                "units": 12,
                "list_total": "177.00",
                "coupons": [{"title": "Room 5%", "off": "8.85"}, {"title": "Big 30 off", "off": "30.00"}],
                "total_off": "38.85",
                "total": "138.15",
            },
        ),
        ("stock_lookup", {"link_id": 1}, {**LAMP, "in_stock": True, "units": 15}),
        ("stock_lookup", {"link_id": 1, "colour": "WHITE"}, {**LAMP, "in_stock": True, "units": 15}),
        ("stock_lookup", {"link_id": 1, "colour": "Sea Green", "size": ""}, {**LAMP, "in_stock": False, "units": 0}),
        ("stock_lookup", {"link_id": 3, "colour": None}, {**MUG, "in_stock": False, "units": 0}),
        (
            "shipping_lookup",
            {"link_id": 1},
            {**LAMP, "ships_from": "Hangzhou", "ships_within_days": 2, "shipping_fee": "0.00"},
        ),
        ("shipping_lookup", {"link_id": 3}, {**MUG, "ships_from": "Wuhan", "ships_within_days": 1, "shipping_fee": "8.50"}),
        ("after_sales_lookup", {"link_id": 3}, {**MUG, "return_days": 30, "warranty_months": 6}),
        ("faq_lookup", {"topic": "gift_wrap"}, {"topic": "gift_wrap", "answer": "Gift wrap is free."}),
        ("campaign_lookup", {}, {"name": "Autumn Week", "ends": "Sunday 22:00", "gift": "a tote bag", "gift_over": "99.00"}),
        (
            "room_state",
            {},
            {"on_screen_link": 3, "links": [LAMP, MUG], "campaign": "Autumn Week", "audience": {"viewers": 120}},
        ),
    ],
)
def test_each_tool_returns_its_facts(room: CatalogueRoom, tool: str, arguments: JsonObject, result: JsonObject) -> None:
    assert ask(room, tool, **arguments) == result


def test_coupons_are_told_with_their_rule(room: CatalogueRoom) -> None:
    result = ask(room, "coupon_lookup", link_id=1)
    assert result["coupons"] == [
        {"title": "Room 5%", "off": "5%", "minimum": "0.00", "group": "percent"},
        {"title": "Lamp 10 off", "off": "10.00", "minimum": "59.00", "group": "shop"},
        {"title": "Big 30 off", "off": "30.00", "minimum": "170.00", "group": "shop"},
    ]
    assert "one group exclude each other" in result["rule"]


def test_a_chinese_room_tells_its_rule_in_chinese_and_that_it_has_no_campaign(catalogue: Catalogue) -> None:
    room = CatalogueRoom(catalogue, CHINESE_REQUEST)
    assert "同组优惠券只能用一张" in ask(room, "coupon_lookup", link_id=1)["rule"]
    with pytest.raises(ToolError, match="no campaign runs in this room now"):
        ask(room, "campaign_lookup")
    assert ask(room, "room_state")["campaign"] is None
    with pytest.raises(ToolError, match="no answer on payment; topics here: none"):
        ask(room, "faq_lookup", topic="payment")


def test_of_two_items_at_one_price_none_is_cheaper(tmp_path: Path) -> None:
    lamp, mug, scarf = ITEMS
    same = replace(mug, skus=(replace(mug.skus[0], price_cents=4847),))
    # 48.47 - 2.42 is what the lamp costs after both of its coupons.
    catalogue = Catalogue.create(tmp_path / "c.sqlite", (lamp, same, scarf), ROOMS, COUPONS)
    result = ask(CatalogueRoom(catalogue, REQUEST), "compare_items", link_ids=[3, 1])
    assert [one["price_after_coupon"] for one in result["items"]] == ["46.05", "46.05"]
    assert result["cheaper"] is None


@pytest.mark.parametrize(
    ("arguments", "stock"),
    [
        ({"link_id": 1, "size": "L", "quantity": 3}, (True, 3)),
        ({"link_id": 1, "size": "L", "quantity": 4}, (False, 3)),
        ({"link_id": 1, "size": "S", "colour": "Sea Green", "quantity": 1}, (False, 0)),
        ({"link_id": 3, "quantity": 1}, (False, 0)),
    ],
)
def test_a_quote_says_whether_so_many_are_in_stock(room: CatalogueRoom, arguments: JsonObject, stock: tuple[bool, int]) -> None:
    result = ask(room, "order_quote", **arguments)
    assert (result["in_stock"], result["units"]) == stock


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("price_lookup", {"link_id": 9}, "no item at link 9; links here: 1, 3"),
        ("compare_items", {"link_ids": [1, 9]}, "no item at link 9; links here: 1, 3"),
        ("price_lookup", {"link_id": 1}, "link 1 has several prices; give size: S, L"),
        ("order_quote", {"link_id": 1, "quantity": 2, "colour": "white"}, "link 1 has several prices; give size: S, L"),
        ("stock_lookup", {"link_id": 1, "colour": "red"}, "link 1 has no colour red; colours here: White, Sea Green"),
        ("stock_lookup", {"link_id": 1, "size": "M"}, "link 1 has no size M; sizes here: S, L"),
        ("stock_lookup", {"link_id": 3, "size": "M"}, "link 3 has no size M; sizes here: one size only"),
        (
            "price_lookup",
            {"link_id": 1, "colour": "sea green", "size": "L"},
            "link 1 has no sea green in size L; there is: White S, Sea Green S, White L",
        ),
        ("faq_lookup", {"topic": "parking"}, "no answer on parking; topics here: payment, gift_wrap"),
        ("price_lookup", {}, "link_id: expected a link number, found None"),
        ("order_quote", {"link_id": 1}, "quantity: expected a number of pieces from 1 to 9999, found None"),
        ("order_quote", {"link_id": 1, "quantity": 0}, "quantity: expected a number of pieces from 1 to 9999, found 0"),
        ("compare_items", {"link_ids": [1, 1]}, "link_ids: expected two different link numbers, found [1, 1]"),
        ("compare_items", {"link_ids": "1,3"}, "link_ids: expected two different link numbers, found '1,3'"),
        ("stock_lookup", {"link_id": 1, "flavour": "mint"}, "flavour: no such argument; expected link_id, colour, size"),
        ("room_state", {"link_id": 1}, "link_id: no such argument; expected none"),
        ("teleport", {"link_id": 1}, "no tool teleport in this room"),
        ("distractor.weather", {}, "no tool distractor.weather in this room"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(room: CatalogueRoom, tool: str, arguments: JsonObject, message: str) -> None:
    with pytest.raises(ToolError) as error:
        ask(room, tool, **arguments)
    assert str(error.value) == message


VALUES = st.one_of(
    *(st.none(), st.booleans(), st.floats(), st.text(max_size=8), st.integers(-2, 5), st.integers(-(10**30), 10**30)),
    *(
        st.lists(st.integers(-1, 4) | st.text(max_size=3), max_size=3),
        st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
    ),
)


@settings(deadline=None, derandomize=True)
@given(
    tool=st.sampled_from(sorted(TOOLS)),
    arguments=st.dictionaries(
        st.sampled_from(["link_id", "link_ids", "quantity", "colour", "size", "topic", "x"]), VALUES, max_size=5
    ),
)
def test_no_argument_breaks_a_tool(room: CatalogueRoom, tool: str, arguments: JsonObject) -> None:
    try:
        assert isinstance(ask(room, tool, **arguments), dict)
    except ToolError as error:
        assert str(error)


def test_a_room_that_the_catalogue_lacks_is_named(catalogue: Catalogue) -> None:
    with pytest.raises(UserError, match="room nowhere: not in the catalogue"):
        CatalogueRoom(catalogue, replace(REQUEST, room_id="nowhere"))
