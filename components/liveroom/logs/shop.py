"""Items, rooms and coupons out of their tables."""

from __future__ import annotations

from collections.abc import Sequence

from components.liveroom.logs.cells import Problems
from components.liveroom.logs.reading import Record, Tables
from components.liveroom.logs.references import check_known, check_once, grouped
from components.liveroom.types import Campaign, Coupon, Faq, Item, RoomRecord, Sku


def read_items(tables: Tables, problems: Problems) -> list[Item]:
    """The items with their SKUs and features."""
    records = tables.get("items", [])
    known = {record["item_id"] for record in records}
    skus, features = grouped(tables, "skus", "item_id"), grouped(tables, "features", "item_id")
    check_once(records, ("title",), problems)
    for table in ("skus", "features"):
        check_known(tables.get(table, ()), "item_id", known, "items", problems)
    for record in records:
        own = skus[record["item_id"]]
        check_once(own, ("colour", "size"), problems)
        _check_prices(own, problems)
        if not own:
            problems.add(record.place("item_id"), f"{record['item_id']} is not in skus; expected at least one row; add it")
    return [_item(record, skus[record["item_id"]], features[record["item_id"]]) for record in records]


def read_rooms(tables: Tables, problems: Problems) -> list[RoomRecord]:
    """The rooms with their links, campaigns and answers: those of `rooms`, then what else `links` names."""
    records = {record["room_id"]: record for record in tables.get("rooms", ())}
    links = grouped(tables, "links", "room_id")
    check_known(tables.get("links", ()), "item_id", {record["item_id"] for record in tables.get("items", ())}, "items", problems)
    check_known(records.values(), "room_id", links, "links", problems)
    for table in ("campaigns", "faq"):
        check_known(tables.get(table, ()), "room_id", links, "links", problems)
    for record in tables.get("faq", ()):
        if record["key"].lower() not in record["answer"].lower():
            problems.add(record.place("key"), f"expected words of the answer, found {record['key']!r}; correct it")
    campaigns, answers = grouped(tables, "campaigns", "room_id"), grouped(tables, "faq", "room_id")
    return [
        RoomRecord(
            room_id,
            _numbered(links.get(room_id, []), problems),
            records[room_id]["language"] if room_id in records else "en",
            next((Campaign(one["name"], one["ends"], one["gift"], one["gift_over_cents"]) for one in campaigns[room_id]), None),
            tuple(Faq(one["topic"], one["answer"], one["key"]) for one in answers[room_id]),
        )
        for room_id in dict.fromkeys([*records, *links])
    ]


def read_coupons(tables: Tables, rooms: Sequence[RoomRecord], problems: Problems) -> list[Coupon]:
    """The coupons with the items they hold for."""
    records = tables.get("coupons", [])
    items = grouped(tables, "coupon_items", "coupon_id")
    linked = {room.room_id: {item_id for _, item_id in room.links} for room in rooms}
    check_once(records, ("room_id", "title"), problems)
    check_known(records, "room_id", linked, "links", problems)
    check_known(tables.get("coupon_items", ()), "coupon_id", {record["coupon_id"] for record in records}, "coupons", problems)
    for record in records:
        if (record["percent_off"] == 0) == (record["off_cents"] == 0):
            problems.add(record.place("percent_off"), "expected exactly one of percent_off and off; fill or empty one")
        room_id = record["room_id"]
        check_known(items[record["coupon_id"]], "item_id", linked.get(room_id, ()), f"the links of room {room_id}", problems)
    return [
        Coupon(
            record["coupon_id"],
            record["room_id"],
            record["title"],
            record["group"],
            record["percent_off"],
            record["off_cents"],
            record["minimum_cents"],
            tuple(one["item_id"] for one in items[record["coupon_id"]]),
        )
        for record in records
    ]


def _item(record: Record, skus: list[Record], features: list[Record]) -> Item:
    return Item(
        record["item_id"],
        record["title"],
        record["category"],
        record["material"],
        tuple(Sku(one["sku_id"], one["colour"], one["size"], one["price_cents"], one["stock"]) for one in skus),
        record["ship_from"],
        record["ship_days"],
        record["ship_fee_cents"],
        record["return_days"],
        record["warranty_months"],
        {one["name"]: one["value"] for one in features},
    )


def _check_prices(skus: list[Record], problems: Problems) -> None:
    """A viewer who asks for a size hears one price, whatever the colour."""
    of_size: dict[str, Record] = {}
    for sku in skus:
        first = of_size.setdefault(sku["size"], sku)
        if first["price_cents"] != sku["price_cents"]:
            wrong = f"differs from {first.where}, of the same item and size; expected one price for all colours"
            problems.add(sku.place("price_cents"), f"{wrong}; correct it or make the colours items of their own")


def _numbered(links: list[Record], problems: Problems) -> tuple[tuple[int, str], ...]:
    """(link number, item_id) in link order; numbers from 1 where the room has none."""
    if all(link["link"] is None for link in links):
        return tuple((number, link["item_id"]) for number, link in enumerate(links, start=1))
    for link in links:
        if link["link"] is None:
            problems.add(link.place("link"), "found an empty cell, but other links of this room have a number; fill it")
    check_once(links, ("room_id", "link"), problems)
    return tuple(sorted((link["link"] or 0, link["item_id"]) for link in links))
