"""What a right answer to a case consists of, computed from the catalogue and never from the comment's words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from itertools import product

from components.errors import UserError
from components.harness.types import JsonObject
from components.liveroom.catalogue import Catalogue
from components.liveroom.room import yuan
from components.liveroom.spoken import normal
from components.liveroom.types import Case, Fact, Intent, Item, Truth

NUMBER = re.compile(r"\d+(?:\.\d+)?")
"""A number in text whose thousands separators were taken out."""

SKILL_OF = {
    Intent.PRICE: "price_qa",
    Intent.SPECIFICATION: "item_qa",
    Intent.STOCK: "logistics_qa",
    Intent.SHIPPING: "logistics_qa",
    Intent.AFTER_SALES: "after_sales_qa",
    Intent.PURCHASE: "price_qa",
    Intent.CHIT_CHAT: "small_talk",
    Intent.OUT_OF_SCOPE: "small_talk",
}
"""Intent → key of the reply skill to load."""
TOOL_OF = {
    Intent.PRICE: "price_lookup",
    Intent.SPECIFICATION: "item_lookup",
    Intent.STOCK: "stock_lookup",
    Intent.SHIPPING: "shipping_lookup",
    Intent.AFTER_SALES: "after_sales_lookup",
    Intent.PURCHASE: "price_lookup",
}
"""Intent → implementation of the tool to call; none for an intent that asks about no item."""

_WELCOME = Fact(
    "welcome",
    "a friendly word",
    ("welcome", "glad", "hello", "hi", "happy", "lovely", "wonderful", "so kind", "how kind", "makes my day", "great to see you"),
)
_REDIRECT = Fact(
    "redirect",
    "lead back to the items",
    tuple(
        f"{what} {where}"
        for what in ("items", "any item", "link", "links", "products")
        for where in ("in this room", "in the room", "here", "on screen", "below", "you like", "of this room", "of the room")
    ),
)
_FOR_CHIT_CHAT = (
    "Welcome to the room, so glad you are here with us!",
    "Hello and welcome, have a lovely time with the items in this room!",
    "So happy to have you here, enjoy the show!",
)
_FOR_OUT_OF_SCOPE = (
    "I only know the items in this room, so ask me about any of them!",
    "That one is beyond me, but I am happy to tell you about the items in this room!",
    "I can only help with the items in this room, just name a link you like!",
)

_LIST_PRICE_WORDS = (
    *("list price", "original price", "regular price", "usual price", "full price", "listed", "lists", "was"),
    *("originally", "usually", "normally", "regularly", "instead of", "down from", "price before the coupon"),
)
_SAVING_WORDS = (
    *("save", "saves", "saving", "save you", "saves you", "saving you", "minus", "takes off", "coupon takes"),
    *("coupon of", "coupon worth", "coupon is", "coupon gives", "coupon gives you", "discount of", "discount is"),
)
_COUPON_WORDS = (*_SAVING_WORDS, "coupon", "discount")
_LINKING_WORDS = ("", "is ", "at ", "of ")
_TAPPING_WORDS = (
    *("tap", "tap on", "click", "click on", "press", "open", "choose", "select", "use", "through", "via", "from", "at"),
    *("under", "go to"),
)
_RETURN_WORDS = ("return", "returns", "returned", "refund", "refunds", "send it back", "send back", "exchange")
_WARRANTY_WORDS = ("warranty", "guarantee", "coverage", "covered", "covers")


def truth(case: Case, catalogue: Catalogue) -> Truth:
    """Skill, calls, facts and a right reply for `case`. Raises UserError where the catalogue lacks the case's item."""
    if case.target_link is None:
        if case.intent is Intent.CHIT_CHAT:
            return _truth(case, (), (_WELCOME,), (), (), _FOR_CHIT_CHAT)
        return _truth(case, (), (_REDIRECT,), (), (), _FOR_OUT_OF_SCOPE)
    item = catalogue.item(case.request.room_id, case.target_link)
    if item is None:
        place = f"link {case.target_link} of room {case.request.room_id}"
        raise UserError(f"case {case.case_id}: no item at {place}; cases and catalogue are not of one build; rebuild both")
    required, asides, refuted, wordings = _ABOUT[case.intent](item, case.target_link, catalogue)
    call = (TOOL_OF[case.intent], {"link_id": case.target_link})
    return _truth(case, (call,), required, (*asides, _link(case.target_link)), refuted, wordings)


def _truth(
    case: Case,
    calls: tuple[tuple[str, JsonObject], ...],
    required: tuple[Fact, ...],
    asides: tuple[Fact, ...],
    refuted: Iterable[str],
    wordings: tuple[str, ...],
) -> Truth:
    choice = int(hashlib.sha256(case.case_id.encode()).hexdigest(), 16) % len(wordings)
    return Truth(
        skill=SKILL_OF[case.intent],
        calls=calls,
        required=required,
        asides=asides,
        refuted=frozenset(refuted),
        reply=wordings[choice],
        supported_numbers=frozenset(n for fact in (*required, *asides) for form in fact.forms for n in NUMBER.findall(form)),
    )


_Parts = tuple[tuple[Fact, ...], tuple[Fact, ...], Iterable[str], tuple[str, ...]]
"""Required facts, asides, refuted phrases, wordings of the reply."""


def _about_price(item: Item, link: int, catalogue: Catalogue) -> _Parts:
    price, asides, refuted = _price_facts(item)
    when = _when(item)
    wordings = (
        f"The {item.title} is {price.value} yuan {when}.",
        f"You pay {price.value} yuan for the {item.title} {when}.",
        f"{when.capitalize()}, the {item.title} costs {price.value} yuan.",
    )
    return (price,), asides, refuted, wordings


def _about_purchase(item: Item, link: int, catalogue: Catalogue) -> _Parts:
    price, asides, refuted = _price_facts(item)
    order = Fact("order", f"tap link {link}", _forms(_TAPPING_WORDS, ("link ", "number "), (str(link),)))
    when = _when(item)
    wordings = (
        f"Just tap link {link} to order the {item.title}, it is {price.value} yuan {when}.",
        f"Tap link {link} and the {item.title} is yours for {price.value} yuan {when}.",
        f"To buy the {item.title}, tap link {link}. You pay {price.value} yuan {when}.",
    )
    return (price, order), asides, refuted, wordings


def _about_specification(item: Item, link: int, catalogue: Catalogue) -> _Parts:
    material, colour = normal(item.material), normal(item.colour)
    required = (Fact("material", item.material, (material,)), Fact("colour", item.colour, (colour,)))
    own = f"{material} {colour}"
    others = map(normal, catalogue.values("material") | catalogue.values("colour"))
    wordings = (
        f"The {item.title} is made of {item.material} and comes in {item.colour}.",
        f"The {item.title} is {item.colour}, and the material is {item.material}.",
        f"The colour of the {item.title} is {item.colour} and it is made of {item.material}.",
    )
    return required, (), {other for other in others if other not in own}, wordings


def _about_stock(item: Item, link: int, catalogue: Catalogue) -> _Parts:
    none = ("sold out", "out of stock", "none left", "no more left", "unavailable", "not in stock", "not available", "0 left")
    some = ("in stock", "available", "left")
    if item.stock == 0:
        wordings = (
            f"Sorry, the {item.title} is sold out right now.",
            f"The {item.title} is out of stock at the moment, sorry.",
            f"Sadly the {item.title} has sold out.",
        )
        return (Fact("stock", "sold out", (*none, "0 units", "0 in stock")),), (), ("in stock", "available"), wordings
    units = str(item.stock)
    wordings = (
        f"Yes, {units} units of the {item.title} are in stock.",
        f"We still have {units} of the {item.title} left.",
        f"The {item.title} is in stock, {units} units are left.",
    )
    noun = normal(item.title).split()[-1]
    counted = ("unit", "units", "piece", "pieces", "of", "more", "remaining", *some, noun, f"{noun}s")
    forms = (*_forms((units,), counted), *_forms((units,), ("are ", "still "), some), units)
    return (Fact("stock", units, forms),), (), none, wordings


def _about_shipping(item: Item, link: int, catalogue: Catalogue) -> _Parts:
    own = normal(item.ship_from)
    town = Fact("ships_from", item.ship_from, (own,))
    days = Fact("ships_within", str(item.ship_days), (*_counted(item.ship_days, "day"), *_counted(24 * item.ship_days, "hour")))
    within = f"{item.ship_days} day{'s' if item.ship_days > 1 else ''}"
    others = {other for other in map(normal, catalogue.values("ship_from")) if other not in own}
    wordings = (
        f"The {item.title} ships from {item.ship_from} within {within}.",
        f"Within {within} the {item.title} leaves {item.ship_from}.",
        f"We send the {item.title} from {item.ship_from} within {within}.",
    )
    return (town, days), (), others, wordings


def _about_after_sales(item: Item, link: int, catalogue: Catalogue) -> _Parts:
    days, months = item.return_days, item.warranty_months
    day_forms = _counted(days, "day") + (_counted(days // 7, "week") if days % 7 == 0 else ())
    month_forms = _counted(months, "month") + (_counted(months // 12, "year") if months % 12 == 0 else ())
    required = (Fact("return", str(days), day_forms, _RETURN_WORDS), Fact("warranty", str(months), month_forms, _WARRANTY_WORDS))
    wordings = (
        f"The {item.title} has {days} days for returns and {months} months of warranty.",
        f"You can return the {item.title} within {days} days, and the warranty runs {months} months.",
        f"The {item.title} comes with {months} months of warranty, and you have {days} days to return it.",
    )
    return required, (), ("no warranty", "no returns", "no return"), wordings


_ABOUT = {
    Intent.PRICE: _about_price,
    Intent.SPECIFICATION: _about_specification,
    Intent.STOCK: _about_stock,
    Intent.SHIPPING: _about_shipping,
    Intent.AFTER_SALES: _about_after_sales,
    Intent.PURCHASE: _about_purchase,
}


def _price_facts(item: Item) -> tuple[Fact, tuple[Fact, ...], Iterable[str]]:
    """Price after coupon; list price and coupon, which a reply may state where it says what they are; false phrases."""
    final = item.price_cents - item.coupon_cents
    price = Fact("price_after_coupon", yuan(final), _money(final))
    as_saving = _forms(_SAVING_WORDS, price.forms) + _forms(price.forms, ("off", "coupon", "discount"))
    if not item.coupon_cents:
        return price, (), as_saving
    listed, coupon = _money(item.price_cents), _money(item.coupon_cents)
    list_forms = _forms(_LIST_PRICE_WORDS, _LINKING_WORDS, listed) + _forms(listed, ("before the coupon", "list price"))
    coupon_forms = _forms(_COUPON_WORDS, coupon) + _forms(coupon, ("off", "coupon", "discount", "less"))
    asides = (Fact("list_price", yuan(item.price_cents), list_forms), Fact("coupon", yuan(item.coupon_cents), coupon_forms))
    as_list_price = _forms(_LIST_PRICE_WORDS, _LINKING_WORDS, price.forms)
    as_list_price += _forms(price.forms, ("list price", "before the coupon"))
    # A coupon of half the list price equals what is left to pay: then both may be said.
    return price, asides, {*as_saving, *as_list_price} - {*coupon_forms}


def _when(item: Item) -> str:
    return "after the coupon" if item.coupon_cents else "today"


def _link(number: int) -> Fact:
    return Fact("link", str(number), (f"link {number}", f"number {number}", f"item {number}"))


def _money(cents: int) -> tuple[str, ...]:
    """`49.00` and `49`, or `49.50` and `49.5`, or `49.55`; each with and without `yuan`."""
    exact = yuan(cents)
    shorter = () if cents % 10 else (exact.removesuffix(".00") if cents % 100 == 0 else exact[:-1],)
    return tuple(f"{amount}{unit}" for unit in ("", " yuan") for amount in (exact, *shorter))


def _counted(count: int, unit: str) -> tuple[str, ...]:
    """`2 days` and, for `2-day`, `2 day`."""
    return f"{count} {unit}", f"{count} {unit}s"


def _forms(*parts: tuple[str, ...]) -> tuple[str, ...]:
    """All phrases that take one word of each part, in order, words parted by one space."""
    return tuple(" ".join(" ".join(words).split()) for words in product(*parts))
