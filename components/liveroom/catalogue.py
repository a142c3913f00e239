"""The catalogue: items and rooms in one SQLite file, the only source of facts."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import astuple, fields
from pathlib import Path
from typing import Literal

from components.errors import UserError
from components.liveroom.types import Item, RoomRecord

_COLUMNS = ", ".join(field.name for field in fields(Item))
_FORMAT = 0x4841_5401
"""SQLite application id of a catalogue: `HAT` and the version of the tables."""
_TABLES = f"""
PRAGMA application_id = {_FORMAT};
CREATE TABLE item (
  item_id TEXT PRIMARY KEY,
  title TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  coupon_cents INTEGER NOT NULL CHECK (coupon_cents BETWEEN 0 AND price_cents - 1),
  stock INTEGER NOT NULL CHECK (stock >= 0),
  ship_days INTEGER NOT NULL CHECK (ship_days > 0),
  ship_from TEXT NOT NULL,
  material TEXT NOT NULL,
  colour TEXT NOT NULL,
  return_days INTEGER NOT NULL CHECK (return_days > 0),
  warranty_months INTEGER NOT NULL CHECK (warranty_months > 0)
) STRICT;
CREATE TABLE room_link (
  room_id TEXT NOT NULL,
  link_id INTEGER NOT NULL CHECK (link_id > 0),
  item_id TEXT NOT NULL REFERENCES item,
  PRIMARY KEY (room_id, link_id),
  UNIQUE (room_id, item_id)
) STRICT;
"""


class Catalogue:
    """Read access to one catalogue file. Make one with `create` or `open`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Wrap an open connection; callers use `create` or `open`."""
        self._connection = connection

    @classmethod
    def create(cls, path: Path, items: Iterable[Item], rooms: Iterable[RoomRecord]) -> Catalogue:
        """Write a new catalogue file, whole or not at all, replacing an old one, and open it.

        Raises UserError where a value breaks a rule of the tables (price, coupon, unknown or doubled item).
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as directory:
            unfinished = Path(directory) / path.name
            with closing(sqlite3.connect(unfinished)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.executescript(_TABLES)
                try:
                    with connection:
                        marks = ", ".join("?" for _ in fields(Item))
                        connection.executemany(f"INSERT INTO item VALUES ({marks})", map(astuple, items))
                        links = ((room.room_id, link, item) for room in rooms for link, item in room.links)
                        connection.executemany("INSERT INTO room_link VALUES (?, ?, ?)", links)
                except sqlite3.IntegrityError as error:
                    raise UserError(f"{path}: cannot write the catalogue ({error}); mend the items or rooms") from None
            os.replace(unfinished, path)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Catalogue:
        """Open a catalogue read-only. Raises UserError for a file that is missing, truncated or something else."""
        mend = "restore or rebuild the catalogue"
        if not path.is_file():
            raise UserError(f"{path}: not found; expected a catalogue; run the step that writes it first")
        # Tools may run in the threads of a server; SQLite itself serialises the reads.
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            [(found,)] = connection.execute("PRAGMA application_id")
            if found != _FORMAT:
                raise UserError(f"{path}: expected a catalogue (application id {_FORMAT}, found {found}); {mend}")
            [(health,), *_] = connection.execute("PRAGMA quick_check")
            if health != "ok":
                raise UserError(f"{path}: damaged ({health.splitlines()[0]}); {mend}")
        except sqlite3.DatabaseError as error:
            connection.close()
            raise UserError(f"{path}: expected a catalogue ({error}); {mend}") from None
        except UserError:
            connection.close()
            raise
        return cls(connection)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def item(self, room_id: str, link_id: int) -> Item | None:
        """The item at a link of a room; None where there is none."""
        query = f"SELECT {_COLUMNS} FROM item JOIN room_link USING (item_id) WHERE room_id = ? AND link_id = ?"
        row = self._connection.execute(query, (room_id, link_id)).fetchone()
        return None if row is None else Item(*row)

    def links(self, room_id: str) -> tuple[tuple[int, str], ...]:
        """(link number, item title) of a room in link order; empty for an unknown room."""
        query = "SELECT link_id, title FROM room_link JOIN item USING (item_id) WHERE room_id = ? ORDER BY link_id"
        return tuple(self._connection.execute(query, (room_id,)))

    def items(self) -> tuple[Item, ...]:
        """All items, in order of item_id."""
        return tuple(Item(*row) for row in self._connection.execute(f"SELECT {_COLUMNS} FROM item ORDER BY item_id"))

    def values(self, column: Literal["material", "colour", "ship_from"]) -> frozenset[str]:
        """Every value that some item has in `column`."""
        return frozenset(value for (value,) in self._connection.execute(f"SELECT DISTINCT {column} FROM item"))

    def rooms(self) -> tuple[RoomRecord, ...]:
        """All rooms, in order of room_id."""
        rooms: dict[str, list[tuple[int, str]]] = {}
        query = "SELECT room_id, link_id, item_id FROM room_link ORDER BY room_id, link_id"
        for room_id, link_id, item_id in self._connection.execute(query):
            rooms.setdefault(room_id, []).append((link_id, item_id))
        return tuple(RoomRecord(room_id, tuple(links)) for room_id, links in rooms.items())
