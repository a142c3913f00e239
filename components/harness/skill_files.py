"""Skills as folders in the open Agent Skills format (https://agentskills.io/specification).

`SKILL.md` opens with front matter between two lines of `---`: name and description, and in `metadata` what only this
harness reads: `kind`, `key`, `covers`. The body follows. Everything else in the folder is kept as the skill's files.
"""

from __future__ import annotations

import base64
import json
import re
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import Any

from components.files import write_atomic
from components.harness.types import HarnessError, JsonObject, Skill, SkillFile, SkillKind
from components.harness.yaml_text import as_mapping, dump_yaml, parse_yaml, read_text

SKILL_MD = "SKILL.md"
LARGEST = 2**20
"""Bytes of all files of one skill."""
LONGEST_DESCRIPTION = 1024
"""Characters of a description in the open format."""

_ENTRY = re.compile(r"^(?=[^\s#-][^:\n]*:(?:\s|$))", re.MULTILINE)
"""Where a top-level entry of the front matter starts."""
_INDENTED = re.compile(r"^[ \t]+", re.MULTILINE)
_BLOCK = re.compile(r"^\s*[|>][-+0-9]*\n")
_QUOTED = re.compile(r"""^(["'])((?:(?!\1).)*)\1$""")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\\ud800-\udfff]")


def read_skill(folder: Path) -> tuple[Skill, list[str]]:
    """Read one skill, and say what was taken in a way that its author may not have meant.

    What published skills have that the format does not foresee is mended, kept or left out, each with a note. Refused is
    what has no name, description or body to read, and what looks like a slip in `metadata.kind`. Raises HarnessError.
    """
    files, notes = _files(folder)
    if SKILL_MD not in files:
        found = ", ".join(sorted({path.split("/")[0] for path in files})) or "no file of its own"
        raise HarnessError(f"{folder}: expected a file {SKILL_MD}, found {found}; add or rename it, or remove the folder")
    path = files.pop(SKILL_MD)
    front, body, mended = _parse(path)
    notes += mended
    words = {}
    for key in ("name", "description"):
        value = front.pop(key, None)
        text = json.dumps(value) if isinstance(value, bool | int | float) else value
        if not isinstance(text, str) or not text.strip():
            raise HarnessError(f"{path}: {key}: expected some text in the front matter; add `{key}: ...`")
        words[key] = text.strip()
    name, description = words["name"], " ".join(words["description"].split())
    if not is_folder_name(name):
        raise HarnessError(f"{path}: name: {name!r}: expected a name that can be a folder's; rename the skill")
    if name != folder.name:
        notes.append(f"{path}: name: {name} is not the folder's, {folder.name}; give both one name")
    if len(description) > LONGEST_DESCRIPTION:
        notes.append(f"{path}: description: {len(description)} characters, over the format's {LONGEST_DESCRIPTION}; shorten it")
    metadata = front.pop("metadata", None) or {}
    if not isinstance(metadata, dict):
        notes.append(f"{path}: metadata: no mapping, kept as metadata.metadata; write a mapping such as {{kind: reply}}")
        metadata = {"metadata": metadata}
    kind = _kind(path, metadata.pop("kind", None), notes)
    covers = metadata.get("covers")
    if covers is not None and not (isinstance(covers, list) and all(isinstance(key, str) for key in covers)):
        notes.append(f"{path}: metadata.covers: no list of skill keys, so it means nothing here; rename or correct it")
        covers = None
    if covers is not None:
        del metadata["covers"]
    skill = Skill(
        name=name,
        description=description,
        body=body,
        kind=kind,
        key=str(metadata.pop("key", None) or name),
        covers=None if covers is None else tuple(covers),
        files=tuple(_read_file(relative, file) for relative, file in sorted(files.items())),
        front={**front, "metadata": metadata} if metadata else front,
    )
    return skill, notes


def _kind(path: Path, given: Any, notes: list[str]) -> SkillKind:
    """Published skills may use the key for something of their own; a slip of ours must not pass for that."""
    text = given.strip().lower() if isinstance(given, str) else ""
    if text in [*SkillKind]:
        return SkillKind(text)
    if get_close_matches(text, [*SkillKind]):
        raise HarnessError(f"{path}: metadata.kind: expected reply or strategy, found {given!r}; set it")
    found = "missing" if given is None else f"{given} means nothing here"
    notes.append(f"{path}: metadata.kind: {found}, taken as reply; say reply or strategy")
    return SkillKind.REPLY


def write_skill(skill: Skill, directory: Path) -> None:
    """Write a skill's folder in `directory`: inverse of `read_skill` for every skill as that function gives it.

    Raises HarnessError, before it writes, for a name that cannot be a folder's and for a file that leads out of it.
    """
    if not is_folder_name(skill.name):
        raise HarnessError(f"skill {skill.name!r}: expected a name that can be a folder's; rename the skill")
    own: JsonObject = {"kind": skill.kind.value, "key": skill.key}
    if skill.covers is not None:
        own["covers"] = list(skill.covers)
    front = {"name": skill.name, "description": skill.description, **skill.front}
    front["metadata"] = own | front.get("metadata", {})
    for file in skill.files:
        if not _is_path(file.path):
            raise HarnessError(f"skill {skill.name}: {file.path!r}: expected a path below the skill's folder; rename the file")
    folder = directory / skill.name
    write_atomic(folder / SKILL_MD, f"---\n{dump_yaml(front)}---\n{skill.body}\n")
    for file in skill.files:
        content = file.content.encode() if file.encoding == "utf-8" else base64.b64decode(file.content)
        write_atomic(folder / file.path, content)


def is_folder_name(name: str) -> bool:
    """Whether a skill of this name can have a folder of this name, seen by every file system and hidden by none."""
    return bool(name) and not name.startswith(".") and not _UNSAFE.search(name) and len(name.encode()) <= 200


def _is_path(path: str) -> bool:
    return path != SKILL_MD and path == str(PurePosixPath(path)) and all(map(is_folder_name, path.split("/")))


def _files(folder: Path) -> tuple[dict[str, Path], list[str]]:
    """Relative path → place of every file that can be kept, and notes on the others; hidden ones are passed over."""
    home, total = folder.parent.resolve() / folder.name, 0
    found, notes = {}, []
    for path in sorted(folder.rglob("*"), key=lambda path: (path != folder / SKILL_MD, path)):
        relative = path.relative_to(folder)
        if any(part.startswith(".") or part == "__pycache__" for part in relative.parts):
            continue
        if path.is_dir() and not path.is_symlink():
            continue
        shown = ascii(str(path))[1:-1] if _UNSAFE.search(relative.name) else str(path)
        if not path.is_file() or not path.resolve().is_relative_to(home):
            notes.append(f"{shown}: left out, no file of this skill's own; put the file itself there")
        elif not all(map(is_folder_name, relative.parts)):
            notes.append(f"{shown}: left out, its name cannot be written everywhere; rename it")
        elif total + path.stat().st_size > LARGEST:
            notes.append(f"{shown}: left out, a skill has at most {LARGEST // 2**20} MiB; remove what is no instruction")
        else:
            total += path.stat().st_size
            found[relative.as_posix()] = path
    return found, notes


def _read_file(relative: str, path: Path) -> SkillFile:
    data = path.read_bytes()
    text = data.decode(errors="replace")
    if text.encode() == data and "\0" not in text:
        return SkillFile(relative, text)
    return SkillFile(relative, base64.b64encode(data).decode(), "base64")


def _parse(path: Path) -> tuple[JsonObject, str, list[str]]:
    """Front matter, body, and what was mended."""
    before, _, text = read_text(path).partition("---")
    opening, _, text = text.partition("\n")
    closing = re.search(r"^---[ \t]*$\n?", text, re.MULTILINE)
    if before.strip() or opening.strip() or not closing:
        raise HarnessError(f"{path}:1: expected front matter between two lines of ---; add it")
    first_line = before.count("\n") + 2
    front, body = text[: closing.start()], text[closing.end() :].strip()
    try:
        return _read_front(path, front, first_line), body, []
    except HarnessError as error:
        mended, notes = _mend(path, front, "", error)
        return mended, body, notes


def _read_front(path: Path, text: str, first_line: int = 1) -> JsonObject:
    return as_mapping(path, parse_yaml(path, text, first_line, published=True), first_line)


def _mend(path: Path, text: str, parent: str, error: HarnessError) -> tuple[JsonObject, list[str]]:
    """Take entry by entry; one that is no YAML on its own is words that should have been in quotation marks."""
    starts = [match.start() for match in _ENTRY.finditer(text)]
    front: JsonObject = {}
    notes = []
    for start, end in pairwise([*starts, len(text)]):
        entry = text[start:end]
        key, _, words = entry.partition(":")
        try:
            value = _read_front(path, entry).get(key)
        except HarnessError:
            if key == "metadata" and not parent:
                lines = _INDENTED.sub(lambda tabs: tabs.group().expandtabs(2), words.lstrip(" \t").removeprefix("\n"))
                value, inside = _mend(path, dedent(lines), "metadata.", error)
                notes += inside or [f"{path}: metadata: tabs taken as spaces; put spaces there"]
            else:
                value = _QUOTED.sub(r"\2", " ".join(_BLOCK.sub("", words).split()))
                notes.append(f"{path}: {parent}{key}: taken as words although it is no YAML; put it in quotation marks")
        if key in front:
            raise error
        front[key] = value
    if not front or text[: starts[0]].strip():
        raise error
    return front, notes
