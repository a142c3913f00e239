"""A harness on disk: `skills/<name>/SKILL.md`, `tools.yaml`, `hooks.yaml`, `prompt/pipeline.yaml`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError

from components.files import write_atomic
from components.harness.check import check_harness
from components.harness.records import to_dict
from components.harness.types import (
    Harness,
    HarnessError,
    Hook,
    JsonObject,
    PromptPipeline,
    PromptSection,
    Skill,
    SkillKind,
    Tool,
)

_CONTROL = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML refuses, and that no prompt should hold."""


def load_harness(directory: Path) -> Harness:
    """Read and validate a harness. Raises HarnessError with one line: file, field, what was expected, the mend."""
    if not directory.is_dir():
        raise HarnessError(f"{directory}: not a folder; expected a harness with skills/, tools.yaml, hooks.yaml and prompt/")
    skills = tuple(_load_skill(path) for path in sorted(directory.glob("skills/[!.]*")) if path.is_dir())
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


def _load_skill(folder: Path) -> Skill:
    path, names = folder / "SKILL.md", sorted(file.name for file in folder.iterdir())
    if path.name not in names:
        found = ", ".join(names) or "nothing"
        raise HarnessError(f"{folder}: expected a file SKILL.md, found {found}; add or rename it, or remove the folder")
    before, separator, rest = _read_text(path).partition("---\n")
    front_text, end, body = rest.partition("\n---")
    if not separator or not end:
        raise HarnessError(f"{path}:1: expected front matter between two lines of ---; add it")
    front = _parse_yaml(path, front_text, first_line=before.count("\n") + 2)
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
    sections = data.get("sections")
    for section in sections if isinstance(sections, list) else ():
        if isinstance(section, dict) and "file" in section:
            file = path.parent / str(section.pop("file"))
            if not file.is_file():
                raise HarnessError(f"{path}: sections: {file.name} not found beside it; add the file or correct its name")
            section["text"] = _read_text(file).strip()
    loaded = _load_list(path, data, "sections", PromptSection)
    for section in loaded:
        if section.source == "text" and not section.text.strip():
            raise HarnessError(f"{path}: {section.name}: expected words in text, or in a file named by file; add them")
    pipeline: PromptPipeline = _validate(path, "", PromptPipeline, {**data, "sections": loaded})
    return pipeline


def _load_list(path: Path, data: JsonObject, key: str, kind: type[Any]) -> tuple[Any, ...]:
    entries = data.get(key)
    if not isinstance(entries, list) or not entries:
        raise HarnessError(f"{path}: {key}: expected a list with at least one entry; add it")
    return tuple(_validate(path, f"{key}[{index}]", kind, entry) for index, entry in enumerate(entries))


def _validate(path: Path, field: str, kind: type[Any], data: Any) -> Any:
    """Build a dataclass from YAML, refusing unknown keys (a misspelt one would otherwise be silently ignored)."""
    known = set(kind.__dataclass_fields__)
    unknown = sorted(map(str, set(data) - known)) if isinstance(data, dict) else []
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
    return _parse_yaml(path, _read_text(path))


def _read_text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: expected UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise HarnessError(f"{path}:{line}: expected text, found the character {found.group(0)!r}; remove it")
    return text


def _parse_yaml(path: Path, text: str, first_line: int = 1) -> JsonObject:
    """Read YAML that starts at `first_line` of the file."""
    try:
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise HarnessError(f"{path}:{line}: expected YAML ({error.problem}); mend this line") from None
    # Such as a date that is none: PyYAML lets the errors of its own conversions through.
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise HarnessError(f"{path}:{first_line}: expected YAML ({' '.join(str(error).split())}); mend the file") from None
    if not isinstance(data, dict):
        raise HarnessError(f"{path}:{first_line}: expected a mapping of keys to values; mend the file")
    return data


def _dump_yaml(data: JsonObject) -> str:
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
