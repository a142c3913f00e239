"""What holds between the parts of a harness, whether it was read from disk or made by augmentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from components.harness.check_tool import check_tool
from components.harness.conditions import check_condition, every_kind_of_request, holds
from components.harness.hooks import ACTIONS, CHECKS, MESSAGE_FIELDS
from components.harness.skill_files import is_folder_name
from components.harness.types import LOAD_SKILL, Harness, HarnessError, Hook, HookAction, Language, PromptFormat, SkillKind

_LANGUAGES = get_args(Language)
_FIELD = re.compile(r"\{(\w+)\}")


def check_harness(harness: Harness, where: Path | str) -> None:
    """Check what holds between the parts: names unique, schemas valid, checks known. Raises HarnessError naming `where`."""
    _check_skills(harness, f"{where}/skills")
    _unique(f"{where}/tools.yaml", "tool", (t.name for t in harness.tools))
    if sum(t.implementation == LOAD_SKILL for t in harness.tools) != 1:
        raise HarnessError(f"{where}/tools.yaml: expected exactly one tool with implementation: {LOAD_SKILL}; add or remove one")
    for tool in harness.tools:
        check_tool(tool, f"{where}/tools.yaml: {tool.name}")
    _unique(f"{where}/hooks.yaml", "hook", (h.name for h in harness.hooks))
    for hook in harness.hooks:
        _check_hook(hook, f"{where}/hooks.yaml: {hook.name}")
    _check_fallback(harness, f"{where}/hooks.yaml: fallback_reply")
    _check_prompt(harness, f"{where}/prompt/pipeline.yaml")


def _check_skills(harness: Harness, where: str) -> None:
    _unique(where, "skill", (s.name for s in harness.skills))
    for skill in harness.skills:
        if not is_folder_name(skill.name):
            raise HarnessError(f"{where}: {skill.name}: expected a name that can be a folder's; rename the skill")
        _unique(f"{where}: {skill.name}", "file", (file.path for file in skill.files))
    _unique(where, "skill key", (s.key for s in harness.skills))
    if not any(s.kind is SkillKind.REPLY for s in harness.skills):
        raise HarnessError(f"{where}: expected at least one skill with metadata.kind: reply; add one")


def _check_hook(hook: Hook, where: str) -> None:
    if hook.check not in CHECKS:
        raise HarnessError(f"{where}.check: {hook.check} is unknown; expected one of {', '.join(sorted(CHECKS))}; correct it")
    entry = CHECKS[hook.check]
    if hook.point not in entry.points:
        raise HarnessError(f"{where}.point: {hook.check} works at {' or '.join(entry.points)} only; move the hook there")
    actions = [action for action in ACTIONS[hook.point] if entry.rewrites or action is not HookAction.REWRITE]
    if hook.action not in actions:
        raise HarnessError(
            f"{where}.action: {hook.action} is not possible for {hook.check} at {hook.point}; "
            f"expected {' or '.join(actions)}; change it"
        )
    known = [parameter.name for parameter in entry.parameters]
    if unknown := sorted(set(hook.parameters).difference(known)):
        expected = f"expected {' or '.join(known)}" if known else f"{hook.check} has none"
        raise HarnessError(f"{where}.parameters.{unknown[0]}: unknown parameter; {expected}; remove or correct it")
    for parameter in entry.parameters:
        if parameter.name not in hook.parameters and parameter.required:
            raise HarnessError(f"{where}.parameters.{parameter.name}: expected {parameter.expected}, found nothing; add it")
        if parameter.name in hook.parameters and not parameter.fits(hook.parameters[parameter.name]):
            found = hook.parameters[parameter.name]
            raise HarnessError(f"{where}.parameters.{parameter.name}: expected {parameter.expected}, found {found!r}; correct it")
    if fault := entry.clash(hook.parameters):
        raise HarnessError(f"{where}.parameters.{fault}; correct it")
    if unknown := [name for name in _FIELD.findall(hook.message) if name not in MESSAGE_FIELDS]:
        known_fields = ", ".join(f"{{{name}}}" for name in MESSAGE_FIELDS)
        raise HarnessError(f"{where}.message: {{{unknown[0]}}} is unknown; expected some of {known_fields}; correct it")
    if fault := check_condition(hook.when):
        raise HarnessError(f"{where}.when.{fault}")


def _check_fallback(harness: Harness, where: str) -> None:
    for language, reply in harness.fallback_reply.items():
        if language not in _LANGUAGES:
            raise HarnessError(f"{where}.{language}: unknown language; expected {' or '.join(_LANGUAGES)}; correct it")
        if not reply.strip():
            raise HarnessError(f"{where}.{language}: expected a sentence to speak when no reply passes; add it")
    if "en" not in harness.fallback_reply:
        raise HarnessError(f"{where}.en: missing; expected a sentence to speak when no reply passes; add it")


def _check_prompt(harness: Harness, where: str) -> None:
    sections = harness.prompt.sections
    _unique(where, "section", (s.name for s in sections))
    for section in sections:
        if fault := check_condition(section.when):
            raise HarnessError(f"{where}: {section.name}.when.{fault}")
    of_skills = [section for section in sections if section.source == "skills"]
    if not of_skills:
        raise HarnessError(f"{where}: expected a section with source: skills; without it no skill is seen; add one")
    for request in every_kind_of_request():
        if not any(holds(section.when, request) for section in of_skills):
            raise HarnessError(
                f"{where}: {of_skills[0].name}.when: there are requests for which no section shows the skills; remove `when`"
            )
        if harness.prompt.format is PromptFormat.JSON:
            _unique(where, "heading", (s.heading for s in sections if holds(s.when, request)))


def _unique(where: str, what: str, names: Iterable[str]) -> None:
    name, count = Counter(names).most_common(1)[0] if (names := list(names)) else ("", 0)
    if count > 1:
        raise HarnessError(f"{where}: {what} {name} occurs {count} times; expected unique names; rename or remove one")
