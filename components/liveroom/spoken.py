"""Spoken replies in a normal form, and phrases looked up in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

NUMBER = re.compile(r"\d+(?:\.\d+)?|\b(?:hundreds?|thousands?|millions?|dozens?)\b")
"""A number in normal form. Words for large numbers stay words and are in no fact's forms, so no fact supports them."""

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: number for number, word in enumerate(_SMALL)}
_WORDS |= {ten: 10 * index for index, ten in enumerate(_TENS, 2)}
_WORDS |= {f"{ten} {one}": _WORDS[ten] + _WORDS[one] for ten in _TENS for one in _SMALL[1:10]}

_UNITS = r"(?:days?|weeks?|months?|years?|hours?|units?|pieces?|yuan|left|percent|off)\b"
_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\u2018\u2019`]"), "'"),
    (re.compile(r"can't\b"), "cannot"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"(?<=\d),(?=\d{3})"), ""),
    (re.compile(r"[¥\uffe5] ?(\d+(?:\.\d+)?)"), r"\1 yuan"),
    (re.compile(r"\b(?:rmb|cny) ?(\d+(?:\.\d+)?)"), r"\1 yuan"),
    (re.compile(r"(?<=\d) ?(?:rmb|cny|yuan)\b"), " yuan"),
    (re.compile(r"(?<=\w)[-\u2011\u2013](?=\w)"), " "),
    (re.compile(r'[:;"\u201c\u201d()*]'), " "),
    (re.compile(r"\s+"), " "),
    # "one" and "a" are numbers only where they count something: "this one" is not.
    (re.compile(rf"(?<=link )one\b|(?<=number )one\b|\bone(?= {_UNITS})|\ba(?= (?:day|week|month|year)\b)"), "1"),
)
_NUMBER_WORD = re.compile(rf"\b({'|'.join(sorted(_WORDS.keys() - {'one'}, key=len, reverse=True))})\b")
_LINK_NUMBER = re.compile(r"(?:\blink )?(?:\bnumber |#)(?=\d)")

_GLUED_BEFORE = re.compile(r"(?:\w|\d\.)$")
_GLUED_AFTER = re.compile(r"\w|\.\d")
_LINK_BEFORE = re.compile(r"\b(?:link|item) $")
_UNIT_AFTER = re.compile(rf" ?%| {_UNITS}")
_GOES_ON = (
    *("after", "with", "in(?! stock)", "for", "and", "but", "or", "when", "once", "if", "now", "today", "tonight", "only"),
    *("total", "altogether", "all", "the", "it", "at", "to", "on", "plus", "before", "instead", "down", "thanks", "right"),
    *("here", "each", "per", "because", "as", "so", "from", "by", "via", "through", "tap", "click", "you", "just", "please"),
    *("this", "that", "including", "using", "net", "final", "not", "rather", "is", "then", "than", "while", "we", "minus"),
    *("less", "flat", "originally", "usually", "normally", "regularly", "exactly"),
)
_COUNTED_AFTER = re.compile(rf" (?!(?:{'|'.join(_GOES_ON)})\b)[^\W\d]")
"""A word that a bare number counts: any but those with which a sentence goes on (`49 people`, not `49 after`)."""


def normal(text: str) -> str:
    """Lower case, one spelling of numbers (`¥1,299` and `RMB 1299` are `1299 yuan`, `two-day` is `2 day`), one space."""
    text = text.lower()
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = _NUMBER_WORD.sub(lambda found: str(_WORDS[found.group(1)]), text)
    return _LINK_NUMBER.sub("link ", text).strip()


def occurrences(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every place where normal `text` holds `phrase` as whole words and whole numbers.

    A phrase that ends in a digit does not occur where a unit follows that it does not name (`49` is not in `49 days`);
    one that is a number alone does not occur as the number of a link or of what else it counts (`49 people`).
    """
    is_number = NUMBER.fullmatch(phrase)
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        before, after = text[:start], text[end:]
        glued = _GLUED_BEFORE.search(before) or _GLUED_AFTER.match(after)
        other_unit = phrase[-1].isdigit() and _UNIT_AFTER.match(after)
        link_number = phrase[0].isdigit() and _LINK_BEFORE.search(before)
        counts = is_number and _COUNTED_AFTER.match(after)
        if not (glued or other_unit or link_number or counts):
            yield start, end
        start = text.find(phrase, start + 1)


def clauses(text: str) -> list[str]:
    """Parts of sentences that each speak of one thing."""
    return re.split(r"[,.!?](?=\s|$)|\b(?:and|but|while|plus|with)\b", text)


def sentences(text: str) -> list[str]:
    """Sentences with their closing marks; a full stop inside a number ends none."""
    return re.split(r"(?<=[.!?])\s+", text)
