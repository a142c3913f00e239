"""What a language needs to speak of a room's facts: one table a language, `EN` and `ZH`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

from components.liveroom.spoken import normal

Unit = Literal["hour", "day", "week", "month", "year"]
Phrases = tuple[str, ...]
_PLURAL = re.compile("[^s]s$")


@dataclass(frozen=True)
class Around:
    """Words that stand before or after a value and say what it is."""

    before: Phrases
    after: Phrases = ()

    def forms(self, values: Iterable[str]) -> Phrases:
        """`values`, which are in normal form, each with every word around it."""
        values = tuple(values)
        before = tuple(f"{_in_front(word)}{value}" for word in self.before for value in values)
        return before + joined(values, self.after)


@dataclass(frozen=True)
class Words:
    """Words of one language. Lists of `Phrases` say the same; in `wordings`, `{…}` are filled in."""

    units: Mapping[Unit, Phrases]
    """`{}` is the number. The first is spoken, of one the last."""
    half_year: Phrases
    year_and_half: Phrases
    """`{}` is the number of whole years."""
    last_and: str
    """Before the last of a list, e.g. ` and `."""
    comma: str
    up_to: Phrases
    """Between the first and the last of a run of sizes."""
    list_price: Around
    saving: Around
    coupon: Around
    """Like `saving`, and words that say of a coupon and of nothing that is left to pay."""
    percent_off: Phrases
    """`{off}` per cent are taken off, `{left}` are left, which is `{tenths}` tenths."""
    worth: Around
    """Says what a coupon is worth where it counts, which need not be in this order."""
    each: Around
    minimum: Around
    pieces: Around
    """Says how many are bought."""
    times: Around
    makes: Phrases
    """`3 times 59 makes 177`."""
    pair: Phrases
    """The two items of a comparison."""
    units_left: Around
    """Says how many are in stock."""
    tapping: Around
    urging: Around
    """Tells to tap a link, as nobody should where it is sold out."""
    formerly: Phrases
    """Before a price: it was so once and is not so now."""
    same_price: Phrases
    both: Around
    """Says a price of both items."""
    difference: Around
    """Says by how much two prices differ."""
    cheaper: Phrases
    """`{it}` is the cheaper of two items."""
    dearer: Phrases
    dearer_than: Phrases
    """`{it}` is dearer than `{other}`."""
    starts_at: Phrases
    """A price, `{}`, that is the least of several; the first is spoken."""

    sold_out: Phrases
    too_few: Phrases
    """Not so many are in stock as are asked for."""
    option_sold_out: Phrases
    """`{option}` is `{gone}`."""
    option_left: Phrases
    """Of `{option}` there are `{units}`."""
    in_stock: Phrases
    free_gift: Phrases
    free: Phrases
    """Before the gift: it costs nothing."""
    no_minimum: Phrases
    """Says that any order gets the gift."""
    starting: Around
    """Says of the campaign's end that it begins then."""
    free_shipping: Phrases
    fee: Around
    fee_spoken: str
    free_spoken: str
    returning: Phrases
    warranty: Phrases
    no_after_sales: Phrases
    size: Around
    sizes: Around
    colours: Around
    """Say how many there are."""
    one_size: Phrases

    welcome: Phrases
    redirect: Phrases
    decline: Phrases
    apology: Phrases
    customer_service: Phrases

    of_colour: str
    of_size: str
    """Follow a title and name the option asked about, `{}`."""
    verbs: Mapping[str, str]
    """Verb after a title in the singular → in the plural."""
    wordings: Mapping[str, Phrases]
    """Intent, or `intent/case`, → right replies."""
    after_coupon: str
    without_coupon: str
    unavailable: str

    def counted(self, number: int, unit: Unit) -> Phrases:
        """All ways of writing so many units."""
        return tuple(normal(form.format(number)) for form in self.units[unit])

    def spoken(self, number: int, unit: Unit) -> str:
        """So many units as a reply says them."""
        return self.units[unit][-1 if number == 1 else 0].format(number)

    def duration(self, months: int) -> Phrases:
        """All ways of saying so many months."""
        forms = self.counted(months, "month")
        if months % 12 == 0:
            forms += self.counted(months // 12, "year")
        elif months == 6:
            forms += tuple(map(normal, self.half_year))
        elif months % 6 == 0:
            forms += tuple(normal(form.format(months // 12)) for form in self.year_and_half)
        return forms

    def option(self, colour: str, size: str) -> str:
        """What follows a title where an option is asked about."""
        of_size = self.of_colour if "size" in size.casefold() else self.of_size
        return (self.of_colour.format(colour) if colour else "") + (of_size.format(size) if size else "")

    def replies(self, key: str, values: Mapping[str, object]) -> Phrases:
        """The wordings of `key` filled in; `{low_is}` is the form of `is` that agrees with the title in `values["low"]`."""
        agreeing = {
            f"{name}_{one}": many if _PLURAL.search(str(value)) else one
            for name, value in values.items()
            for one, many in self.verbs.items()
        }
        return tuple(wording.format(**values, **agreeing) for wording in self.wordings[key])

    def listed(self, values: Iterable[str]) -> str:
        """`a, b and c`."""
        *most, last = values
        return f"{self.comma.join(most)}{self.last_and}{last}" if most else last


def either(text: str) -> Phrases:
    """Phrases separated by `|`."""
    return tuple(text.split("|"))


def phrases(*parts: Phrases) -> Phrases:
    """All phrases, in normal form, that take one word of each part, in order.

    Parts are written as they join: `("tap ",)` and `("link 1",)` make `tap link 1`.
    """
    return tuple(normal("".join(words)) for words in product(*parts))


def joined(values: Phrases, words: Phrases, others: Phrases = ("",)) -> Phrases:
    """Each of `values` with each of `words` after it, and each of `others` after that; values and others in normal form."""
    return tuple(
        f"{value}{_behind(word)}{other}"
        for word in words
        for value in values
        # A bare number with `一件` after it would read as another number.
        if not (value[-1].isdigit() and _behind(word)[:1].isdigit())
        for other in others
    )


@cache
def _in_front(word: str) -> str:
    """`word` in normal form, as it stands before a number."""
    return normal(f"{word}7").removesuffix("7")


@cache
def _behind(word: str) -> str:
    """`word` in normal form, as it stands after a sum, and before another number if it ends in a space."""
    return normal(f"7 yuan{word}7").removeprefix("7 yuan").removesuffix("7")
