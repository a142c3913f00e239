"""Dimension skill content: the same skills in other words, in another layout, and shared out in another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from components.augment.distractors import with_distractor_skills
from components.augment.layout import Block, as_list, as_numbers, as_paragraph, as_table, relayout
from components.augment.splitting import merge_skills, split_skills
from components.augment.texts import borne_names, taken_names
from components.augment.types import Apply, Dimension, Family, Transformation
from components.augment.wording import BODY, SKILL_DESCRIPTION, framing, rewording
from components.harness.types import Harness, Skill

_REMINDERS = (
    "Read this to the end before you call anything.",
    "All of this holds, not just the first line.",
    "Keep to this even where the talk before went another way.",
)


def _reworded(family: Family) -> Apply:
    """Synonyms, a frame around descriptions and one around bodies; the same for every skill of the harness."""

    def apply(harness: Harness, random: Random) -> Harness:
        reword = rewording(family, random, borne_names(harness))
        about, body = framing(SKILL_DESCRIPTION, family, random), framing(BODY, family, random)
        skills = (replace(s, description=about(reword(s.description)), body=body(reword(s.body))) for s in harness.skills)
        return replace(harness, skills=tuple(skills))

    return apply


def _with_bodies(harness: Harness, write: Callable[[Skill], str]) -> Harness:
    """Skills without a body keep none."""
    return replace(harness, skills=tuple(replace(s, body=write(s)) if s.body.strip() else s for s in harness.skills))


def _bulleted(harness: Harness, random: Random) -> Harness:
    bullet = random.choice("-*")
    return _with_bodies(harness, lambda skill: relayout(skill.body, lambda block: as_list(block, bullet)))


def _numbered(harness: Harness, random: Random) -> Harness:
    """Sentences and list items as numbered steps, in the order in which they stand."""
    return _with_bodies(harness, lambda skill: relayout(skill.body, as_numbers, ordered=True))


def _tabled(harness: Harness, random: Random) -> Harness:
    return _with_bodies(harness, lambda skill: relayout(skill.body, as_table, ordered=True))


def _reordered(harness: Harness, random: Random) -> Harness:
    def shuffled(block: Block) -> str:
        return as_paragraph(replace(block, parts=tuple(random.sample(block.parts, len(block.parts)))))

    return _with_bodies(harness, lambda skill: relayout(skill.body, shuffled))


def _sectioned(harness: Harness, random: Random) -> Harness:
    """Markdown sections: what the skill is for, then what to do."""
    level = random.choice(("#", "##", "###"))
    return _with_bodies(harness, lambda s: f"{level} Scope\n{s.description}\n\n{level} Instructions\n{s.body}")


def _questions(harness: Harness, random: Random) -> Harness:
    """Questions and answers: when the skill applies, and what to do then."""
    ask, reply = random.choice((("Q:", "A:"), ("Question:", "Answer:")))
    return _with_bodies(
        harness, lambda s: f"{ask} When does this apply?\n{reply} {s.description}\n\n{ask} What is to be done?\n{reply}\n{s.body}"
    )


def _longer(harness: Harness, random: Random) -> Harness:
    reminder = random.choice(_REMINDERS)
    return _with_bodies(harness, lambda skill: f"{skill.body}\n\n{reminder}")


def _with_distractors(harness: Harness, random: Random) -> Harness:
    return replace(harness, skills=with_distractor_skills(harness.skills, taken_names(harness), random))


def _transformation(name: str, family: Family, apply: Apply) -> Transformation:
    return Transformation(f"skill_content/{name}", Dimension.SKILL_CONTENT, family, apply)


# What a skill says is laid out and worded before it is framed, split or merged, so that each works on the skill's own words.
TRANSFORMATIONS = (
    _transformation("numbered", "train", _numbered),
    _transformation("bulleted", "train", _bulleted),
    _transformation("reworded", "train", _reworded("train")),
    _transformation("sectioned", "train", _sectioned),
    _transformation("longer", "train", _longer),
    _transformation("split", "train", split_skills),
    _transformation("tabled", "heldout", _tabled),
    _transformation("reordered", "heldout", _reordered),
    _transformation("other_wording", "heldout", _reworded("heldout")),
    _transformation("questions", "heldout", _questions),
    _transformation("merged", "heldout", merge_skills),
    _transformation("distractors", "heldout", _with_distractors),
)
