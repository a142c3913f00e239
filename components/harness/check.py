"""What holds between the parts of a harness, whether it was read from disk or made by augmentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import JsonValue, TypeAdapter, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from components.harness.arguments import leaves
from components.harness.hooks import CHECK_PARAMETERS, CHECK_POINTS, CHECKS
from components.harness.types import LOAD_SKILL, Harness, HarnessError, JsonObject, PromptFormat, SkillKind, Tool

_JSON: TypeAdapter[JsonObject] = TypeAdapter(dict[str, JsonValue])


def check_harness(harness: Harness, where: Path | str) -> None:
    """Check what holds between the parts: names unique, schemas valid, checks known. Raises HarnessError naming `where`."""
    _unique(f"{where}/skills", "skill", (s.name for s in harness.skills))
    for skill in harness.skills:
        if "/" in skill.name or skill.name.startswith("."):
            raise HarnessError(f"{where}/skills: {skill.name}: expected a name that can be a folder's; rename the skill")
    _unique(f"{where}/skills", "skill key", (s.key for s in harness.skills))
    _unique(f"{where}/tools.yaml", "tool", (t.name for t in harness.tools))
    _unique(f"{where}/hooks.yaml", "hook", (h.name for h in harness.hooks))
    _unique(f"{where}/prompt/pipeline.yaml", "section", (s.name for s in harness.prompt.sections))
    if not any(s.kind is SkillKind.REPLY for s in harness.skills):
        raise HarnessError(f"{where}/skills: expected at least one skill with metadata.kind: reply; add one")
    if sum(t.implementation == LOAD_SKILL for t in harness.tools) != 1:
        raise HarnessError(f"{where}/tools.yaml: expected exactly one tool with implementation: {LOAD_SKILL}; add or remove one")
    if not any(s.source == "skills" for s in harness.prompt.sections):
        raise HarnessError(f"{where}/prompt/pipeline.yaml: expected a section with source: skills; without it no skill is seen")
    if harness.prompt.format is PromptFormat.JSON:
        _unique(f"{where}/prompt/pipeline.yaml", "heading", (s.heading for s in harness.prompt.sections))
    for tool in harness.tools:
        _check_tool(tool, f"{where}/tools.yaml: {tool.name}")
    for hook in harness.hooks:
        if hook.check not in CHECKS:
            raise HarnessError(
                f"{where}/hooks.yaml: {hook.name}.check: {hook.check} is unknown; expected one of {', '.join(sorted(CHECKS))}"
            )
        if hook.point not in CHECK_POINTS[hook.check]:
            points = " or ".join(CHECK_POINTS[hook.check])
            raise HarnessError(f"{where}/hooks.yaml: {hook.name}.point: {hook.check} works at {points} only; move the hook there")
        parameter = CHECK_PARAMETERS.get(hook.check)
        if parameter and not parameter.fits(hook.parameters.get(parameter.name)):
            place = f"{where}/hooks.yaml: {hook.name}.parameters.{parameter.name}"
            raise HarnessError(f"{place}: expected {parameter.expected}; set it")


def _check_tool(tool: Tool, where: str) -> None:
    """Its parameters are a JSON Schema that can be used without looking anything up, and its arguments are told apart."""
    try:
        _JSON.validate_python(tool.parameters)
        Draft202012Validator.check_schema(tool.parameters)
        resolver = Registry().with_resource("", DRAFT202012.create_resource(tool.parameters)).resolver()
        for reference in _references(tool.parameters):
            resolver.lookup(reference)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part not in ("dict", "list", "[key]"))
        raise HarnessError(f"{where}.parameters: {place}: not JSON ({first['msg'].lower()}); mend it") from None
    except SchemaError as error:
        raise HarnessError(f"{where}.parameters: not a JSON Schema ({error.message}); mend it") from None
    except Unresolvable:
        raise HarnessError(f"{where}.parameters: $ref {reference} leads nowhere in this schema; correct it") from None
    parameters = dict(leaves(tool.parameters))
    for path, schema in parameters.items():
        if not isinstance(schema, dict):
            raise HarnessError(
                f"{where}.parameters: {path}: expected an object such as {{type: string}}, found {schema}; mend it"
            )
    for name, path in tool.argument_paths.items():
        if path not in parameters:
            raise HarnessError(f"{where}.argument_paths.{name}: {path} is no parameter; correct it")
    canonical = {path: name for name, path in tool.argument_paths.items()}
    _unique(where, "canonical argument", (canonical.get(path, path) for path in parameters))


def _references(schema: Any) -> Iterator[str]:
    """Every `$ref` anywhere in a schema."""
    if isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _unique(where: str, what: str, names: Iterable[str]) -> None:
    name, count = Counter(names).most_common(1)[0] if (names := list(names)) else ("", 0)
    if count > 1:
        raise HarnessError(f"{where}: {what} {name} occurs {count} times; expected unique names; rename or remove one")
