"""Skills and tools that have nothing to do with the room: whoever answers must leave them alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from components.augment.naming import fresh
from components.augment.types import DISTRACTOR_SKILL, DISTRACTOR_TOOL
from components.harness.types import JsonObject, Skill, SkillKind, Tool

_T = TypeVar("_T")
_MOST = 3

_SKILLS = (
    (
        "studio_lighting",
        "For the camera crew: set the lamps of the studio.",
        "Dim the rear lamps, keep the key light.",
    ),
    (
        "microphone_check",
        "For the sound crew: test the microphone.",
        "Watch the meter and lower the gain at red.",
    ),
    (
        "shift_roster",
        "For managers: plan the hosts' shifts.",
        "List who is free and leave a day of rest in between.",
    ),
    ("video_backup", "For the archive: store the recording.", "Copy the recording to the archive and compare the checksums."),
    ("office_lunch", "For the office: collect lunch wishes.", "Ask the team until eleven and write down who eats no meat."),
    ("fire_drill", "For the building: what to do in a fire drill.", "Leave by the stairs and gather in the yard."),
)
"""Name, description, body."""

_TOOLS: tuple[tuple[str, str, JsonObject], ...] = (
    ("play_music", "Plays background music in the studio.", {"genre": {"type": "string"}, "volume": {"type": "integer"}}),
    ("move_camera", "Turns the studio camera.", {"angle": {"type": "integer"}}),
    ("book_meeting", "Books a meeting for the staff.", {"day": {"type": "string"}, "persons": {"type": "integer"}}),
    ("weather_report", "Weather in a city for the crew's way home.", {"city": {"type": "string"}}),
    ("translate_subtitles", "Translates subtitles of a finished recording.", {"recording": {"type": "string"}}),
    ("reboot_encoder", "Restarts the video encoder; for technicians.", {"device": {"type": "string"}}),
)
"""Name, description, properties, all of them required."""


def with_distractor_skills(skills: Sequence[Skill], taken: set[str], random: Random) -> tuple[Skill, ...]:
    """Add one to three skills anywhere in the list, under names that are not taken."""
    new = [
        Skill(fresh(name, taken), description, body, SkillKind.STRATEGY, f"{DISTRACTOR_SKILL}{name}", ())
        for name, description, body in _drawn(_SKILLS, random)
    ]
    return _mixed(skills, [skill for skill in new if skill.key not in {other.key for other in skills}], random)


def with_distractor_tools(tools: Sequence[Tool], taken: set[str], random: Random) -> tuple[Tool, ...]:
    """Add one to three tools anywhere in the list, under names that are not taken."""
    new = [
        Tool(
            fresh(name, taken),
            description,
            {"type": "object", "properties": properties, "required": list(properties)},
            f"{DISTRACTOR_TOOL}{name}",
        )
        for name, description, properties in _drawn(_TOOLS, random)
    ]
    implementations = {tool.implementation for tool in tools}
    return _mixed(tools, [tool for tool in new if tool.implementation not in implementations], random)


def _drawn(table: Sequence[_T], random: Random) -> list[_T]:
    return random.sample(table, random.randint(1, _MOST))


def _mixed(own: Sequence[_T], new: Sequence[_T], random: Random) -> tuple[_T, ...]:
    mixed = list(own)
    for one in new:
        mixed.insert(random.randint(0, len(mixed)), one)
    return tuple(mixed)
