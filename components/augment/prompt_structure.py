"""Dimension system-prompt structure: the same sections in another order, under other headings, in another format."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from components.augment.texts import borne_names
from components.augment.types import Apply, Dimension, Family, Transformation
from components.augment.wording import HEADING, reword, wrap
from components.harness.types import Harness, PromptFormat, PromptSection

_TRAIN_FORMATS = (PromptFormat.XML, PromptFormat.PLAIN)


def _with_sections(harness: Harness, sections: tuple[PromptSection, ...]) -> Harness:
    return replace(harness, prompt=replace(harness.prompt, sections=sections))


def _reordered(harness: Harness, random: Random) -> Harness:
    sections = harness.prompt.sections
    return _with_sections(harness, tuple(random.sample(sections, len(sections))))


def _skills_reordered(harness: Harness, random: Random) -> Harness:
    """The list of skills is part of the prompt: its order says nothing."""
    return replace(harness, skills=tuple(random.sample(harness.skills, len(harness.skills))))


def _headings(family: Family) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        names = borne_names(harness)

        def changed(section: PromptSection) -> PromptSection:
            heading = reword(section.heading, family, random, names)
            return replace(section, heading=wrap(heading, HEADING, family, random))

        return _with_sections(harness, tuple(map(changed, harness.prompt.sections)))

    return apply


def _other_format(harness: Harness, random: Random) -> Harness:
    formats = [form for form in _TRAIN_FORMATS if form is not harness.prompt.format]
    return replace(harness, prompt=replace(harness.prompt, format=random.choice(formats)))


def _json(harness: Harness, random: Random) -> Harness:
    """Headings become keys, so sections that share one stay as they are."""
    headings = {section.heading for section in harness.prompt.sections}
    if len(headings) < len(harness.prompt.sections):
        return harness
    return replace(harness, prompt=replace(harness.prompt, format=PromptFormat.JSON))


TRANSFORMATIONS = (
    Transformation("prompt_structure/sections_reordered", Dimension.PROMPT_STRUCTURE, "train", _reordered),
    Transformation("prompt_structure/skills_reordered", Dimension.PROMPT_STRUCTURE, "train", _skills_reordered),
    Transformation("prompt_structure/headings", Dimension.PROMPT_STRUCTURE, "train", _headings("train")),
    Transformation("prompt_structure/xml_or_plain", Dimension.PROMPT_STRUCTURE, "train", _other_format),
    Transformation("prompt_structure/prose_headings", Dimension.PROMPT_STRUCTURE, "heldout", _headings("heldout")),
    Transformation("prompt_structure/json", Dimension.PROMPT_STRUCTURE, "heldout", _json),
)
