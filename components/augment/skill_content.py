"""Dimension skill content: the same skills in other words, in another layout, and shared out in another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from components.augment.distractors import with_distractor_skills
from components.augment.frames import frame, framing
from components.augment.layout import Block, as_list, as_numbers, as_paragraph, as_table, relayout
from components.augment.splitting import merge_skills, split_skills
from components.augment.texts import borne_names, taken_names
from components.augment.types import Apply, Dimension, Family, in_dimension
from components.augment.wording import rewording
from components.harness.types import Harness, Skill


def _reworded(family: Family) -> Apply:
    """Synonyms, a frame around descriptions and one around bodies; the same for every skill of the harness."""

    def apply(harness: Harness, random: Random) -> Harness:
        reword = rewording(family, random, borne_names(harness))
        about, body = framing("skill description", family, random), framing("body", family, random)
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
    head = frame("table", "heldout", random)()
    return _with_bodies(harness, lambda skill: relayout(skill.body, lambda block: as_table(block, head), ordered=True))


def _reordered(harness: Harness, random: Random) -> Harness:
    def shuffled(block: Block) -> str:
        parts = tuple(random.sample(block.parts, len(block.parts)))
        return as_paragraph(replace(block, parts=parts if parts != block.parts else block.parts[::-1]))

    return _with_bodies(harness, lambda skill: relayout(skill.body, shuffled))


def _with_description(family: Family) -> Apply:
    """What the skill is for, then what to do: under headings or as questions."""

    def apply(harness: Harness, random: Random) -> Harness:
        both = frame("description and body", family, random)
        return _with_bodies(harness, lambda skill: both(skill.description, skill.body))

    return apply


def _longer(harness: Harness, random: Random) -> Harness:
    reminded = frame("reminder", "train", random)
    return _with_bodies(harness, lambda skill: reminded(skill.body))


def _with_distractors(harness: Harness, random: Random) -> Harness:
    return replace(harness, skills=with_distractor_skills(harness.skills, taken_names(harness), random))


# What a skill says is laid out and worded before it is framed, split or merged, so that each works on the skill's own words.
TRANSFORMATIONS = in_dimension(
    Dimension.SKILL_CONTENT,
    ("numbered", "train", _numbered),
    ("bulleted", "train", _bulleted),
    ("reworded", "train", _reworded("train")),
    ("sectioned", "train", _with_description("train")),
    ("longer", "train", _longer),
    ("split", "train", split_skills),
    ("tabled", "heldout", _tabled),
    ("reordered", "heldout", _reordered),
    ("other_wording", "heldout", _reworded("heldout")),
    ("questions", "heldout", _with_description("heldout")),
    ("merged", "heldout", merge_skills),
    ("distractors", "heldout", _with_distractors),
)
