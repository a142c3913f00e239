"""Renaming through a whole harness: what has a name is mentioned in many texts, and all of them must follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from components.augment.naming import disjoint, names_in, rename_mentions, words_of
from components.augment.schemas import Argument, arguments_of, is_plain, map_leaves, property_names, rename_properties
from components.augment.wording import content_words
from components.harness.types import Harness, JsonObject, Tool


@dataclass(frozen=True)
class Renames:
    """Old name → new name, by what bears it."""

    skills: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)


def map_texts(harness: Harness, change: Callable[[str], str]) -> Harness:
    """Change every text that the model may read and that may mention names; spoken words stay."""

    def in_schema(value: Any) -> Any:
        if isinstance(value, list):
            return [in_schema(part) for part in value]
        if not isinstance(value, dict):
            return value
        return {
            key: change(part) if key in _TEXT_KEYS and isinstance(part, str) else in_schema(part) for key, part in value.items()
        }

    return replace(
        harness,
        skills=tuple(replace(s, description=change(s.description), body=change(s.body)) for s in harness.skills),
        tools=tuple(replace(t, description=change(t.description), parameters=in_schema(t.parameters)) for t in harness.tools),
        hooks=tuple(replace(h, message=change(h.message)) for h in harness.hooks),
        prompt=replace(
            harness.prompt,
            sections=tuple(replace(s, text=change(s.text), heading=change(s.heading)) for s in harness.prompt.sections),
        ),
    )


_TEXT_KEYS = ("description", "title")


def texts_of(harness: Harness) -> list[str]:
    """The texts that `map_texts` changes."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    map_texts(harness, note)
    return found


def renameable(harness: Harness) -> tuple[set[str], set[str], set[str]]:
    """Names of skills, tools and properties that may change.

    A name that two kinds share stays, since text does not tell which is meant; so does one in parameters that are not plain.
    """
    plain = set().union(*(property_names(tool) for tool in harness.tools if is_plain(tool)))
    fixed = set().union(*(property_names(tool) for tool in harness.tools if not is_plain(tool)))
    skills, tools, properties, _ = disjoint({s.name for s in harness.skills}, {t.name for t in harness.tools}, plain, fixed)
    return skills, tools, properties


def borne_names(harness: Harness) -> set[str]:
    """The names of skills, tools and properties."""
    return {s.name for s in harness.skills}.union({t.name for t in harness.tools}, *map(property_names, harness.tools))


def taken_names(harness: Harness) -> set[str]:
    """Every name in use, in lower case, whether borne or only mentioned: a new name must be none of them."""
    return {name.casefold() for name in borne_names(harness).union(*map(names_in, texts_of(harness)))}


def rename(harness: Harness, renames: Renames) -> Harness:
    """Rename skills, tools and properties wherever they stand; keys, implementations and canonical arguments stay.

    What only its name told apart from its siblings keeps the words of that name in its description.
    """
    mentions = {**renames.skills, **renames.tools, **renames.properties}
    new = map_texts(harness, lambda text: rename_mentions(text, mentions))
    untold_skills = renames.skills.keys() - told_apart({s.name: s.description for s in harness.skills})
    untold_tools = renames.tools.keys() - told_apart({t.name: t.description for t in harness.tools})
    skills = (
        replace(
            skill,
            name=renames.skills.get(skill.name, skill.name),
            description=_named(skill.name, skill.description) if skill.name in untold_skills else skill.description,
        )
        for skill in new.skills
    )
    tools = (
        replace(
            _rename_properties(tool, renames.properties),
            name=renames.tools.get(tool.name, tool.name),
            description=_named(tool.name, tool.description) if tool.name in untold_tools else tool.description,
        )
        for tool in new.tools
    )
    return replace(new, skills=tuple(skills), tools=tuple(tools))


def _rename_properties(tool: Tool, names: Mapping[str, str]) -> Tool:
    if not is_plain(tool):
        return tool
    told = told_apart({argument.path: argument.description for argument in arguments_of(tool)})

    def described(argument: Argument) -> JsonObject:
        if argument.path in told or argument.name not in names:
            return argument.schema
        return {**argument.schema, "description": _named(argument.name, argument.description)}

    return rename_properties(map_leaves(tool, described), names)


def told_apart(descriptions: Mapping[str, str]) -> set[str]:
    """Those that their description alone tells apart: it has words, and no sibling has the same words."""
    words = {name: content_words(text) for name, text in descriptions.items()}
    counts = Counter(words.values())
    return {name for name, own in words.items() if own and counts[own] == 1}


def _named(name: str, description: str) -> str:
    """The description with the words of a name before it."""
    words = " ".join(words_of(name))
    return f"{words}: {description}" if description else words
