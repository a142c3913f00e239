"""Answers about what an item is, has and comes with."""

from __future__ import annotations

from dataclasses import replace

from components.errors import UserError
from components.liveroom.options import colours, sizes
from components.liveroom.pricing import yuan
from components.liveroom.speech.money import money
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Words, phrases
from components.liveroom.spoken import names_of, normal
from components.liveroom.types import Fact, Item

KIND = "kind"
"""Name of the fact that an item is what its title or category says: alone it tells a viewer nothing new."""


def product(subject: Subject, words: Words) -> Answer:
    """What the item is: its name or kind, and its material."""
    item = subject.item
    title = normal(item.title)
    # By its link alone nobody says what it is.
    names = [
        name for name in names_of(subject.ask.link or 0, {subject.ask.link or 0: item.title}) if not name.startswith("link ")
    ]
    kind = Fact(KIND, item.category, (*names, title, normal(item.category)))
    values = {"title": item.title, "material": item.material, "category": item.category}
    return Answer((kind, _material(item)), words.replies("product", values))


def specification(subject: Subject, words: Words) -> Answer:
    """One property. Raises UserError where the item has none of this name."""
    item, topic = subject.item, subject.ask.topic
    key, values = f"specification/{topic}", {"title": item.title, "name": topic}
    match topic:
        case "material":
            required: tuple[Fact, ...] = (_material(item),)
            values["value"] = item.material
        case "colour":
            required = tuple(map(_colour, colours(item)))
            values["value"] = words.listed(colours(item))
        case "size" if sizes(item):
            required = _sizes(item, words)
            values["value"] = words.listed(sizes(item))
        case "size":
            required = (Fact("size", "one size", tuple(map(normal, words.one_size))),)
            key = "specification/one_size"
        case _ if topic in item.features:
            required = (Fact(topic, item.features[topic], (normal(item.features[topic]),)),)
            key, values["value"] = "specification/feature", item.features[topic]
        case _:
            known = ", ".join(("material", "colour", "size", *item.features))
            raise UserError(f"{subject.where}: {item.title} has no {topic}; expected one of {known}")
    return Answer(required, words.replies(key, values), refuted=subject.elsewhere(topic, item))


def shipping(subject: Subject, words: Words) -> Answer:
    """Where it ships from and within how many days; what that costs is an aside."""
    item = subject.item
    hours = words.counted(24 * item.ship_days, "hour")
    town = Fact("ships_from", item.ship_from, (normal(item.ship_from),))
    within = Fact("ships_within", str(item.ship_days), words.counted(item.ship_days, "day") + hours)
    free = tuple(map(normal, words.free_shipping))
    cents = item.ship_fee_cents
    fee = Fact("fee", yuan(cents), words.fee.forms(money(cents)) if cents else free + words.fee.forms(money(0)))
    spoken = words.fee_spoken.format(yuan(cents)) if cents else words.free_spoken
    values = {"title": item.title, "town": item.ship_from, "days": words.spoken(item.ship_days, "day"), "fee": spoken}
    refuted = subject.elsewhere("ship_from", item) | frozenset(free if cents else ())
    return Answer((town, within), words.replies("shipping", values), (fee,), refuted)


def after_sales(subject: Subject, words: Words) -> Answer:
    """How long it can be returned and is under warranty."""
    item = subject.item
    values = {"title": item.title} | after_sales_spoken(item, words)
    refuted = frozenset(map(normal, words.no_after_sales))
    return Answer(after_sales_facts(item, words), words.replies("after_sales", values), refuted=refuted)


def after_sales_facts(item: Item, words: Words) -> tuple[Fact, Fact]:
    """Return term and warranty of an item."""
    days, months = item.return_days, item.warranty_months
    weeks = words.counted(days // 7, "week") if days % 7 == 0 else ()
    returning, warranty = tuple(map(normal, words.returning)), tuple(map(normal, words.warranty))
    return (
        Fact("return", str(days), words.counted(days, "day") + weeks, returning),
        Fact("warranty", str(months), words.duration(months), warranty),
    )


def after_sales_spoken(item: Item, words: Words) -> dict[str, str]:
    """Return term and warranty as a reply says them."""
    return {"days": words.spoken(item.return_days, "day"), "months": words.spoken(item.warranty_months, "month")}


def _material(item: Item) -> Fact:
    return Fact("material", item.material, (normal(item.material),))


def _colour(colour: str) -> Fact:
    """A colour; a Chinese one with or without the word for colour, if enough is left."""
    name = normal(colour)
    shorter = name.removesuffix("色")
    return Fact("colour", colour, (name, *([shorter] if len(shorter) > 1 and shorter != name else [])))


def _sizes(item: Item, words: Words) -> tuple[Fact, ...]:
    """Each size; a run such as `S to XL` states all that lie between."""
    names = sizes(item)
    run = phrases(names[:1], words.up_to, names[-1:]) if len(names) > 2 else ()
    return tuple(replace(fact, forms=(*fact.forms, normal(fact.value), *run)) for fact in (_size(one, words) for one in names))


def _size(size: str, words: Words) -> Fact:
    """A size; a letter or a number alone could as well be said of something else."""
    name = normal(size)
    alone = () if name.isdigit() or len(name) == 1 else (name,)
    return Fact("size", size, (*words.size.forms((name,)), *alone))


def described(item: Item, words: Words) -> tuple[Fact, ...]:
    """What a reply about anything else of an item may say of it, and how many colours and sizes there are."""
    plain = [("category", item.category), ("material", item.material), ("ships_from", item.ship_from)]
    plain += list(item.features.items())
    facts = [Fact(name, value, (normal(value),)) for name, value in plain]
    facts += [_colour(colour) for colour in colours(item)]
    facts += [_size(size, words) for size in sizes(item)]
    counts = (("colours", len(colours(item)), words.colours), ("sizes", len(sizes(item)), words.sizes))
    facts += [Fact(name, str(count), around.forms((str(count),))) for name, count, around in counts if count > 1]
    return tuple(facts)
