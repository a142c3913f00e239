"""Nothing that evaluation asks about may have been seen in training."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from components.augment.schemas import property_names
from components.augment.types import Variant
from components.data.types import ORIGINAL
from components.errors import UserError
from components.harness.records import harness_version, to_dict
from components.harness.types import Harness, JsonObject
from components.liveroom.types import Case

_WORD = re.compile(r"[^\W\d][\w-]*")


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
    """Raise LeakError where training and evaluation share a case, room, item title, comment, phrasing, or variant.

    Held-out names of skills, tools and parameters that `base` does not have must not be in any train variant. `rows` are
    training rows: each must be of a train case, under the original harness or a train variant, and none may hold such a
    name anywhere in what the student reads. Returns how many distinct things of evaluation were looked for, by kind.
    """
    evaluation = {**_case_facts(eval_cases), **_variant_facts(base, heldout_variants)}
    training = {**_case_facts(train_cases), **_variant_facts(base, train_variants)}
    leaks = {kind: evaluation[kind] & training[kind] for kind in evaluation}

    train_ids = {case.case_id for case in train_cases}
    variant_ids = {ORIGINAL, *(variant.variant_id for variant in train_variants)}
    leaks["training rows of other cases or variants"] = {
        str(row["id"]) for row in rows if row["case_id"] not in train_ids or row["variant_id"] not in variant_ids
    }

    heldout_names = evaluation["skill, tool and parameter names"] - _words([to_dict(base)])
    leaks["held-out names in training rows"] = heldout_names & _words([row["messages"], row["tools"]] for row in rows)

    found = [f"{len(shared)} {kind} ({', '.join(sorted(shared)[:3])})" for kind, shared in leaks.items() if shared]
    if found:
        raise LeakError(f"training and evaluation share {'; '.join(found)}; separate the splits or the variant families")
    return {kind: len(facts) for kind, facts in evaluation.items()}


def _case_facts(cases: Iterable[Case]) -> dict[str, set[str]]:
    cases = list(cases)
    return {
        "case ids": {case.case_id for case in cases},
        "rooms": {case.request.room_id for case in cases},
        "item titles": {normalised(title) for case in cases for _, title in case.request.links},
        # An emoji alone has no words that could be learnt.
        "comments": {normalised(comment) for case in cases for comment in case.request.comments} - {""},
        "phrasings": {case.phrasing for case in cases},
    }


def _variant_facts(base: Harness, variants: Iterable[Variant]) -> dict[str, set[str]]:
    harnesses = {variant.variant_id: variant.harness for variant in variants}
    return {
        "variant ids": set(harnesses),
        "harness versions": {harness_version(harness) for harness in harnesses.values()},
        "skill, tool and parameter names": {name for harness in harnesses.values() for name in _names(harness)} - _names(base),
    }


def _names(harness: Harness) -> set[str]:
    skills, tools = {skill.name for skill in harness.skills}, {tool.name for tool in harness.tools}
    return skills.union(tools, *map(property_names, harness.tools))


def _words(texts: Iterable[Any]) -> set[str]:
    """Every word in plain JSON values, as it is written; a name in whatever style is one word."""
    return {word for text in texts for word in _WORD.findall(json.dumps(text, ensure_ascii=False))}


def normalised(text: str) -> str:
    """Text without case, punctuation and spacing, so that only another wording counts as another text."""
    return " ".join(re.findall(r"\w+", text.casefold()))
