"""Answers about money: price, coupons, order."""

from __future__ import annotations

from dataclasses import replace

from components.errors import UserError
from components.liveroom.pricing import Quote, quote, yuan
from components.liveroom.speech.stock import short, with_noun
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.words import Around, Phrases, Words, joined, phrases
from components.liveroom.spoken import apart, normal
from components.liveroom.types import Coupon, Fact


def price(subject: Subject, words: Words) -> Answer:
    """What one piece costs after coupons."""
    order = _order(subject, 1)
    total, asides, refuted = _facts("price_after_coupon", order, 1, subject, words)
    return Answer((total,), _filled(words, "price", subject, order), asides, refuted)


def coupon(subject: Subject, words: Words) -> Answer:
    """What several pieces cost after coupons."""
    quantity = subject.ask.quantity
    order = _order(subject, quantity)
    total, asides, refuted = _facts("total", order, quantity, subject, words)
    return Answer((total,), _filled(words, "coupon", subject, order), asides, refuted)


def purchase(subject: Subject, words: Words) -> Answer:
    """Which link to tap, and what is paid; that it is sold out, or how few are left, where so many are not in stock."""
    link, quantity = subject.ask.link, subject.ask.quantity
    order = _order(subject, quantity)
    total, asides, refuted = _facts("total", order, quantity, subject, words)
    if lacking := short(subject, words):
        urging = map(apart, words.urging.forms((f"link {link}",)))
        return replace(lacking, asides=(*lacking.asides, total, *asides), refuted=refuted.union(lacking.refuted, urging))
    tap = Fact("order", f"link {link}", tuple(map(apart, words.tapping.forms((f"link {link}",)))))
    key = "purchase" if quantity == 1 else "purchase/several"
    return Answer((total, tap), _filled(words, key, subject, order), asides, refuted)


def money(cents: int) -> Phrases:
    """`49.00` and `49`, or `49.50` and `49.5`, or `49.55`; each with and without `yuan`."""
    exact = yuan(cents)
    shorter = () if cents % 10 else (exact.removesuffix(".00") if cents % 100 == 0 else exact[:-1],)
    return tuple(f"{amount}{unit}" for unit in ("", " yuan") for amount in (exact, *shorter))


def _order(subject: Subject, quantity: int) -> Quote:
    """What so many of the SKU asked about cost. Raises UserError where the options asked about have several prices."""
    skus = subject.skus()
    if len({sku.price_cents for sku in skus}) > 1:
        raise UserError(f"{subject.where}: {subject.item.title} has several prices; expected an ask that names a size")
    return quote(skus[0], quantity, subject.coupons(subject.item))


def _facts(
    name: str, order: Quote, quantity: int, subject: Subject, words: Words
) -> tuple[Fact, tuple[Fact, ...], frozenset[str]]:
    """What is left to pay; list price, coupons and pieces, which a reply may state where it says what they are; false phrases."""
    total = Fact(name, yuan(order.total_cents), money(order.total_cents))
    listed = Fact("list_price", yuan(order.list_cents), words.list_price.forms(money(order.list_cents)))
    off = sorted({order.list_cents - order.total_cents, *(cents for _, cents in order.discounts)} - {0})
    asides = [Fact("coupon", yuan(cents), words.coupon.forms(money(cents))) for cents in off]
    asides += [Fact("coupon", yuan(cents), _beside(normal(title), money(cents))) for title, cents in order.discounts]
    for one in subject.coupons(subject.item):
        asides += _terms(one, words)
    if off:
        asides.append(listed)
    if quantity > 1:
        each, pieces = money(order.list_cents // quantity), (str(quantity),)
        asides.append(Fact("list_price_each", each[0], words.each.forms(each) + words.list_price.forms(each)))
        asides.append(Fact("list_price", listed.value, joined(words.times.forms(each), words.makes, money(order.list_cents))))
        asides.append(
            Fact("quantity", str(quantity), words.pieces.forms(pieces) + with_noun(quantity, subject.item, subject.ask.colour))
        )
    false = (
        Around(words.formerly).forms(total.forms)
        + words.saving.forms(total.forms)
        + words.each.forms(total.forms if quantity > 1 else ())
    )
    if off:
        false += words.list_price.forms(total.forms)
    # A coupon of half the list price equals what is left to pay: then both may be said.
    return total, tuple(asides), frozenset(false) - {form for fact in asides for form in fact.forms}


def _terms(coupon: Coupon, words: Words) -> list[Fact]:
    """What a reply may say of a coupon beside what it takes off this order."""
    facts = [Fact("coupon_title", coupon.title, (normal(coupon.title),))]
    if coupon.minimum_cents:
        facts.append(Fact("minimum", yuan(coupon.minimum_cents), words.minimum.forms(money(coupon.minimum_cents))))
    if coupon.percent_off:
        tenths = f"{(100 - coupon.percent_off) / 10:g}"
        values = {"off": coupon.percent_off, "left": 100 - coupon.percent_off, "tenths": tenths}
        facts.append(Fact("percent_off", f"{coupon.percent_off}%", tuple(normal(f.format(**values)) for f in words.percent_off)))
    else:
        worth = money(coupon.cents_off)
        facts.append(
            Fact("coupon_worth", yuan(coupon.cents_off), words.worth.forms(worth) + _beside(normal(coupon.title), worth))
        )
    return facts


def _beside(title: str, values: Phrases) -> Phrases:
    """A coupon's title with what it takes off right before or after it."""
    return phrases(values, (" ",), (title,)) + phrases((title,), (" ",), values)


def _filled(words: Words, key: str, subject: Subject, order: Quote) -> Phrases:
    """Right replies with the order's sums."""
    values = {
        "title": subject.item.title,
        "link": subject.ask.link,
        "option": words.option(subject.ask.colour, subject.ask.size),
        "quantity": subject.ask.quantity,
        "list": yuan(order.list_cents),
        "off": yuan(order.list_cents - order.total_cents),
        "total": yuan(order.total_cents),
        "when": words.after_coupon if order.discounts else words.without_coupon,
    }
    return words.replies(key, values)
