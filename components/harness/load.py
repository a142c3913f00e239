"""A harness on disk: `skills/<name>/SKILL.md`, `tools.yaml`, `hooks.yaml`, `prompt/pipeline.yaml`."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from components.files import replace_directory, write_atomic
from components.harness.check import check_harness
from components.harness.diff_words import value
from components.harness.records import to_dict
from components.harness.skill_files import read_skill, write_skill
from components.harness.types import Harness, HarnessError, Hook, JsonObject, PromptPipeline, PromptSection, Skill, Tool
from components.harness.yaml_text import dump_yaml, read_mapping, read_text

ORDER = "order.yaml"
"""Beside the skills' folders, where their order in the prompt is not that of the folders' names."""


def load_harness(directory: Path) -> Harness:
    """Read and validate a harness. Raises HarnessError with one line: file, field, what was expected, the mend."""
    return load_with_notes(directory)[0]


def load_with_notes(directory: Path) -> tuple[Harness, list[str]]:
    """As `load_harness`, and what in its skills was taken in a way that their authors may not have meant, a line each."""
    if not directory.is_dir():
        raise HarnessError(f"{directory}: not a folder; expected a harness with skills/, tools.yaml, hooks.yaml and prompt/")
    skills, notes = _load_skills(directory / "skills")
    tools_file, hooks_file = directory / "tools.yaml", directory / "hooks.yaml"
    tools = _load_list(tools_file, _read(tools_file, ("tools",)), "tools", Tool)
    hooks_data = _read(hooks_file, ("hooks", "fallback_reply"))
    hooks = _load_list(hooks_file, hooks_data, "hooks", Hook)
    fallback = _fallback(hooks_file, hooks_data.get("fallback_reply"))
    harness = Harness(skills, tools, hooks, _load_pipeline(directory / "prompt" / "pipeline.yaml"), fallback)
    check_harness(harness, directory)
    return harness, notes


def _load_skills(directory: Path) -> tuple[tuple[Skill, ...], list[str]]:
    """Every skill's folder in `directory`, in the order of their names or of `order.yaml`, and notes on them."""
    folders = sorted(path for path in directory.glob("[!.]*") if path.is_dir())
    read = {folder.name: read_skill(folder) for folder in folders}
    order_file = directory / ORDER
    if order_file.exists():
        order = _read(order_file, ("order",)).get("order")
        if not isinstance(order, list) or sorted(map(str, order)) != sorted(read):
            raise HarnessError(f"{order_file}: order: expected every skill's folder once: {', '.join(read)}; correct it")
        read = {name: read[name] for name in order}
    return tuple(skill for skill, _ in read.values()), [note for _, notes in read.values() for note in notes]


def save_harness(harness: Harness, directory: Path) -> None:
    """Write a harness so that `load_harness` reads the same one back; it takes the place of what `directory` held.

    Raises HarnessError, and leaves everything as it was, for a skill whose name, or a file's, cannot be one on disk.
    """
    building = directory.with_name(f".{directory.name}.new")
    shutil.rmtree(building, ignore_errors=True)
    try:
        names = [skill.name for skill in harness.skills]
        for skill in harness.skills:
            write_skill(skill, building / "skills")
        if names != sorted(names):
            write_atomic(building / "skills" / ORDER, dump_yaml({"order": names}))
        write_atomic(building / "tools.yaml", dump_yaml({"tools": [to_dict(tool) for tool in harness.tools]}))
        hooks = {"fallback_reply": harness.fallback_reply, "hooks": [to_dict(hook) for hook in harness.hooks]}
        write_atomic(building / "hooks.yaml", dump_yaml(hooks))
        write_atomic(building / "prompt" / "pipeline.yaml", dump_yaml(to_dict(harness.prompt)))
        replace_directory(building, directory)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _fallback(path: Path, given: Any) -> dict[str, str]:
    """A sentence is the English one; a mapping has one for each language."""
    replies = {"en": given} if isinstance(given, str) else given
    if not isinstance(replies, dict) or not all(isinstance(reply, str) for reply in replies.values()):
        raise HarnessError(
            f"{path}: fallback_reply: expected a sentence to speak when no reply passes, or one a language; add it"
        )
    return {language: reply.strip() for language, reply in replies.items()}


def _load_pipeline(path: Path) -> PromptPipeline:
    """A section's text stands in `text`, or in a file beside pipeline.yaml named by `file`."""
    data = _read(path, PromptPipeline.__dataclass_fields__)
    sections = data.get("sections")
    for section in sections if isinstance(sections, list) else ():
        if isinstance(section, dict) and "file" in section:
            if "text" in section:
                raise HarnessError(
                    f"{path}: {section.get('name')}: found both text and file; expected one of them; remove the other"
                )
            file = path.parent / str(section.pop("file"))
            if not file.is_file() or not file.resolve().is_relative_to(path.parent.resolve()):
                raise HarnessError(f"{path}: sections: {file.name} not found beside it; add the file or correct its name")
            section["text"] = read_text(file).strip()
    loaded = _load_list(path, data, "sections", PromptSection)
    for section in loaded:
        if not section.heading.strip():
            raise HarnessError(f"{path}: {section.name}.heading: expected some text, found nothing; add it")
        if section.source == "text" and not section.text.strip():
            raise HarnessError(f"{path}: {section.name}: expected words in text, or in a file named by file; add them")
    pipeline: PromptPipeline = _validate(path, "", PromptPipeline, {**data, "sections": loaded})
    return pipeline


def _read(path: Path, keys: Collection[str]) -> JsonObject:
    if not path.is_file():
        raise HarnessError(f"{path}: not found; every harness has one")
    data = read_mapping(path)
    _refuse_unknown(path, "", data, keys)
    return data


def _load_list(path: Path, data: JsonObject, key: str, kind: type[Any]) -> tuple[Any, ...]:
    entries = data.get(key)
    if not isinstance(entries, list) or not entries:
        raise HarnessError(f"{path}: {key}: expected a list with at least one entry; add it")
    return tuple(_validate(path, f"{key}[{index}]", kind, entry) for index, entry in enumerate(entries))


def _validate(path: Path, field: str, kind: type[Any], data: Any) -> Any:
    """Build a dataclass from YAML."""
    if isinstance(data, dict):
        _refuse_unknown(path, field, data, kind.__dataclass_fields__)
    try:
        return _ADAPTERS[kind].validate_python(data)
    except ValidationError as error:
        places = [_place(field, data, details) for details in error.errors()]
        expected = dict.fromkeys(_expected(one) for one, at in zip(error.errors(), places, strict=True) if at == places[0])
        place, found = places[0]
        place = f"{place}: " if place else ""
        raise HarnessError(f"{path}: {place}expected {' or '.join(expected)}, found {found}; mend this entry") from None


def _place(field: str, data: Any, error: ErrorDetails) -> tuple[str, str]:
    """Where in a file an error is, and what is there. A `loc` also holds the kinds of value that were tried."""
    names = [field]
    for part in error["loc"]:
        if error["type"] == "missing" and part == error["loc"][-1]:
            return ".".join([*names, str(part)]).strip("."), "nothing"
        if isinstance(data, dict) and part in data:
            names.append(str(part))
            data = data[part]
        elif isinstance(data, list) and isinstance(part, int):
            names[-1] += f"[{part}]"
            data = data[part]
    return ".".join(names).strip("."), value(data)


def _expected(error: ErrorDetails) -> str:
    """What should be there, in words."""
    if error["type"] in _WANTED:
        return _WANTED[error["type"]]
    return error["msg"].removeprefix("Input should be ").replace("'", "")


_WANTED = {
    "missing": "a value",
    "string_type": "some text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "tuple_type": "a list",
    "list_type": "a list",
    "dataclass_type": "a mapping of its fields",
}
"""pydantic's kind of error → what should be there."""


def _refuse_unknown(path: Path, field: str, data: JsonObject, known: Collection[str]) -> None:
    """A misspelt key would otherwise be silently ignored."""
    if unknown := sorted(set(data) - set(known)):
        place = f"{field}.{unknown[0]}".strip(".")
        raise HarnessError(f"{path}: {place}: unknown key; expected some of {', '.join(sorted(known))}")


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {kind: TypeAdapter(kind) for kind in (Tool, Hook, PromptSection, PromptPipeline)}
