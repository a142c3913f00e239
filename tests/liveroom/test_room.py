from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from components.harness.types import JsonObject, ToolError
from components.liveroom import Catalogue, CatalogueRoom, Item, RoomRecord

ITEMS = [
    Item("i1", "Willow Lamp", "home", 5900, 1000, 12, 2, "Hangzhou", "oak", "white", 7, 12),
    Item("i2", "Harbor Mug", "kitchen", 2905, 0, 0, 1, "Wuhan", "glass", "teal", 30, 6),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> CatalogueRoom:
    path: Path = tmp_path_factory.mktemp("room") / "c.sqlite"
    return CatalogueRoom(Catalogue.create(path, ITEMS, [RoomRecord("r", ((1, "i1"), (2, "i2")))]), "r")


@pytest.mark.parametrize(
    ("tool", "link", "facts"),
    [
        ("price_lookup", 1, {"list_price": "59.00", "coupon": "10.00", "price_after_coupon": "49.00"}),
        ("price_lookup", 2, {"list_price": "29.05", "coupon": "0.00", "price_after_coupon": "29.05"}),
        ("item_lookup", 1, {"category": "home", "material": "oak", "colour": "white"}),
        ("stock_lookup", 1, {"in_stock": True, "units": 12}),
        ("stock_lookup", 2, {"in_stock": False, "units": 0}),
        ("shipping_lookup", 1, {"ships_from": "Hangzhou", "ships_within_days": 2}),
        ("after_sales_lookup", 2, {"return_days": 30, "warranty_months": 6}),
    ],
)
def test_each_tool_returns_its_facts(room: CatalogueRoom, tool: str, link: int, facts: JsonObject) -> None:
    result = asyncio.run(room.call(tool, {"link_id": link}))
    assert result == {"link_id": link, "title": ITEMS[link - 1].title, **facts}


def test_an_unknown_link_names_the_links_that_are_there(room: CatalogueRoom) -> None:
    with pytest.raises(ToolError, match=r"^no item at link 9; links here: 1, 2$"):
        asyncio.run(room.call("price_lookup", {"link_id": 9}))


@pytest.mark.parametrize("link", [0, -1, 10**30, None, "3; DROP TABLE item", 1.5, [1]])
def test_no_argument_breaks_a_tool(room: CatalogueRoom, link: Any) -> None:
    with pytest.raises(ToolError, match="link"):
        asyncio.run(room.call("price_lookup", {"link_id": link}))


def test_a_missing_argument_and_an_unknown_tool_are_tool_errors(room: CatalogueRoom) -> None:
    with pytest.raises(ToolError, match="link_id: expected a link number, found None"):
        asyncio.run(room.call("price_lookup", {}))
    with pytest.raises(ToolError, match="no tool teleport in this room"):
        asyncio.run(room.call("teleport", {"link_id": 1}))
