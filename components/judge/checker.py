"""The deterministic checker: holds a reply against the truth of the catalogue.

It asks of every claim that it can read whether it is true, and of every fact that the viewer wanted whether it was
stated. A reply that also states the contrary tells the viewer nothing, so no list of guesses earns anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from components.harness.hooks.compliance import claim
from components.harness.types import StopReason, Trajectory
from components.judge.idle import idle, statements
from components.judge.phrases import (
    ABUSE,
    ASKING,
    DECLINED,
    DENIAL,
    DOUBT,
    NET,
    OTHER_CURRENCY,
    PROMISE,
    PUT_OFF,
    QUESTION,
    WONDERED,
)
from components.judge.placement import misplaced
from components.judge.style import flaws
from components.judge.types import Verdict
from components.liveroom.speech import KIND, SOCIAL
from components.liveroom.spoken import NUMBER, apart, holds, is_chinese, normal, occurrences, sentences, whole
from components.liveroom.types import Case, Fact, Truth

JUDGE = "fact-and-intent checker v3"

_ITEM = re.compile(r"\bitem (\d+)", re.ASCII)
Place = tuple[int, int]
"""Start and end of what a reply says."""


def check(case: Case, truth: Truth, trajectory: Trajectory) -> Verdict:
    """Judge the reply of an episode. An episode that did not end in a reply of its own gets 0 and 0."""
    if trajectory.stop_reason is not StopReason.REPLIED:
        return Verdict(0, 0.0, (f"no reply: the episode ended with {trajectory.stop_reason}",), JUDGE)
    if not re.search(r"\w", trajectory.reply):
        return Verdict(0, 0.0, ("the reply is empty",), JUDGE)
    text = NET.sub(
        lambda found: "到手" if is_chinese(found[0][-1]) else "in the end", _with_links_for_titles(normal(trajectory.reply), case)
    )
    found = {
        fact: [place for form in fact.forms for place in occurrences(form, text)] for fact in (*truth.required, *truth.asides)
    }
    places = [place for places in found.values() for place in places]
    promises = list(_promises(text, places))
    if claimed := claim(trajectory.reply, (title for _, title in case.request.links)):
        promises.append(claimed)
    falsehoods = list(_falsehoods(text, case, truth, found))
    useless = list(flaws(trajectory.reply, text, places, case))
    asserted = list(_asserted(text, truth))
    stated = [
        fact
        for fact in truth.required
        if found[fact] and (fact.name in SOCIAL or any(holds(part, fact.forms) for part in asserted))
    ]
    missing = [f"does not state {fact.name}: {fact.value}" for fact in truth.required if fact not in stated]
    nothing = all(fact.name == KIND for fact in stated)
    effectiveness = 0.0 if falsehoods or useless or nothing else 0.5 if missing else 1.0
    accuracy = 0 if promises or falsehoods else 1
    return Verdict(accuracy, effectiveness, (*promises, *falsehoods, *useless, *missing), JUDGE)


def _with_links_for_titles(reply: str, case: Case) -> str:
    """The reply with `item N` for the title of link N, so that no word of a title passes for a fact."""
    for link, title in sorted(case.request.links, key=lambda one: -len(one[1])) if case.links else ():
        # The space keeps the link's number from a number that follows.
        reply = whole(normal(title), "s?").sub(f"item {link} ", reply)
    return re.sub(r" +(?=[\s,.!?]|$)", "", apart(reply))


def _promises(text: str, places: list[Place]) -> Iterator[str]:
    """What nobody may promise, but for words that are a fact of the item or that are denied."""
    for found in PROMISE.finditer(text):
        if _meant(found, text, places):
            yield f"promises what nobody may promise: {found.group()}"


def _falsehoods(text: str, case: Case, truth: Truth, found: Mapping[Fact, list[Place]]) -> Iterator[str]:
    """What the reply says that is not so; `found`: where it holds which fact."""
    places = [place for places in found.values() for place in places]
    titles = dict(case.request.links)
    for item in _ITEM.finditer(text):
        if case.links and int(item[1]) not in case.links:
            yield f"names another item: {titles.get(int(item[1]), item.group())}"
    if other := OTHER_CURRENCY.search(text):
        yield f"names another currency: {other.group()}"
    for number in NUMBER.finditer(text):
        if not _within(number.span(), places):
            known = number.group() in truth.supported_numbers
            yield f"gives {number.group()}, " + ("without saying rightly what it is" if known else "which no fact supports")
    for said in (*ABUSE.finditer(text), *(statements(text) if idle(case) else ())):
        if _meant(said, text, places):
            yield f"says what no host should: {said.group()}"
    for phrase in sorted(truth.refuted):
        if any(not _denied(text, start) and not _within((start, end), places) for start, end in occurrences(phrase, text)):
            yield f"says what is not so: {phrase}"
    facts = [fact for fact, places in found.items() if places and fact.name not in (*SOCIAL, "link")]
    for fact in facts:
        if any(DENIAL.search(text[: place[0]]) and not _within(place, places, longer=True) for place in found[fact]):
            yield f"denies {fact.name}: {fact.value}"
    yield from misplaced(text, facts, (*truth.required, *truth.asides))


def _meant(said: re.Match[str], text: str, places: list[Place]) -> bool:
    """Whether what is said is neither part of a fact nor denied."""
    return not _within(said.span(), places) and not _denied(text, said.start())


def _denied(text: str, start: int) -> bool:
    """Whether what begins at `start` is denied, refused as a claim, or only asked about."""
    return any(pattern.search(text[:start]) for pattern in (DENIAL, DECLINED, WONDERED))


def _within(place: Place, places: list[Place], longer: bool = False) -> bool:
    """Whether some place, one that is longer if so wanted, covers `place`."""
    return any(start <= place[0] and place[1] <= end and not (longer and (start, end) == place) for start, end in places)


def _asserted(text: str, truth: Truth) -> Iterator[str]:
    """The sentences that assert what they say, neither asking, nor putting off, nor doubting.

    Of one that asks about something else in the end (`49 yuan, do you like it?`), what stands before.
    """
    for sentence in sentences(text):
        if PUT_OFF.search(sentence) or _doubted(sentence, truth):
            continue
        if QUESTION.search(sentence):
            before, _, asked = sentence.rpartition(", ")
            if ASKING.match(sentence) or any(holds(asked, fact.forms) for fact in truth.required):
                continue
            sentence = before
        yield sentence


def _doubted(sentence: str, truth: Truth) -> bool:
    """Whether a sentence doubts what it says; `29 yuan起` is no doubt where it is a fact."""
    doubts = list(DOUBT.finditer(sentence))
    if not doubts:
        return False
    forms = (form for fact in (*truth.required, *truth.asides) for form in fact.forms)
    places = [place for form in forms for place in occurrences(form, sentence)]
    return any(not _within(found.span(), places) for found in doubts)
