"""What a right answer to a case consists of, computed from the catalogue and never from the comment's words."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import product

from components.errors import UserError
from components.harness.hooks.text import word_count
from components.harness.types import JsonObject, Language
from components.liveroom.catalogue import Catalogue
from components.liveroom.speech import WORDS, Answer, Subject, answer
from components.liveroom.spoken import LONGEST, NUMBER
from components.liveroom.types import Ask, Case, Intent, Truth

SKILL_OF = {
    Intent.PRODUCT: "item-qa",
    Intent.SPECIFICATION: "item-qa",
    Intent.COMPARISON: "compare-qa",
    Intent.PRICE: "price-qa",
    Intent.COUPON: "coupon-qa",
    Intent.STOCK: "logistics-qa",
    Intent.SHIPPING: "logistics-qa",
    Intent.AFTER_SALES: "after-sales-qa",
    Intent.PURCHASE: "order-guide",
    Intent.CAMPAIGN: "room-info",
    Intent.FAQ: "room-info",
    Intent.CHIT_CHAT: "small-talk",
    Intent.COMPLAINT: "complaint-care",
    Intent.OUT_OF_SCOPE: "decline-safely",
    Intent.RISKY_CLAIM: "decline-safely",
    Intent.INJECTION: "decline-safely",
}
"""Intent of an ask → key of the reply skill to load."""
CALL_OF = {
    Intent.PRODUCT: "item_lookup",
    Intent.SPECIFICATION: "item_lookup",
    Intent.COMPARISON: "compare_items",
    Intent.PRICE: "price_lookup",
    Intent.COUPON: "order_quote",
    Intent.STOCK: "stock_lookup",
    Intent.SHIPPING: "shipping_lookup",
    Intent.AFTER_SALES: "after_sales_lookup",
    Intent.PURCHASE: "order_quote",
    Intent.CAMPAIGN: "campaign_lookup",
    Intent.FAQ: "faq_lookup",
    Intent.COMPLAINT: "after_sales_lookup",
}
"""Intent of an ask → implementation of the tool to call; none for an intent that needs no fact."""
_TAKES_OPTIONS = ("price_lookup", "order_quote", "stock_lookup")


def truth(case: Case, catalogue: Catalogue) -> Truth:
    """Skills, calls, facts and a right reply for `case`. Raises UserError where the catalogue lacks what the case asks about."""
    where = f"case {case.case_id}"
    room = catalogue.room(case.request.room_id)
    if room is None:
        raise UserError(f"{where}: no room {case.request.room_id} in the catalogue; rebuild cases and catalogue together")
    language = case.request.language
    words = WORDS[language]
    titles = {link: title for link, title in case.request.links if link in case.links}
    answers = [answer(Subject(where, ask, room, catalogue), words, titles) for ask in case.asks]
    required = tuple(dict.fromkeys(fact for one in answers for fact in one.required))
    asides = tuple(dict.fromkeys(fact for one in answers for fact in one.asides if fact not in required))
    stated = {form for fact in (*required, *asides) for form in fact.forms}
    return Truth(
        skills=tuple(dict.fromkeys(SKILL_OF[ask.intent] for ask in case.asks)),
        strategies=tuple(_strategies(case)),
        calls=calls(case.asks),
        required=required,
        asides=asides,
        refuted=frozenset().union(*(one.refuted for one in answers)) - stated,
        reply=_reply(case.case_id, answers, language),
        supported_numbers=frozenset(number for form in stated for number in NUMBER.findall(form)),
        unavailable=words.unavailable,
    )


def _strategies(case: Case) -> Iterator[str]:
    if case.request.dialogue and case.links:
        yield "resolve-link"
    if len(case.asks) > 1:
        yield "split-comments"


def calls(asks: tuple[Ask, ...]) -> tuple[tuple[str, JsonObject], ...]:
    """(tool implementation, canonical arguments) that answering `asks` takes, each call once."""
    made: list[tuple[str, JsonObject]] = []
    for ask in asks:
        tool = CALL_OF.get(ask.intent)
        # A complaint that names no item has nothing to look up.
        if tool is None or (ask.intent is Intent.COMPLAINT and ask.link is None):
            continue
        if (call := (tool, _arguments(tool, ask))) not in made:
            made.append(call)
    return tuple(made)


def _arguments(tool: str, ask: Ask) -> JsonObject:
    match tool:
        case "campaign_lookup":
            return {}
        case "faq_lookup":
            return {"topic": ask.topic}
        case "compare_items":
            return {"link_ids": [ask.link, ask.other_link]}
    quantity = {"quantity": ask.quantity} if tool == "order_quote" else {}
    options = {"colour": ask.colour, "size": ask.size} if tool in _TAKES_OPTIONS else {}
    return {"link_id": ask.link} | quantity | {name: value for name, value in options.items() if value}


def _reply(case_id: str, answers: list[Answer], language: Language) -> str:
    """One of the right replies that can be listened to, chosen by the case's id; the shortest where all are too long."""
    glue = "" if language == "zh" else " "
    replies = [glue.join(parts) for parts in product(*(one.replies for one in answers))]
    fitting = [reply for reply in replies if word_count(reply) <= LONGEST[language]] or [min(replies, key=len)]
    return fitting[int(hashlib.sha256(case_id.encode()).hexdigest(), 16) % len(fitting)]
