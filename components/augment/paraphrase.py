"""A bank of paraphrases of the base harness's texts, collected once from a language model and kept where they prove true.

What is kept holds, sentence by sentence and in their order, every longer word, name, number, quotation, field and negation of
its text and no others; the model, asked in both orders, says that the two ask for the same; and the proof holds with it in
place. From then on the bank is data: the sampler draws from it, with no server at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from components.augment.bank import Bank, Paraphrase, rephrased, texts_by_dimension
from components.augment.layout import sentences
from components.augment.meaning import Phrasings
from components.augment.name_words import NAME_WORDS
from components.augment.texts import borne_names
from components.augment.types import Family
from components.augment.wording import WORDS, base_word, words_in
from components.harness.types import Harness

Complete = Callable[[str], str]
"""A prompt → what the model answers."""

Holds = Callable[[Harness, Phrasings], bool]
"""Whether the proof holds for a variant whose only change is one paraphrase."""

STYLES: Mapping[Family, tuple[str, ...]] = {
    "train": ("as you would brief a new colleague", "as short orders", "as a polite request"),
    "heldout": ("as a formal guideline", "as friendly advice", "as you would say it aloud"),
}
"""How a family's paraphrases are asked for; the families share none."""

_PROMPT = """Say the text below in other words, {style}. Keep its meaning exactly: leave nothing out, add nothing.
Keep its sentences, and in each every name, number, quotation, `code`, {{field}} and negation, and every longer word, in their
order: only small words may change. Stay in its language. Answer with the new text only.

{text}"""
_SAME = """Do these two texts ask for exactly the same? Answer yes or no.

First: {first}

Second: {second}"""
_YES = re.compile(r"\W*yes\b", re.IGNORECASE)

_NEGATIONS = "no not never neither nor nobody none cannot only but if all any both less more most out over up down off when then"
_COUNTS = "once twice one two ten six"
_TELLING = frozenset(word for words in NAME_WORDS for word in words.split()).union(_NEGATIONS.split(), _COUNTS.split())
"""Short words that may decide what is asked."""
_LONG = 5
"""Letters of a word that says what a text is about; shorter ones mostly hold a sentence together."""
_VERBATIM = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\{\w+\}")
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_LENGTHS = (0.5, 2.0)


def collect(base: Harness, complete: Complete, holds: Holds) -> Bank:
    """Ask for every text of `base` in every style, and keep what is true to it. The same answers give the same bank."""
    names, kept, texts = borne_names(base), [], list(texts_by_dimension(base))
    said = {text.casefold() for _, text in texts}
    for dimension, text in texts:
        for family, styles in STYLES.items():
            for style in styles:
                new = Paraphrase(dimension, family, text, _bare(complete(_PROMPT.format(style=style, text=text))))
                if new.says.casefold() in said or not (_is_true_to(new, names) and _asks_the_same(new, complete)):
                    continue
                if holds(rephrased(base, {text: new.says}, dimension), {text: (new.says,)}):
                    kept.append(new)
                    said.add(new.says.casefold())
    return tuple(kept)


def _bare(answer: str) -> str:
    """An answer without the quotation marks or the fence that models like to put around one."""
    text = answer.strip()
    text = re.sub(r"\A```\w*\n(.*)\n```\Z", r"\1", text, flags=re.DOTALL).strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"' and text.count('"') == 2
    return text[1:-1].strip() if is_quoted else text


def _asks_the_same(new: Paraphrase, complete: Complete) -> bool:
    """Whether the model itself says so, whichever of the two it reads first."""
    pairs = ((new.text, new.says), (new.says, new.text))
    return all(_YES.match(complete(_SAME.format(first=first, second=second))) for first, second in pairs)


def _is_true_to(new: Paraphrase, names: Collection[str]) -> bool:
    """Whether each sentence keeps what must stay the same, and no word belongs to the other family."""
    old, says = new.text, new.says
    same = [_kept(one, names) for one in _sentences(old)] == [_kept(one, names) for one in _sentences(says)]
    low, high = (share * len(words_in(old)) for share in _LENGTHS)
    more_lines = "\n" in says and "\n" not in old
    others = {word for pool in WORDS.values() for word in (pool.heldout if new.family == "train" else pool.train)}
    foreign = others.intersection(words_in(says)).difference(words_in(old))
    return same and low <= len(words_in(says)) <= high and not more_lines and not foreign


def _sentences(text: str) -> list[str]:
    return [one for line in text.splitlines() for one in sentences(line)]


def _kept(text: str, names: Collection[str]) -> tuple[list[str], list[str]]:
    """What a paraphrase of a sentence must keep, in its order: of words all that count, of quotations and fields each letter."""
    words = [base_word(word) for word in words_in(_NOT.sub(" not", text))]
    known = {name.lower() for name in names}.union(_TELLING)
    telling = [w for w in words if len(w) >= _LONG or w in known or _HAN.match(w) or any(map(str.isdigit, w))]
    return telling, _VERBATIM.findall(text)
