"""A bank of paraphrases of the base harness's texts, collected once from a language model and kept where they prove true.

What is kept holds every name, number, quotation, field and negation of its text, and the words that tell tools and skills
apart; and the proof holds with it in place. From then on the bank is data: the sampler draws from it, with no server at hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping

from components.augment.bank import Bank, Paraphrase, rephrased, texts_by_dimension
from components.augment.meaning import Phrasings
from components.augment.name_words import NAME_WORDS
from components.augment.naming import mentioned, names_in
from components.augment.texts import borne_names
from components.augment.types import Family
from components.augment.wording import WORDS, words_in
from components.harness.types import Harness

Complete = Callable[[str], str]
"""A prompt → what the model answers."""

Holds = Callable[[Harness, Phrasings], bool]
"""Whether the proof holds for a variant whose only change is one paraphrase."""

STYLES: Mapping[Family, tuple[str, ...]] = {
    "train": ("as you would brief a new colleague", "as short orders", "with the reason for it first"),
    "heldout": ("as a formal guideline", "as friendly advice", "with its last point first"),
}
"""How a family's paraphrases are asked for; the families share none."""

_PROMPT = """Say the text below in other words, {style}. Keep its meaning exactly: leave nothing out, add nothing.
Keep every name, number, quotation, `code` and {{field}} as it is, keep every negation, and stay in its language.
Answer with the new text only.

{text}"""

_NEGATIONS = re.compile(
    r"\b(?:no|not|never|neither|nor|nobody|nothing|none|without|cannot|only|except)\b|n't\b|[不没无勿别非]", re.IGNORECASE
)
_COUNTS = re.compile(r"\d+(?:\.\d+)?|\b(?:once|twice|one|two|three|four|five|both|first|last|several|all)\b", re.IGNORECASE)
_VERBATIM = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|\{\w+\}")
_HAN = re.compile(r"[\u3400-\u9fff]")
_TELLING = frozenset(word for words in NAME_WORDS for word in words.split())
_LENGTHS = (0.5, 2.0)
_KEPT_SHARE = 0.5
"""Of the words that say what a text is about, so many must stay: other words for all of them are another text."""
_LONG = 5
"""Letters of a word that says what a text is about; shorter ones mostly hold a sentence together."""


def collect(base: Harness, complete: Complete, holds: Holds) -> Bank:
    """Ask for every text of `base` in every style, and keep what is true to it. The same answers give the same bank."""
    names, kept, texts = borne_names(base), [], list(texts_by_dimension(base))
    said = {text.casefold() for _, text in texts}
    for dimension, text in texts:
        for family, styles in STYLES.items():
            for style in styles:
                new = Paraphrase(dimension, family, text, _bare(complete(_PROMPT.format(style=style, text=text))))
                if new.says.casefold() in said or not _is_true_to(new, names):
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


def _is_true_to(new: Paraphrase, names: Collection[str]) -> bool:
    """Whether what must stay the same is the same, and no word belongs to the other family."""
    old, says = new.text, new.says
    same = all(_kept(old) == _kept(says) for _kept in (_verbatim, _negations, _counts, _telling, names_in))
    low, high = (share * _length(old) for share in _LENGTHS)
    more_lines = "\n" in says and "\n" not in old
    others = {word for pool in WORDS.values() for word in (pool.heldout if new.family == "train" else pool.train)}
    foreign = others.intersection(words_in(says)).difference(words_in(old))
    is_same_script = bool(_HAN.search(old)) == bool(_HAN.search(says))
    kept = len(_subject(old) & _subject(says)) >= _KEPT_SHARE * len(_subject(old))
    fits = low <= _length(says) <= high and not more_lines and is_same_script and kept
    return same and mentioned(old, names) == mentioned(says, names) and fits and not foreign


def _verbatim(text: str) -> Counter[str]:
    return Counter(_VERBATIM.findall(text))


def _negations(text: str) -> int:
    return len(_NEGATIONS.findall(text))


def _counts(text: str) -> Counter[str]:
    return Counter(word.lower() for word in _COUNTS.findall(text))


def _telling(text: str) -> frozenset[str]:
    """The words that say which skill, tool or fact is meant."""
    return frozenset(words_in(text)) & _TELLING


def _subject(text: str) -> frozenset[str]:
    """The long words by their beginnings, so that `refunds` is `refund`; of Chinese, the characters."""
    words = (word for word in words_in(text) if len(word) >= _LONG)
    return frozenset(_HAN.findall(text)) or frozenset(word[:_LONG] for word in words)


def _length(text: str) -> int:
    return len(words_in(text))
