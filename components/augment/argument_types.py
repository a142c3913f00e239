"""Arguments that show another JSON type: the room gets what it always got."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from components.augment.frames import frame
from components.augment.schemas import Argument, arguments_of, is_plain, map_leaves, without
from components.augment.texts import tell_arguments_apart
from components.harness.types import LOAD_SKILL, Harness, JsonObject, Tool

_MOST_VALUES = 20
_NOTES = {"type", "description", "title"}
_DIGITS: JsonObject = {"type": "string", "pattern": "^-?[0-9]+$"}


def written_out(harness: Harness, random: Random) -> Harness:
    """What can take few values lists them: integers within narrow bounds, and the names of the skills."""
    skills = [skill.name for skill in harness.skills]

    def listed(tool: Tool, argument: Argument) -> JsonObject:
        schema = argument.schema
        if tool.implementation == LOAD_SKILL and argument.canonical == "skill" and schema.keys() <= _NOTES:
            return {**schema, "enum": skills}
        if bounds := _narrow(schema):
            return {**without(schema, "minimum", "maximum"), "enum": list(_range(bounds))}
        return schema

    return _retyped(harness, listed)


def integers_as_text(harness: Harness, random: Random) -> Harness:
    """Integers, alone or in a list, are written as digits in a string; what is bounded narrowly lists its values."""

    def as_text(tool: Tool, argument: Argument) -> JsonObject:
        schema = argument.schema
        if bounds := _narrow(schema):
            return {**without(schema, "minimum", "maximum"), "type": "string", "enum": list(map(str, _range(bounds)))}
        if schema.get("type") == "integer" and schema.keys() <= _NOTES:
            return {**schema, **_DIGITS}
        return {**schema, "items": _DIGITS} if schema.get("items") == {"type": "integer"} else schema

    return _retyped(harness, as_text)


def enums_as_patterns(harness: Harness, random: Random) -> Harness:
    """A choice of texts becomes text that a pattern bounds; the description names the choices."""
    choices = frame("choices", "heldout", random)

    def as_pattern(tool: Tool, argument: Argument) -> JsonObject:
        if not _is_choice(argument.schema):
            return argument.schema
        said, values = argument.description.strip(), argument.schema["enum"]
        stop = "" if not said or said[-1] in ".!?:;" else "."
        description = f"{said}{stop} {choices(', '.join(values))}".strip()
        pattern = f"^(?:{'|'.join(map(re.escape, values))})$"
        return {**without(argument.schema, "enum"), "description": description, "pattern": pattern}

    def told(tool: Tool) -> Tool:
        has_choice = is_plain(tool) and any(_is_choice(argument.schema) for argument in arguments_of(tool))
        return tell_arguments_apart(tool) if has_choice else tool

    return _retyped(replace(harness, tools=tuple(map(told, harness.tools))), as_pattern)


def _is_choice(schema: JsonObject) -> bool:
    return schema.get("type") == "string" and bool(schema.get("enum")) and schema.keys() <= {*_NOTES, "enum"}


def _retyped(harness: Harness, change: Callable[[Tool, Argument], JsonObject]) -> Harness:
    def changed(tool: Tool) -> Tool:
        if not is_plain(tool):
            return tool
        new = map_leaves(tool, lambda argument: change(tool, argument))
        if new == tool:
            return tool
        old, types = map(_types, (tool, new))
        changed = {canonical: kind for canonical, kind in old.items() if types[canonical] != kind}
        return replace(new, argument_types={**changed, **tool.argument_types})

    return replace(harness, tools=tuple(map(changed, harness.tools)))


def _types(tool: Tool) -> dict[str, str]:
    """Canonical argument → its JSON type, of a list that of its items."""
    schemas = ((a.canonical, a.schema.get("items", a.schema)) for a in arguments_of(tool))
    return {canonical: schema["type"] for canonical, schema in schemas if isinstance(schema, dict) and "type" in schema}


def _narrow(schema: JsonObject) -> tuple[int, int] | None:
    """The bounds of an integer that takes few values."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if schema.get("type") != "integer" or not schema.keys() <= {*_NOTES, "minimum", "maximum"}:
        return None
    return (low, high) if isinstance(low, int) and isinstance(high, int) and 0 <= high - low < _MOST_VALUES else None


def _range(bounds: tuple[int, int]) -> range:
    return range(bounds[0], bounds[1] + 1)
