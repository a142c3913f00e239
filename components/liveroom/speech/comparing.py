"""The answer to which of two items is cheaper."""

from __future__ import annotations

from components.errors import UserError
from components.liveroom.pricing import quote, yuan
from components.liveroom.speech.money import money
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Phrases, Words
from components.liveroom.spoken import GAP, apart, names_of, normal
from components.liveroom.types import Fact


def comparison(subject: Subject, words: Words) -> Answer:
    """Which of two items is cheaper, by what each costs at least. Raises UserError where both are one."""
    links = (subject.ask.link or 0, subject.ask.other_link or 0)
    if links[0] == links[1]:
        raise UserError(f"{subject.where}: link {links[0]} is compared with itself; name two different links")
    items = (subject.item, subject.other)
    costs = [[quote(sku, 1, subject.coupons(item)).total_cents for sku in item.skus] for item in items]
    cents = [min(one) for one in costs]
    titles = dict(zip(links, (item.title for item in items), strict=True))
    names = [names_of(link, titles) for link in links]
    asides = [
        Fact(f"price of link {link}", yuan(one), (*money(one), *_at_least(money(one), words)), item=name)
        for link, one, name in zip(links, cents, names, strict=True)
    ]
    asides.append(Fact("pair", "two items", tuple(map(normal, words.pair))))
    priced = tuple(
        GAP.join((a, pa, b, pb))
        for i, j in ((0, 1), (1, 0))
        for a in names[i][:2]
        for pa in money(cents[i])
        for b in names[j][:2]
        for pb in money(cents[j])
    )
    spoken = [
        words.starts_at[0].format(yuan(least)) if max(one) > least else yuan(least)
        for one, least in zip(costs, cents, strict=True)
    ]
    if cents[0] == cents[1]:
        same = Fact("cheaper", "neither", (*map(normal, words.same_price), *words.both.forms(money(cents[0])), *priced))
        refuted = frozenset(form for one in names for form in _said_of(one, (*words.cheaper, *words.dearer)))
        values = {"one": items[0].title, "two": items[1].title, "price": max(spoken, key=len)}
        return Answer((same,), words.replies("comparison/same", values), tuple(asides), refuted)
    low, high = (0, 1) if cents[0] < cents[1] else (1, 0)
    difference = cents[high] - cents[low]
    asides.append(Fact("difference", yuan(difference), words.difference.forms(money(difference))))
    forms = (*_said_of(names[low], words.cheaper), *_said_of(names[high], words.dearer), *priced)
    cheaper = Fact("cheaper", f"link {links[low]}", (*forms, *_than(names[high], names[low], words)))
    false = (*_said_of(names[high], words.cheaper), *_said_of(names[low], words.dearer), *_than(names[low], names[high], words))
    values = {
        **{"low": items[low].title, "low_price": spoken[low]},
        **{"high": items[high].title, "high_price": spoken[high]},
    }
    both = words.both.forms((*money(cents[0]), *money(cents[1])))
    refuted = frozenset((*false, *map(normal, words.same_price), *both))
    return Answer((cheaper,), words.replies("comparison", values), tuple(asides), refuted)


def _said_of(names: Phrases, forms: Phrases) -> Phrases:
    return tuple(form.replace("{it}", name) for name in names for form in forms)


def _than(dearer: Phrases, cheaper: Phrases, words: Words) -> Phrases:
    """The one item said to be dearer than the other."""
    return tuple(apart(form.format(it=it, other=other)) for form in words.dearer_than for it in dearer for other in cheaper)


def _at_least(sums: Phrases, words: Words) -> Phrases:
    """Sums said to be the least of several."""
    return tuple(normal(form.format(one)) for form in words.starts_at for one in sums)
