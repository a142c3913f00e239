"""Whether a reply says a fact of what it is a fact of: the return term of returns, a price of its own item."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from components.liveroom.spoken import clauses, occurrences, sentences
from components.liveroom.types import Fact

Words = tuple[str, ...]
Place = tuple[int, int]


def misplaced(text: str, facts: Sequence[Fact], known: Sequence[Fact]) -> Iterator[str]:
    """Those of `facts`, which the text holds, that stand next to the words of other `known` facts only."""
    about, item = ({word for fact in known for word in words_of(fact)} for words_of in (_about, _item))
    for part in clauses(text):
        yield from _swapped(part, facts, about, _about)
    for part in sentences(text):
        yield from _swapped(part, facts, about, _about, own_words_needed=True)
        yield from _swapped(part, facts, item, _item)


def _about(fact: Fact) -> Words:
    return fact.about


def _item(fact: Fact) -> Words:
    return fact.item


def _swapped(
    part: str, facts: Sequence[Fact], words: Collection[str], words_of: Callable[[Fact], Words], own_words_needed: bool = False
) -> Iterator[str]:
    """Facts whose nearest `words` before and after are all of other facts.

    Two facts that are swapped leave the first or the last of them beside the other's words alone, whatever the order.
    """
    spoken_of = sorted((*place, word) for word in words for place in occurrences(word, part))
    if not spoken_of:
        return
    values: dict[Place, list[Fact]] = {}
    for fact in facts:
        if words_of(fact):
            for place in (place for form in fact.forms for place in occurrences(form, part)):
                values.setdefault(place, []).append(fact)
    for (start, end), found in values.items():
        if any(first <= start and end <= last and (first, last) != (start, end) for first, last in values):
            continue
        before = [word for _, last, word in spoken_of if last <= start][-1:]
        after = [word for first, _, word in spoken_of if first >= end][:1]
        inside = [word for first, last, word in spoken_of if start <= first and last <= end]
        near = {*inside} or {*before, *after}
        own = {word for fact in found for word in words_of(fact)}
        if near and not near & own and not (own_words_needed and not any(word in own for *_, word in spoken_of)):
            yield f"says {found[0].value} of {', '.join(sorted(near))}"
