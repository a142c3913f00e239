"""A world out of tables: items, rooms, coupons and cases that agree with each other, or every problem by name."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from components.errors import UserError
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import World
from components.liveroom.logs.cells import Problems
from components.liveroom.logs.reading import Tables
from components.liveroom.logs.requests import count_unlabelled, read_cases
from components.liveroom.logs.shop import read_coupons, read_items, read_rooms
from components.liveroom.logs.splits import room_splits
from components.liveroom.logs.tables import TABLES
from components.liveroom.truth import truth


@dataclass(frozen=True)
class Logs:
    """What tables come to."""

    world: World
    unlabelled: int
    """Comments without an intent; their requests are no cases."""


def build(tables: Tables, seed: int, problems: Problems) -> Logs:
    """The world of `tables`, as far as they go: rooms need items, cases need rooms. `seed` assigns missing splits.

    Raises BadCells naming every cell that cannot be used.
    """
    problems.stop()
    there = tables.keys()
    items = read_items(tables, problems) if there >= {"items", "skus"} else []
    rooms = read_rooms(tables, problems) if there >= {"items", "links"} else []
    coupons = read_coupons(tables, rooms, problems) if rooms else []
    splits = room_splits(tables, rooms, seed, problems)
    cases = read_cases(tables, rooms, items, splits, problems) if not missing_tables(there) else {}
    problems.stop()
    world = World(tuple(items), tuple(rooms), tuple(coupons), tuple(cases.values()))
    if items:
        _check_answerable(world, cases, problems)
        problems.stop()
    return Logs(world, count_unlabelled(tables))


def missing_tables(present: Iterable[str]) -> list[str]:
    """The tables that a folder of logs cannot be without, and that are not there."""
    return [name for name, table in TABLES.items() if table.required and name not in present]


def _check_answerable(world: World, places: Iterable[str], problems: Problems) -> None:
    """Name every case whose right answer cannot be computed, e.g. one about a colour that the item is not sold in."""
    with tempfile.TemporaryDirectory() as directory:
        catalogue = Catalogue.create(Path(directory) / "catalogue.sqlite", world.items, world.rooms, world.coupons)
        for place, case in zip(places, world.cases, strict=True):
            try:
                truth(case, catalogue)
            except UserError as error:
                problems.add(place, f"{error}; correct this row")
        catalogue.close()
