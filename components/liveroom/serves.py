"""Whether the room can serve a harness: every tool it names, and every skill that a right answer loads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jsonschema import Draft202012Validator

from components.harness.arguments import from_canonical, leaves, to_canonical
from components.harness.records import covered
from components.harness.types import LOAD_SKILL, Harness, HarnessError, JsonObject, SkillKind, Tool
from components.liveroom.room import ARGUMENTS
from components.liveroom.tools import TOOLS
from components.liveroom.truth import CALL_OF, SKILL_OF
from components.liveroom.types import Intent

DISTRACTOR_TOOL = "distractor."
"""How the implementation of a tool begins that is there to be left alone; the room refuses it."""


def check_room_serves(harness: Harness, where: Path | str) -> None:
    """Check that every tool can be called and that every intent has its tool and skill. Raises HarnessError naming `where`."""
    for tool in harness.tools:
        place = f"{where}/tools.yaml: {tool.name}"
        if tool.implementation == LOAD_SKILL:
            _check_load_skill(tool, harness, place)
        elif tool.implementation in TOOLS:
            known = TOOLS[tool.implementation]
            _check_arguments(tool, (*known.required, *known.optional), place)
            for arguments in _calls(tool.implementation):
                _check_call(tool, arguments, place)
        elif not tool.implementation.startswith(DISTRACTOR_TOOL):
            expected = ", ".join((LOAD_SKILL, *TOOLS))
            place = f"{place}.implementation: {tool.implementation}"
            raise HarnessError(f"{place} is no tool of the room; expected one of {expected}; correct it")
    _check_all_there(f"{where}/tools.yaml: no tool with implementation", CALL_OF, {tool.implementation for tool in harness.tools})
    replies = {key for skill in harness.skills if skill.kind is SkillKind.REPLY for key in covered(skill)}
    _check_all_there(f"{where}/skills: no reply skill with key", SKILL_OF, replies, "; rename with metadata.key")


def _calls(implementation: str) -> Iterator[JsonObject]:
    """Canonical arguments that must get through: the required ones alone, then all, then each other example in turn."""
    tool = TOOLS[implementation]
    first = {name: ARGUMENTS[name].examples[0] for name in (*tool.required, *tool.optional)}
    yield {name: first[name] for name in tool.required}
    yield first
    for name in first:
        yield from ({**first, name: example} for example in ARGUMENTS[name].examples[1:])


def _check_load_skill(tool: Tool, harness: Harness, where: str) -> None:
    with_files = "file" in _shown(tool)
    _check_arguments(tool, ("skill", "file") if with_files else ("skill",), where)
    for skill in harness.skills:
        _check_call(tool, {"skill": skill.name}, where)
        for file in skill.files if with_files else ():
            _check_call(tool, {"skill": skill.name, "file": file.path}, where)


def _shown(tool: Tool) -> dict[str, str]:
    """Canonical argument → its path in the tool's schema."""
    canonical = {path: name for name, path in tool.argument_paths.items()}
    return {canonical.get(path, path): path for path, _ in leaves(tool.parameters)}


def _check_arguments(tool: Tool, expected: tuple[str, ...], where: str) -> None:
    """The schema has a place for every argument of the tool, and no other."""
    shown = _shown(tool)
    missing = [name for name in expected if name not in shown]
    for name, path in shown.items():
        if name not in expected:
            what = f"{path} is no argument of {tool.implementation}; expected {', '.join(expected) or 'none'}"
            mend = f"rename it or set argument_paths: {{{missing[0]}: {path}}}" if missing else "remove it"
            raise HarnessError(f"{where}.parameters: {what}; {mend}")
    if missing:
        raise HarnessError(f"{where}.parameters: expected a parameter for {missing[0]}; add it")


def _check_call(tool: Tool, arguments: JsonObject, where: str) -> None:
    """A call with these canonical arguments can be written in the tool's schema, and is read back as the room takes it."""
    written = from_canonical(tool, arguments)
    read = to_canonical(tool, written)
    for name, value in arguments.items():
        if read.get(name) != value:
            kind = {int: "integer", list: "array"}.get(type(value), "string")
            raise HarnessError(f"{where}.argument_types: expected {{{name}: {kind}}}, as the tool takes it; set it")
    if error := next(Draft202012Validator(tool.parameters).iter_errors(written), None):
        raise HarnessError(f"{where}.parameters: refuses the call {written} ({error.message}); correct it")


def _check_all_there(what: str, needed: dict[Intent, str], found: set[str], mend: str = "; add it") -> None:
    for key in needed.values():
        if key not in found:
            intents = ", ".join(intent for intent, other in needed.items() if other == key)
            raise HarnessError(f"{what} {key}; cases of intent {intents} need it{mend}")
