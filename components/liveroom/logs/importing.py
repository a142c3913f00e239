"""Foreign files made into the documented tables: read by a mapping, checked with what is there already, then written."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from components.errors import UserError
from components.files import write_atomic
from components.liveroom.logs.cells import Problems
from components.liveroom.logs.mapping import TableMapping, map_rows, read_mapping
from components.liveroom.logs.reading import Record, read_tables, table_file, typed
from components.liveroom.logs.schema import Table
from components.liveroom.logs.tables import TABLES
from components.liveroom.logs.world import Logs, build, missing_tables


@dataclass(frozen=True)
class ImportedTable:
    """What one table came to."""

    table: str
    rows: int
    """Rows written."""
    skipped: int
    """Rows that the mapping leaves out."""
    repeated: int
    """Rows that repeat another one, as where a file has a row for each SKU and the table one for each item."""


@dataclass(frozen=True)
class Imported:
    """What an import came to."""

    tables: tuple[ImportedTable, ...]
    logs: Logs
    """What all tables of the folder come to together."""
    unused: dict[Path, tuple[str, ...]]
    """File → its columns that no table is made of."""
    missing: tuple[str, ...]
    """Tables that the folder still lacks."""


def import_logs(source: Path, mapping_file: Path, directory: Path, replace: bool = False) -> Imported:
    """Write the tables that `mapping_file` makes out of `source` (a file or a folder) into `directory`, as CSV.

    Raises BadCells or UserError, and writes nothing, where a cell cannot be used, tables do not agree with each other or
    with those in `directory`, or, without `replace`, a table is there already.
    """
    mapping = read_mapping(mapping_file)
    if not replace:
        for name in mapping.tables:
            if (there := table_file(directory, name)) is not None:
                raise UserError(f"{there}: is there already; import into another folder or pass --replace")
    problems = Problems()
    made: dict[str, list[Record]] = {}
    counts: list[ImportedTable] = []
    used: dict[Path, set[str]] = defaultdict(set)
    unused: dict[Path, set[str]] = defaultdict(set)
    for name, table in mapping.tables.items():
        file = _source(source, table, f"{mapping_file}: tables.{name}")
        mapped = map_rows(table, f"{mapping_file}: tables.{name}", file)
        made[name], repeated = typed(TABLES[name], mapped.rows, mapped.names, problems)
        counts.append(ImportedTable(name, len(made[name]), mapped.skipped, repeated))
        used[file] |= mapped.used
        unused[file] |= mapped.unused
    old = read_tables(directory, problems, leave_out=made)
    tables = {**old, **made}
    # Any seed will do: what it decides, the split of rooms that have none, stands in no table.
    logs = build(tables, 0, problems)
    for name, records in made.items():
        write_atomic(directory / f"{name}.csv", _as_csv(TABLES[name], records))
        for other in (directory / f"{name}{suffix}" for suffix in (".jsonl", ".parquet")):
            other.unlink(missing_ok=True)
    idle = {file: tuple(sorted(unused[file] - used[file])) for file in used}
    return Imported(tuple(counts), logs, idle, tuple(missing_tables(tables)))


def _source(source: Path, table: TableMapping, where: str) -> Path:
    if source.is_dir():
        if not table.source:
            raise UserError(f"{where}.source: not set; expected the name of a file in {source}; set it")
        return source / table.source
    if table.source and source.name != table.source:
        raise UserError(f"{where}.source: {table.source}, but the source is the file {source}; name its folder instead")
    return source


def _as_csv(table: Table, records: Iterable[Record]) -> str:
    """Optional columns without any value are left out."""
    records = list(records)
    shown = [c for c in table.columns if c.required or any(record[c.field] != c.default for record in records)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.field for column in shown])
    for record in records:
        writer.writerow(["" if record[column.field] is None else record[column.field] for column in shown])
    return text.getvalue()
