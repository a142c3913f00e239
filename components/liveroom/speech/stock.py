"""Answers about how much there is."""

from __future__ import annotations

from dataclasses import replace

from components.liveroom.options import colours, sizes
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Phrases, Words, phrases
from components.liveroom.spoken import normal
from components.liveroom.types import Fact, Item


def stock(subject: Subject, words: Words) -> Answer:
    """Whether there is any, and how many units; what there is of other options is an aside."""
    units = _units(subject)
    if units == 0:
        return _sold_out(subject, words)
    counted = _counted(units, subject, words)
    required = (
        Fact("in_stock", "in stock", (*map(normal, words.in_stock), *counted)),
        Fact("units", str(units), counted),
    )
    refuted = frozenset(map(normal, words.sold_out))
    return Answer(required, words.replies("stock", _values(subject, words)), _other_options(subject, words), refuted)


def short(subject: Subject, words: Words) -> Answer | None:
    """That it is sold out, or how few are left, where fewer are in stock than are asked for."""
    units = _units(subject)
    if units == 0:
        return _sold_out(subject, words)
    if units >= subject.ask.quantity:
        return None
    few = Fact("stock", f"only {units} left", (*_counted(units, subject, words), *map(normal, words.too_few)))
    return Answer((few,), words.replies("stock/too_few", _values(subject, words)), refuted=frozenset(map(normal, words.sold_out)))


def with_noun(number: int, item: Item, option: str = "") -> Phrases:
    """So many of an item by the last word of its title: `3 lamps`, `3 white lamps`."""
    noun = normal(item.title).split()[-1]
    return phrases((f"{number} ",), ("", f"{option} "), (noun, f"{noun}s"))


def _sold_out(subject: Subject, words: Words) -> Answer:
    forms = (*map(normal, words.sold_out), *words.units_left.forms(("0",)))
    replies = words.replies("stock/sold_out", _values(subject, words))
    refuted = frozenset(map(normal, words.in_stock))
    return Answer((Fact("stock", "sold out", forms),), replies, _other_options(subject, words), refuted)


def _units(subject: Subject) -> int:
    return sum(sku.stock for sku in subject.skus())


def _counted(units: int, subject: Subject, words: Words) -> Phrases:
    return (*words.units_left.forms((str(units),)), *with_noun(units, subject.item, subject.ask.colour), str(units))


def _values(subject: Subject, words: Words) -> dict[str, str]:
    option = words.option(subject.ask.colour, subject.ask.size)
    return {"title": subject.item.title, "units": str(_units(subject)), "option": option}


def _other_options(subject: Subject, words: Words) -> tuple[Fact, ...]:
    """What there is of each colour and size that is not asked about, of what is asked about besides."""
    ask, item = subject.ask, subject.item
    others = [replace(subject, ask=replace(ask, colour=colour)) for colour in colours(item) if colour != ask.colour]
    others += [replace(subject, ask=replace(ask, size=size)) for size in sizes(item) if size != ask.size]
    return tuple(_of_option(one, words) for one in others if any(one.matching()))


def _of_option(subject: Subject, words: Words) -> Fact:
    names = [normal(name) for name in (subject.ask.colour, subject.ask.size) if name]
    units = _units(subject)
    if units:
        counted = (str(units), *words.units_left.forms((str(units),)))
        forms = tuple(form.format(option=name, units=one) for form in words.option_left for name in names for one in counted)
        forms += tuple(
            form.format(option=name, gone=normal(one))
            for form in words.option_sold_out
            for name in names
            for one in words.in_stock
        )
    else:
        gone = tuple(map(normal, words.sold_out))
        forms = tuple(form.format(option=name, gone=one) for form in words.option_sold_out for name in names for one in gone)
    return Fact(f"stock of {' '.join(names)}", str(units), forms)
