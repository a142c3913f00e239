"""One text read as a model reads it: every sentence of the base text in its words and their order, and nothing beside them.

A text is taken apart into sentences of the base text and `frames.pieces`, which are all that a transformation may add. Case,
articles, quotation marks and layout do not count, synonyms count as their base word; words, their order, negations and the
punctuation within a sentence do. Sentences may change places only where none leans on another, see `layout.relayout`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from components.augment.frames import pieces
from components.augment.layout import Block, relayout, sentences
from components.augment.wording import base_word

Words = tuple[str, ...]

Blocks = tuple[tuple[Words, ...], ...]
"""A base text: blocks in their order, each of sentences that may stand in any order within it."""

_TOKEN = re.compile(
    r"\{\w+\}|[\u3400-\u9fff]|"
    r"[^\W\u3400-\u9fff]+(?:-[^\W\u3400-\u9fff]+)*|[.,;:!?()，。；：！？、（）]"
)
"""Fields of hook messages, Chinese characters, words with names whole, punctuation."""
_PUNCTUATION = frozenset(".,;:!?()，。；：！？、（）")
_HELD = "\0"


@lru_cache(maxsize=65536)
def tokens(text: str) -> Words:
    """What of a text counts, in order."""
    found = (token.lower() for token in _TOKEN.findall(text))
    return tuple("a" if token == "an" else base_word(token) for token in found)


@lru_cache(maxsize=4096)
def sentence(text: str) -> Words:
    """The tokens of a sentence without what it begins and ends with of punctuation."""
    found = tokens(text)
    words = [place for place, token in enumerate(found) if token not in _PUNCTUATION]
    return found[words[0] : words[-1] + 1] if words else ()


@lru_cache(maxsize=4096)
def blocks(text: str) -> Blocks:
    """The sentences of a base text; those of a free block together, each other one in a block of its own."""
    free: list[tuple[Words, ...]] = []

    def hold(block: Block) -> str:
        free.append(_sentences(block.parts))
        return f"{_HELD}{len(free) - 1}"

    found: list[tuple[Words, ...]] = []
    for line in relayout(text, hold).splitlines():
        if line.startswith(_HELD):
            found.append(free[int(line[1:])])
        else:
            found += [(one,) for one in _sentences(sentences(line))]
    return tuple(found)


def _sentences(texts: Iterable[str]) -> tuple[Words, ...]:
    return tuple(words for words in map(sentence, texts) if words)


VOCABULARY = frozenset(_sentences([*pieces("train"), *pieces("heldout")]))
"""All that may stand beside the sentences of a base text."""


def fault(wanted: Sequence[Blocks], new: str, more: Iterable[Words] = ()) -> str:
    """What is lost from, or added to, the base texts `wanted` in the text `new`; empty where nothing is.

    `more` are words that may stand there beside `VOCABULARY`: those of names, and what the model is told elsewhere as well.
    """
    found = tokens(new)
    if _is_made_of(found, wanted, VOCABULARY.union(words for words in more if words)):
        return ""
    if lost := loss(wanted, new):
        return lost
    said = [one for text in wanted for block in text for one in block]
    left = list(found)
    for one in sorted({*said, *VOCABULARY, *more}, key=len, reverse=True):
        while one and (place := _place(left, one)) is not None:
            left[place : place + len(one)] = ["."] * len(one)
    words = " ".join(token for token in left if token not in _PUNCTUATION)
    return f"says more, or in another order: {words}"


def loss(wanted: Sequence[Blocks], new: str, more: Iterable[Words] = ()) -> str:
    """As `fault`, but only sentences that are nowhere in the new text; whatever else it may say."""
    found = tokens(new)
    lost = [one for text in wanted for block in text for one in block if _place(found, one) is None]
    return f"no longer says: {'; '.join(map(' '.join, lost))}" if lost else ""


def _is_made_of(found: Words, wanted: Sequence[Blocks], pool: frozenset[Words]) -> bool:
    """Whether the tokens are the wanted sentences, each once and block after block, with nothing but the pool's between."""
    by_first: dict[str, list[Words]] = {}
    for one in pool:
        by_first.setdefault(one[0], []).append(one)
    # A state is how far the text is read, and for each base text its block and which sentences of that are read.
    todo = [(0, tuple((0, frozenset[int]()) for _ in wanted))]
    seen = set(todo)
    while todo:
        start, read = todo.pop()
        if start == len(found):
            if all(block == len(text) for text, (block, _) in zip(wanted, read, strict=True)):
                return True
            continue
        steps = [(start + len(one), read) for one in by_first.get(found[start], ()) if found[start : start + len(one)] == one]
        if found[start] in _PUNCTUATION:
            steps.append((start + 1, read))
        elif found[start].isdigit() and found[start + 1 : start + 2] in ((".",), (")",)):
            steps.append((start + 2, read))  # The number of a step.
        for number, (text, (block, done)) in enumerate(zip(wanted, read, strict=True)):
            for place, one in enumerate(text[block] if block < len(text) else ()):
                if place not in done and found[start : start + len(one)] == one:
                    now = done | {place}
                    after = (block + 1, frozenset[int]()) if len(now) == len(text[block]) else (block, now)
                    steps.append((start + len(one), (*read[:number], after, *read[number + 1 :])))
        todo += [step for step in steps if step not in seen]
        seen.update(steps)
    return False


def _place(found: Sequence[str], words: Words) -> int | None:
    """Where the words stand, one after the other."""
    return next((i for i in range(len(found) - len(words) + 1) if tuple(found[i : i + len(words)]) == words), None)
