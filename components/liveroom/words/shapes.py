"""What one language says of items and in comments. `train` and `eval` have lists of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from components.liveroom.types import FaqTopic, Split

Parted = Mapping[Split, tuple[str, ...]]
"""Words by split: none is in both."""


def parted(train: str, held: str) -> Parted:
    """Words separated by `|`, for `train` and for `eval`."""
    return {"train": tuple(train.split("|")), "eval": tuple(held.split("|"))}


@dataclass(frozen=True)
class Category:
    """A kind of items: what they are called, made of and come in."""

    name: str
    nouns: Parted
    """End of a title. A noun says what the item is, so that a viewer may name the item by it."""
    materials: tuple[str, ...]
    sizes: tuple[tuple[str, ...], ...]
    """Runs of sizes, small to large; an empty run is an item of one size."""
    features: Mapping[str, Parted]
    """Name → values."""
    most_colours: int = 3


@dataclass(frozen=True)
class Answered:
    """An answer of a room with the questions that it answers."""

    answer: str
    key: str
    """The words of `answer` that a right reply must hold."""
    questions: tuple[str, ...]
    """Templates of comments."""


@dataclass(frozen=True)
class Goods:
    """Words of a room's shelves."""

    collections: Parted
    """Start of a title."""
    categories: tuple[Category, ...]
    colours: tuple[str, ...]
    towns: tuple[str, ...]
    money_coupons: Parted
    """Titles of coupons that take off money."""
    percent_coupons: Parted
    coupon_groups: tuple[str, str]
    """Group of the coupons in money, of those in percent."""
    campaigns: Parted
    campaign_ends: Parted
    gifts: Parted
    faq: Mapping[FaqTopic, Mapping[Split, tuple[Answered, ...]]]
    """By topic and split."""
    title: Callable[[str, str], str]
    """Title of an item of a collection and a noun."""


@dataclass(frozen=True)
class References:
    """How viewers of one split point at an item.

    `{n}` is a link in figures, `{numeral}` in words, `{noun}` the end and `{title}` the whole of a title.
    """

    link: tuple[str, ...]
    on_screen: tuple[str, ...]
    title: tuple[str, ...]
    noun: tuple[str, ...]
    earlier: tuple[str, ...]
    """The item that the host spoke of last."""


@dataclass(frozen=True)
class Comments:
    """What viewers and host of one split say. `{it}` points at the item, `{other}` at a second one."""

    references: References
    asks: Mapping[str, tuple[str, ...]]
    """Intent, or `intent/topic`, → templates; those of `faq` are in `Goods`.

    `{topic}` names a feature, `{n}` a number of pieces, `{place}` a place.
    """
    risky: tuple[tuple[str, str], ...]
    """(template, the claim that it wants to hear)."""
    injections: tuple[tuple[str, str], ...]
    """(template, what it wants said)."""
    follow_ups: tuple[str, ...]
    """Say nothing of what is asked: the question before does."""
    openers: tuple[str, ...]
    """Written before a comment at times."""
    closers: tuple[str, ...]
    bystanders: tuple[str, ...]
    places: tuple[str, ...]
    presented: tuple[str, ...]
    """Host: shows the item at link `{n}`, called `{title}`."""
    answered: Mapping[str, str]
    """Host: answer to an ask by intent, with that item's facts; `stock/none` where it is sold out."""


@dataclass(frozen=True)
class Speech:
    """Comments of both splits, and what the language does to them."""

    comments: Mapping[Split, Comments]
    noun: Callable[[str], str]
    """End of a title, as a viewer writes it."""
    options: Callable[[str, str, str], str]
    """(reference, colour, size) → the reference with the options named; either may be empty."""
    numerals: tuple[str, ...]
    """0 and up, in words."""
    pieces: Callable[[int, Random], str]
    """A number of pieces in figures or in words."""
    topics: Mapping[str, tuple[str, ...]]
    """What viewers call `material`, `colour` and `size`; a feature is called by its name."""
    misspell: Callable[[str, Random], str]
    """The template with one slip of a hurried thumb; placeholders stay whole."""
