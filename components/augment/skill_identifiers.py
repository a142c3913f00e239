"""Dimension skill identifiers: other names for the same skills."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from components.augment.name_words import SKILL_AFFIX, Lexicon, han, other_name
from components.augment.naming import LONGEST, STYLES, Style, fresh, short_word, snake, words_of
from components.augment.texts import Renames, rename, renameable, taken_names
from components.augment.types import Apply, Dimension, in_dimension
from components.harness.types import Harness, Skill

_NAMESPACES = ("live", "shop", "host")
_LETTERS = ("S", "K", "M")


def rename_skills(harness: Harness, name: Callable[[Skill], str]) -> Harness:
    """Give every skill that may change the name that `name` finds, unless it is too long; what is taken gets a number."""
    names, _, _ = renameable(harness)
    taken = taken_names(harness)
    # By key, so that the order of the skills does not change which one gets which name.
    wanted = {skill.name: name(skill) for skill in sorted(harness.skills, key=lambda s: s.key) if skill.name in names}
    new = {old: fresh(new, taken) for old, new in wanted.items() if new != old}
    return rename(harness, Renames(skills={old: name for old, name in new.items() if len(name) <= LONGEST}))


def _in_words(lexicon: Lexicon, styles: tuple[Style, ...]) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        style = random.choice(styles)
        return rename_skills(harness, lambda skill: other_name(skill.name, SKILL_AFFIX, lexicon, style, random))

    return apply


def _casing(harness: Harness, random: Random) -> Harness:
    styles = [style for style in STYLES["train"] if any(style(words_of(s.name)) != s.name for s in harness.skills)]
    if not styles:
        return harness
    style = random.choice(styles)
    return rename_skills(harness, lambda skill: style(words_of(skill.name)))


def _namespaced(harness: Harness, random: Random) -> Harness:
    space = random.choice(_NAMESPACES)
    return rename_skills(harness, lambda skill: f"{space}__{skill.name}")


def _abbreviated(harness: Harness, random: Random) -> Harness:
    return rename_skills(harness, lambda skill: snake([short_word(word) for word in words_of(skill.name)]).upper())


def _numbered(harness: Harness, random: Random) -> Harness:
    """A letter and a running number in front, in an order that says nothing."""
    letter, numbers = random.choice(_LETTERS), random.sample(range(1, len(harness.skills) + 1), len(harness.skills))
    places = dict(zip(sorted(skill.key for skill in harness.skills), numbers, strict=True))
    return rename_skills(harness, lambda skill: f"{letter}{places[skill.key]:02d}_{skill.name}")


def _opaque(harness: Harness, random: Random) -> Harness:
    return rename_skills(harness, lambda skill: f"sk_{random.getrandbits(16):04x}")


# Other words come before what is done to any words.
TRANSFORMATIONS = in_dimension(
    Dimension.SKILL_IDENTIFIERS,
    ("synonyms", "train", _in_words("train", STYLES["train"])),
    ("spanish", "train", _in_words("spanish", STYLES["train"])),
    ("pinyin", "train", _in_words("pinyin", STYLES["train"])),
    ("casing", "train", _casing),
    ("namespaced", "train", _namespaced),
    ("other_synonyms", "heldout", _in_words("heldout", STYLES["heldout"])),
    ("german", "heldout", _in_words("german", STYLES["heldout"])),
    ("chinese", "heldout", _in_words("chinese", (han,))),
    ("abbreviated", "heldout", _abbreviated),
    ("numbered", "heldout", _numbered),
    ("opaque", "heldout", _opaque),
)
