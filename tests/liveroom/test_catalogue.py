from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from components.errors import UserError
from components.liveroom import Case, Catalogue, Item, RoomRecord

Generated = tuple[list[Item], list[RoomRecord], list[Case]]
LAMP = Item("i1", "Willow Lamp", "home", 5900, 1000, 12, 2, "Hangzhou", "oak", "white", 7, 12)


def test_what_went_in_comes_out(generated: Generated, catalogue: Catalogue) -> None:
    items, rooms, cases = generated
    assert sorted(catalogue.items(), key=lambda item: item.item_id) == sorted(items, key=lambda item: item.item_id)
    assert sorted(catalogue.rooms(), key=lambda room: room.room_id) == sorted(rooms, key=lambda room: room.room_id)
    assert all(catalogue.links(case.request.room_id) == case.request.links for case in cases)


def test_an_unknown_room_or_link_has_no_item(catalogue: Catalogue) -> None:
    assert catalogue.item("train-001", 9) is None
    assert catalogue.item("nowhere", 1) is None


def test_the_same_content_makes_the_same_bytes(generated: Generated, tmp_path: Path) -> None:
    items, rooms, _ = generated
    for name in ("a", "b"):
        Catalogue.create(tmp_path / name, items, rooms).close()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_open_catalogue_refuses_writes(tmp_path: Path) -> None:
    catalogue = Catalogue.create(tmp_path / "c.sqlite", [LAMP], [RoomRecord("r", ((1, "i1"),))])
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        catalogue._connection.execute("DELETE FROM item")


@pytest.mark.parametrize(
    ("items", "rooms"),
    [
        ([replace(LAMP, coupon_cents=5900)], []),
        ([replace(LAMP, price_cents=0, coupon_cents=0)], []),
        ([LAMP, replace(LAMP, item_id="i2")], []),
        ([LAMP], [RoomRecord("r", ((1, "nothing"),))]),
        ([LAMP], [RoomRecord("r", ((1, "i1"), (2, "i1")))]),
    ],
    ids=["coupon eats the price", "no price", "title twice", "unknown item", "item twice in a room"],
)
def test_items_and_rooms_that_break_a_rule_leave_the_old_file(items: list[Item], rooms: list[RoomRecord], tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    Catalogue.create(path, [LAMP], []).close()
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"c\.sqlite: cannot write the catalogue"):
        Catalogue.create(path, items, rooms)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_catalogue_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.sqlite: not found"):
        Catalogue.open(tmp_path / "none.sqlite")


@pytest.mark.parametrize("keep", [0, 10, 100, 4096, 9000, -4096])
def test_a_truncated_catalogue_is_refused(keep: int, generated: Generated, tmp_path: Path) -> None:
    items, rooms, _ = generated
    path = tmp_path / "c.sqlite"
    Catalogue.create(path, items, rooms).close()
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UserError, match=r"c\.sqlite: .*restore or rebuild the catalogue"):
        Catalogue.open(path)


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE item (title TEXT)")
    with pytest.raises(UserError, match="expected a catalogue"):
        Catalogue.open(path)
