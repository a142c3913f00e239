"""Answers about what an item is, has and comes with."""

from __future__ import annotations

from dataclasses import replace

from components.errors import UserError
from components.liveroom.options import colours, sizes
from components.liveroom.pricing import yuan
from components.liveroom.speech.money import money, with_noun
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Phrases, Words, phrases
from components.liveroom.spoken import normal
from components.liveroom.types import Fact, Item


def product(subject: Subject, words: Words) -> Answer:
    """What the item is: its material and a feature; its category where it has none."""
    item = subject.item
    features = dict(item.features) or {"": item.category}
    name, value = next(iter(features.items()))
    feature = Fact("feature", " or ".join(features.values()), tuple(map(normal, features.values())))
    values = {"title": item.title, "material": item.material, "category": item.category, "name": name, "value": value}
    key = "product" if name else "product/plain"
    required = (_material(item), feature)
    return Answer(required, _filled(words, key, values), refuted=subject.elsewhere("material"))


def specification(subject: Subject, words: Words) -> Answer:
    """One property. Raises UserError where the item has none of this name."""
    item, topic = subject.item, subject.ask.topic
    key, values = f"specification/{topic}", {"title": item.title, "name": topic}
    match topic:
        case "material":
            required: tuple[Fact, ...] = (_material(item),)
            values["value"] = item.material
        case "colour":
            required = tuple(Fact("colour", colour, (normal(colour),)) for colour in colours(item))
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
    return Answer(required, _filled(words, key, values), refuted=subject.elsewhere(topic))


def stock(subject: Subject, words: Words) -> Answer:
    """Whether there is any, and how many units."""
    units = sum(sku.stock for sku in subject.skus())
    option = words.option(subject.ask.colour, subject.ask.size)
    values = {"title": subject.item.title, "units": str(units), "option": option}
    sold_out, in_stock = tuple(map(normal, words.sold_out)), tuple(map(normal, words.in_stock))
    if units == 0:
        gone = Fact("stock", "sold out", sold_out + words.units_left.forms(("0",)))
        return Answer((gone,), _filled(words, "stock/sold_out", values), refuted=frozenset(in_stock))
    counted = (*words.units_left.forms((str(units),)), *with_noun(units, subject.item, subject.ask.colour), str(units))
    required = (Fact("in_stock", "in stock", (*in_stock, *counted)), Fact("units", str(units), counted))
    return Answer(required, _filled(words, "stock", values), refuted=frozenset(sold_out))


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
    refuted = subject.elsewhere("ship_from") | frozenset(free if cents else ())
    return Answer((town, within), _filled(words, "shipping", values), (fee,), refuted)


def after_sales(subject: Subject, words: Words) -> Answer:
    """How long it can be returned and is under warranty."""
    item = subject.item
    values = {"title": item.title} | after_sales_spoken(item, words)
    refuted = frozenset(map(normal, words.no_after_sales))
    return Answer(after_sales_facts(item, words), _filled(words, "after_sales", values), refuted=refuted)


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
    plain += [("colour", colour) for colour in colours(item)] + list(item.features.items())
    facts = [Fact(name, value, (normal(value),)) for name, value in plain]
    facts += [_size(size, words) for size in sizes(item)]
    counts = (("colours", len(colours(item)), words.colours), ("sizes", len(sizes(item)), words.sizes))
    facts += [Fact(name, str(count), around.forms((str(count),))) for name, count, around in counts if count > 1]
    return tuple(facts)


def _filled(words: Words, key: str, values: dict[str, str]) -> Phrases:
    return tuple(form.format(**values) for form in words.wordings[key])
