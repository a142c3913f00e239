"""Worlds and small shops as the documented tables, in every format."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from components.liveroom import World

Rows = list[dict[str, Any]]

SHOP: Mapping[str, Rows] = {
    "items": [
        {
            "item_id": name,
            "title": title,
            "category": "goods",
            "material": "linen",
            "ship_from": "Hangzhou",
            "ship_days": "2",
            "return_days": "7",
            "warranty_months": "12",
        }
        for name, title in (("shirt", "Linen Shirt"), ("kettle", "Steel Kettle"), ("lamp", "Oak Lamp"))
    ],
    "skus": [
        {"sku_id": "s1", "item_id": "shirt", "colour": "white", "size": "M", "price": "59", "stock": "12"},
        {"sku_id": "s2", "item_id": "shirt", "colour": "white", "size": "L", "price": "69", "stock": "0"},
        {"sku_id": "k1", "item_id": "kettle", "colour": "red", "size": "", "price": "49.90", "stock": "3"},
        {"sku_id": "l1", "item_id": "lamp", "colour": "oak", "size": "", "price": "30", "stock": "5"},
    ],
    "features": [{"item_id": "shirt", "name": "care", "value": "machine wash cold"}],
    "rooms": [
        {"room_id": "r1", "language": "en", "split": "train"},
        {"room_id": "r2", "language": "", "split": "eval"},
    ],
    "links": [
        {"room_id": "r1", "link": "1", "item_id": "shirt"},
        {"room_id": "r1", "link": "2", "item_id": "kettle"},
        {"room_id": "r2", "link": "1", "item_id": "lamp"},
    ],
    "coupons": [
        {"coupon_id": "c1", "room_id": "r1", "title": "10 off", "group": "shop", "percent_off": "", "off": "10", "minimum": ""},
    ],
    "coupon_items": [{"coupon_id": "c1", "item_id": "shirt"}],
    "campaigns": [{"room_id": "r1", "name": "Spring Days", "ends": "Sunday", "gift": "a tote bag", "gift_over": "99"}],
    "faq": [{"room_id": "r1", "topic": "invoice", "answer": "We send it by e-mail.", "key": "by e-mail"}],
    "comments": [
        {"comment": "how much is M?", "intent": "price", "room_id": "r1", "request_id": "q1", "on_screen_link": "2", "link": "1"}
        | {"size": "M", "topic": ""},
        {"comment": "😍", "intent": "bystander", "room_id": "r1", "request_id": "q1", "on_screen_link": "2"},
        {"comment": "how do I wash it?", "intent": "specification", "room_id": "r1", "on_screen_link": "1", "link": "1"}
        | {"topic": "care"},
        {"comment": "hello from Chengdu", "intent": "chit_chat", "room_id": "r2", "on_screen_link": "1"},
    ],
    "dialogue": [{"request_id": "q1", "speaker": "host", "text": "Here is our shirt."}],
}
"""A small shop in text cells, as CSV holds it."""


def changed(table: str, row: int, **cells: Any) -> dict[str, Rows]:
    """The shop with some cells of one row set to other values."""
    tables = {name: [dict(one) for one in rows] for name, rows in SHOP.items()}
    tables[table][row].update(cells)
    return tables


def write(folder: Path, tables: Mapping[str, Sequence[Mapping[str, Any]]], suffix: str = ".csv") -> Path:
    """The tables as files of one format; a cell that a row has not is empty, or not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        path = folder / f"{name}{suffix}"
        header = list(dict.fromkeys(column for row in rows for column in row))
        if suffix == ".csv":
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, header, restval="")
                writer.writeheader()
                writer.writerows(rows)
        elif suffix == ".jsonl":
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        else:
            import pyarrow
            from pyarrow import parquet

            parquet.write_table(pyarrow.Table.from_pylist([{name: row.get(name) for name in header} for row in rows]), path)
    return folder


def tables_of(world: World) -> dict[str, Rows]:
    """Everything that a world holds but the phrasings of its comments."""
    split = {case.request.room_id: case.split for case in world.cases}
    return {
        "items": [
            {
                "item_id": item.item_id,
                "title": item.title,
                "category": item.category,
                "material": item.material,
                "ship_from": item.ship_from,
                "ship_days": item.ship_days,
                "ship_fee_cents": item.ship_fee_cents,
                "return_days": item.return_days,
                "warranty_months": item.warranty_months,
            }
            for item in world.items
        ],
        "skus": [
            {
                "sku_id": sku.sku_id,
                "item_id": item.item_id,
                "colour": sku.colour,
                "size": sku.size,
                "price": f"{sku.price_cents // 100}.{sku.price_cents % 100:02d}",
                "stock": sku.stock,
            }
            for item in world.items
            for sku in item.skus
        ],
        "features": [
            {"item_id": item.item_id, "name": name, "value": value}
            for item in world.items
            for name, value in item.features.items()
        ],
        "rooms": [{"room_id": room.room_id, "language": room.language, "split": split[room.room_id]} for room in world.rooms],
        "links": [
            {"room_id": room.room_id, "link": number, "item_id": item_id}
            for room in world.rooms
            for number, item_id in room.links
        ],
        "coupons": [
            {
                "coupon_id": one.coupon_id,
                "room_id": one.room_id,
                "title": one.title,
                "group": one.group,
                "percent_off": one.percent_off,
                "off_cents": one.cents_off,
                "minimum_cents": one.minimum_cents,
            }
            for one in world.coupons
        ],
        "coupon_items": [{"coupon_id": one.coupon_id, "item_id": item_id} for one in world.coupons for item_id in one.item_ids],
        "campaigns": [
            {
                "room_id": room.room_id,
                "name": room.campaign.name,
                "ends": room.campaign.ends,
                "gift": room.campaign.gift,
                "gift_over_cents": room.campaign.gift_over_cents,
            }
            for room in world.rooms
            if room.campaign
        ],
        "faq": [
            {"room_id": room.room_id, "topic": faq.topic, "answer": faq.answer, "key": faq.key}
            for room in world.rooms
            for faq in room.faq
        ],
        "comments": [
            {
                "comment": comment,
                "room_id": case.request.room_id,
                "request_id": case.case_id,
                "on_screen_link": case.request.on_screen_link,
                "viewers": case.request.audience.get("viewers"),
                "orders_last_minute": case.request.audience.get("orders_last_minute"),
                **_labels(case.asks, place),
            }
            for case in world.cases
            for place, comment in enumerate(case.request.comments)
        ],
        "dialogue": [
            {"request_id": case.case_id, "speaker": one.speaker, "text": one.text}
            for case in world.cases
            for one in case.request.dialogue
        ],
    }


def _labels(asks: Sequence[Any], place: int) -> dict[str, Any]:
    """The ask that the comment stands for; which one of a request's comments carries it matters to nobody."""
    if place >= len(asks):
        return {"intent": "bystander"}
    ask = asks[place]
    names = ("link", "other_link", "colour", "size", "quantity", "topic", "payload")
    return {"intent": ask.intent.value, **{name: getattr(ask, name) for name in names}}
