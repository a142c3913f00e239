"""Dimension system-prompt structure: the same sections in another order, division, form and format, under other headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from components.augment.frames import EXTRA_SECTIONS, frame, framing
from components.augment.layout import cut
from components.augment.texts import borne_names
from components.augment.types import Apply, Dimension, Family, in_dimension
from components.augment.wording import rewording
from components.harness.types import Harness, PromptFormat, PromptPipeline, PromptSection, SkillList


def _with_sections(harness: Harness, sections: Sequence[PromptSection]) -> Harness:
    return _with_prompt(harness, replace(harness.prompt, sections=tuple(sections)))


def _with_prompt(harness: Harness, prompt: PromptPipeline) -> Harness:
    """In JSON headings are keys: where two would be the same, all stays as it is."""
    headings = {section.heading for section in prompt.sections}
    if prompt.format is PromptFormat.JSON and len(headings) < len(prompt.sections):
        return harness
    return replace(harness, prompt=prompt)


def _reordered(harness: Harness, random: Random) -> Harness:
    sections = harness.prompt.sections
    return _with_sections(harness, random.sample(sections, len(sections)))


def _skills_reordered(harness: Harness, random: Random) -> Harness:
    """The list of skills is part of the prompt: its order says nothing."""
    return replace(harness, skills=tuple(random.sample(harness.skills, len(harness.skills))))


def _headings(family: Family) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        reword, around = rewording(family, random, borne_names(harness)), framing("heading", family, random)
        sections = [replace(section, heading=around(reword(section.heading))) for section in harness.prompt.sections]
        return _with_sections(harness, sections)

    return apply


def _in_format(*formats: PromptFormat) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        chosen = random.choice([form for form in formats if form is not harness.prompt.format])
        return _with_prompt(harness, replace(harness.prompt, format=chosen))

    return apply


def _skills_as(*forms: SkillList) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        return replace(harness, prompt=replace(harness.prompt, skill_list=random.choice(forms)))

    return apply


def _split(harness: Harness, random: Random) -> Harness:
    """Every section of text that can be cut becomes two."""
    taken = {section.heading for section in harness.prompt.sections}
    continued = frame("half section", "train", random)

    def halves(section: PromptSection) -> tuple[PromptSection, ...]:
        parts, heading = cut(section.text), continued(section.heading)
        if section.source != "text" or parts is None or heading in taken:
            return (section,)
        return (
            replace(section, name=f"{section.name}/1", text=parts[0]),
            replace(section, name=f"{section.name}/2", text=parts[1], heading=heading),
        )

    return _with_sections(harness, [half for section in harness.prompt.sections for half in halves(section)])


def _merged(harness: Harness, random: Random) -> Harness:
    """Neighbours of text that are in force under the same condition become one section."""
    merged: list[PromptSection] = []
    both = frame("two headings", "heldout", random)
    for section in harness.prompt.sections:
        last = merged[-1] if merged else section
        if merged and last.source == section.source == "text" and last.when == section.when and "+" not in last.name:
            merged[-1] = replace(
                last,
                name=f"{last.name}+{section.name}",
                heading=both(last.heading, section.heading),
                text=f"{last.text}\n\n{section.text}",
            )
        else:
            merged.append(section)
    return _with_sections(harness, merged)


def _preamble(harness: Harness, random: Random) -> Harness:
    return _with_extra(harness, 0, "preamble", random)


def _closing(harness: Harness, random: Random) -> Harness:
    return _with_extra(harness, len(harness.prompt.sections), "closing", random)


def _with_extra(harness: Harness, place: int, name: str, random: Random) -> Harness:
    heading, text = random.choice(EXTRA_SECTIONS[name])
    sections = list(harness.prompt.sections)
    if any(section.name == name or section.heading == heading for section in sections):
        return harness
    sections.insert(place, PromptSection(name, heading, "text", text))
    return _with_sections(harness, sections)


# Sections are shuffled before they are cut, so that halves stay together; what comes first or last is added after that.
TRANSFORMATIONS = in_dimension(
    Dimension.PROMPT_STRUCTURE,
    ("reordered", "train", _reordered),
    ("split", "train", _split),
    ("skills_reordered", "train", _skills_reordered),
    ("headings", "train", _headings("train")),
    ("preamble", "train", _preamble),
    ("xml_or_numbered", "train", _in_format(PromptFormat.XML, PromptFormat.NUMBERED)),
    ("skills_told", "train", _skills_as(SkillList.SENTENCES)),
    ("merged", "heldout", _merged),
    ("prose_headings", "heldout", _headings("heldout")),
    ("closing", "heldout", _closing),
    ("json_or_plain", "heldout", _in_format(PromptFormat.JSON, PromptFormat.PLAIN)),
    ("skills_as_table_or_json", "heldout", _skills_as(SkillList.TABLE, SkillList.JSON)),
)
