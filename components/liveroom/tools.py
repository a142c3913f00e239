"""The room's tools: each answers from the catalogue with facts, or says what there is instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from components.errors import UserError
from components.harness.types import JsonObject, Request, ToolError
from components.liveroom.catalogue import Catalogue
from components.liveroom.options import colours, matching_skus, sizes
from components.liveroom.pricing import Quote, quote, yuan
from components.liveroom.types import Coupon, Item

_RULE = {
    "en": "coupons of one group exclude each other, the one that saves most counts; coupons of different groups add up; "
    "percentages come first, off the list total",
    "zh": "同组优惠券只能用一张，按最省的算；不同组可以叠加；先按原价总额打折，再减现金",
}


class RoomFacts:
    """What one room knows: its record and items from the catalogue, what is on screen from the request."""

    def __init__(self, catalogue: Catalogue, request: Request) -> None:
        """Raises UserError where the catalogue lacks the request's room."""
        record = catalogue.room(request.room_id)
        if record is None:
            raise UserError(f"room {request.room_id}: not in the catalogue; requests and catalogue must be of one build")
        self._catalogue = catalogue
        self.record = record
        self.request = request

    def item(self, link_id: int) -> Item:
        """The item at a link. Raises ToolError that names the links there are."""
        numbers = [number for number, _ in self.record.links]
        item = self._catalogue.item(self.record.room_id, link_id) if link_id in numbers else None
        if item is None:
            raise ToolError(f"no item at link {link_id}; links here: {', '.join(map(str, numbers))}")
        return item

    def coupons(self, item: Item) -> tuple[Coupon, ...]:
        """The room's coupons that hold for an item."""
        return self._catalogue.coupons(self.record.room_id, item.item_id)

    def titles(self) -> tuple[tuple[int, str], ...]:
        """(link number, item title) in link order."""
        return self._catalogue.links(self.record.room_id)


@dataclass(frozen=True)
class RoomTool:
    """A tool of the room: what it takes and what answers."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    """May be left out, or empty."""
    answer: Callable[..., JsonObject]
    """Called with the room's facts and the arguments by name. Raises ToolError for what is not there."""


def _item(room: RoomFacts, link_id: int) -> JsonObject:
    item = room.item(link_id)
    kind = {"category": item.category, "material": item.material}
    return {**_head(link_id, item), **kind, "colours": list(colours(item)), "sizes": list(sizes(item)), "features": item.features}


def _compare(room: RoomFacts, link_ids: list[int]) -> JsonObject:
    items = [(link_id, room.item(link_id)) for link_id in link_ids]
    costs = [list(_totals(item, room.coupons(item))) for _, item in items]
    compared = [
        {
            **_head(link_id, item),
            "price_after_coupon": yuan(min(cost)),
            "several_prices": min(cost) < max(cost),
            "material": item.material,
            "ships_within_days": item.ship_days,
            "return_days": item.return_days,
        }
        for (link_id, item), cost in zip(items, costs, strict=True)
    ]
    first, second = map(min, costs)
    cheaper = None if first == second else link_ids[first > second]
    return {"items": compared, "cheaper": cheaper}


def _price(room: RoomFacts, link_id: int, colour: str = "", size: str = "") -> JsonObject:
    item = room.item(link_id)
    price = _quote(room, link_id, item, 1, colour, size)
    return {
        **_head(link_id, item),
        "list_price": yuan(price.list_cents),
        "coupon": yuan(price.list_cents - price.total_cents),
        "price_after_coupon": yuan(price.total_cents),
        "coupons": [title for title, _ in price.discounts],
    }


def _coupons(room: RoomFacts, link_id: int) -> JsonObject:
    item = room.item(link_id)
    coupons = [
        {
            "title": one.title,
            "off": f"{one.percent_off}%" if one.percent_off else yuan(one.cents_off),
            "minimum": yuan(one.minimum_cents),
            "group": one.group,
        }
        for one in room.coupons(item)
    ]
    return {**_head(link_id, item), "coupons": coupons, "rule": _RULE[room.record.language]}


def _order(room: RoomFacts, link_id: int, quantity: int, colour: str = "", size: str = "") -> JsonObject:
    item = room.item(link_id)
    order = _quote(room, link_id, item, quantity, colour, size)
    units = _units(link_id, item, colour, size)
    return {
        **_head(link_id, item),
        "quantity": quantity,
        "in_stock": units >= quantity,
        "units": units,
        "list_total": yuan(order.list_cents),
        "coupons": [{"title": title, "off": yuan(cents)} for title, cents in order.discounts],
        "total_off": yuan(order.list_cents - order.total_cents),
        "total": yuan(order.total_cents),
    }


def _stock(room: RoomFacts, link_id: int, colour: str = "", size: str = "") -> JsonObject:
    item = room.item(link_id)
    units = _units(link_id, item, colour, size)
    return {**_head(link_id, item), "in_stock": units > 0, "units": units}


def _shipping(room: RoomFacts, link_id: int) -> JsonObject:
    item = room.item(link_id)
    fee = yuan(item.ship_fee_cents)
    return {
        **_head(link_id, item),
        "ships_from": item.ship_from,
        "ships_within_days": item.ship_days,
        "shipping_fee": fee,
    }


def _after_sales(room: RoomFacts, link_id: int) -> JsonObject:
    item = room.item(link_id)
    return {**_head(link_id, item), "return_days": item.return_days, "warranty_months": item.warranty_months}


def _faq(room: RoomFacts, topic: str) -> JsonObject:
    answers: dict[str, str] = {faq.topic: faq.answer for faq in room.record.faq}
    if topic not in answers:
        raise ToolError(f"no answer on {topic}; topics here: {', '.join(answers) or 'none'}")
    return {"topic": topic, "answer": answers[topic]}


def _campaign(room: RoomFacts) -> JsonObject:
    campaign = room.record.campaign
    if campaign is None:
        raise ToolError("no campaign runs in this room now")
    over = yuan(campaign.gift_over_cents)
    return {"name": campaign.name, "ends": campaign.ends, "gift": campaign.gift, "gift_over": over}


def _state(room: RoomFacts) -> JsonObject:
    return {
        "on_screen_link": room.request.on_screen_link,
        "links": [{"link_id": link, "title": title} for link, title in room.titles()],
        "campaign": room.record.campaign.name if room.record.campaign else None,
        "audience": dict(room.request.audience),
    }


_OPTION = ("colour", "size")
TOOLS: dict[str, RoomTool] = {
    "item_lookup": RoomTool(("link_id",), (), _item),
    "compare_items": RoomTool(("link_ids",), (), _compare),
    "price_lookup": RoomTool(("link_id",), _OPTION, _price),
    "coupon_lookup": RoomTool(("link_id",), (), _coupons),
    "order_quote": RoomTool(("link_id", "quantity"), _OPTION, _order),
    "stock_lookup": RoomTool(("link_id",), _OPTION, _stock),
    "shipping_lookup": RoomTool(("link_id",), (), _shipping),
    "after_sales_lookup": RoomTool(("link_id",), (), _after_sales),
    "faq_lookup": RoomTool(("topic",), (), _faq),
    "campaign_lookup": RoomTool((), (), _campaign),
    "room_state": RoomTool((), (), _state),
}
"""Tool implementation → what it takes and what answers."""


def _quote(room: RoomFacts, link_id: int, item: Item, quantity: int, colour: str, size: str) -> Quote:
    skus = matching_skus(link_id, item, colour, size)
    if len({sku.price_cents for sku in skus}) > 1:
        there = ", ".join(dict.fromkeys(sku.size for sku in skus))
        raise ToolError(f"link {link_id} has several prices; give size: {there}")
    return quote(skus[0], quantity, room.coupons(item))


def _units(link_id: int, item: Item, colour: str, size: str) -> int:
    return sum(sku.stock for sku in matching_skus(link_id, item, colour, size))


def _totals(item: Item, coupons: tuple[Coupon, ...]) -> Iterator[int]:
    """What one piece costs, of every SKU."""
    return (quote(sku, 1, coupons).total_cents for sku in item.skus)


def _head(link_id: int, item: Item) -> JsonObject:
    return {"link_id": link_id, "title": item.title}
