from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.errors import UserError
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.types import Coupon, Faq, Item, RoomRecord, Sku
from tests.liveroom.shop import CAMPAIGN, CHINESE_ROOM, COUPONS, FAQ, ITEMS, LAMP, MUG, ROOM, ROOMS, SCARF


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue.create(tmp_path / "c.sqlite", ITEMS, ROOMS, COUPONS)


def test_what_went_in_comes_out(catalogue: Catalogue) -> None:
    assert catalogue.items() == (LAMP, MUG, SCARF)
    assert catalogue.rooms() == ROOMS
    assert catalogue.room("z") == CHINESE_ROOM
    assert catalogue.coupons() == COUPONS
    assert catalogue.links("r") == ((1, "Willow Lamp"), (3, "Harbor Mug"))
    assert catalogue.item("r", 3) == MUG


def test_generated_rooms_come_out_as_they_went_in(tmp_path: Path) -> None:
    world = generate(seed=3, train_rooms=3, eval_rooms=3, comments_per_room=17, languages=("en", "zh"))
    catalogue = Catalogue.create(tmp_path / "c.sqlite", world.items, world.rooms, world.coupons)
    assert catalogue.items() == tuple(sorted(world.items, key=lambda item: item.item_id))
    assert catalogue.rooms() == tuple(sorted(world.rooms, key=lambda room: room.room_id))
    assert catalogue.coupons() == tuple(sorted(world.coupons, key=lambda coupon: coupon.coupon_id))
    assert all(catalogue.links(case.request.room_id) == case.request.links for case in world.cases)


def test_the_order_of_skus_items_of_a_coupon_and_questions_is_kept(tmp_path: Path) -> None:
    item = replace(LAMP, skus=LAMP.skus[::-1])
    room = replace(ROOM, faq=FAQ[::-1])
    coupon = replace(COUPONS[0], item_ids=("mug", "lamp"))
    catalogue = Catalogue.create(tmp_path / "c.sqlite", (item, MUG), (room,), (coupon,))
    assert (catalogue.item("r", 1), catalogue.room("r"), catalogue.coupons()) == (item, room, (coupon,))


def test_an_unknown_room_or_link_has_nothing(catalogue: Catalogue) -> None:
    assert catalogue.item("r", 2) is None
    assert catalogue.item("nowhere", 1) is None
    assert catalogue.room("nowhere") is None
    assert catalogue.links("nowhere") == () == catalogue.coupons("nowhere")


def test_coupons_are_those_of_the_room_that_hold_for_the_item(catalogue: Catalogue) -> None:
    room_wide, lamp_only, big, chinese = COUPONS
    assert catalogue.coupons("r") == (room_wide, lamp_only, big)
    assert catalogue.coupons("r", "lamp") == (room_wide, lamp_only, big)
    assert catalogue.coupons("r", "mug") == (room_wide, big)
    assert catalogue.coupons("z", "scarf") == (chinese,)


@pytest.mark.parametrize(
    ("topic", "values"),
    [
        ("material", {"oak", "glass", "羊毛"}),
        ("colour", {"White", "Sea Green", "Teal", "雾霾蓝"}),
        ("size", {"S", "L"}),
        ("bulb", {"LED"}),
        ("洗涤", {"手洗"}),
        ("smell", set()),
    ],
)
def test_values_of_a_topic_are_those_of_all_items(catalogue: Catalogue, topic: str, values: set[str]) -> None:
    assert catalogue.values(topic) == values


def test_the_same_content_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        Catalogue.create(tmp_path / name, ITEMS, ROOMS, COUPONS).close()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_open_catalogue_refuses_writes(catalogue: Catalogue) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        catalogue._connection.execute("DELETE FROM item")


def skus(*skus: Sku) -> Callable[[], dict[str, Any]]:
    return lambda: {"items": (replace(LAMP, skus=skus), MUG, SCARF)}


def item(**changes: Any) -> Callable[[], dict[str, Any]]:
    return lambda: {"items": (replace(LAMP, **changes), MUG, SCARF)}


def room(**changes: Any) -> Callable[[], dict[str, Any]]:
    return lambda: {"rooms": (replace(ROOM, **changes), CHINESE_ROOM)}


def coupon(**changes: Any) -> Callable[[], dict[str, Any]]:
    return lambda: {"coupons": (replace(COUPONS[0], **changes), *COUPONS[1:])}


WHITE = LAMP.skus[0]
HALF_A_CENT = replace(WHITE, price_cents=59.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(skus(), "item lamp has no SKU", id="no SKU"),
        pytest.param(skus(replace(WHITE, price_cents=0)), "price_cents > 0", id="no price"),
        pytest.param(skus(replace(WHITE, price_cents=2**63)), "too large", id="price beyond a column"),
        pytest.param(skus(HALF_A_CENT), "cannot store REAL", id="half a cent"),
        pytest.param(skus(replace(WHITE, stock=-1)), "stock >= 0", id="negative stock"),
        pytest.param(skus(WHITE, replace(WHITE, sku_id="x")), "UNIQUE", id="one colour and size twice"),
        pytest.param(
            skus(WHITE, Sku("x", "Red", "S", 5901, 1)), "two colours of one item and size differ in price", id="colours"
        ),
        pytest.param(skus(replace(WHITE, sku_id="mug-1")), "UNIQUE", id="SKU twice"),
        pytest.param(item(title="Harbor Mug"), "item.title", id="title twice"),
        pytest.param(item(item_id="mug"), "item.item_id", id="item twice"),
        pytest.param(item(ship_fee_cents=-1), "ship_fee_cents", id="negative fee"),
        pytest.param(item(return_days=0), "return_days", id="no days to return"),
        pytest.param(item(title=None), "NOT NULL", id="no title"),
        pytest.param(room(room_id="z"), "room.room_id", id="room twice"),
        pytest.param(room(language="fr"), "language", id="unknown language"),
        pytest.param(room(links=((1, "lamp"), (3, "nothing"))), "FOREIGN KEY", id="unknown item"),
        pytest.param(room(links=((1, "lamp"), (3, "lamp"))), "UNIQUE", id="item twice in a room"),
        pytest.param(room(links=((1, "lamp"), (1, "mug"))), "UNIQUE", id="link twice"),
        pytest.param(room(links=((0, "lamp"),)), "link_id > 0", id="link 0"),
        pytest.param(room(campaign=replace(CAMPAIGN, gift_over_cents=0)), "gift_over_cents", id="gift over nothing"),
        pytest.param(room(faq=(FAQ[0], FAQ[0])), "UNIQUE", id="topic twice"),
        pytest.param(room(faq=(Faq("payment", "Pay by card.", "cash"),)), "instr", id="key not in the answer"),
        pytest.param(coupon(percent_off=0), "percent_off = 0", id="coupon that gives nothing"),
        pytest.param(coupon(cents_off=100), "percent_off = 0", id="coupon in percent and money"),
        pytest.param(coupon(percent_off=91), "percent_off BETWEEN", id="91 percent"),
        pytest.param(coupon(room_id="nowhere"), "FOREIGN KEY", id="coupon of no room"),
        pytest.param(coupon(item_ids=("scarf",)), "FOREIGN KEY", id="coupon for an item of another room"),
        pytest.param(coupon(title="Big 30 off"), "coupon.title", id="coupon title twice in a room"),
    ],
)
def test_what_breaks_a_rule_leaves_the_old_file(change: Callable[[], dict[str, Any]], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    good: dict[str, Any] = {"items": ITEMS, "rooms": ROOMS, "coupons": COUPONS}
    Catalogue.create(path, **good).close()
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"c\.sqlite: cannot write the catalogue .*; mend the items, rooms or coupons") as error:
        Catalogue.create(path, **{**good, **change()})
    assert reason in str(error.value) and "\n" not in str(error.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_two_rooms_may_have_coupons_of_one_title(tmp_path: Path) -> None:
    both = tuple(Coupon(f"c-{room.room_id}", room.room_id, "Welcome", "shop", cents_off=100) for room in ROOMS)
    assert Catalogue.create(tmp_path / "c.sqlite", ITEMS, ROOMS, both).coupons() == both


def test_a_missing_catalogue_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.sqlite: not found"):
        Catalogue.open(tmp_path / "none.sqlite")


@pytest.mark.parametrize("keep", [0, 10, 100, 4096, 9000, -4096])
def test_a_truncated_catalogue_is_refused(keep: int, tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    many = [replace(MUG, item_id=f"i{n}", title=f"Mug {n}", skus=(Sku(f"s{n}", "Teal", "", 100, 1),)) for n in range(200)]
    Catalogue.create(path, many, [RoomRecord("r", tuple((n + 1, f"i{n}") for n in range(200)))]).close()
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(UserError, match=r"c\.sqlite: .*restore or rebuild the catalogue"):
        Catalogue.open(path)


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE item (title TEXT)")
    with pytest.raises(UserError, match="expected a catalogue"):
        Catalogue.open(path)


def test_items_may_be_of_any_number(tmp_path: Path) -> None:
    empty: tuple[Item, ...] = ()
    assert Catalogue.create(tmp_path / "c.sqlite", empty, ()).items() == ()
