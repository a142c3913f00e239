"""Dimension skill identifiers: other names for the same skills."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from components.augment.naming import SKILL_AFFIX, STYLES, camel, fresh, kebab, synonym, words_of
from components.augment.texts import Renames, rename, renameable, taken_names
from components.augment.types import Apply, Dimension, Family, Transformation
from components.harness.types import Harness, Skill


def rename_skills(harness: Harness, name: Callable[[Skill], str]) -> Harness:
    """Give every skill that may change the name that `name` finds; what is taken gets a number."""
    names, _, _ = renameable(harness)
    taken = taken_names(harness)
    # By key, so that the order of the skills does not change which one gets which name.
    wanted = {skill.name: name(skill) for skill in sorted(harness.skills, key=lambda s: s.key) if skill.name in names}
    return rename(harness, Renames(skills={old: fresh(new, taken) for old, new in wanted.items() if new != old}))


def _synonyms(family: Family) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        style = random.choice(STYLES[family])
        return rename_skills(harness, lambda skill: synonym(skill.name, SKILL_AFFIX, family, style, random))

    return apply


def _casing(harness: Harness, random: Random) -> Harness:
    style = random.choice((kebab, camel))
    return rename_skills(harness, lambda skill: style(words_of(skill.name)))


def _opaque(harness: Harness, random: Random) -> Harness:
    return rename_skills(harness, lambda skill: f"sk_{random.getrandbits(16):04x}")


TRANSFORMATIONS = (
    Transformation("skill_identifiers/synonyms", Dimension.SKILL_IDENTIFIERS, "train", _synonyms("train")),
    Transformation("skill_identifiers/casing", Dimension.SKILL_IDENTIFIERS, "train", _casing),
    Transformation("skill_identifiers/other_synonyms", Dimension.SKILL_IDENTIFIERS, "heldout", _synonyms("heldout")),
    Transformation("skill_identifiers/opaque", Dimension.SKILL_IDENTIFIERS, "heldout", _opaque),
)
