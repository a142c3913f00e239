"""A room's tools, answered from the catalogue."""

from __future__ import annotations

from collections.abc import Callable

from components.harness.types import JsonObject, ToolError
from components.liveroom.catalogue import Catalogue
from components.liveroom.types import Item


def yuan(cents: int) -> str:
    """Cents as the text that tools return and replies speak, `4900` → `49.00`."""
    return f"{cents // 100}.{cents % 100:02d}"


def _price(item: Item) -> JsonObject:
    return {
        "list_price": yuan(item.price_cents),
        "coupon": yuan(item.coupon_cents),
        "price_after_coupon": yuan(item.price_cents - item.coupon_cents),
    }


def _item(item: Item) -> JsonObject:
    return {"category": item.category, "material": item.material, "colour": item.colour}


def _stock(item: Item) -> JsonObject:
    return {"in_stock": item.stock > 0, "units": item.stock}


def _shipping(item: Item) -> JsonObject:
    return {"ships_from": item.ship_from, "ships_within_days": item.ship_days}


def _after_sales(item: Item) -> JsonObject:
    return {"return_days": item.return_days, "warranty_months": item.warranty_months}


TOOLS: dict[str, Callable[[Item], JsonObject]] = {
    "price_lookup": _price,
    "item_lookup": _item,
    "stock_lookup": _stock,
    "shipping_lookup": _shipping,
    "after_sales_lookup": _after_sales,
}
"""Tool implementation → the facts it returns of an item."""


class CatalogueRoom:
    """The `Room` of one room id: every tool takes `link_id` and answers for the item at that link."""

    def __init__(self, catalogue: Catalogue, room_id: str) -> None:
        """Tools of room `room_id` over `catalogue`."""
        self._catalogue = catalogue
        self._room_id = room_id

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        """Facts of the item at `arguments["link_id"]`. Raises ToolError for an unknown tool or link."""
        if implementation not in TOOLS:
            raise ToolError(f"no tool {implementation} in this room")
        link_id = arguments.get("link_id")
        if not isinstance(link_id, int):
            raise ToolError(f"link_id: expected a link number, found {link_id!r}")
        numbers = [number for number, _ in self._catalogue.links(self._room_id)]
        item = self._catalogue.item(self._room_id, link_id) if link_id in numbers else None
        if item is None:
            raise ToolError(f"no item at link {link_id}; links here: {', '.join(map(str, numbers))}")
        return {"link_id": link_id, "title": item.title, **TOOLS[implementation](item)}
