"""Checks of what may not be said at all. A claim that is declined, denied or only asked about is none.

The words stand in `claims_en` and `claims_zh`; both are looked for in every reply, for rooms mix the languages. The lists
follow the absolute terms of China's Advertising Law (articles 9, 17 and 28) and what platforms punish besides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from components.harness.hooks import claims_en as en
from components.harness.hooks import claims_zh as zh
from components.harness.hooks.context import Finding, HookContext
from components.harness.hooks.text import join_sentences, sentences
from components.harness.types import JsonObject


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_MEDICAL = _any(*en.MEDICAL, *zh.MEDICAL)
_ABSOLUTE = _any(*en.ABSOLUTE, *zh.ABSOLUTE)
_PRICE = _any(*en.PRICE, *zh.PRICE)
_BEFORE = _any(*en.DECLINES_BEFORE, *zh.DECLINES_BEFORE)
_AFTER = _any(*en.DECLINES_AFTER, *zh.DECLINES_AFTER)
_NEXT = _any(*en.DECLINES_NEXT, *zh.DECLINES_NEXT)
_CONTINUES = _any(en.CONTINUES, zh.CONTINUES)
_STRESSES = _any(*en.STRESSES, *zh.STRESSES)
_AFFIRMS = _any(en.AFFIRMS, zh.AFFIRMS)
_QUESTION = _any(en.QUESTION, zh.QUESTION)
_CLAUSE_END = re.compile(r"(?<=[,;:，；：…—])\s*|\s+(?=but\b|however\b|yet\b)|(?=但是?|不过|可是)")
_QUOTES = re.compile(r"[\"“”‘「」『』《》]")


def medical_claims(context: HookContext, parameters: JsonObject) -> Finding | None:
    """Nothing is said to treat, cure or prevent an illness (`allow`: phrases that are none). Rewriting drops the sentence."""
    return _finding("a medical claim", _MEDICAL, context.reply, parameters)


def absolute_claims(context: HookContext, parameters: JsonObject) -> Finding | None:
    """No superlative of the goods, no guaranteed effect (`allow`: phrases that are none). Rewriting drops the sentence."""
    return _finding("an absolute claim", _ABSOLUTE, context.reply, parameters)


def price_promises(context: HookContext, parameters: JsonObject) -> Finding | None:
    """No promise of a lowest or a coming price (`allow`: phrases that are none). Rewriting drops the sentence."""
    return _finding("a price promise", _PRICE, context.reply, parameters)


def forbidden_phrases(context: HookContext, parameters: JsonObject) -> Finding | None:
    """None of `phrases` occurs, whatever the case, as whole words; rewriting puts in what `replacements` has for each."""
    found = list(dict.fromkeys(match.group(0) for match in _phrases(parameters["phrases"]).finditer(context.reply)))
    if not found:
        return None
    replacements = {phrase.casefold(): text for phrase, text in parameters.get("replacements", {}).items()}
    rewritten = None
    if all(phrase.casefold() in replacements for phrase in found):
        rewritten = _phrases(parameters["phrases"]).sub(lambda match: replacements[match[0].casefold()], context.reply)
    return Finding(f"the phrase {found[0]!r} is not allowed", rewritten)


def claim(reply: str, allow: Iterable[str] = ()) -> str | None:
    """What is wrong with the first medical, absolute or price claim that a reply makes; None where it makes none."""
    for what, claims in (("medical claim", _MEDICAL), ("absolute claim", _ABSOLUTE), ("price promise", _PRICE)):
        if found := _finding(what, claims, reply, {"allow": list(allow)}):
            return found.reason
    return None


def declines(sentence: str) -> bool:
    """Whether a sentence plainly refuses or denies something."""
    text = _normal(sentence)
    return _denies(_BEFORE, text) or bool(_AFTER.search(text))


def _finding(what: str, claims: re.Pattern[str], reply: str, parameters: JsonObject) -> Finding | None:
    spoken = sentences(reply)
    normal = [_masked(_normal(sentence), parameters.get("allow", ())) for sentence in spoken]
    made = [next(_claims(claims, text, after), None) for text, after in zip(normal, [*normal[1:], ""], strict=True)]
    first = next((claim for claim in made if claim), None)
    if first is None:
        return None
    others = [sentence for sentence, claim in zip(spoken, made, strict=True) if not claim]
    return Finding(f"{first!r} reads as {what}", join_sentences(others) or None)


def _claims(claims: re.Pattern[str], sentence: str, next_sentence: str) -> Iterator[str]:
    """The claims of a sentence that it makes itself."""
    if not claims.search(sentence):
        return
    clauses = [clause for clause in _CLAUSE_END.split(sentence) if clause]
    declined = False
    for clause, following in zip(clauses, [*clauses[1:], next_sentence], strict=True):
        declined = declined and bool(_CONTINUES.match(clause))
        asked = _QUESTION.fullmatch(clause) and not _affirms(following)
        for found in claims.finditer(clause):
            if not (asked or declined or _denied(clause, found) or _NEXT.fullmatch(following)):
                yield found.group(0).strip()
        declined = declined or _denies(_BEFORE, clause)


def _denied(clause: str, claim: re.Match[str]) -> bool:
    """Whether the words around a claim in its clause make it none."""
    # Searched twice: a word that declines may run into the claim (不承诺最低价), or end just before it.
    before = _stressed(clause[: claim.start()])
    runs_into = any(cue.start() < claim.start() for cue in _BEFORE.finditer(_stressed(clause)))
    return bool(_BEFORE.search(before) or runs_into or _AFTER.search(clause[claim.end() :]))


def _denies(cues: re.Pattern[str], text: str) -> bool:
    return bool(cues.search(_stressed(text)))


def _stressed(text: str) -> str:
    """The text with those words blotted out that only look like a denial; its length stays."""
    return _STRESSES.sub(lambda found: "_" * len(found[0]), text)


def _affirms(answer: str) -> bool:
    return bool(_AFFIRMS.match(answer)) and not _denies(_BEFORE, answer) and not _AFTER.search(answer)


def _normal(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _QUOTES.sub("", text)


def _masked(text: str, allowed: Iterable[str]) -> str:
    for phrase in allowed:
        text = text.replace(_normal(phrase), " ")
    return text


def _phrases(phrases: list[str]) -> re.Pattern[str]:
    return _compiled(tuple(phrases))


@lru_cache(maxsize=256)
def _compiled(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Longest first; a phrase that begins or ends with a Latin letter or a digit does so at a word's end."""
    ordered = sorted(phrases, key=len, reverse=True)
    return re.compile(r"|".join(rf"(?:{_edge(p[0], '<!')}{re.escape(p)}{_edge(p[-1], '!')})" for p in ordered), re.IGNORECASE)


def _edge(character: str, look: str) -> str:
    return rf"(?{look}[A-Za-z0-9])" if character.isascii() and character.isalnum() else ""
