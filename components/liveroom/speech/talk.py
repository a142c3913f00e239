"""Answers about the room, and to comments that ask for no fact of an item."""

from __future__ import annotations

import re

from components.errors import UserError
from components.liveroom.pricing import yuan
from components.liveroom.speech.goods import after_sales_facts, after_sales_spoken
from components.liveroom.speech.money import money
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Phrases, Words
from components.liveroom.spoken import NUMBER, normal
from components.liveroom.types import Fact

SOCIAL = frozenset({"welcome", "redirect", "decline", "apology", "customer_service"})
"""Names of facts that say nothing of an item: they stand beside doubt and denial."""


def campaign(subject: Subject, words: Words) -> Answer:
    """The gift, the sum that it takes, and the end. Raises UserError where no campaign runs."""
    runs = subject.room.campaign
    if runs is None:
        raise UserError(f"{subject.where}: no campaign in room {subject.room.room_id}; ask for one in a room that has it")
    over = runs.gift_over_cents
    required = (
        Fact("gift", runs.gift, _gift(runs.gift, words)),
        Fact("gift_over", yuan(over), money(over)),
        Fact("ends", runs.ends, (normal(runs.ends), *_clock(runs.ends))),
    )
    values = {"name": runs.name, "gift": runs.gift, "over": yuan(over), "ends": runs.ends}
    asides = (Fact("campaign", runs.name, (normal(runs.name),)), Fact("free_gift", "the gift is free", words.free_gift))
    refuted = frozenset((*map(normal, words.no_minimum), *words.starting.forms(required[2].forms)))
    return Answer(required, words.replies("campaign", values), asides, refuted)


def faq(subject: Subject, words: Words) -> Answer:
    """The room's answer. Raises UserError where it has none on the topic."""
    found = next((one for one in subject.room.faq if one.topic == subject.ask.topic), None)
    if found is None:
        raise UserError(f"{subject.where}: no answer on {subject.ask.topic} in room {subject.room.room_id}; add it to the room")
    whole = normal(found.answer)
    numbers = tuple(
        one.group(1) + one.group(2)[:end] for one in re.finditer(rf"({NUMBER.pattern})(\D*)", whole) for end in range(9)
    )
    asides = (Fact("answer", found.answer, (whole.rstrip(".!"), *numbers)),)
    return Answer((Fact("answer", found.key, (normal(found.key),)),), (found.answer,), asides)


def chit_chat(subject: Subject, words: Words) -> Answer:
    """A friendly word."""
    return _social(words, "chit_chat", "welcome", words.welcome)


def out_of_scope(subject: Subject, words: Words) -> Answer:
    """Leads back to the items."""
    return _social(words, "out_of_scope", "redirect", words.redirect)


def risky_claim(subject: Subject, words: Words) -> Answer:
    """Makes no such claim."""
    return _social(words, "risky_claim", "decline", words.decline, _payload(subject))


def injection(subject: Subject, words: Words) -> Answer:
    """Obeys no order; leads back to the items."""
    return _social(words, "injection", "redirect", words.redirect, _payload(subject))


def complaint(subject: Subject, words: Words) -> Answer:
    """Apologises and says the item's return term; customer service where no item is named."""
    apology = Fact("apology", "an apology", tuple(map(normal, words.apology)))
    service = Fact("customer_service", "customer service", tuple(map(normal, words.customer_service)))
    if subject.ask.link is None:
        return Answer((apology, service), words.wordings["complaint"])
    returning, warranty = after_sales_facts(subject.item, words)
    values = {"title": subject.item.title} | after_sales_spoken(subject.item, words)
    replies = words.replies("complaint/item", values)
    return Answer((apology, returning), replies, (warranty, service), frozenset(map(normal, words.no_after_sales)))


def _social(words: Words, key: str, name: str, forms: Phrases, refuted: frozenset[str] = frozenset()) -> Answer:
    return Answer((Fact(name, name, tuple(map(normal, forms))),), words.wordings[key], refuted=refuted)


def _payload(subject: Subject) -> frozenset[str]:
    payload = normal(subject.ask.payload).strip(" .!?,'")
    return frozenset({payload} if payload else ())


def _without_article(gift: str) -> Phrases:
    whole = normal(gift)
    return tuple(dict.fromkeys((whole, re.sub(r"^(?:an? (?:pair of |set of )?|the |[1一][个只条双对把款份])", "", whole))))


def _gift(gift: str, words: Words) -> Phrases:
    bare = _without_article(gift)
    return (*bare, *(normal(f"{free}{one}") for free in words.free for one in bare))


def _clock(ends: str) -> Phrases:
    """`sunday 10 pm` and `周日晚上10点` for `Sunday 22:00` and `周日22点`, in normal form."""
    found = re.fullmatch(r"(.*?) ?(\d{1,2})(?: (\d\d)|点(半|\d+分)?)", normal(ends))
    if not found:
        return ()
    day, hour, half_day = found[1], int(found[2]), (int(found[2]) - 1) % 12 + 1
    minutes = int(found[3] or (found[4] or "0").replace("半", "30").rstrip("分"))
    past = f" {minutes:02d}" if minutes else ""
    english = [f"{half_day}{past}{gap}{'pm' if hour >= 12 else 'am'}" for gap in (" ", "")] + [f"{hour} {minutes:02d}"]
    parts = ("晚上", "晚", "夜里", "") if hour >= 18 else ("下午", "中午", "") if hour >= 12 else ("上午", "早上", "")
    ends_at = {"", "整"} if not minutes else {f"{minutes}分", f"{minutes}", *(["半"] if minutes == 30 else [])}
    chinese = [f"{part}{number}点{end}" for part in parts for number in {hour, half_day} for end in ends_at]
    return (
        *(f"{day}{glue}{time}" for time in english for glue in ("", " ", " at ", " night at ", " evening at ")),
        *(f"{time}{glue}{day}" for time in english for glue in (" ", " on ")),
        *(f"{day}{glue}{time}" for time in chinese for glue in ("", "的", "当")),
    )
