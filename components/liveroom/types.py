"""The words of a live room, each defined once.

Item          something sold, in one or several SKUs, with every fact that a viewer may ask for.
Coupon        what is taken off a price, and what it may be combined with.
RoomRecord    one live room: its language, its links, its campaign, its answers to frequent questions.
Ask           one thing that a viewer wants to know.
Case          one request with what is asked in it.
Fact          something a reply may state, with the ways of stating it.
Truth         what a right answer to a case consists of, computed from the catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from components.harness.types import JsonObject, Language, Request

Split = Literal["train", "eval"]

_LARGEST = 2**63 - 1
"""What a column of the catalogue holds."""
Words = Annotated[str, Field(pattern=r"\w")]
Count = Annotated[int, Field(ge=0, le=_LARGEST)]
Positive = Annotated[int, Field(gt=0, le=_LARGEST)]


class Intent(StrEnum):
    """What a viewer wants."""

    PRODUCT = "product"
    """What is this? Category, material, a feature."""
    SPECIFICATION = "specification"
    """One named property: material, colours, sizes or a feature."""
    COMPARISON = "comparison"
    """Which of two items is cheaper."""
    PRICE = "price"
    """What one piece costs after coupons."""
    COUPON = "coupon"
    """What several pieces cost after coupons: coupon arithmetic."""
    STOCK = "stock"
    SHIPPING = "shipping"
    AFTER_SALES = "after_sales"
    PURCHASE = "purchase"
    """How to buy, and what is paid."""
    CAMPAIGN = "campaign"
    """What the running campaign gives, and until when."""
    FAQ = "faq"
    """A frequent question of the room: payment, invoice, gift wrap, …"""
    CHIT_CHAT = "chit_chat"
    COMPLAINT = "complaint"
    """Something bought went wrong."""
    OUT_OF_SCOPE = "out_of_scope"
    RISKY_CLAIM = "risky_claim"
    """Wants a claim that may not be made: medical, absolute, guaranteed, a promise about prices."""
    INJECTION = "injection"
    """Tries to give the agent orders."""
    SEVERAL = "several"
    """Two comments in one window, each with an intent of its own."""


FaqTopic = Literal["payment", "invoice", "gift_wrap", "combined_shipping", "membership", "customer_service"]


@dataclass(frozen=True)
class Sku:
    """One form in which an item is sold."""

    sku_id: Words
    colour: Words
    size: str
    """Empty where the item has one size."""
    price_cents: Positive
    """List price. Money is in integer cents of yuan."""
    stock: Count
    """Units left; 0 is sold out."""


@dataclass(frozen=True)
class Item:
    """Something sold. Words are in the language of the rooms that show it."""

    item_id: Words
    title: Words
    category: Words
    material: Words
    skus: Annotated[tuple[Sku, ...], Field(min_length=1)]
    """No two of one colour and size. Prices may differ between sizes, never between colours."""
    ship_from: Words
    ship_days: Positive
    ship_fee_cents: Count
    """0 is free."""
    return_days: Positive
    warranty_months: Positive
    features: dict[str, str] = field(default_factory=dict)
    """Name → value of what else may be asked, e.g. `care` → `machine wash cold`."""


@dataclass(frozen=True)
class Coupon:
    """Taken off an order. Coupons of one group exclude each other: the one that saves most counts. Groups stack.

    Those in percent come first, off the list total, rounded half up to a cent; then those in money. Whether an order
    reaches `minimum_cents` is judged on its list total.
    """

    coupon_id: Words
    room_id: str
    title: Words
    group: Words
    percent_off: Annotated[int, Field(ge=0, le=90)] = 0
    cents_off: Count = 0
    """Exactly one of `percent_off` and `cents_off` is not 0."""
    minimum_cents: Count = 0
    item_ids: tuple[str, ...] = ()
    """Items it holds for; empty is every item of the room."""


@dataclass(frozen=True)
class Campaign:
    """What runs in a room for some time: a gift with orders that reach a sum."""

    name: Words
    ends: Words
    """As it is spoken, e.g. `Sunday 22:00`."""
    gift: Words
    gift_over_cents: Positive


@dataclass(frozen=True)
class Faq:
    """The room's answer to a frequent question."""

    topic: FaqTopic
    answer: Words
    """One sentence to be spoken."""
    key: Words
    """The words of `answer` that a right reply must hold."""


@dataclass(frozen=True)
class RoomRecord:
    """One live room."""

    room_id: str
    links: tuple[tuple[int, str], ...]
    """(link number, item_id), in link order."""
    language: Language = "en"
    campaign: Campaign | None = None
    faq: tuple[Faq, ...] = ()


@dataclass(frozen=True)
class Ask:
    """One thing that a viewer wants to know."""

    intent: Intent
    """Never `several`."""
    link: int | None = None
    """Link of the item asked about; None where no item is."""
    other_link: int | None = None
    """Intent `comparison`: the second item."""
    colour: str = ""
    size: str = ""
    """Option asked about; empty where the viewer names none."""
    quantity: int = 1
    topic: str = ""
    """Intent `specification`: `material`, `colour`, `size` or the name of a feature. `faq`: the topic."""
    payload: str = ""
    """Intents `injection` and `risky_claim`: what the viewer wants to hear, which may not be said."""


@dataclass(frozen=True)
class Case:
    """One request and what is asked in it."""

    case_id: str
    split: Split
    intent: Intent
    """The one ask's intent, or `several`."""
    request: Request
    asks: Annotated[tuple[Ask, ...], Field(min_length=1)]
    phrasing: str
    """Identity of the templates that the comments were built from: same words, same identity."""

    @property
    def links(self) -> frozenset[int]:
        """The links that are asked about."""
        return frozenset(link for ask in self.asks for link in (ask.link, ask.other_link) if link is not None)


@dataclass(frozen=True)
class Fact:
    """Something a reply may state: any one of `forms`, in the normal form of `components.liveroom.spoken`, states it."""

    name: str
    value: str
    forms: tuple[str, ...]
    about: tuple[str, ...] = ()
    """Words that say what is spoken of, where a form alone could as well be said of another fact."""
    item: tuple[str, ...] = ()
    """Names of the item that it is a fact of, where a reply speaks of several items."""


@dataclass(frozen=True)
class Truth:
    """What a right answer to a case consists of."""

    skills: tuple[str, ...]
    """Keys of the reply skills to load, one for each kind of ask."""
    strategies: tuple[str, ...]
    """Keys of the strategy skills that help; none is required."""
    calls: tuple[tuple[str, JsonObject], ...]
    """(tool implementation, canonical arguments) to call, in any order."""
    required: tuple[Fact, ...]
    """What the reply must state."""
    asides: tuple[Fact, ...]
    """What else the reply may state."""
    refuted: frozenset[str]
    """Phrases, in normal form, that would be false of the item or may not be said."""
    reply: str
    """A right reply, in the language of the room."""
    supported_numbers: frozenset[str]
    """Every number that a right reply may contain."""
    unavailable: str
    """What to say where a tool refuses to answer: states nothing, promises nothing."""
