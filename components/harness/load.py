"""A harness on disk: `skills/<name>/SKILL.md`, `tools.yaml`, `hooks.yaml`, `prompt/pipeline.yaml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import TypeAdapter, ValidationError

from components.files import write_atomic
from components.harness.arguments import leaves
from components.harness.hooks import CHECK_PARAMETERS, CHECKS, REQUIRED_PARAMETERS
from components.harness.records import to_dict
from components.harness.types import (
    LOAD_SKILL,
    Harness,
    HarnessError,
    Hook,
    JsonObject,
    PromptPipeline,
    Skill,
    SkillKind,
    Tool,
)


def load_harness(directory: Path) -> Harness:
    """Read and validate a harness. Raises HarnessError with one line: file, field, what was expected, the mend."""
    if not directory.is_dir():
        raise HarnessError(f"{directory}: not a folder; expected a harness with skills/, tools.yaml, hooks.yaml and prompt/")
    skills = tuple(_load_skill(path) for path in sorted(directory.glob("skills/*/SKILL.md")))
    tools_file, hooks_file = directory / "tools.yaml", directory / "hooks.yaml"
    tools = _load_list(tools_file, _read_yaml(tools_file), "tools", Tool)
    hooks_data = _read_yaml(hooks_file)
    hooks = _load_list(hooks_file, hooks_data, "hooks", Hook)
    fallback = hooks_data.get("fallback_reply")
    if not isinstance(fallback, str) or not fallback.strip():
        raise HarnessError(f"{hooks_file}: fallback_reply: expected a sentence to speak when no reply passes; add it")
    harness = Harness(skills, tools, hooks, _load_pipeline(directory / "prompt" / "pipeline.yaml"), fallback.strip())
    check_harness(harness, directory)
    return harness


def check_harness(harness: Harness, where: Path | str) -> None:
    """Check what holds between the parts: names unique, schemas valid, checks known. Raises HarnessError naming `where`."""
    _unique(f"{where}/skills", "skill", (s.name for s in harness.skills))
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
    for tool in harness.tools:
        try:
            Draft202012Validator.check_schema(tool.parameters)
        except SchemaError as error:
            raise HarnessError(f"{where}/tools.yaml: {tool.name}.parameters: not a JSON Schema ({error.message})") from None
        paths = [path for path, _ in leaves(tool.parameters)]
        for name, path in tool.argument_paths.items():
            if path not in paths:
                raise HarnessError(f"{where}/tools.yaml: {tool.name}.argument_paths.{name}: {path} is no parameter; correct it")
        canonical = {path: name for name, path in tool.argument_paths.items()}
        _unique(f"{where}/tools.yaml: {tool.name}", "canonical argument", (canonical.get(path, path) for path in paths))
    for hook in harness.hooks:
        if hook.check not in CHECKS:
            raise HarnessError(
                f"{where}/hooks.yaml: {hook.name}.check: {hook.check} is unknown; expected one of {', '.join(sorted(CHECKS))}"
            )
        parameter = CHECK_PARAMETERS.get(hook.check)
        if parameter and not isinstance(hook.parameters.get(parameter), REQUIRED_PARAMETERS[parameter]):
            kind = REQUIRED_PARAMETERS[parameter].__name__
            raise HarnessError(f"{where}/hooks.yaml: {hook.name}.parameters.{parameter}: expected a value of type {kind}; add it")


def save_harness(harness: Harness, directory: Path) -> None:
    """Write a harness so that `load_harness` reads the same one back (skills are read in the order of their names)."""
    for skill in harness.skills:
        front = {"name": skill.name, "description": skill.description, "metadata": {"kind": skill.kind.value, "key": skill.key}}
        text = f"---\n{_dump_yaml(front)}---\n{skill.body}\n"
        write_atomic(directory / "skills" / skill.name / "SKILL.md", text)
    write_atomic(directory / "tools.yaml", _dump_yaml({"tools": [to_dict(tool) for tool in harness.tools]}))
    hooks = {"fallback_reply": harness.fallback_reply, "hooks": [to_dict(hook) for hook in harness.hooks]}
    write_atomic(directory / "hooks.yaml", _dump_yaml(hooks))
    write_atomic(directory / "prompt" / "pipeline.yaml", _dump_yaml(to_dict(harness.prompt)))


def _load_skill(path: Path) -> Skill:
    _, separator, rest = path.read_text().partition("---\n")
    front_text, end, body = rest.partition("\n---")
    if not separator or not end:
        raise HarnessError(f"{path}:1: expected front matter between two lines of ---; add it")
    front = _parse_yaml(path, front_text)
    for key in ("name", "description"):
        if not isinstance(front.get(key), str) or not front[key].strip():
            raise HarnessError(f"{path}: {key}: expected some text in the front matter; add `{key}: ...`")
    metadata = front.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise HarnessError(f"{path}: metadata: expected a mapping with kind: reply or strategy; mend it")
    kind = metadata.get("kind")
    if not isinstance(kind, str) or kind not in (*SkillKind,):
        raise HarnessError(f"{path}: metadata.kind: expected reply or strategy, found {kind}; set it")
    name = front["name"].strip()
    key = str(metadata.get("key", name))
    return Skill(name, " ".join(front["description"].split()), body.partition("\n")[2].strip(), SkillKind(kind), key)


def _load_pipeline(path: Path) -> PromptPipeline:
    """A section's text stands in `text`, or in a file beside pipeline.yaml named by `file`."""
    data = _read_yaml(path)
    for section in data.get("sections") or []:
        if isinstance(section, dict) and "file" in section:
            file = path.parent / str(section.pop("file"))
            if not file.is_file():
                raise HarnessError(f"{path}: sections: {file.name} not found beside it; add the file or correct its name")
            section["text"] = file.read_text().strip()
    pipeline: PromptPipeline = _validate(path, "", PromptPipeline, data)
    if not pipeline.sections:
        raise HarnessError(f"{path}: sections: expected at least one section; add one")
    return pipeline


def _load_list(path: Path, data: JsonObject, key: str, kind: type[Any]) -> tuple[Any, ...]:
    entries = data.get(key)
    if not isinstance(entries, list) or not entries:
        raise HarnessError(f"{path}: {key}: expected a list with at least one entry; add it")
    return tuple(_validate(path, f"{key}[{index}]", kind, entry) for index, entry in enumerate(entries))


def _validate(path: Path, field: str, kind: type[Any], data: Any) -> Any:
    """Build a dataclass from YAML, refusing unknown keys (a misspelt one would otherwise be silently ignored)."""
    known = set(kind.__dataclass_fields__)
    unknown = sorted(set(data) - known) if isinstance(data, dict) else []
    if unknown:
        place = f"{field}.{unknown[0]}".strip(".")
        raise HarnessError(f"{path}: {place}: unknown key; expected some of {', '.join(sorted(known))}")
    try:
        return TypeAdapter(kind).validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([field, *(str(part) for part in first["loc"])]).strip(".")
        raise HarnessError(f"{path}: {place}: {first['msg'].lower()}; mend this entry") from None


def _read_yaml(path: Path) -> JsonObject:
    if not path.is_file():
        raise HarnessError(f"{path}: not found; every harness has one")
    return _parse_yaml(path, path.read_text())


def _parse_yaml(path: Path, text: str) -> JsonObject:
    try:
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise HarnessError(f"{path}:{line}: expected YAML ({error.problem}); mend this line") from None
    if not isinstance(data, dict):
        raise HarnessError(f"{path}:1: expected a mapping of keys to values; mend the file")
    return data


def _dump_yaml(data: JsonObject) -> str:
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)


def _unique(where: str, what: str, names: Iterable[str]) -> None:
    name, count = Counter(names).most_common(1)[0] if (names := list(names)) else ("", 0)
    if count > 1:
        raise HarnessError(f"{where}: {what} {name} occurs {count} times; expected unique names; rename or remove one")
