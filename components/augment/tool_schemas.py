"""Dimension tool schemas: the same tools under other names, descriptions, order and forms of arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from components.augment.argument_types import enums_as_patterns, integers_as_text, written_out
from components.augment.distractors import with_distractor_tools
from components.augment.frames import frame, framing
from components.augment.name_words import PARAMETER_AFFIX, TOOL_AFFIX, Lexicon, NameWord, other_name
from components.augment.naming import LONGEST, STYLES, fresh, mentioned, words_of
from components.augment.schemas import Argument, arguments_of, flatten, is_flattenable, is_plain, map_leaves, map_objects, nest
from components.augment.texts import Renames, borne_names, rename, renameable, taken_names, tell_arguments_apart, texts_of
from components.augment.types import Apply, Dimension, Family, in_dimension
from components.augment.wording import rewording
from components.harness.types import Harness, JsonObject, Tool

_ENVELOPES = ("payload", "request", "parameters")
"""Names for the one object that holds all arguments."""
_GROUPS = ("options", "details", "refine")
"""Names for the one object that holds what may be left out."""


def _with_tools(harness: Harness, change: Callable[[Tool], Tool]) -> Harness:
    """Change every tool whose parameters are plain."""
    return replace(harness, tools=tuple(change(tool) if is_plain(tool) else tool for tool in harness.tools))


def _in_words(family: Family, lexicon: Lexicon) -> Apply:
    """Other words for tools and parameters in one style; a parameter has one new name in all tools."""

    def apply(harness: Harness, random: Random) -> Harness:
        _, tools, properties = renameable(harness)
        taken, style = taken_names(harness), random.choice(STYLES[family])

        def new_names(names: set[str], affix: NameWord) -> dict[str, str]:
            new = {name: fresh(other_name(name, affix, lexicon, style, random), taken) for name in sorted(names)}
            return {name: other for name, other in new.items() if len(other) <= LONGEST}

        return rename(harness, Renames(tools=new_names(tools, TOOL_AFFIX), properties=new_names(properties, PARAMETER_AFFIX)))

    return apply


def _redescribed(family: Family) -> Apply:
    """Synonyms and a frame around descriptions of tools and parameters; the same for every tool of the harness."""

    def apply(harness: Harness, random: Random) -> Harness:
        reword = rewording(family, random, borne_names(harness))
        about, meaning = framing("tool description", family, random), framing("parameter description", family, random)

        def described(argument: Argument) -> JsonObject:
            if not argument.description.strip():
                return argument.schema
            return {**argument.schema, "description": meaning(reword(argument.description))}

        tools = tuple(replace(tool, description=about(reword(tool.description))) for tool in harness.tools)
        return _with_tools(replace(harness, tools=tools), lambda tool: map_leaves(tool, described))

    return apply


def _reordered(harness: Harness, random: Random) -> Harness:
    return replace(harness, tools=tuple(random.sample(harness.tools, len(harness.tools))))


def _arguments_reordered(harness: Harness, random: Random) -> Harness:
    """Another order of properties, and the same of those that are required: that of the latter tells two schemas apart."""

    def shuffled(schema: JsonObject) -> JsonObject:
        names = list(schema["properties"])
        new = _in_order(schema, random.sample(names, len(names)))
        return new if new != schema else _in_order(schema, names[::-1])

    return _with_tools(harness, lambda tool: map_objects(tool, shuffled))


def _in_order(schema: JsonObject, names: list[str]) -> JsonObject:
    new = {**schema, "properties": {name: schema["properties"][name] for name in names}}
    if "required" in schema:
        new["required"] = sorted(schema["required"], key=lambda name: (*names, name).index(name))
    return new


def _arguments_described(harness: Harness, random: Random) -> Harness:
    """A parameter that has no description gets the words of its name for one."""
    about = frame("named parameter", "train", random)

    def described(argument: Argument) -> JsonObject:
        if argument.description.strip():
            return argument.schema
        return {**argument.schema, "description": about(" ".join(words_of(argument.name)))}

    return _with_tools(harness, lambda tool: map_leaves(tool, described))


def _titled(harness: Harness, random: Random) -> Harness:
    """A title for each parameter, as schemas have them that were made from program code."""

    def titled(argument: Argument) -> JsonObject:
        return {"title": " ".join(word.capitalize() for word in words_of(argument.name)), **argument.schema}

    return _with_tools(harness, lambda tool: map_leaves(tool, titled))


def _closed(harness: Harness, random: Random) -> Harness:
    """Each object says that it takes no other properties."""
    return _with_tools(harness, lambda tool: map_objects(tool, lambda schema: {**schema, "additionalProperties": False}))


def _flattened(harness: Harness, random: Random) -> Harness:
    """Arguments within objects come to the top; what the objects are called goes into the descriptions.

    Tools stay as they are where some text speaks of such an object.
    """
    texts = texts_of(harness)

    def described(argument: Argument) -> JsonObject:
        words = " ".join(word for parent in _around(argument) for word in words_of(parent))
        return {**argument.schema, "description": f"{words}: {argument.description}"} if words else argument.schema

    def flat(tool: Tool) -> Tool:
        groups = {name for argument in arguments_of(tool) for name in _around(argument)}
        is_spoken_of = any(mentioned(text, groups) for text in texts)
        return flatten(tell_arguments_apart(tool), described) if is_flattenable(tool) and not is_spoken_of else tool

    return _with_tools(harness, flat)


def _around(argument: Argument) -> list[str]:
    """The names of the objects around an argument."""
    return argument.path.split(".")[:-1]


def _nested(harness: Harness, random: Random) -> Harness:
    name = fresh(random.choice(_ENVELOPES), taken_names(harness))
    return _with_tools(harness, lambda tool: nest(tool, name) if tool.parameters.get("properties") else tool)


def _grouped(harness: Harness, random: Random) -> Harness:
    """What may be left out goes into an object of its own, where a tool has such arguments and others."""
    name = fresh(random.choice(_GROUPS), taken_names(harness))

    def grouped(tool: Tool) -> Tool:
        required = set(tool.parameters.get("required", ()))
        optional = tool.parameters.get("properties", {}).keys() - required
        return nest(tool, name, optional.__contains__) if optional and required else tool

    return _with_tools(harness, grouped)


def _distractors(harness: Harness, random: Random) -> Harness:
    return replace(harness, tools=with_distractor_tools(harness.tools, taken_names(harness), random))


TRANSFORMATIONS = in_dimension(
    Dimension.TOOL_SCHEMAS,
    # Before names change, for the words of those that go become part of descriptions.
    ("flattened", "train", _flattened),
    ("renamed", "train", _in_words("train", "train")),
    ("spanish", "train", _in_words("train", "spanish")),
    ("pinyin", "train", _in_words("train", "pinyin")),
    ("redescribed", "train", _redescribed("train")),
    ("arguments_described", "train", _arguments_described),
    ("written_out", "train", written_out),
    ("closed", "train", _closed),
    ("arguments_reordered", "train", _arguments_reordered),
    ("distractors", "train", _distractors),
    ("reordered", "train", _reordered),
    ("other_names", "heldout", _in_words("heldout", "heldout")),
    ("german", "heldout", _in_words("heldout", "german")),
    ("other_descriptions", "heldout", _redescribed("heldout")),
    ("titled", "heldout", _titled),
    ("enums_as_patterns", "heldout", enums_as_patterns),
    ("integers_as_text", "heldout", integers_as_text),
    ("grouped", "heldout", _grouped),
    ("nested", "heldout", _nested),
)
