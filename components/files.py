"""Files that are whole or not there: write to a temporary name, then rename."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from components.errors import UserError


def write_atomic(path: Path, content: str | bytes) -> None:
    """Replace `path` by `content` in one step; a crash leaves the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files private to their owner; data files are readable like any other.
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON with sorted keys, atomically."""
    write_atomic(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Read one JSON document. Raises UserError naming the file and line where it cannot be read."""
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        raise UserError(f"{path}: not found; expected a JSON file; run the step that writes it first") from None
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: expected JSON ({error.msg}); restore or rebuild the file") from None


def json_line(row: dict[str, Any]) -> bytes:
    """A JSON object as a line, keys sorted. Half of a surrogate pair, which models do write and UTF-8 cannot, becomes `?`."""
    return (json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n").encode(errors="replace")


def write_jsonl(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object a line, as `json_line` makes it, atomically."""
    write_atomic(path, b"".join(map(json_line, rows)))


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read one JSON object a line. Raises UserError naming file and line of the first that cannot be read."""
    if not path.exists():
        raise UserError(f"{path}: not found; expected a JSONL file; run the step that writes it first")
    rows = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line.decode())
            except (ValueError, RecursionError) as error:
                reason = error.msg if isinstance(error, json.JSONDecodeError) else error
                raise UserError(f"{path}:{number}: expected a JSON object ({reason}); restore or rebuild the file") from None
            if not isinstance(row, dict):
                raise UserError(
                    f"{path}:{number}: expected a JSON object, found {type(row).__name__}; restore or rebuild the file"
                )
            rows.append(row)
    return rows


def read_yaml(path: Path) -> Any:
    """Read one YAML document. Raises UserError naming the file, and the line where it is known, where it cannot be read."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{path}:{line}: expected YAML ({error.problem}); mend this line") from None
    except (yaml.YAMLError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{path}: expected YAML in UTF-8 without control characters ({reason}); mend the file") from None


def replace_directory(temporary: Path, final: Path) -> None:
    """Move a finished directory into place; an old one under the final name is removed after the move."""
    final.parent.mkdir(parents=True, exist_ok=True)
    old = final.with_name(f".{final.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if final.exists():
        os.replace(final, old)
    os.replace(temporary, final)
    shutil.rmtree(old, ignore_errors=True)


def hash_file(path: Path) -> str:
    """SHA-256 of a file's bytes, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_directory(directory: Path) -> str:
    """SHA-256 over the relative names and contents of all files below `directory`, in name order."""
    digest = hashlib.sha256()
    for path in sorted(p for p in directory.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(directory).as_posix()}\0{hash_file(path)}\n".encode())
    return digest.hexdigest()
