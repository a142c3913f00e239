"""The deterministic checker: holds a reply against the truth of the catalogue.

It asks of every claim that it can read whether it is true, and of every fact that the viewer wanted whether it was
stated. A reply that also states the contrary tells the viewer nothing, so no list of guesses earns anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from components.harness.types import StopReason, Trajectory
from components.judge.types import Verdict
from components.liveroom.spoken import NUMBER, clauses, normal, occurrences, sentences
from components.liveroom.types import Case, Fact, Truth

JUDGE = "fact-and-intent checker v1"

MAX_WORDS = 40
"""A longer reply is not listened to: it meets no intent."""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{pattern})\b" for pattern in patterns))


_PROMISE = _any(
    r"guarantee[ds]?",
    r"best (?:\w+ )?(?:in|on) (?:the )?(?:world|market|earth)",
    r"(?:lowest|cheapest|best) price ever",
    r"100 ?(?:%\B|percent)",
    r"cure[ds]?|miracle|risk free|forever|never (?:breaks?|fails?)",
    r"free (?:gift|shipping|delivery|returns?|refunds?)",
    r"(?:lifetime|unlimited) warranty",
)
_OTHER_CURRENCY = re.compile(r"[$€£]|\b(?:dollars?|usd|euros?|pounds?)\b")
_PUT_OFF = _any(
    r"(?:one|1|a|just) moment|colleague|later",
    r"(?:let me|i will|i'll|will|have to|need to|please) (?:\w+ )?check(?! out)",
    r"(?:get|come) (?:right )?back",
)
_DOUBT = _any(
    r"not sure|unsure|no idea|(?:do|does) not (?:really )?know",
    r"cannot (?:say|tell|see|find|confirm|answer)",
    r"maybe|perhaps|probably|might|may be|could be|whether|i think|i guess",
)
_NET = re.compile(r"\b(?:after|with|using|including) (?:(?:the|a|your|this|our) )?(?:coupon|discount)\b(?! (?:of|worth)\b)")
"""Says that a price is what is left to pay, and nothing of the coupon's own worth."""
_DENIAL = re.compile(
    r"(?:\b(?:not|never|cannot|without|neither|nor|no longer) (?:[\w']+ ){0,3}|(?<![\d.])\b(?:no|none|nothing|0) (?:[\w']+ )?)$"
)


def check(case: Case, truth: Truth, trajectory: Trajectory) -> Verdict:
    """Judge the reply of an episode. An episode that did not end in a reply of its own gets 0 and 0."""
    if trajectory.stop_reason is not StopReason.REPLIED:
        return Verdict(0, 0.0, (f"no reply: the episode ended with {trajectory.stop_reason}",), JUDGE)
    reply = normal(trajectory.reply)
    if not re.search(r"\w", reply):
        return Verdict(0, 0.0, ("the reply is empty",), JUDGE)
    text = _NET.sub("in the end", _without_own_title(reply, case))
    promises = list(_promises(text, truth))
    falsehoods = list(_falsehoods(text, case, truth))
    useless = list(_useless(text, len(trajectory.reply.split())))
    missing = [f"does not state {fact.name}: {fact.value}" for fact in truth.required if not _stated(fact, text, case)]
    stated = len(truth.required) - len(missing)
    effectiveness = 0.0 if falsehoods or useless or not stated else 0.5 if missing else 1.0
    accuracy = 0 if promises or falsehoods else 1
    return Verdict(accuracy, effectiveness, (*promises, *falsehoods, *useless, *missing), JUDGE)


def _without_own_title(reply: str, case: Case) -> str:
    """The reply with the asked item's title as `it`, so that no word of a title passes for a fact."""
    title = dict(case.request.links).get(case.target_link or 0)
    return reply if title is None else re.sub(rf"(?<!\w){re.escape(normal(title))}s?(?!\w)", "it", reply)


def _promises(text: str, truth: Truth) -> Iterator[str]:
    """What nobody may promise, but for words that are a fact of the item, such as `100% cotton`."""
    places = _places(truth.required, text)
    for found in _PROMISE.finditer(text):
        if not _is_within(found, places):
            yield f"promises what nobody may promise: {found.group(0)}"


def _places(facts: Iterable[Fact], text: str) -> list[tuple[int, int]]:
    """Start and end of every form of these facts."""
    return [place for fact in facts for form in fact.forms for place in occurrences(form, text)]


def _is_within(found: re.Match[str], places: Iterable[tuple[int, int]]) -> bool:
    return any(start <= found.start() and found.end() <= end for start, end in places)


def _falsehoods(text: str, case: Case, truth: Truth) -> Iterator[str]:
    """What the reply says that is not so."""
    for number, title in case.request.links:
        if case.target_link not in (None, number) and any(occurrences(normal(title), text)):
            yield f"names another item: {title}"
    if found := _OTHER_CURRENCY.search(text):
        yield f"names another currency: {found.group(0)}"
    facts = (*truth.required, *truth.asides)
    places = _places(facts, text)
    for found in NUMBER.finditer(text):
        if not _is_within(found, places):
            known = found.group(0) in truth.supported_numbers
            yield f"gives {found.group(0)}, " + ("without saying rightly what it is" if known else "which no fact supports")
    for phrase in sorted(truth.refuted):
        if any(not _DENIAL.search(text[:start]) for start, _ in occurrences(phrase, text)):
            yield f"says what is not so: {phrase}"
    for fact in facts:
        if any(_DENIAL.search(text[:start]) for form in fact.forms for start, _ in occurrences(form, text)):
            yield f"denies {fact.name}: {fact.value}"
    yield from _misplaced(text, truth)


def _misplaced(text: str, truth: Truth) -> Iterator[str]:
    """A fact that a clause states of another: one whose words stand there, where none of its own do."""
    for clause in clauses(text):
        spoken_of = {fact.name for fact in truth.required if any(any(occurrences(word, clause)) for word in fact.about)}
        for fact in truth.required:
            stated = any(any(occurrences(form, clause)) for form in fact.forms)
            if fact.about and stated and spoken_of and fact.name not in spoken_of:
                yield f"says {fact.value} of {', '.join(spoken_of)}"


def _useless(text: str, length: int) -> Iterator[str]:
    """Why a viewer would not listen to the end; `length` in words as spoken."""
    if length > MAX_WORDS:
        yield f"is too long to be spoken: {length} words"
    words = text.split()
    triples = list(zip(words, words[1:], words[2:], strict=False))
    if len(set(triples)) < len(triples) or any(len(set(triple)) == 1 for triple in triples):
        yield "repeats itself"


def _stated(fact: Fact, text: str, case: Case) -> bool:
    """Whether a sentence states the fact: asserts it, neither asks, nor puts off, nor (of an item) doubts."""
    for sentence in sentences(text):
        open_ended = sentence.endswith("?") or _PUT_OFF.search(sentence)
        doubted = case.target_link is not None and _DOUBT.search(sentence)
        if not (open_ended or doubted) and any(any(occurrences(form, sentence)) for form in fact.forms):
            return True
    return False
