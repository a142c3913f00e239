"""The words of a live room, each defined once.

Item          something sold, with every fact that a viewer may ask for.
RoomRecord    which item stands at which link of a room.
Case          one request with the intent behind it: what is asked of the agent.
Fact          something a reply may state, with the ways of stating it.
Truth         what a right answer to a case consists of, computed from the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from components.harness.types import JsonObject, Request

Split = Literal["train", "eval"]


class Intent(StrEnum):
    """What a viewer wants."""

    PRICE = "price"
    SPECIFICATION = "specification"
    STOCK = "stock"
    SHIPPING = "shipping"
    AFTER_SALES = "after_sales"
    PURCHASE = "purchase"
    CHIT_CHAT = "chit_chat"
    OUT_OF_SCOPE = "out_of_scope"


@dataclass(frozen=True)
class Item:
    """Something sold. Money is in integer cents of yuan."""

    item_id: str
    title: str
    category: str
    price_cents: int
    """List price."""
    coupon_cents: int
    """Taken off the list price; 0 where there is no coupon."""
    stock: int
    """Units left; 0 is sold out."""
    ship_days: int
    ship_from: str
    material: str
    colour: str
    return_days: int
    warranty_months: int


@dataclass(frozen=True)
class RoomRecord:
    """One live room."""

    room_id: str
    links: tuple[tuple[int, str], ...]
    """(link number, item_id), in link order."""


@dataclass(frozen=True)
class Case:
    """One request and the intent behind it."""

    case_id: str
    split: Split
    intent: Intent
    request: Request
    target_link: int | None
    """Link of the item asked about; None where no item is."""
    phrasing: str
    """Identity of the template that the comment was built from: same words, same identity."""


@dataclass(frozen=True)
class Fact:
    """Something a reply may state: any one of `forms`, in lower case, states it."""

    name: str
    value: str
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Truth:
    """What a right answer to a case consists of."""

    skill: str
    """Key of the reply skill to load."""
    calls: tuple[tuple[str, JsonObject], ...]
    """(tool implementation, canonical arguments) to call, in order."""
    required: tuple[Fact, ...]
    """What the reply must state."""
    asides: tuple[Fact, ...]
    """What else the reply may state."""
    refuted: frozenset[str]
    """Phrases, in lower case, that would be false of the item."""
    reply: str
    """A right reply."""
    supported_numbers: frozenset[str]
    """Every number that a right reply may contain."""
