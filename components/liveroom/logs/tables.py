"""The documented tables; `room_logs/README.md` shows the same.

Tables are flat, so that a spreadsheet can hold them: what is a list or a map elsewhere has one row for each entry.
"""

from __future__ import annotations

from typing import Any, get_args

from components.harness.types import Language
from components.liveroom.logs.schema import Column, Table
from components.liveroom.types import FaqTopic, Intent, Split

BYSTANDER = "bystander"
"""Beside the intents: a comment that asks nothing of the host."""


def _text(name: str, about: str, example: str, **more: Any) -> Column:
    return Column(name, "text", about, example, **more)


def _choice(name: str, about: str, example: str, choices: tuple[str, ...], **more: Any) -> Column:
    return Column(name, "text", about, example, choices=choices, **more)


def _count(name: str, about: str, example: str, least: int = 0, **more: Any) -> Column:
    return Column(name, "integer", about, example, least=least, **more)


def _money(name: str, about: str, example: str, least: int = 0, **more: Any) -> Column:
    return Column(name, "money", about, example, least=least, **more)


_OPTION: dict[str, Any] = {"required": False, "default": ""}
_ITEM = _text("item_id", "the item", "SHIRT-1")
_ROOM = _text("room_id", "the room", "r-0501")

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "items",
            "what you sell: one row for each item",
            (
                _text("item_id", "its identity", "SHIRT-1"),
                _text("title", "as it is spoken; no two items share one", "Linen Shirt"),
                _text("category", "kind of thing, as it is spoken", "clothing"),
                _text("material", "as it is spoken", "linen"),
                _text("ship_from", "town", "Hangzhou"),
                _count("ship_days", "days until it ships, at the most", "2", least=1),
                _money("ship_fee", "empty or 0 is free", "6.00", required=False, default=0),
                _count("return_days", "days in which it may be returned", "7", least=1),
                _count("warranty_months", "months", "12", least=1),
            ),
            key=("item_id",),
            required=True,
        ),
        Table(
            "skus",
            "the forms in which an item is sold: one row for each",
            (
                _text("sku_id", "its identity", "SHIRT-1-W-M"),
                _ITEM,
                _text("colour", "as it is spoken; one price for all colours of a size", "white"),
                _text("size", "empty where there is one size", "M", **_OPTION),
                _money("price", "list price", "59.00", least=1),
                _count("stock", "units left; 0 is sold out", "12"),
            ),
            key=("sku_id",),
            required=True,
        ),
        Table(
            "features",
            "what else may be asked of an item: one row for each answer",
            (_ITEM, _text("name", "what is asked", "care"), _text("value", "the answer", "machine wash cold")),
            key=("item_id", "name"),
        ),
        Table(
            "rooms",
            "live rooms; those of `links` that have no row here speak English and get a split by their name",
            (
                _text("room_id", "its identity", "r-0501"),
                _choice("language", "what the room speaks", "zh", get_args(Language), required=False, default="en"),
                _choice("split", "empty: assigned by a seeded hash", "train", get_args(Split), **_OPTION),
            ),
            key=("room_id",),
        ),
        Table(
            "links",
            "which item stands at which link of a room: one row for each link",
            (
                _ROOM,
                _count("link", "link number; without any in a room: numbered as they come", "1", least=1, required=False),
                _ITEM,
            ),
            key=("room_id", "item_id"),
            required=True,
        ),
        Table(
            "coupons",
            "what is taken off an order: coupons of one group exclude each other, groups stack, percent comes first",
            (
                _text("coupon_id", "its identity", "C-1"),
                _ROOM,
                _text("title", "as it is spoken", "10 yuan off"),
                _text("group", "of coupons that exclude each other", "shop"),
                _count("percent_off", "percent; exactly one of this and `off`", "5", most=90, required=False, default=0),
                _money("off", "sum taken off", "10.00", required=False, default=0),
                _money("minimum", "list total from which it holds", "99.00", required=False, default=0),
            ),
            key=("coupon_id",),
        ),
        Table(
            "coupon_items",
            "items that a coupon holds for: one row for each; a coupon without a row holds for every item of its room",
            (_text("coupon_id", "the coupon", "C-1"), _ITEM),
            key=("coupon_id", "item_id"),
        ),
        Table(
            "campaigns",
            "what runs in a room: one row a room at the most",
            (
                _ROOM,
                _text("name", "as it is spoken", "Spring Days"),
                _text("ends", "as it is spoken", "Sunday 22:00"),
                _text("gift", "what comes with an order", "a cotton tote bag"),
                _money("gift_over", "list total from which it comes", "199.00", least=1),
            ),
            key=("room_id",),
        ),
        Table(
            "faq",
            "a room's answers to frequent questions: one row for each topic",
            (
                _ROOM,
                _choice("topic", "what is asked", "invoice", get_args(FaqTopic)),
                _text("answer", "one sentence to be spoken", "We send the invoice by e-mail."),
                _text("key", "the words of the answer that a right reply must hold", "by e-mail"),
            ),
            key=("room_id", "topic"),
        ),
        Table(
            "comments",
            "what viewers wrote: one row for each comment, in the order of time",
            (
                Column("comment", "line", "in the viewer's own words", "how much is link 2?"),
                _choice(
                    "intent",
                    f"what is wanted; `{BYSTANDER}` asks nothing; empty: not labelled",
                    "price",
                    (*(intent for intent in Intent if intent is not Intent.SEVERAL), BYSTANDER),
                    **_OPTION,
                ),
                _text("room_id", "the room; may be empty only without an intent", "r-0501", **_OPTION),
                _text("request_id", "comments of one window share it; empty: the comment came alone", "q-17", **_OPTION),
                _count("on_screen_link", "link shown then; may be empty only without an intent", "1", least=1, required=False),
                _count("link", "link of the item meant, however the comment points at it", "2", least=1, required=False),
                _count("other_link", "`comparison`: the second item", "3", least=1, required=False),
                _text("colour", "colour asked about", "white", **_OPTION),
                _text("size", "size asked about", "M", **_OPTION),
                _count("quantity", "pieces asked about", "2", least=1, most=99, required=False, default=1),
                _text("topic", "`specification`: material, colour, size or a feature; `faq`: the topic", "material", **_OPTION),
                _text("payload", "`injection`, `risky_claim`: the words that the viewer wants to hear", "cures acne", **_OPTION),
                _count("viewers", "in the room at the time", "1200", required=False),
                _count("orders_last_minute", "orders in the minute before", "14", required=False),
            ),
            required=True,
        ),
        Table(
            "dialogue",
            "what was said before a request: one row for each utterance, oldest first",
            (
                _text("request_id", "the request", "q-17"),
                _choice("speaker", "who said it", "host", ("viewer", "host")),
                Column("text", "line", "what was said", "The Linen Shirt is 49 yuan."),
            ),
        ),
    )
}
