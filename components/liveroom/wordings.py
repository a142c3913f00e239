"""Texts compared by their words: those that differ in case, marks and spacing only are one text."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from components.liveroom.spoken import CJK
from components.liveroom.types import Case

TELLING = 5
"""Words from which a text is looked for inside longer ones: shorter ones meet there by chance."""

_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def wording(text: str) -> str:
    """The words of a text, without case and marks; each Chinese character is a word. Empty for an emoji."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def lines(case: Case) -> set[str]:
    """The wordings of what viewers and host say in a case."""
    said = (*case.request.comments, *(line.text for line in case.request.dialogue))
    return {wording(line) for line in said} - {""}


def repeated(parts: Iterable[str], texts: Iterable[str], least: int = TELLING) -> set[str]:
    """Those of `parts` that one of `texts` is or, where they have `least` words or more, holds. All are wordings.

    Takes time with the words of `texts`, not with these times `parts`.
    """
    wanted = {*parts} - {""}
    starts: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for part in wanted:
        if len(words := part.split()) >= least:
            starts[tuple(words[:least])].add(part)
    found = set()
    for text in {*texts}:
        if text in wanted:
            found.add(text)
        words = text.split()
        for place, start in enumerate(zip(*(words[after:] for after in range(least)), strict=False)):
            for part in starts.get(start, ()):
                if part not in found and words[place : place + part.count(" ") + 1] == part.split():
                    found.add(part)
    return found
