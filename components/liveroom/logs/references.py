"""What holds between the rows of tables: references that lead somewhere, values that occur once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable

from components.liveroom.logs.cells import Problems
from components.liveroom.logs.reading import Record, Tables


def grouped(tables: Tables, table: str, by: str) -> dict[str, list[Record]]:
    """The records of a table by one of its columns, in order; a value that does not occur has none."""
    groups: dict[str, list[Record]] = defaultdict(list)
    for record in tables.get(table, ()):
        groups[record[by]].append(record)
    return groups


def check_known(records: Iterable[Record], field: str, known: Container[str], table: str, problems: Problems) -> None:
    """Name every record whose `field` is not `known`; `table` is where it should stand."""
    for record in records:
        if record[field] not in known:
            problems.add(record.place(field), f"{record[field]} is not in {table}; add it or correct this cell")


def check_once(records: Iterable[Record], fields: tuple[str, ...], problems: Problems) -> None:
    """Name every record whose `fields` together occurred before."""
    seen: dict[tuple[object, ...], Record] = {}
    for record in records:
        key = tuple(record[field] for field in fields)
        if key in seen:
            shown = " ".join(str(part) for part in key if part)
            problems.add(record.place(fields[-1]), f"{shown} stands at {seen[key].where} too; expected each once; change one")
        seen.setdefault(key, record)
