"""Names in any style, new names that nothing else bears, and names found in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from components.augment.types import Family

Style = Callable[[Sequence[str]], str]

LONGEST = 64
"""Characters of a name: what servers take for a tool and the Agent Skills format for a skill."""


def snake(words: Sequence[str]) -> str:
    """`price_qa`"""
    return "_".join(words)


def kebab(words: Sequence[str]) -> str:
    """`price-qa`"""
    return "-".join(words)


def camel(words: Sequence[str]) -> str:
    """`priceQa`"""
    return words[0] + "".join(word.capitalize() for word in words[1:])


def pascal(words: Sequence[str]) -> str:
    """`PriceQa`"""
    return "".join(word.capitalize() for word in words)


def upper(words: Sequence[str]) -> str:
    """`PRICE_QA`"""
    return "_".join(words).upper()


STYLES: Mapping[Family, tuple[Style, ...]] = {"train": (snake, kebab, camel), "heldout": (pascal, upper)}


def words_of(name: str) -> list[str]:
    """The words of a name in any style, in lower case: `priceQa` → price, qa. Never empty."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in re.split(r"[\W_]+", parted.lower()) if word] or [name]


def short_word(word: str) -> str:
    """`price` → `prc`: the first letter and the next two consonants; short words and other scripts stay."""
    if len(word) < 4 or not word.isascii():
        return word
    return word[0] + re.sub(r"[aeiou]", "", word[1:])[:2]


def fresh(name: str, taken: set[str]) -> str:
    """`name`, numbered where it is taken (case does not tell names apart: some file systems do not); then takes it."""
    new, number = name, 2
    while new.casefold() in taken:
        new, number = f"{name}_{number}", number + 1
    taken.add(new.casefold())
    return new


def is_distinctive(name: str) -> bool:
    """Whether a word can only be a name, as `price_qa` or `priceQa`; `refunds` may also be an ordinary word."""
    return _DISTINCTIVE.search(name) is not None


_NAME = r"[0-9A-Za-z_-]"
"""Chinese sets no spaces, so a name in Latin letters ends there where these end."""
_DISTINCTIVE = re.compile(r"[_\-\d]|[a-z][A-Z]")
_WORDS = re.compile(r"[\w-]+")
_NAME_WORDS = re.compile(rf"{_NAME}+")
_CODE = re.compile(r"`([\w-]+)`")


@lru_cache(maxsize=16384)
def names_in(text: str) -> frozenset[str]:
    """Everything in a text that reads as a name: distinctive words, and what stands as code."""
    words = {*_WORDS.findall(text), *_NAME_WORDS.findall(text)}
    return frozenset(filter(is_distinctive, words)).union(_CODE.findall(text))


def rename_mentions(text: str, names: Mapping[str, str]) -> str:
    """Replace names where the text means them; fields such as `{reason}` are never names.

    A distinctive name is meant wherever it stands. An ordinary word is meant where it is marked: in code, between
    asterisks, as a JSON key, or before the word skill or tool. A new name that is an ordinary word is marked as code.
    """
    parts, end = [], 0
    for start, old, is_marked in _mentions(text, names):
        new = names[old]
        parts += [text[end:start], new if is_marked or is_distinctive(new) else f"`{new}`"]
        end = start + len(old)
    return "".join([*parts, text[end:]])


def mentioned(text: str, names: Collection[str]) -> set[str]:
    """Those of `names` that the text means."""
    return {name for _, name, _ in _mentions(text, names)}


def _mentions(text: str, names: Collection[str]) -> Iterator[tuple[int, str, bool]]:
    """Where a name begins, the name, and whether the text marks it as one."""
    if not any(name in text for name in names):
        return
    for match in _pattern(frozenset(names)).finditer(text):
        name, start = match.group(), match.start()
        if name not in names:
            continue
        after = text[match.end() : match.end() + 8]
        is_key = text[start - 1 : start] == '"' and re.match(r'"\s*:', after) is not None
        is_marked = is_key or text.count("`", 0, start) % 2 == 1 or text[start - 1 : start] == "*" == after[:1]
        if is_marked or is_distinctive(name) or re.match(r" (?:skill|tool)\b", after):
            yield start, name, is_marked


@lru_cache(maxsize=1024)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    alternatives = (_whole(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    return re.compile(rf"\{{\w+\}}|{'|'.join(alternatives)}")


def _whole(name: str) -> str:
    """A pattern for a name as a whole: a name in Latin letters may stand right beside another script, others may not."""
    before, after = (_NAME if end.isascii() else r"[\w-]" for end in (name[0], name[-1]))
    return rf"(?<!{before}){re.escape(name)}(?!{after})"


def disjoint(*groups: Iterable[str]) -> list[set[str]]:
    """The names of each group that no other group has: only those can be told apart in running text."""
    sets = [set(group) for group in groups]
    return [own.difference(*(other for other in sets if other is not own)) for own in sets]
