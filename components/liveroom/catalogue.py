"""The catalogue: items, rooms and coupons in one SQLite file, the only source of facts."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from components.errors import UserError
from components.liveroom.tables import FORMAT, TABLES
from components.liveroom.types import Campaign, Coupon, Faq, Item, RoomRecord, Sku

_ITEM = "item_id, title, category, material, ship_from, ship_days, ship_fee_cents, return_days, warranty_months, features"
_SKU = "sku_id, colour, size, price_cents, stock"
_COUPON = 'coupon_id, room_id, title, "group", percent_off, cents_off, minimum_cents'
_COUPON_ITEMS = (
    "(SELECT json_group_array(item_id) FROM (SELECT item_id FROM coupon_item AS one"
    " WHERE one.coupon_id = coupon.coupon_id ORDER BY one.rowid))"
)
_IN_ITEM = ("category", "material", "ship_from")
_IN_SKU = ("colour", "size")


class Catalogue:
    """Read access to one catalogue file. Make one with `create` or `open`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Wrap an open connection; callers use `create` or `open`."""
        self._connection = connection

    @classmethod
    def create(
        cls, path: Path, items: Collection[Item], rooms: Collection[RoomRecord], coupons: Collection[Coupon] = ()
    ) -> Catalogue:
        """Write a new catalogue file, whole or not at all, replacing an old one, and open it.

        Raises UserError where a value breaks a rule of `components.liveroom.tables` (price, doubled title, unknown item).
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as directory:
            unfinished = Path(directory) / path.name
            with closing(sqlite3.connect(unfinished)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                connection.executescript(TABLES)
                try:
                    with connection:
                        for table, rows in _rows(items, rooms, coupons):
                            for row in rows:
                                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
                        for (item_id,) in connection.execute("SELECT item_id FROM item EXCEPT SELECT item_id FROM sku"):
                            raise sqlite3.IntegrityError(f"item {item_id} has no SKU")
                except (sqlite3.Error, OverflowError) as error:
                    reason = f"cannot write the catalogue ({error})"
                    raise UserError(f"{path}: {reason}; mend the items, rooms or coupons") from None
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
            if found != FORMAT:
                raise UserError(f"{path}: expected a catalogue (application id {FORMAT}, found {found}); {mend}")
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
        found = self._items("SELECT item_id FROM room_link WHERE room_id = ? AND link_id = ?", room_id, link_id)
        return found[0] if found else None

    def items(self) -> tuple[Item, ...]:
        """All items, in order of item_id."""
        return self._items("SELECT item_id FROM item")

    def links(self, room_id: str) -> tuple[tuple[int, str], ...]:
        """(link number, item title) of a room in link order; empty for an unknown room."""
        query = "SELECT link_id, title FROM room_link JOIN item USING (item_id) WHERE room_id = ? ORDER BY link_id"
        return tuple(self._connection.execute(query, (room_id,)))

    def room(self, room_id: str) -> RoomRecord | None:
        """The room of this id; None where there is none."""
        for (language,) in self._connection.execute("SELECT language FROM room WHERE room_id = ?", (room_id,)):
            links = self._of_room("link_id, item_id FROM room_link", room_id, "link_id")
            campaigns = self._of_room("name, ends, gift, gift_over_cents FROM campaign", room_id, "name")
            faq = self._of_room("topic, answer, key FROM faq", room_id, "rowid")
            campaign = Campaign(*campaigns[0]) if campaigns else None
            return RoomRecord(room_id, tuple(links), language, campaign, tuple(Faq(*row) for row in faq))
        return None

    def rooms(self) -> tuple[RoomRecord, ...]:
        """All rooms, in order of room_id."""
        ids = self._connection.execute("SELECT room_id FROM room ORDER BY room_id").fetchall()
        return tuple(room for (room_id,) in ids if (room := self.room(room_id)) is not None)

    def coupons(self, room_id: str | None = None, item_id: str | None = None) -> tuple[Coupon, ...]:
        """Coupons in order of coupon_id: of one room where it is given, and that hold for one item where that is given."""
        where, of_room = ("", ()) if room_id is None else ("WHERE room_id = ?", (room_id,))
        query = f"SELECT {_COUPON}, {_COUPON_ITEMS} FROM coupon {where} ORDER BY coupon_id"
        found = (Coupon(*(*row, tuple(json.loads(item_ids)))) for *row, item_ids in self._connection.execute(query, of_room))
        return tuple(one for one in found if item_id is None or not one.item_ids or item_id in one.item_ids)

    def values(self, topic: str) -> frozenset[str]:
        """Every value that some item has of `topic`: category, material, ship_from, colour, size or the name of a feature."""
        if topic in (*_IN_ITEM, *_IN_SKU):
            query = f"SELECT DISTINCT {topic} FROM {'item' if topic in _IN_ITEM else 'sku'} WHERE {topic} <> ''"
            found = self._connection.execute(query)
        else:
            found = self._connection.execute("SELECT value FROM item, json_each(item.features) WHERE key = ?", (topic,))
        return frozenset(value for (value,) in found)

    def _items(self, chosen: str, *parameters: str | int) -> tuple[Item, ...]:
        """Items whose ids the query `chosen` finds, in order of item_id."""
        skus: dict[str, list[Sku]] = defaultdict(list)
        query = f"SELECT item_id, {_SKU} FROM sku WHERE item_id IN ({chosen}) ORDER BY rowid"
        for item_id, *sku in self._connection.execute(query, parameters):
            skus[item_id].append(Sku(*sku))
        query = f"SELECT {_ITEM} FROM item WHERE item_id IN ({chosen}) ORDER BY item_id"
        return tuple(
            Item(item_id, title, category, material, tuple(skus[item_id]), *(*shipping, json.loads(features)))
            for item_id, title, category, material, *shipping, features in self._connection.execute(query, parameters)
        )

    def _of_room(self, columns: str, room_id: str, order: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(f"SELECT {columns} WHERE room_id = ? ORDER BY {order}", (room_id,)).fetchall()


def _rows(
    items: Collection[Item], rooms: Collection[RoomRecord], coupons: Collection[Coupon]
) -> Iterable[tuple[str, Iterable[tuple[str | int, ...]]]]:
    """Each table with its rows, a table after those that it refers to."""
    yield "item", ((*_before_features(item), json.dumps(item.features, ensure_ascii=False)) for item in items)
    yield "sku", ((s.sku_id, item.item_id, s.colour, s.size, s.price_cents, s.stock) for item in items for s in item.skus)
    yield "room", ((room.room_id, room.language) for room in rooms)
    yield "room_link", ((room.room_id, *link) for room in rooms for link in room.links)
    campaigns = ((room.room_id, room.campaign) for room in rooms)
    yield "campaign", ((room_id, c.name, c.ends, c.gift, c.gift_over_cents) for room_id, c in campaigns if c is not None)
    yield "faq", ((room.room_id, faq.topic, faq.answer, faq.key) for room in rooms for faq in room.faq)
    yield (
        "coupon",
        ((c.coupon_id, c.room_id, c.title, c.group, c.percent_off, c.cents_off, c.minimum_cents) for c in coupons),
    )
    yield "coupon_item", ((coupon.coupon_id, coupon.room_id, item_id) for coupon in coupons for item_id in coupon.item_ids)


def _before_features(item: Item) -> tuple[str | int, ...]:
    """The columns of `item` up to the last but one."""
    shipping = (item.ship_from, item.ship_days, item.ship_fee_cents)
    return (item.item_id, item.title, item.category, item.material, *shipping, item.return_days, item.warranty_months)
