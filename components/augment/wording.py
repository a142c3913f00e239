"""Other words for the same thing. What `train` may say and what `heldout` may say are disjoint.

A swapped word never is one whose synonym would say something else in some place ("use a link", "two short sentences"), nor one
that tells two skills or tools apart (price, stock, shipping, …) nor one that a right reply needs (item, link, coupon, …), and
every synonym belongs to one word only, so that `content_words` can undo any swap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from random import Random

from components.augment.frames import Pool
from components.augment.types import Family

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:-[^\W\u3400-\u9fff]+)*")
"""Names stay whole, so that one cannot pass for another; Chinese, which sets no spaces, is read by the character."""

_PROTECTED = (
    r"```.*?```|`[^`]*`|\"[^\"]*\"|\{\w+\}"
    r"|(?<![\w-])(?:says? (?:so|sorry)|(?:go|goes|went) wrong|wrong with|in short|falls? short|rules out)(?![\w-])"
)
"""Code, quotations, fields of hook messages and set phrases stand as they are."""


WORDS: Mapping[str, Pool] = {
    "viewer": Pool(("shopper", "guest"), ("visitor", "patron")),
    "viewers": Pool(("shoppers", "guests"), ("visitors", "patrons")),
    "comment": Pool(("message", "remark"), ("note", "post")),
    "comments": Pool(("messages", "remarks"), ("notes", "posts")),
    "questions": Pool(("queries",), ("inquiries",)),
    "say": Pool(("relay",), ("report",)),
    "write": Pool(("produce",), ("compose",)),
    "fits": Pool(("suits",), ("matches",)),
    "wants": Pool(("wishes",), ("intends",)),
    "tap": Pool(("touch",), ("click",)),
    "short": Pool(("brief",), ("compact",)),
    "briefly": Pool(("concisely",), ("tersely",)),
    "truthfully": Pool(("honestly",), ("faithfully",)),
    "plain": Pool(("simple",), ("ordinary",)),
    "warm": Pool(("friendly",), ("cordial",)),
    "only": Pool(("solely",), ("exclusively",)),
    "greetings": Pool(("hellos",), ("salutations",)),
    "wrong": Pool(("invalid",), ("faulty",)),
    "role": Pool(("persona",), ("character",)),
    "steps": Pool(("procedure",), ("routine",)),
    "rules": Pool(("guidelines",), ("regulations",)),
    "facts": Pool(("data",), ("details",)),
    "promise": Pool(("pledge",), ("vow",)),
    "promises": Pool(("pledges",), ("vows",)),
    "frequent": Pool(("common",), ("typical",)),
    "old": Pool(("stale",), ("outdated",)),
}
"""Word of running text → words that may stand for it."""


@lru_cache(maxsize=256)
def _swappable(names: frozenset[str]) -> tuple[tuple[str, ...], re.Pattern[str]]:
    words = tuple(word for word in WORDS if word not in names)
    return words, re.compile(rf"{_PROTECTED}|(?<![\w-])(an?\s+)?({'|'.join(words)})(?![\w-])", re.IGNORECASE | re.DOTALL)


def rewording(family: Family, random: Random, names: Collection[str] = ()) -> Callable[[str], str]:
    """Swaps every word of `WORDS` for one synonym of the family, except in code, quotations, set phrases, fields and `names`."""
    words, pattern = _swappable(frozenset(names))
    chosen = {word: random.choice(WORDS[word].of(family)) for word in words}

    def swap(match: re.Match[str]) -> str:
        article, word = match.group(1, 2)
        if word is None or word in names:
            return match.group()
        new = chosen[word.lower()]
        new = new.capitalize() if word[0].isupper() else new
        return f"{_agreeing(article, new)}{new}" if article else new

    return lambda text: pattern.sub(swap, text)


def _agreeing(article: str, word: str) -> str:
    """`a ` or `an `, as the word wants it, with the article's own case and space."""
    return article[0] + ("n" if word[0].lower() in "aeiou" else "") + article.lstrip("aAnN")


_BASE_WORDS = {synonym: word for word, pool in WORDS.items() for synonym in (*pool.train, *pool.heldout)}


def base_word(word: str) -> str:
    """The word of `WORDS` that a synonym in lower case stands for; any other word as it is."""
    return _BASE_WORDS.get(word, word)


def words_in(text: str) -> list[str]:
    """The words of a text in lower case, in order."""
    return [word.lower() for word in _WORD.findall(text)]


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """The words that a text says, whatever its case, order and layout, every synonym of `WORDS` as its base word."""
    return frozenset("a" if word == "an" else base_word(word) for word in words_in(text))
