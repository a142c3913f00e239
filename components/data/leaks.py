"""Nothing that evaluation asks about may have been seen in training."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from components.augment.schemas import property_names
from components.augment.types import Variant
from components.data.types import ORIGINAL
from components.errors import UserError
from components.harness.records import harness_version, to_dict
from components.harness.types import Harness, JsonObject
from components.liveroom.spoken import CJK
from components.liveroom.types import Case
from components.liveroom.wordings import TELLING, lines, repeated, wording

Facts = dict[str, dict[str, str]]
"""Kind → what is compared → the same as it is written."""

_NAMES, _TEXTS = "skill, tool and parameter names", "texts of skills, tools, hooks and prompt"
_SAID = ("comments", "lines of dialogue")
_IN_ROWS = {"case ids": 2, "item titles": 2, **dict.fromkeys((*_SAID, _TEXTS), TELLING)}
"""Kinds that are looked for anywhere in a row, with the words that such a thing must have not to be there by chance."""
_WORD = re.compile(r"[^\W\d][\w-]*")
_CHINESE_NAME = re.compile(f"[{CJK}]{{4,}}")
"""A shorter one may be a word of any sentence; it counts where it stands alone."""
_SLOT = re.compile(r"\{\w+\}")


class LeakError(UserError):
    """Training and evaluation share something; the message says what, how much of it, and the first few."""


def check_leaks(
    base: Harness,
    train_cases: Sequence[Case],
    eval_cases: Sequence[Case],
    train_variants: Sequence[Variant],
    heldout_variants: Sequence[Variant],
    rows: Sequence[JsonObject] = (),
) -> dict[str, int]:
    """Raise LeakError where training and evaluation share a case, room, item title, line, phrasing, or variant.

    A comment or line of dialogue is shared where one side's is, or holds, the other's (see `wordings.repeated`); a phrasing
    where one of its parts is. Held-out names of skills, tools and parameters, and held-out texts, that `base` does not have
    must not be in any train variant. `rows` are training rows: each must be of a train case, under the original harness or
    a train variant, and none may hold a case id, title, line, name or text of evaluation anywhere in what the student
    reads. Returns how many distinct things of evaluation were looked for, by kind.
    """
    evaluation = {**_case_facts(eval_cases), **_variant_facts(base, heldout_variants)}
    training = {**_case_facts(train_cases), **_variant_facts(base, train_variants)}
    leaks = {kind: {facts[one] for one in facts.keys() & training[kind].keys()} for kind, facts in evaluation.items()}
    own_lines = {line for case in train_cases for line in lines(case)}
    for kind in _SAID:
        others = own_lines - evaluation[kind].keys()
        leaks[kind] |= _written(evaluation[kind], own_lines) | repeated(others, evaluation[kind])

    train_ids = {case.case_id for case in train_cases}
    variant_ids = {ORIGINAL, *(variant.variant_id for variant in train_variants)}
    leaks["training rows of other cases or variants"] = {
        str(row["id"]) for row in rows if row["case_id"] not in train_ids or row["variant_id"] not in variant_ids
    }

    read = set(_strings([[row["messages"], row["tools"]] for row in rows]))
    words = set(map(wording, read))
    # What training cases hold is theirs: a title may be a part of another.
    own = own_lines | training["item titles"].keys() | training["case ids"].keys()
    for kind, least in _IN_ROWS.items():
        theirs = repeated(evaluation[kind], own, least)
        looked_for = {one: text for one, text in evaluation[kind].items() if one not in theirs}
        leaks[f"{kind} in training rows"] = _written(looked_for, words, least)
    heldout_names = evaluation[_NAMES].keys() - _names_in(evaluation[_NAMES], set(_strings(to_dict(base))))
    leaks["held-out names in training rows"] = _names_in(heldout_names, read)

    found = [f"{len(shared)} {kind} ({', '.join(sorted(shared)[:3])})" for kind, shared in leaks.items() if shared]
    if found:
        raise LeakError(f"training and evaluation share {'; '.join(found)}; separate the splits or the variant families")
    return {kind: len(facts) for kind, facts in evaluation.items()}


def _case_facts(cases: Sequence[Case]) -> Facts:
    return {
        "case ids": _by_wording(case.case_id for case in cases),
        "rooms": _by_wording(case.request.room_id for case in cases),
        "item titles": _by_wording(title for case in cases for _, title in case.request.links),
        "comments": _by_wording(comment for case in cases for comment in case.request.comments),
        "lines of dialogue": _by_wording(line.text for case in cases for line in case.request.dialogue),
        "phrasings": _as_they_are(part for case in cases for part in case.phrasing.split("+")),
    }


def _variant_facts(base: Harness, variants: Iterable[Variant]) -> Facts:
    harnesses = {variant.variant_id: variant.harness for variant in variants}
    texts = _by_wording(text for harness in harnesses.values() for text in _texts(harness))
    of_base = repeated(texts, map(wording, _strings(to_dict(base))))
    return {
        "variant ids": _as_they_are(harnesses),
        "harness versions": _as_they_are(map(harness_version, harnesses.values())),
        _NAMES: _as_they_are({name for harness in harnesses.values() for name in _names(harness)} - _names(base)),
        _TEXTS: {words: text for words, text in texts.items() if words not in of_base},
    }


def _names(harness: Harness) -> set[str]:
    skills, tools = {skill.name for skill in harness.skills}, {tool.name for tool in harness.tools}
    return skills.union(tools, *map(property_names, harness.tools))


def _texts(harness: Harness) -> Iterator[str]:
    """Descriptions, bodies, messages, sections: of each every longer run of words between what is filled in."""
    for text in _strings(to_dict(harness)):
        yield from (run for run in _SLOT.split(text) if wording(run).count(" ") + 1 >= TELLING)


def _by_wording(texts: Iterable[str]) -> dict[str, str]:
    # An emoji alone has no words that could be learnt.
    return {words: text for text in texts if (words := wording(text))}


def _as_they_are(things: Iterable[str]) -> dict[str, str]:
    return {thing: thing for thing in things}


def _written(facts: Mapping[str, str], words: Iterable[str], least: int = TELLING) -> set[str]:
    """Those of `facts` that `words` repeat, as they are written."""
    return {facts[one] for one in repeated(facts, words, least)}


def _names_in(names: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Those of `names` that are a word of `texts` as it is written, a name in whatever style; Chinese ones also inside one."""
    text = "\n".join(texts)
    words = {*_WORD.findall(text)}
    return {name for name in names if name in words or (_CHINESE_NAME.search(name) and name in text)}


def _strings(value: Any) -> Iterator[str]:
    """Every key and text in plain JSON values, also in those that a text spells out."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key)
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, str):
        yield value
        yield from _strings(_parsed(value))


def _parsed(text: str) -> Any:
    """The object or list that a text spells out; None where it is no JSON."""
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
