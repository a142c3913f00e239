"""One skill told in two, and two told in one: what is loaded stands for the same skills of the base harness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

from components.augment.frames import Frame, frame
from components.augment.layout import cut
from components.augment.naming import LONGEST, fresh, rename_mentions
from components.augment.texts import map_texts, renameable, taken_names, tell_skills_apart
from components.harness.records import covered
from components.harness.types import Harness, Skill

_HALVES = (("part_1", "part_2"), ("start", "rest"), ("first_half", "second_half"))
"""What is added to the names of two halves; splitting belongs to train, merging to held-out."""


def split_skills(harness: Harness, random: Random) -> Harness:
    """Tell one or two skills in two halves each; each half names the other and stands for the whole."""
    bodies = {s.key: parts for s in _movable(harness) if (parts := cut(s.body)) is not None}
    chosen = _drawn(sorted(bodies), random.randint(1, 2), random)
    taken, (first, second) = taken_names(harness), random.choice(_HALVES)
    described = frame("half description", "train", random)
    goes_on, follows = frame("first half", "train", random), frame("second half", "train", random)
    names = {
        s.key: (fresh(f"{s.name}_{first}", taken), fresh(f"{s.name}_{second}", taken))
        for s in harness.skills
        if s.key in chosen and len(s.name) < LONGEST - 15
    }

    def halves(skill: Skill) -> tuple[Skill, ...]:
        if skill.key not in names:
            return (skill,)
        (one, other), (start, rest) = names[skill.key], bodies[skill.key]
        return (
            _half(skill, 1, one, described, goes_on(start, other)),
            _half(skill, 2, other, described, follows(one, rest)),
        )

    if not names:
        return harness
    told = tell_skills_apart(harness)
    skills = tuple(half for skill in told.skills for half in halves(skill))
    return _mentioning(replace(told, skills=skills), {s.name: names[s.key][0] for s in told.skills if s.key in names})


def _half(skill: Skill, number: int, name: str, described: Frame, body: str) -> Skill:
    about = described(skill.description)
    return replace(skill, name=name, description=about, body=body, key=f"{skill.key}/{number}", covers=(skill.key,))


def merge_skills(harness: Harness, random: Random) -> Harness:
    """Tell one or two pairs of skills of a kind as one skill each, which stands for both."""
    told = tell_skills_apart(harness)
    movable = _movable(told)
    free = random.sample(movable, len(movable))
    taken = taken_names(harness)
    about, body = frame("two descriptions", "heldout", random), frame("two bodies", "heldout", random)
    merged: dict[str, Skill] = {}
    for _ in range(random.randint(1, 2)):
        left = [skill for skill in free if skill.key not in merged]
        pair = next(((a, b) for a, b in combinations(left, 2) if _fit(a, b)), None)
        if pair:
            together = _together(*pair, fresh(f"{pair[0].name}_and_{pair[1].name}", taken), about, body)
            merged |= dict.fromkeys(together.covers or (), together)
    if not merged:
        return harness
    skills = {skill.key: skill for old in told.skills for skill in [merged.get(old.key, old)]}
    names = {skill.name: merged[skill.key].name for skill in movable if skill.key in merged}
    return _mentioning(replace(told, skills=tuple(skills.values())), names)


def _together(one: Skill, other: Skill, name: str, about: Frame, body: Frame) -> Skill:
    return Skill(
        name=name,
        description=about(one.description, other.description),
        body=body(one.body, other.body),
        kind=one.kind,
        key=f"{one.key}+{other.key}",
        covers=(one.key, other.key),
        files=(*one.files, *(file for file in other.files if file not in one.files)),
        front={**one.front, **other.front},
    )


def _fit(one: Skill, other: Skill) -> bool:
    """Whether the two fit into one, and nothing of one would hide something of the other."""
    files = {file.path: file for file in one.files}
    clash = any(files.get(file.path, file) != file for file in other.files)
    same_front = all(other.front.get(key, value) == value for key, value in one.front.items())
    return one.kind is other.kind and same_front and not clash and len(f"{one.name}_and_{other.name}") <= LONGEST - 4


def _movable(harness: Harness) -> list[Skill]:
    """Skills that stand for themselves only, under a name that may change, by key."""
    names, _, _ = renameable(harness)
    return sorted((s for s in harness.skills if covered(s) == (s.key,) and s.name in names), key=lambda skill: skill.key)


def _mentioning(harness: Harness, names: Mapping[str, str]) -> Harness:
    return map_texts(harness, lambda text: rename_mentions(text, names))


def _drawn(keys: Sequence[str], most: int, random: Random) -> list[str]:
    return random.sample(keys, min(most, len(keys)))
