"""Whether the room can serve a harness: every tool it names, and every skill that a right answer loads."""

from __future__ import annotations

from pathlib import Path

from jsonschema import Draft202012Validator

from components.harness.arguments import from_canonical, leaves, to_canonical
from components.harness.types import LOAD_SKILL, Harness, HarnessError, JsonObject, SkillKind, Tool
from components.liveroom.room import TOOLS
from components.liveroom.truth import SKILL_OF, TOOL_OF
from components.liveroom.types import Intent


def check_room_serves(harness: Harness, where: Path | str) -> None:
    """Check that every tool can be called and that every intent has its tool and skill. Raises HarnessError naming `where`."""
    for tool in harness.tools:
        if tool.implementation not in (LOAD_SKILL, *TOOLS):
            expected = ", ".join((LOAD_SKILL, *TOOLS))
            place = f"{where}/tools.yaml: {tool.name}.implementation: {tool.implementation}"
            raise HarnessError(f"{place} is no tool of the room; expected one of {expected}; correct it")
        calls: list[JsonObject] = [{"link_id": 1}]
        if tool.implementation == LOAD_SKILL:
            calls = [{"skill": skill.name} for skill in harness.skills]
        for arguments in calls:
            _check_call(tool, arguments, f"{where}/tools.yaml: {tool.name}")
    _check_all_there(f"{where}/tools.yaml: no tool with implementation", TOOL_OF, {tool.implementation for tool in harness.tools})
    replies = {skill.key for skill in harness.skills if skill.kind is SkillKind.REPLY}
    _check_all_there(f"{where}/skills: no reply skill with key", SKILL_OF, replies, "; rename with metadata.key")


def _check_call(tool: Tool, arguments: JsonObject, where: str) -> None:
    """A call with these canonical arguments can be written in the tool's schema, and is read back as the room takes it."""
    canonical = {path: name for name, path in tool.argument_paths.items()}
    shown = {canonical.get(path, path): path for path, _ in leaves(tool.parameters)}
    expected = ", ".join(arguments)
    for name, path in shown.items():
        if name not in arguments:
            mend = f"rename it or set argument_paths: {{{expected}: {path}}}"
            raise HarnessError(f"{where}.parameters: {path} is no argument of {tool.implementation}; expected {expected}; {mend}")
    if missing := [name for name in arguments if name not in shown]:
        raise HarnessError(f"{where}.parameters: expected a parameter for {missing[0]}; add it")
    written = from_canonical(tool, arguments)
    if to_canonical(tool, written) != arguments:
        types = ", ".join(f"{name}: {'integer' if isinstance(value, int) else 'string'}" for name, value in arguments.items())
        raise HarnessError(f"{where}.argument_types: expected {{{types}}}, as the tool takes it; set it")
    if error := next(Draft202012Validator(tool.parameters).iter_errors(written), None):
        raise HarnessError(f"{where}.parameters: refuses the call {written} ({error.message}); correct it")


def _check_all_there(what: str, needed: dict[Intent, str], found: set[str], mend: str = "; add it") -> None:
    for key in needed.values():
        if key not in found:
            intents = ", ".join(intent for intent, other in needed.items() if other == key)
            raise HarnessError(f"{what} {key}; cases of intent {intents} need it{mend}")
