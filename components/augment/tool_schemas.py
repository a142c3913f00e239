"""Dimension tool schemas: the same tools under other names, descriptions, order and forms of arguments."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from components.augment.naming import PARAMETER_AFFIX, STYLES, TOOL_AFFIX, fresh, synonym
from components.augment.schemas import Argument, arguments_of, is_plain, map_leaves, nest
from components.augment.texts import Renames, borne_names, rename, renameable, taken_names
from components.augment.types import Apply, Dimension, Family, Transformation
from components.augment.wording import TOOL_DESCRIPTION, Pool, reword, wrap
from components.harness.types import Harness, JsonObject, Tool

_ENVELOPES = ("payload", "request", "parameters")
"""Names for the one object that holds all arguments."""


def _renamed(family: Family) -> Apply:
    """Synonyms for tools and parameters in one style; a parameter has one new name in all tools."""

    def apply(harness: Harness, random: Random) -> Harness:
        _, tools, properties = renameable(harness)
        taken, style = taken_names(harness), random.choice(STYLES[family])

        def new_names(names: set[str], affix: Pool) -> dict[str, str]:
            return {name: fresh(synonym(name, affix, family, style, random), taken) for name in sorted(names)}

        return rename(harness, Renames(tools=new_names(tools, TOOL_AFFIX), properties=new_names(properties, PARAMETER_AFFIX)))

    return apply


def _redescribed(family: Family) -> Apply:
    """Synonyms and a frame around descriptions; the same for every tool of the harness."""

    def apply(harness: Harness, random: Random) -> Harness:
        names, seed = borne_names(harness), random.random()

        def changed(tool: Tool) -> Tool:
            return replace(
                tool,
                description=wrap(reword(tool.description, family, Random(seed), names), TOOL_DESCRIPTION, family, Random(seed)),
            )

        return replace(harness, tools=tuple(map(changed, harness.tools)))

    return apply


def _reordered(harness: Harness, random: Random) -> Harness:
    return replace(harness, tools=tuple(random.sample(harness.tools, len(harness.tools))))


def _nested(harness: Harness, random: Random) -> Harness:
    name = fresh(random.choice(_ENVELOPES), taken_names(harness))
    return replace(
        harness, tools=tuple(nest(t, name) if is_plain(t) and t.parameters.get("properties") else t for t in harness.tools)
    )


def _integers_as_text(harness: Harness, random: Random) -> Harness:
    """Every integer argument without bounds is written as digits in a string; for the room it stays an integer."""

    def changed(tool: Tool) -> Tool:
        if not is_plain(tool):
            return tool
        types = {argument.canonical: "integer" for argument in arguments_of(tool) if _is_bare_integer(argument)}
        return replace(map_leaves(tool, _as_text), argument_types={**types, **tool.argument_types})

    return replace(harness, tools=tuple(map(changed, harness.tools)))


def _as_text(argument: Argument) -> JsonObject:
    return {**argument.schema, "type": "string", "pattern": "^-?[0-9]+$"} if _is_bare_integer(argument) else argument.schema


def _is_bare_integer(argument: Argument) -> bool:
    return argument.schema.get("type") == "integer" and set(argument.schema) <= {"type", "description", "title"}


TRANSFORMATIONS = (
    Transformation("tool_schemas/renamed", Dimension.TOOL_SCHEMAS, "train", _renamed("train")),
    Transformation("tool_schemas/redescribed", Dimension.TOOL_SCHEMAS, "train", _redescribed("train")),
    Transformation("tool_schemas/reordered", Dimension.TOOL_SCHEMAS, "train", _reordered),
    Transformation("tool_schemas/other_names", Dimension.TOOL_SCHEMAS, "heldout", _renamed("heldout")),
    Transformation("tool_schemas/other_descriptions", Dimension.TOOL_SCHEMAS, "heldout", _redescribed("heldout")),
    Transformation("tool_schemas/nested", Dimension.TOOL_SCHEMAS, "heldout", _nested),
    Transformation("tool_schemas/integers_as_text", Dimension.TOOL_SCHEMAS, "heldout", _integers_as_text),
)
