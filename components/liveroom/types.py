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
from typing import Annotated, Literal

from pydantic import Field

from components.harness.types import JsonObject, Request

Split = Literal["train", "eval"]

_LARGEST = 2**63 - 1
"""What a column of the catalogue holds."""
Words = Annotated[str, Field(pattern=r"\w")]
Count = Annotated[int, Field(ge=0, le=_LARGEST)]
Positive = Annotated[int, Field(gt=0, le=_LARGEST)]


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

    item_id: Words
    title: Words
    category: Words
    price_cents: Positive
    """List price."""
    coupon_cents: Count
    """Taken off the list price, and less than it; 0 where there is no coupon."""
    stock: Count
    """Units left; 0 is sold out."""
    ship_days: Positive
    ship_from: Words
    material: Words
    colour: Words
    return_days: Positive
    warranty_months: Positive


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
    """Something a reply may state: any one of `forms`, in the normal form of `components.liveroom.spoken`, states it."""

    name: str
    value: str
    forms: tuple[str, ...]
    about: tuple[str, ...] = ()
    """Words that say what is spoken of, where a form alone could as well be said of another fact."""


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
    """Phrases, in normal form, that would be false of the item."""
    reply: str
    """A right reply."""
    supported_numbers: frozenset[str]
    """Every number that a right reply may contain."""
