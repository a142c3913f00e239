"""Other words for the same thing. What `train` may say and what `heldout` may say are disjoint.

A swapped word never is one that tells two skills or tools apart (price, stock, shipping, …) nor one that a right reply
needs (item, link, coupon, …), and every synonym belongs to one word only, so that `fold` can undo any swap.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from random import Random

from components.augment.types import Family

_WORD = re.compile(r"\w+(?:-\w+)*")
"""Names stay whole, so that one cannot pass for another."""

_PROTECTED = r"```.*?```|`[^`]*`|\"[^\"]*\"|\{\w+\}"
"""Code, quotations and fields of hook messages stand as they are."""


@dataclass(frozen=True)
class Pool:
    """Choices of each family."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]

    def of(self, family: Family) -> tuple[str, ...]:
        """The choices of one family."""
        return self.train if family == "train" else self.heldout


WORDS: Mapping[str, Pool] = {
    "viewer": Pool(("shopper", "guest"), ("customer", "visitor")),
    "viewers": Pool(("shoppers", "guests"), ("customers", "visitors")),
    "comment": Pool(("message", "remark"), ("note", "line")),
    "comments": Pool(("messages", "remarks"), ("notes", "lines")),
    "questions": Pool(("queries",), ("inquiries",)),
    "say": Pool(("state", "mention"), ("tell", "report")),
    "use": Pool(("consult",), ("employ",)),
    "write": Pool(("produce",), ("compose",)),
    "fits": Pool(("suits",), ("matches",)),
    "wants": Pool(("wishes",), ("intends",)),
    "tap": Pool(("press",), ("click",)),
    "short": Pool(("brief",), ("concise", "compact")),
    "briefly": Pool(("concisely",), ("tersely",)),
    "truthfully": Pool(("honestly",), ("faithfully",)),
    "plain": Pool(("simple",), ("ordinary",)),
    "warm": Pool(("friendly",), ("kind",)),
    "only": Pool(("solely",), ("exclusively",)),
    "greetings": Pool(("hellos",), ("salutations",)),
    "wrong": Pool(("invalid",), ("faulty",)),
    "role": Pool(("persona",), ("character",)),
    "steps": Pool(("procedure",), ("routine",)),
}
"""Word of running text → words that may stand for it."""

SKILL_DESCRIPTION = Pool(("When to use: {}", "Covers: {}"), ("Purpose: {}", "Pick it for this: {}"))
TOOL_DESCRIPTION = Pool(("Function: {}", "What it does: {}"), ("In short: {}", "Details: {}"))
BODY = Pool(("Instructions:\n{}", "Do this:\n{}"), ("How to proceed:\n{}", "Guidance:\n{}"))
HEADING = Pool(("Your {}", "About: {}", "[{}]"), ("Here you find: {}", "Next in line: {}", "What follows concerns: {}"))
HOOK_MESSAGE = Pool(
    ("Not accepted. {}", "Try again. {}", "{} Then continue."), ("Sent back: {}", "{} Please revise.", "Hold on. {}")
)
"""Sentences around a text, which stands for `{}`."""


def reword(text: str, family: Family, random: Random, names: Collection[str] = ()) -> str:
    """Swap every word of `WORDS` for a synonym of the family, except in code, quotations, fields and `names`."""
    chosen = {word: random.choice(pool.of(family)) for word, pool in WORDS.items() if word not in names}
    pattern = re.compile(rf"{_PROTECTED}|(?<![\w-])(an?\s+)?({'|'.join(chosen)})(?![\w-])", re.IGNORECASE | re.DOTALL)

    def swap(match: re.Match[str]) -> str:
        article, word = match.group(1, 2)
        if word is None or word in names:
            return match.group()
        new = chosen[word.lower()]
        new = new.capitalize() if word[0].isupper() else new
        return f"{_agreeing(article, new)}{new}" if article else new

    return pattern.sub(swap, text)


def _agreeing(article: str, word: str) -> str:
    """`a ` or `an `, as the word wants it, with the article's own case and space."""
    return article[0] + ("n" if word[0].lower() in "aeiou" else "") + article.lstrip("aAnN")


def wrap(text: str, pool: Pool, family: Family, random: Random) -> str:
    """Put a sentence of the pool around `text`; an empty text stays empty."""
    template = random.choice(pool.of(family))
    return template.replace("{}", text) if text.strip() else text


_BASE_WORDS = {synonym: word for word, pool in WORDS.items() for synonym in (*pool.train, *pool.heldout)}


def content_words(text: str) -> frozenset[str]:
    """The words that a text says, whatever its case, order and layout, every synonym of `WORDS` as its base word."""
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset("a" if word == "an" else _BASE_WORDS.get(word, word) for word in words)
