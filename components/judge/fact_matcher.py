"""The fact matcher: the rule-based judge that rewards training.

Simple and strict: what it cannot place it holds against a reply, for a model learns to say what its judge lets pass. It
shares no code with the checker that scores releases, only the truth of the catalogue and its normal form of speech.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from components.harness.hooks.text import word_count
from components.harness.types import StopReason, Trajectory
from components.judge.lookups import lookups
from components.judge.reward import NOTHING, RewardVerdict
from components.liveroom.speech import KIND, SOCIAL, WORDS
from components.liveroom.spoken import CJK, GAP, LONGEST, NUMBER, apart, holds, is_chinese, normal, occurrences, sentences, whole
from components.liveroom.types import Case, Fact, Truth

Span = tuple[int, int]
Words = tuple[str, ...]

_MARKUP = re.compile(r"[{}\[\]<>|*#_\\]|\"\s*:|\n\s*\n")
_ASKED = re.compile(r"\?|[吗么]\s*[.!]?$|^(?:is|are|does|do|can|will)\b")
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|may be|could be|not sure|i think|i guess|i believe|about|around|roughly"
    r"|approximately|if|or so|one moment|a moment|colleague|let me check|later|either)\b"
    r"|可能|也许|或许|大概|大约|左右|好像|似乎|估计|应该|不确定|不清楚|不知道|是不是|是否|稍等|同事|待会|等会|查一下"
)
_DENIED = re.compile(r"(?:\b(?:not|no|never|cannot|without|neither|nor|isn't|aren't)\b[^,.!?]{0,24}|[不没无非别未][^,.!?]{0,4})$")
_PROMISED = re.compile(
    r"\b(?:guarantee\w*|promise\w*|swear|cures?|heals?|miracle|100 ?%|risk free|lifetime|forever|cheapest|lowest price|best price"
    r"|refund you|compensat\w+|for free|free gift|all free|on the house|costs? nothing|half price)\b"
    r"|保证|承诺|发誓|治[好愈疗]|根治|百分百|100%|终身|永久|永远|最低价|最便宜|全网最|免单|白送|免费|不要钱|半价|赔[偿付你您]|补差价"
)
_NO_LOOKUP = re.compile(
    r"\b(?:cannot|can not|unable to|could not|not able to)\b[^.!?]{0,24}\b(?:look|see|check|find|reach|get|tell|answer)\b"
    r"|(?:查|看|找)不到|(?:没法|无法|暂时不能)[^,.!?]{0,3}(?:查|看|确认|回答)"
)
MOST_ASIDES = 4
"""Facts beside those asked for that a reply may state, for each thing asked."""
_MOST_ACTS = 3
"""Kinds of courtesy in one reply at the most: whoever is sorry, welcomes, declines and refers at once fits every comment."""


class FactMatcher:
    """Accuracy 1: the reply says something of what was asked and nothing that is false, unsupported or forbidden.

    Effectiveness: 1 where it states all of it, 0.5 some, 0 nothing. A reply that only admits that a tool did not answer is
    accurate where that is so, and not effective. Whatever else tells the viewer nothing earns nothing: silence is no way
    to be accurate.
    """

    name = "fact matcher v1"

    async def judge(self, case: Case, truth: Truth, trajectory: Trajectory) -> RewardVerdict:
        """Judge the reply of an episode; one that did not end in a reply of its own gets 0 and 0."""
        if trajectory.stop_reason is not StopReason.REPLIED:
            return NOTHING
        return _match(trajectory.reply, case, truth, lookups(truth, trajectory).out_of_reach)


def admits(reply: str, truth: Truth) -> bool:
    """Whether a reply says that something could not be looked up, and states no fact of the case."""
    text = normal(reply)
    known = {form for fact in truth.required if fact.name not in (*SOCIAL, KIND) for form in fact.forms}
    return bool(_NO_LOOKUP.search(text)) and not NUMBER.search(text) and not holds(text, tuple(known))


def _match(reply: str, case: Case, truth: Truth, out_of_reach: bool) -> RewardVerdict:
    text = _with_items(reply, case)
    spans = {fact: _spans(fact.forms, text) for fact in (*truth.required, *truth.asides)}
    if _is_false(text, spans, truth) or _is_unfit(reply, text, case) or _lists(spans, truth) > MOST_ASIDES * len(case.asks):
        return NOTHING
    if truth.calls and admits(reply, truth):
        return RewardVerdict(1.0, 0.0) if out_of_reach else NOTHING
    asserted = [part for part in sentences(text) if not (_ASKED.search(part) or _UNSURE.search(_without(part, truth)))]
    stated = [
        fact
        for fact in truth.required
        if spans[fact] and (fact.name in SOCIAL or any(holds(part, fact.forms) for part in asserted))
    ]
    if all(fact.name == KIND for fact in stated):
        return NOTHING
    return RewardVerdict(1.0, 1.0 if len(stated) == len(truth.required) else 0.5)


def _with_items(reply: str, case: Case) -> str:
    """The reply in normal form, with `item N` for the title of link N: no word of a title passes for a fact."""
    text = normal(reply)
    for link, title in sorted(case.request.links, key=lambda one: len(one[1]), reverse=True):
        text = whole(normal(title), "s?").sub(f"item {link} ", text)
    return re.sub(r" +(?=[\s,.!?]|$)", "", apart(text))


def _spans(forms: Iterable[str], text: str) -> list[Span]:
    return [span for form in forms for span in occurrences(form, text)]


def _whole_facts(truth: Truth, text: str) -> list[Span]:
    """Where facts stand word for word. A form with a gap vouches for none of the words that stand in it."""
    return _spans((form for fact in (*truth.required, *truth.asides) for form in fact.forms if GAP not in form), text)


def _is_false(text: str, spans: dict[Fact, list[Span]], truth: Truth) -> bool:
    facts = _whole_facts(truth, text)

    def loose(start: int, end: int) -> bool:
        """Whether these words are part of no fact."""
        return not any(first <= start and end <= last for first, last in facts)

    def said(pattern_spans: Iterable[Span]) -> bool:
        return any(loose(start, end) and not _DENIED.search(text[:start]) for start, end in pattern_spans)

    if any(loose(*number.span()) for number in NUMBER.finditer(text)):
        return True
    if said(_spans(truth.refuted, text)) or said(found.span() for found in _PROMISED.finditer(text)):
        return True
    stated = {fact: found for fact, found in spans.items() if found and fact.name not in (*SOCIAL, "link")}
    if any(
        _DENIED.search(text[:start]) and not _in_longer(start, end, facts) for found in stated.values() for start, end in found
    ):
        return True
    return _is_astray(stated, [fact.about for fact in spans], lambda fact: fact.about, text) or _is_astray(
        stated, [fact.item for fact in spans], lambda fact: fact.item, text
    )


def _in_longer(start: int, end: int, facts: list[Span]) -> bool:
    """Whether these words end inside a fact that begins before them: `not detachable` is one, whatever `detachable` is."""
    return any(first < start and end <= last for first, last in facts)


def _is_astray(stated: dict[Fact, list[Span]], known: Iterable[Words], words_of: Callable[[Fact], Words], text: str) -> bool:
    """Whether a fact stands in a sentence beside the words of other facts (or the names of other items) and not its own."""
    named = sorted({(*span, word) for words in known for word in words for span in occurrences(word, text)})
    for start, end in {span for found in stated.values() for span in found}:
        own = {word for fact, found in stated.items() if (start, end) in found for word in words_of(fact)}
        opening, closing = _sentence(start, end, text)
        before = [word for first, last, word in named if opening <= first and last <= start][-1:]
        after = [word for first, last, word in named if first >= end and last <= closing][:1]
        inside = any(first < end and start < last for first, last, _ in named)
        if own and (before or after) and not (inside or own.intersection(before + after)):
            return True
    return False


def _sentence(start: int, end: int, text: str) -> Span:
    """Where the sentence around these words begins and ends."""
    opening = max(text.rfind(mark, 0, start) for mark in (". ", "! ", "? ")) + 1
    return opening, min(place for mark in (". ", "! ", "? ") if (place := f"{text}{mark}".find(mark, end)) >= 0)


def _lists(spans: dict[Fact, list[Span]], truth: Truth) -> int:
    """How many different things the reply states that were not asked for: whoever tells everything answers nothing."""
    asked = [span for fact in truth.required for span in spans[fact]]
    return sum(
        any(not any(start < last and first < end for first, last in asked) for start, end in spans[fact]) for fact in truth.asides
    )


def _without(sentence: str, truth: Truth) -> str:
    """A sentence without the facts that it states: `about 5 left` is doubt, a fact's own word is none."""
    for start, end in _whole_facts(truth, sentence):
        sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    return sentence


def _is_unfit(reply: str, text: str, case: Case) -> bool:
    """Whether a reply is not fit to be spoken: copied, too long, repeated, or courteous in every way at once."""
    language = case.request.language
    chinese = any(map(is_chinese, reply))
    if _MARKUP.search(reply) or word_count(reply) > LONGEST[language] or chinese != (language == "zh"):
        return True
    return _repeats(text, len(case.asks)) or _courtesies(text, language) > _MOST_ACTS


def _repeats(text: str, asks: int) -> bool:
    """Whether a sentence comes twice, a word three times in a row, or five words in a row more often than there are asks."""
    said = [sentence.strip(" .!?") for sentence in sentences(text)]
    words = re.findall(rf"[{CJK}]|[^\W{CJK}]+(?:\.\d+)?", text)
    runs = Counter(zip(*(words[shift:] for shift in range(5)), strict=False))
    in_a_row = any(first == second == third for first, second, third in zip(words, words[1:], words[2:], strict=False))
    return len({*said}) < len(said) or in_a_row or any(count > max(asks, 1) for count in runs.values())


def _courtesies(text: str, language: str) -> int:
    """How many kinds of courtesy a reply goes through."""
    words = WORDS[language]
    kinds = (words.welcome, words.redirect, words.decline, words.apology, words.customer_service)
    return sum(holds(text, tuple(map(normal, forms))) for forms in kinds)
