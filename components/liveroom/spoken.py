"""Spoken replies, English and Chinese, in one normal form, and phrases looked up in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from components.harness.hooks.numerals import digits
from components.harness.types import Language

CJK = "\u3400-\u9fff"
"""Chinese characters, as a range of a character class."""
GAP = "⋯"
"""In a phrase: any words of the same sentence that neither deny nor speak of another item."""
NUMBER = re.compile(
    r"\d+(?:\.\d+)?|\b(?:hundreds?|thousands?|millions?|dozens?)\b|[几数上好][十百千万]+|十几|无数|成[百千]上[千万]"
)
"""A number in normal form. Vague words for numbers are in no fact's forms, so no fact supports them."""

LONGEST: dict[Language, int] = {"en": 40, "zh": 80}
"""A longer reply is not listened to."""

_COUNTERS = "个件条只台套双把张本瓶盒支顶副天月年周折码人位次单分小钟"
_MARKS = str.maketrans({"，": ", ", "。": ". ", "、": ", "})
_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\u2018\u2019`]"), "'"),
    (re.compile("有没有"), "是否有"),
    (re.compile(r"can't\b"), "cannot"),
    (re.compile(r"won't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"(?<=\d),(?=\d{3})"), ""),
    (re.compile(r"(?<=[,!?])(?=[^\s\d])"), " "),
    (re.compile(r"(?<=\w)[-\u2011\u2013~](?=\w)"), " "),
    (re.compile(r"[;:](?!\d)|(?<!\d)[;:]"), ", "),
    (re.compile(r'[:"\u201c\u201d()*《》【】「」]'), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(rf"(?<=[\w%]) (?=[{CJK}])|(?<=[{CJK}]) (?=\w)"), ""),
)
_TOKENS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[¥] ?(\d+(?:\.\d+)?)(?: ?(?:yuan|rmb|cny|元|块钱?))?"), r"\1 yuan"),
    (re.compile(r"\b(?:rmb|cny) ?(\d+(?:\.\d+)?)"), r"\1 yuan"),
    (re.compile(r"(?<=\d) ?(?:rmb|cny|yuan)\b"), " yuan"),
    (re.compile(rf"(\d+)[元块](\d)(?:角|(?![\d{_COUNTERS}]))"), r"\1.\2 yuan"),
    (re.compile(r"(?<=\d)(?:元|块钱?)"), " yuan"),
    (re.compile(r"(?a:\b)(?:link (?:number |no\. ?|#)?|number )(?=\d)|#(?=\d)"), "link "),
    (re.compile(r"链接(\d+)号?|第(\d+)个(?:链接)?|(?<![月\d])(\d+)(?:号(?:链接)?|链接?)"), r" link \1\2\3 "),
    (re.compile(r" +(?=[\s,.!?]|$)"), ""),
    (re.compile(r"(?<=\d)(?:个?星期|个礼拜|礼拜|个周)"), "周"),
    (re.compile(r"(?<=\d)(?:个小时|个钟头|钟头)"), "小时"),
    (re.compile(r"(?<![月\d])(\d+)日"), r"\1天"),
)

_GLUED_BEFORE = re.compile(rf"(?:[^\W{CJK}]|\d\.|\w')$")
_GLUED_AFTER = re.compile(rf"[^\W{CJK}]|\.\d")
_GLUED_LINK = re.compile(r"(?<=[^\s])(?=(?:link|item) \d)(?<![a-z])")
_GLUED_LINK_AFTER = re.compile(r"(?:link|item) \d+(?=[^\s\d,.!?])")
_LINK = re.compile(r"(?:link|item) \d+$")
_LINK_BEFORE = re.compile(r"\b(?:link|item) $", re.ASCII)
_UNITS = r"(?:days?|weeks?|months?|years?|hours?|units?|pieces?|yuan|left|percent|off)\b"
_UNIT_AFTER = re.compile(rf" ?%| {_UNITS}|[{_COUNTERS}多几]|包(?!邮)", re.ASCII)
_LONGER_UNIT = re.compile(r"[半多]|(?<=个)(?:月|工作日)")
_GOES_ON = (
    *("after", "with", "in(?! stock)", "for", "and", "but", "or", "when", "once", "if", "now", "today", "tonight", "only"),
    *("total", "altogether", "all", "the", "it", "at", "to", "on", "plus", "before", "instead", "down", "thanks", "right"),
    *("here", "each", "per", "because", "as", "so", "from", "by", "via", "through", "tap", "click", "you", "just", "please"),
    *("this", "that", "including", "using", "net", "final", "not", "rather", "is", "then", "than", "while", "we", "minus"),
    *("less", "flat", "originally", "usually", "normally", "regularly", "exactly", "link", "item", "together", "dearer"),
    *("cheaper", "versus", "against", "until", "till", "gets?"),
)
_COUNTED_AFTER = re.compile(rf" (?!(?:{'|'.join(_GOES_ON)})\b)[^\W\d{CJK}]")
"""A word that a bare number counts: any but those with which a sentence goes on (`49 people`, not `49 after`)."""
_COMPARED = re.compile(r"(?:than |比 )$")
_BETWEEN = re.compile(r"(?:比 (?:link|item) \d+|(?!(?:link|item) \d|\b(?:not|same)\b|[不没]|一样)(?:[^.!?]|\.(?=\d)))*")


@lru_cache(maxsize=65536)
def normal(text: str) -> str:
    """Lower case, one spelling of numbers, money and links, one space and none beside Chinese.

    `¥1,299`, `RMB 1299` and `一千两百九十九块` are `1299 yuan`, `two-day` is `2 day`, `一号链接` is `link 1`.
    """
    text = unicodedata.normalize("NFKC", text.translate(_MARKS)).lower()
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = digits(text)
    for pattern, replacement in _TOKENS:
        text = pattern.sub(replacement, text)
    return apart(text).strip()


def apart(text: str) -> str:
    """`text` with a space between `link N` or `item N` and the word or number beside it."""
    return _GLUED_LINK_AFTER.sub(r"\g<0> ", _GLUED_LINK.sub(" ", text))


def occurrences(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every place where normal `text` holds `phrase` as whole words and whole numbers.

    A phrase that ends in a digit does not occur where a unit follows that it does not name (`49` is not in `49 days`);
    one that is a number alone does not occur as the number of a link or of what else it counts (`49 people`).
    `GAP` in a phrase stands for other words of the sentence.
    """
    for start, end in _places(phrase, text):
        before, after = text[max(0, start - 6) : start], text[end : end + 16]
        unit = _UNIT_AFTER if phrase[-1].isdigit() else _LONGER_UNIT
        other_unit = NUMBER.search(phrase) and not _LINK.match(phrase) and unit.match(text, end)
        link_number = phrase[0].isdigit() and _LINK_BEFORE.search(before)
        counted = NUMBER.fullmatch(phrase) and _COUNTED_AFTER.match(after)
        if not (other_unit or link_number or counted):
            yield start, end


@lru_cache(maxsize=4096)
def whole(phrase: str, ending: str = "") -> re.Pattern[str]:
    """Finds `phrase`, with the pattern `ending` if need be, as whole words; Chinese may stand beside it."""
    before = "" if is_chinese(phrase[0]) else r"(?<![a-z\d])"
    after = "" if is_chinese(phrase[-1]) else rf"{ending}(?![a-z\d])"
    return re.compile(f"{before}{re.escape(phrase)}{after}")


def holds(text: str, phrases: tuple[str, ...]) -> bool:
    """Whether normal `text` holds any of `phrases`."""
    return any(any(occurrences(phrase, text)) for phrase in phrases)


def names_of(link: int, titles: Mapping[int, str]) -> tuple[str, ...]:
    """How a reply may call the item at `link`, in a text that has `item N` for the whole title of link N.

    By its link, or by an end of its title (`lamp`, `台灯`) that tells it from the other titles.
    """
    title, *others = (normal(titles[one]) for one in (link, *(titles.keys() - {link})))
    ends = [title[i:] for i in range(1, len(title) - 1) if title[i - 1] == " " or is_chinese(title[i])]
    own = [end for end in ends if not any(end in other for other in others)]
    return (f"link {link}", f"item {link}", *own, *(f"{end}s" for end in own if not is_chinese(end[-1])))


def is_chinese(character: str) -> bool:
    """Whether this is a Chinese character."""
    return "\u3400" <= character <= "\u9fff"


def clauses(text: str) -> list[str]:
    """Parts of sentences that each speak of one thing."""
    return re.split(r"[,.!?](?=\s|$)|\b(?:and|but|while|plus|with)\b|而且|并且|但是|另外", text)


def sentences(text: str) -> list[str]:
    """Sentences with their closing marks; a full stop inside a number ends none."""
    return re.split(r"(?<=[.!?])\s+", text)


def _places(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    if GAP not in phrase:
        yield from _plain(phrase, text)
        return
    first, *others = phrase.split(GAP)
    if not all(part in text for part in (first, *others)):
        return
    for start, end in _plain(first, text):
        if _COMPARED.search(text[:start]):
            continue
        ends = [end]
        for part in others:
            ends = [last for at, last in _plain(part, text) if any(e <= at and _BETWEEN.fullmatch(text, e, at) for e in ends)]
        yield from ((start, last) for last in ends)


def _plain(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Every place of a phrase without gaps, as whole words."""
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        glued_before = not is_chinese(phrase[0]) and _GLUED_BEFORE.search(text[max(0, start - 2) : start])
        glued_after = not is_chinese(phrase[-1]) and _GLUED_AFTER.match(text, end)
        if not (glued_before or glued_after):
            yield start, end
        start = text.find(phrase, start + 1)
