"""A company's own names and shapes read as the documented tables: the mapping file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from components.errors import UserError
from components.files import read_yaml
from components.liveroom.logs.cells import as_text
from components.liveroom.logs.sources import Row, read_rows
from components.liveroom.logs.tables import TABLES

Text = Annotated[str, BeforeValidator(as_text)]
"""YAML's numbers, true and false are compared with cells as text."""


class TableMapping(BaseModel):
    """How one table is made out of a source."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str = ""
    """File below the source's folder; may be left out where the source is one file."""
    rows: str = ""
    """Path to the entries that are rows, see `sources.read_rows`."""
    encoding: str = "utf-8"
    """Of a CSV file."""
    columns: dict[str, str | tuple[str, ...]] = {}
    """Their name → ours, or several of ours."""
    values: dict[str, dict[Text, Text]] = {}
    """Our column → their value → ours; a value that is not named here stays as it is."""
    defaults: dict[str, Text] = {}
    """Our column → what stands in empty cells. `{their name}` is that cell; `{options.*}` all below, joined by commas."""
    skip: dict[str, tuple[Text, ...]] = {}
    """Their column → values; rows that have one of them are left out."""


class Mapping(BaseModel):
    """One mapping file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tables: dict[str, TableMapping] = Field(min_length=1)


def read_mapping(path: Path) -> Mapping:
    """Read a mapping file. Raises UserError naming the file and the key that cannot be used."""
    if not path.is_file():
        raise UserError(f"{path}: not found; expected a mapping file (see room_logs/README.md); correct the path")
    try:
        mapping = Mapping.model_validate(read_yaml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "tables"
        raise UserError(f"{path}: {place}: {first['msg'].lower()}; correct the mapping") from None
    for name, table in mapping.tables.items():
        if name not in TABLES:
            raise UserError(f"{path}: tables.{name}: no such table; {_near(name, TABLES)}")
        known = [header for column in TABLES[name].columns for header in column.headers]
        ours = {"columns": _targets(table), "values": list(table.values), "defaults": list(table.defaults)}
        for part, names in ours.items():
            for unknown in set(names) - set(known):
                raise UserError(f"{path}: tables.{name}.{part}: no column {unknown} in this table; {_near(unknown, known)}")
            if twice := [one for one in names if names.count(one) > 1]:
                raise UserError(f"{path}: tables.{name}.{part}: {twice[0]} is filled twice; expected one source; remove one")
    return mapping


@dataclass(frozen=True)
class Mapped:
    """One table made out of a source."""

    rows: list[Row]
    """In our columns."""
    names: dict[str, str]
    """Our column → theirs."""
    skipped: int
    """Rows left out by `skip`."""
    used: set[str]
    """Their columns that the table is made of."""
    unused: set[str]
    """Their other columns."""


def map_rows(table: TableMapping, where: str, source: Path) -> Mapped:
    """Read a source as a table. `where` names the mapping's table in messages. Raises UserError for a column that no row has."""
    rows = read_rows(source, table.rows, table.encoding)
    theirs = dict.fromkeys(name for row in rows for name in row.cells)
    wanted = [*table.columns, *table.skip, *(name for text in table.defaults.values() for name in _FIELD.findall(text))]
    for name in wanted:
        if rows and not any(_matches(known, name) for known in theirs):
            raise UserError(f"{where}: no column {name!r} in {source}; {_near(name, theirs)}")
    kept = [row for row in rows if not any(as_text(row.cells.get(name)) in values for name, values in table.skip.items())]
    names = {ours: name for name, target in table.columns.items() for ours in ([target] if isinstance(target, str) else target)}
    used = {known for known in theirs if any(_matches(known, name) for name in wanted)}
    unused = {name for name in theirs if name not in used and not name.startswith("$")}
    return Mapped([Row(row.where, _translate(table, row, names)) for row in kept], names, len(rows) - len(kept), used, unused)


_FIELD = re.compile(r"\{([^{}]+)\}")


def _translate(table: TableMapping, row: Row, names: dict[str, str]) -> dict[str, Any]:
    cells = {ours: row.cells.get(name) for ours, name in names.items()}
    for ours, translations in table.values.items():
        cells[ours] = translations.get(as_text(cells.get(ours)), cells.get(ours))
    for ours, template in table.defaults.items():
        if not as_text(cells.get(ours)):
            cells[ours] = _FIELD.sub(lambda match: _joined(match[1], row.cells), template)
    return cells


def _joined(name: str, cells: dict[str, Any]) -> str:
    return ", ".join(text for known, cell in cells.items() if _matches(known, name) and (text := as_text(cell)))


def _matches(known: str, name: str) -> bool:
    """Whether the column `known` is meant by `name`, which may end in `.*`."""
    return known == name or (name.endswith(".*") and known.startswith(name[:-1]))


def _targets(table: TableMapping) -> list[str]:
    return [ours for target in table.columns.values() for ours in ([target] if isinstance(target, str) else target)]


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
