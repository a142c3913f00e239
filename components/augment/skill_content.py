"""Dimension skill content: the same skill in other words and another layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from components.augment.layout import Block, as_list, as_paragraph, relayout
from components.augment.texts import borne_names
from components.augment.types import Apply, Dimension, Family, Transformation
from components.augment.wording import BODY, SKILL_DESCRIPTION, reword, wrap
from components.harness.types import Harness, Skill


def _reworded(family: Family) -> Apply:
    """Synonyms, a frame around descriptions and one around bodies; the same for every skill of the harness."""

    def apply(harness: Harness, random: Random) -> Harness:
        names, seed = borne_names(harness), random.random()

        def changed(skill: Skill) -> Skill:
            description = wrap(reword(skill.description, family, Random(seed), names), SKILL_DESCRIPTION, family, Random(seed))
            body = wrap(reword(skill.body, family, Random(seed), names), BODY, family, Random(seed))
            return replace(skill, description=description, body=body)

        return replace(harness, skills=tuple(map(changed, harness.skills)))

    return apply


def _relaid(harness: Harness, write: Callable[[Block], str]) -> Harness:
    return replace(harness, skills=tuple(replace(skill, body=relayout(skill.body, write)) for skill in harness.skills))


def _bulleted(harness: Harness, random: Random) -> Harness:
    bullet = random.choice("-*")
    return _relaid(harness, lambda block: as_list(block, bullet))


def _reordered(harness: Harness, random: Random) -> Harness:
    return _relaid(harness, lambda block: as_paragraph(replace(block, parts=tuple(random.sample(block.parts, len(block.parts))))))


# Layout comes before wording, so that it works on what the skill says and not on the frame around it.
TRANSFORMATIONS = (
    Transformation("skill_content/bulleted", Dimension.SKILL_CONTENT, "train", _bulleted),
    Transformation("skill_content/reworded", Dimension.SKILL_CONTENT, "train", _reworded("train")),
    Transformation("skill_content/reordered", Dimension.SKILL_CONTENT, "heldout", _reordered),
    Transformation("skill_content/other_wording", Dimension.SKILL_CONTENT, "heldout", _reworded("heldout")),
)
