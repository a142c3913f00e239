"""Tables of typed records out of rows: unknown columns refused, cells parsed, equal rows counted once."""

from __future__ import annotations

import difflib
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.errors import UserError
from components.liveroom.logs.cells import CellError, Problems, parse
from components.liveroom.logs.schema import Table
from components.liveroom.logs.sources import Row, read_rows
from components.liveroom.logs.tables import TABLES

SUFFIXES = (".csv", ".jsonl", ".parquet")


@dataclass(frozen=True)
class Record:
    """One row of a table whose cells are values."""

    where: str
    """file:line."""
    values: dict[str, Any]
    """`Column.field` → value."""
    names: dict[str, str]
    """Our column → the name that the file has for it, where it is another."""

    def __getitem__(self, field: str) -> Any:
        """The value of a column."""
        return self.values[field]

    def place(self, field: str) -> str:
        """file:line:column, as the file names the column."""
        return f"{self.where}:{self.names.get(field, field)}"


Tables = dict[str, list[Record]]


def table_file(directory: Path, table: str) -> Path | None:
    """The file that holds a table. Raises UserError where several do."""
    found = [path for suffix in SUFFIXES if (path := directory / f"{table}{suffix}").exists()]
    if len(found) > 1:
        raise UserError(f"{found[0]}: {found[1].name} is there too; expected one file for table {table}; remove one")
    return found[0] if found else None


def read_tables(directory: Path, problems: Problems, leave_out: Container[str] = ()) -> Tables:
    """Every table that the folder holds, but those in `leave_out`. Bad cells are added to `problems`."""
    files = {name: path for name in TABLES if name not in leave_out and (path := table_file(directory, name))}
    return {name: typed(TABLES[name], read_rows(path), {}, problems)[0] for name, path in files.items()}


def typed(table: Table, rows: list[Row], names: dict[str, str], problems: Problems) -> tuple[list[Record], int]:
    """(records, number of rows that repeat another one) of a table's rows; what is wrong is added to `problems`."""
    headers = {header: column for column in table.columns for header in column.headers}
    seen: dict[tuple[Any, ...], Record] = {}
    records: list[Record] = []
    repeated = 0
    for unknown in dict.fromkeys(name for row in rows for name in row.cells if name not in headers):
        where = next(row.where for row in rows if unknown in row.cells)
        near = difflib.get_close_matches(unknown, headers, n=1)
        mend = f"did you mean {near[0]}?" if near else "remove it"
        problems.add(f"{where}:{unknown}", f"table {table.name} has no such column; expected {', '.join(headers)}; {mend}")
    for row in rows:
        record = _record(table, row, names, problems)
        if record is None:
            continue
        key = tuple(record[name] for name in table.key)
        if table.key and key in seen:
            if seen[key].values == record.values:
                repeated += 1
            else:
                shown = ", ".join(map(str, key))
                wrong = f"{shown} stands at {seen[key].where} with other values; expected each once; correct or remove one"
                problems.add(record.place(table.key[-1]), wrong)
            continue
        seen[key] = record
        records.append(record)
    return records, repeated


def _record(table: Table, row: Row, names: dict[str, str], problems: Problems) -> Record | None:
    """The row as a record, or None where a cell cannot be used."""
    values: dict[str, Any] = {}
    for column in table.columns:
        given = [header for header in column.headers if header in row.cells]
        header = given[0] if given else column.name
        place = f"{row.where}:{names.get(header, header)}"
        if len(given) > 1:
            problems.add(place, f"{given[1]} is there too; expected one of them; remove one")
            continue
        try:
            values[column.field] = parse(column, header, row.cells.get(header))
        except CellError as error:
            problems.add(place, str(error))
    shown = {column.field: names[header] for column in table.columns for header in column.headers if header in names}
    return Record(row.where, values, shown) if len(values) == len(table.columns) else None
