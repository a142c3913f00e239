"""Why a viewer would get nothing from a reply, true as it may be: too long, repeated, or in another language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from components.harness.hooks.text import word_count
from components.harness.types import Language
from components.judge.idle import MOST_WORDS, idle
from components.liveroom.spoken import CJK, LONGEST, sentences
from components.liveroom.types import Case

_TOKEN = re.compile(rf"item \d+|\d+(?:\.\d+)?|[{CJK}]|[^\W\d{CJK}]+")
_REPEATED: dict[Language, int] = {"en": 3, "zh": 6}
"""So many words, or Chinese characters, in a row are not said again."""
_OUR_WORDS = re.compile(r"\b(?:item|link|yuan)\b", re.ASCII)


def flaws(reply: str, text: str, places: list[tuple[int, int]], case: Case) -> Iterator[str]:
    """What is wrong with the form of `reply`; `text` is its normal form, with facts of the case at `places`."""
    language = case.request.language
    longest = min(LONGEST[language], MOST_WORDS[language] * len(case.asks)) if idle(case) else LONGEST[language]
    if word_count(reply) > longest:
        yield f"is too long to be spoken: {word_count(reply)} words"
    if _repeats(text, _REPEATED[language], sum(1 if ask.other_link is None else 2 for ask in case.asks)):
        yield "repeats itself"
    rest = list(text)
    for start, end in places:
        rest[start:end] = " " * (end - start)
    if _is_foreign("".join(rest), language) or (language == "zh" and not re.search(rf"[{CJK}]", reply)):
        yield "is not in the language of the room"


def _repeats(text: str, run: int, asks: int) -> bool:
    """Whether a sentence comes again, or a run of words more often than there are things asked about."""
    said = [tuple(_TOKEN.findall(sentence)) for sentence in sentences(text)]
    if any(count > 1 < len(sentence) for sentence, count in Counter(said).items()):
        return True
    words = _TOKEN.findall(text)
    runs = Counter(tuple(words[i : i + run]) for i in range(len(words) - run + 1))
    thrice = any(words[i] == words[i + 1] == words[i + 2] for i in range(len(words) - 2))
    return thrice or any(count > asks for count in runs.values())


def _is_foreign(text: str, language: Language) -> bool:
    """English holds no Chinese, Chinese no three words of another script in a row."""
    if language == "en":
        return bool(re.search(rf"[{CJK}]", text))
    return bool(re.search(r"[a-z']+(?: [a-z']+){2}", _OUR_WORDS.sub("", text)))
