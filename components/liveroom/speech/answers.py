"""Which answer each intent has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from components.liveroom.speech import comparing, goods, money, stock, talk
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Words
from components.liveroom.spoken import names_of
from components.liveroom.types import Fact, Intent

_ANSWERS: dict[Intent, Callable[[Subject, Words], Answer]] = {
    Intent.PRODUCT: goods.product,
    Intent.SPECIFICATION: goods.specification,
    Intent.COMPARISON: comparing.comparison,
    Intent.PRICE: money.price,
    Intent.COUPON: money.coupon,
    Intent.STOCK: stock.stock,
    Intent.SHIPPING: goods.shipping,
    Intent.AFTER_SALES: goods.after_sales,
    Intent.PURCHASE: money.purchase,
    Intent.CAMPAIGN: talk.campaign,
    Intent.FAQ: talk.faq,
    Intent.CHIT_CHAT: talk.chit_chat,
    Intent.COMPLAINT: talk.complaint,
    Intent.OUT_OF_SCOPE: talk.out_of_scope,
    Intent.RISKY_CLAIM: talk.risky_claim,
    Intent.INJECTION: talk.injection,
}
"""Intent → what a right answer consists of; `several` has no answer of its own."""


def answer(subject: Subject, words: Words, titles: Mapping[int, str]) -> Answer:
    """What a right answer to the ask consists of, what else may be said of its items included.

    `titles` has every link that the case asks about: where there are several, facts are bound to their item. Raises
    UserError where the catalogue lacks what is asked about.
    """
    ask = subject.ask
    found = _ANSWERS[ask.intent](subject, words)
    links = [link for link in (ask.link, ask.other_link) if link is not None]
    items = [subject.item_at(link) for link in links]
    more = [fact for item in items for fact in goods.described(item, words)]
    # What no item asked about is made of or comes in is false whatever is asked.
    lacking = [subject.elsewhere(topic, item) for item in items for topic in ("material", "colour")]
    found = replace(found, asides=(*found.asides, *more), refuted=found.refuted.union(*lacking))
    if len(links) == 1 and len(titles) > 1:
        names = names_of(links[0], titles)
        required, asides = (
            tuple(fact if fact.name in talk.SOCIAL else replace(fact, item=names) for fact in facts)
            for facts in (found.required, found.asides)
        )
        found = replace(found, required=required, asides=asides)
    # Who is asked about no item may point to any.
    known = links if titles else [link for link, _ in subject.room.links]
    return replace(found, asides=(*found.asides, *(Fact("link", str(n), (f"link {n}", f"item {n}")) for n in known)))
