"""Rows out of files: CSV, JSONL, JSON and Parquet, each row with its place."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.errors import UserError
from components.files import read_json, read_jsonl

VALUE = "$value"
"""Name of an entry that is no object. `$1`, `$2`, … are the keys (or numbers) that the first, second, … `*` went through."""


@dataclass(frozen=True)
class Row:
    """One row as its file holds it."""

    where: str
    """file:line; for JSON the path of keys, for Parquet the number of the row."""
    cells: dict[str, Any]
    """Column → raw value; what is nested has a dotted name, e.g. `options.colour`."""


def read_rows(path: Path, rows: str = "", encoding: str = "utf-8") -> list[Row]:
    """The rows of a file, by its suffix.

    `rows` is a dotted path from the document, or from each line, to the entries that are rows; `*` goes through all entries
    of an object or a list. What surrounds an entry is inherited by it. Raises UserError naming file and line.
    """
    if not path.is_file():
        raise UserError(f"{path}: not found; expected a file of rows; correct the path")
    readers = {".csv": _csv, ".jsonl": _jsonl, ".json": _json, ".parquet": _parquet}
    if path.suffix not in readers:
        raise UserError(f"{path}: expected a file that ends in {', '.join(readers)}; convert it")
    steps = rows.split(".") if rows else []
    return [
        Row(":".join([where, *keys]), cells)
        for where, value in readers[path.suffix](path, encoding)
        for keys, cells in _explode(where, value, steps, {})
    ]


def _csv(path: Path, encoding: str) -> Iterator[tuple[str, Any]]:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: expected text in {encoding}; save it so, or name its encoding in a mapping") from None
    except LookupError:
        raise UserError(f"{path}: encoding {encoding} is not known; expected e.g. utf-8, gbk or gb18030; correct it") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    line = 1
    try:
        for cells in reader:
            if not header:
                header = [name.strip() for name in cells]
                if twice := [name for name in header if header.count(name) > 1]:
                    raise UserError(f"{path}:{line}: column {twice[0]!r} occurs twice; expected each once; rename one")
            elif cells and len(cells) != len(header):
                wrong = f"expected {len(header)} cells, as in the first line, found {len(cells)}"
                raise UserError(f"{path}:{line}: {wrong}; quote cells that hold commas")
            elif cells:
                yield f"{path}:{line}", dict(zip(header, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        raise UserError(f"{path}:{line}: expected CSV ({error}); mend this line") from None


def _jsonl(path: Path, encoding: str) -> Iterator[tuple[str, Any]]:
    for number, value in enumerate(read_jsonl(path), start=1):
        yield f"{path}:{number}", value


def _json(path: Path, encoding: str) -> Iterator[tuple[str, Any]]:
    yield str(path), read_json(path)


def _parquet(path: Path, encoding: str) -> Iterator[tuple[str, Any]]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise UserError(f"{path}: expected a Parquet file ({str(error).splitlines()[0]}); write it again") from None
    for number, value in enumerate(table.to_pylist(), start=1):
        yield f"{path}:{number}", value


def _explode(where: str, value: Any, steps: list[str], inherited: dict[str, Any]) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """(keys that lead to it, cells) of every entry below `value` that `steps` lead to."""
    if not steps:
        yield [], inherited | (_flat(value) if isinstance(value, dict) else {VALUE: value})
        return
    step, *rest = steps
    if step == "*":
        if not isinstance(value, dict | list):
            raise UserError(f"{where}: rows: `*` expects an object or a list, found {json.dumps(value)}; correct the mapping")
        name = f"${1 + sum(known.startswith('$') for known in inherited)}"
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value, start=1):
            for keys, cells in _explode(f"{where}:{key}", entry, rest, {**inherited, name: key}):
                yield [str(key), *keys], cells
    else:
        if not isinstance(value, dict) or step not in value:
            raise UserError(f"{where}: rows: expected {step!r} here; correct the path in the mapping")
        around = _flat({key: entry for key, entry in value.items() if key != step})
        for keys, cells in _explode(f"{where}:{step}", value[step], rest, inherited | around):
            yield [step, *keys], cells


def _flat(value: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for key, entry in value.items():
        cells |= _flat(entry, f"{prefix}{key}.") if isinstance(entry, dict) else {f"{prefix}{key}": entry}
    return cells
