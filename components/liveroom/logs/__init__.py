"""A company's own rooms instead of generated ones: tables in CSV, JSONL or Parquet, see room_logs/README.md.

Every cell that cannot be used is named by file, line and column; foreign exports are read by a mapping file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from components.errors import UserError
from components.liveroom.generator import World
from components.liveroom.logs.cells import BadCells, Problems
from components.liveroom.logs.importing import Imported, ImportedTable, import_logs
from components.liveroom.logs.reading import read_tables, table_file
from components.liveroom.logs.splits import without_shared
from components.liveroom.logs.tables import TABLES
from components.liveroom.logs.world import build, missing_tables

__all__ = ["BadCells", "Imported", "ImportedTable", "has_logs", "import_logs", "read_logs"]


def has_logs(directory: Path) -> bool:
    """Whether the folder holds logs. Raises UserError where it holds only some of the tables that belong together."""
    present = [name for name in TABLES if table_file(directory, name)]
    missing = missing_tables(present)
    if present and missing:
        raise UserError(
            f"{directory}: {present[0]} is there, {', '.join(missing)} not; expected them together; add or remove them"
        )
    return bool(present)


def read_logs(directory: Path, seed: int, announce: Callable[[str], None] = print) -> World:
    """A company's rooms. `seed` assigns the splits of rooms that have none; what is kept out is announced.

    Raises BadCells naming every cell that cannot be used, and UserError where a split has no case.
    """
    problems = Problems()
    logs = build(read_tables(directory, problems), seed, problems)
    if logs.unlabelled:
        announce(f"{logs.unlabelled} comments without an intent are kept out: nothing tells what a right reply to them is")
    cases = without_shared(logs.world.cases)
    if shared := len(logs.world.cases) - len(cases):
        announce(f"{shared} requests of training are kept out: evaluation has a line in the same words")
    for split in ("train", "eval"):
        if not any(case.split == split for case in cases):
            wrong = f"no comment with an intent for split {split}; expected some in both train and eval"
            raise UserError(f"{directory}: {wrong}; set column split of table rooms, or add rooms")
    return replace(logs.world, cases=tuple(cases))
