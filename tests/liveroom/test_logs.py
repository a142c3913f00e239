"""A company's own rooms: what is read, and what is refused with file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from components.errors import UserError
from components.liveroom.catalogue import Catalogue
from components.liveroom.logs import has_logs, read_logs
from components.liveroom.truth import truth
from components.liveroom.types import Intent

ITEM = {
    "item_id": "SKU-1",
    "title": "Linen Shirt",
    "category": "clothing",
    "price_cents": 5900,
    "coupon_cents": 1000,
    "stock": 12,
    "ship_days": 2,
    "ship_from": "Hangzhou",
    "material": "linen",
    "colour": "white",
    "return_days": 7,
    "warranty_months": 12,
}
ROOM = {"room_id": "r1", "split": "train", "links": [[1, "SKU-1"], [2, "SKU-2"]]}
PRICE = {"room_id": "r1", "comments": ["how much is link 2?"], "intent": "price", "on_screen_link": 1, "target_link": 2}
CHAT = {"room_id": "r1", "comments": ["hello from Chengdu"], "intent": "chit_chat", "on_screen_link": 1}


def write(folder: Path, item: Any = ITEM, room: Any = ROOM, comment: Any = PRICE) -> Path:
    other = {**ITEM, "item_id": "SKU-2", "title": "Steel Kettle"}
    for name, rows in (
        ("items", [item, other]),
        ("rooms", room if isinstance(room, list) else [room]),
        ("comments", [comment, CHAT]),
    ):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_logs_become_cases_whose_truth_comes_from_the_items(tmp_path: Path) -> None:
    assert has_logs(write(tmp_path))
    items, rooms, cases = read_logs(tmp_path)
    assert [case.intent for case in cases] == [Intent.PRICE, Intent.CHIT_CHAT]
    assert cases[0].request.links == ((1, "Linen Shirt"), (2, "Steel Kettle"))
    catalogue = Catalogue.create(tmp_path / "catalogue.sqlite", items, rooms)
    assert "49.00" in truth(cases[0], catalogue).reply


def test_folder_without_logs_is_no_error_but_a_part_of_them_is(tmp_path: Path) -> None:
    assert not has_logs(tmp_path)
    (write(tmp_path) / "rooms.jsonl").unlink()
    with pytest.raises(UserError, match=r"rooms\.jsonl: not found; expected items\.jsonl, .* together"):
        has_logs(tmp_path)


def test_file_that_is_no_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    (write(tmp_path) / "items.jsonl").write_bytes(json.dumps(ITEM).encode() + b"\n\xff\n")
    with pytest.raises(UserError, match=r"items\.jsonl:2: expected a JSON object \('utf-8' codec can't decode .*\); restore"):
        read_logs(tmp_path)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"item": {**ITEM, "price_cents": "cheap"}}, "items.jsonl:1: price_cents: input should be a valid integer"),
        ({"item": {**ITEM, "price_cents": 0}}, "items.jsonl:1: price_cents: input should be greater than 0"),
        ({"item": {**ITEM, "coupon_cents": 5900}}, "items.jsonl:1: coupon_cents: expected less than price_cents (5900)"),
        ({"item": {**ITEM, "coupon_cents": -1}}, "items.jsonl:1: coupon_cents: input should be greater than or equal to 0"),
        ({"item": {**ITEM, "stock": 2**63}}, "items.jsonl:1: stock: input should be less than or equal to 9223372036854775807"),
        ({"item": {**ITEM, "material": " "}}, "items.jsonl:1: material: string should match pattern"),
        ({"item": {**ITEM, "item_id": "SKU-2"}}, "items.jsonl:2: item_id: SKU-2 occurs twice"),
        ({"item": {**ITEM, "title": "Steel Kettle"}}, "items.jsonl:2: title: Steel Kettle occurs twice"),
        ({"room": [ROOM, ROOM]}, "rooms.jsonl:2: room_id: r1 occurs twice"),
        ({"room": {**ROOM, "links": [[1, "SKU-1"], [1, "SKU-2"]]}}, "rooms.jsonl:1: links: 1 occurs twice"),
        ({"room": {**ROOM, "links": [[1, "SKU-1"], [2, "SKU-1"]]}}, "rooms.jsonl:1: links: SKU-1 occurs twice"),
        ({"room": {**ROOM, "split": "test"}}, "rooms.jsonl:1: split: input should be 'train' or 'eval'"),
        ({"room": {**ROOM, "links": [[1, "SKU-9"]]}}, "rooms.jsonl:1: links: item SKU-9 is not in items.jsonl"),
        ({"comment": {**PRICE, "room_id": "r9"}}, "comments.jsonl:1: room_id: r9 is not in rooms.jsonl"),
        ({"comment": {**PRICE, "target_link": 7}}, "comments.jsonl:1: target_link: room r1 has no link 7"),
        ({"comment": {**PRICE, "target_link": None}}, "comments.jsonl:1: target_link: expected a link for every intent but"),
        ({"comment": {**PRICE, "intent": "cost"}}, "comments.jsonl:1: intent: input should be"),
    ],
)
def test_line_that_cannot_be_used_is_named(tmp_path: Path, parts: dict[str, Any], expected: str) -> None:
    write(tmp_path, **parts)
    with pytest.raises(UserError) as error:
        read_logs(tmp_path)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
