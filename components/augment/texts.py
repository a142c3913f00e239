"""Renaming through a whole harness: what has a name is mentioned in many texts, and all of them must follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from components.augment.naming import disjoint, names_in, rename_mentions, words_of
from components.augment.schemas import Argument, arguments_of, is_plain, map_leaves, property_names, rename_properties
from components.augment.wording import content_words
from components.harness.types import LOAD_SKILL, Harness, Hook, HookAction, JsonObject, PromptSection, Skill, SkillFile, Tool

Change = Callable[[str], str]
T = TypeVar("T", Skill, SkillFile, Tool, Hook, PromptSection)


@dataclass(frozen=True)
class Renames:
    """Old name → new name, by what bears it."""

    skills: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)


def map_texts(harness: Harness, change: Change) -> Harness:
    """Change every text that the model may read and that may mention names; spoken words stay."""

    return replace(
        harness,
        skills=tuple(_in_skill(skill, change) for skill in harness.skills),
        tools=tuple(_in_tool(tool, change) for tool in harness.tools),
        hooks=tuple(_in_hook(hook, change) for hook in harness.hooks),
        prompt=replace(harness.prompt, sections=tuple(_in_section(section, change) for section in harness.prompt.sections)),
    )


# Each returns the very object it was given where no text changes: most changes touch few texts.


def _in_skill(skill: Skill, change: Change) -> Skill:
    files = tuple(_in_file(file, change) for file in skill.files)
    return _with(skill, description=change(skill.description), body=change(skill.body), files=files)


def _in_file(file: SkillFile, change: Change) -> SkillFile:
    return _with(file, content=change(file.content)) if is_text(file) else file


def _in_tool(tool: Tool, change: Change) -> Tool:
    return _with(tool, description=change(tool.description), parameters=_in_schema(tool.parameters, change))


def _in_schema(value: Any, change: Change) -> Any:
    if isinstance(value, list):
        return [_in_schema(part, change) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: change(part) if key in _TEXT_KEYS and isinstance(part, str) else _in_schema(part, change)
        for key, part in value.items()
    }


def _in_hook(hook: Hook, change: Change) -> Hook:
    return hook if hook.action is HookAction.FALL_BACK else _with(hook, message=change(hook.message))


def _in_section(section: PromptSection, change: Change) -> PromptSection:
    return _with(section, text=change(section.text), heading=change(section.heading))


def _with(whole: T, **parts: Any) -> T:
    return replace(whole, **parts) if any(getattr(whole, name) != part for name, part in parts.items()) else whole


_TEXT_KEYS = ("description", "title")


def is_text(file: SkillFile) -> bool:
    """Whether the model can read a skill's file as it stands."""
    return file.encoding == "utf-8"


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

    A name that two kinds share stays, since text does not tell which is meant; so does one in parameters that are not
    plain, and a skill's where the schema itself says which skills can be loaded.
    """
    plain = set().union(*(property_names(tool) for tool in harness.tools if is_plain(tool)))
    fixed = set().union(*(property_names(tool) for tool in harness.tools if not is_plain(tool)))
    skills, tools, properties, _ = disjoint({s.name for s in harness.skills}, {t.name for t in harness.tools}, plain, fixed)
    return set() if _lists_skills(harness) else skills, tools, properties


def _lists_skills(harness: Harness) -> bool:
    """Whether the schema of the tool that loads skills allows certain names only."""
    loaders = (tool for tool in harness.tools if tool.implementation == LOAD_SKILL)
    arguments = (argument for tool in loaders for argument in arguments_of(tool) if argument.canonical == "skill")
    return any(argument.schema.keys() - {"type", "description", "title"} for argument in arguments)


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
    if not mentions:
        return harness
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
    if not names.keys() & property_names(tool) or not is_plain(tool):
        return tool
    return rename_properties(tell_arguments_apart(tool, names), names)


def told_apart(descriptions: Mapping[str, str]) -> set[str]:
    """Those that their description alone tells apart: it has words, and no sibling has the same words."""
    words = {name: content_words(text) for name, text in descriptions.items()}
    counts = Counter(words.values())
    return {name for name, own in words.items() if own and counts[own] == 1}


def tell_skills_apart(harness: Harness) -> Harness:
    """Skills that only their name tells apart keep its words in their description, whatever becomes of their siblings."""
    told = told_apart({skill.name: skill.description for skill in harness.skills})
    named = (s if s.name in told else replace(s, description=_named(s.name, s.description)) for s in harness.skills)
    return replace(harness, skills=tuple(named))


def tell_arguments_apart(tool: Tool, names: Container[str] | None = None) -> Tool:
    """Arguments of a plain tool that only their name tells apart keep its words in their description; only `names`, if given."""
    told = told_apart({argument.path: argument.description for argument in arguments_of(tool)})

    def described(argument: Argument) -> JsonObject:
        if argument.path in told or (names is not None and argument.name not in names):
            return argument.schema
        return {**argument.schema, "description": _named(argument.name, argument.description)}

    return map_leaves(tool, described)


def _named(name: str, description: str) -> str:
    """The description with the words of a name before it."""
    words = " ".join(words_of(name))
    return f"{words}: {description}" if description else words
