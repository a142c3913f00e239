"""Skills and tools that have nothing to do with the room: whoever answers must leave them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from components.augment.naming import fresh
from components.augment.types import DISTRACTOR_SKILL, DISTRACTOR_TOOL
from components.harness.types import JsonObject, Skill, SkillKind, Tool

_T = TypeVar("_T")
_MOST = 3

SKILLS: Mapping[str, tuple[str, str]] = {
    "stage_lighting": ("For electricians — arrange the lamps.", "Dim the rear lamps and leave the front ones bright."),
    "microphone_test": ("For the sound team — try the microphone.", "Watch the meter and lower the gain at red."),
    "shift_roster": ("For managers — plan shifts.", "List who is free and allow a pause in between."),
    "tape_archive": ("For the archive — store tapes.", "Copy the tapes and compare the checksums."),
    "office_lunch": ("For the office — collect lunch orders.", "Ask the team until eleven and count who eats no meat."),
    "fire_drill": ("For the building — leave in a fire drill.", "Leave by the stairs and gather in the yard."),
}
"""Name → description and body; held-out."""

TOOLS: Mapping[str, tuple[str, JsonObject]] = {
    "play_music": ("Plays background music.", {"genre": {"type": "string"}, "volume": {"type": "integer"}}),
    "move_camera": ("Turns the ceiling camera.", {"angle": {"type": "integer"}}),
    "book_meeting": ("Books a meeting for the staff.", {"day": {"type": "string"}, "persons": {"type": "integer"}}),
    "weather_forecast": ("Weather in a city for the crew's way home.", {"city": {"type": "string"}}),
    "translate_subtitles": ("Translates subtitles of a finished recording.", {"recording": {"type": "string"}}),
    "reboot_encoder": ("Restarts the video encoder; for technicians.", {"device": {"type": "string"}}),
}
"""Name → description and properties, all of them required; train."""


def distractor_skill(name: str) -> Skill:
    """The skill of this name in `SKILLS`. Raises KeyError where there is none."""
    description, body = SKILLS[name]
    return Skill(name, description, body, SkillKind.STRATEGY, f"{DISTRACTOR_SKILL}{name}", ())


def distractor_tool(name: str) -> Tool:
    """The tool of this name in `TOOLS`. Raises KeyError where there is none."""
    description, properties = TOOLS[name]
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name, description, parameters, f"{DISTRACTOR_TOOL}{name}")


def with_distractor_skills(skills: Sequence[Skill], taken: set[str], random: Random) -> tuple[Skill, ...]:
    """Add one to three skills anywhere in the list, under names that are not taken."""
    new = [replace(distractor_skill(name), name=fresh(name, taken)) for name in _drawn(SKILLS, random)]
    return _mixed(skills, [skill for skill in new if skill.key not in {other.key for other in skills}], random)


def with_distractor_tools(tools: Sequence[Tool], taken: set[str], random: Random) -> tuple[Tool, ...]:
    """Add one to three tools anywhere in the list, under names that are not taken."""
    new = [replace(distractor_tool(name), name=fresh(name, taken)) for name in _drawn(TOOLS, random)]
    implementations = {tool.implementation for tool in tools}
    return _mixed(tools, [tool for tool in new if tool.implementation not in implementations], random)


def _drawn(table: Mapping[str, object], random: Random) -> list[str]:
    return random.sample(list(table), random.randint(1, _MOST))


def _mixed(own: Sequence[_T], new: Sequence[_T], random: Random) -> tuple[_T, ...]:
    mixed = list(own)
    for one in new:
        mixed.insert(random.randint(0, len(mixed)), one)
    return tuple(mixed)
