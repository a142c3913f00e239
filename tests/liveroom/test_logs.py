"""A company's own rooms: what is read, what is kept out and said, and what is refused with file, line and column."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.errors import UserError
from components.harness.types import Utterance
from components.liveroom import Catalogue, generate, truth
from components.liveroom.logs import BadCells, has_logs, read_logs
from components.liveroom.logs.cells import CellError, Problems, parse
from components.liveroom.logs.splits import EVAL_SHARE, room_splits, sharing_items
from components.liveroom.logs.tables import TABLES
from components.liveroom.types import Ask, Intent, RoomRecord
from tests.liveroom.tables import SHOP, Rows, changed, tables_of, write


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_tables_carry_everything_that_a_generated_world_holds(tmp_path: Path, suffix: str) -> None:
    world = generate(seed=7, train_rooms=2, eval_rooms=2, comments_per_room=len(Intent), languages=("en", "zh"))
    read = read_logs(write(tmp_path, tables_of(world), suffix), seed=1)
    assert (read.items, read.rooms, read.coupons) == (world.items, world.rooms, world.coupons)
    assert [replace(case, phrasing="") for case in read.cases] == [replace(case, phrasing="") for case in world.cases]


def test_logs_become_cases_whose_truth_comes_from_the_items(tmp_path: Path) -> None:
    world = read_logs(write(tmp_path, SHOP), seed=1)
    price, care, hello = world.cases
    assert price.request.comments == ("how much is M?", "😍")
    assert price.request.dialogue == (Utterance("host", "Here is our shirt."),)
    assert price.request.links == ((1, "Linen Shirt"), (2, "Steel Kettle"))
    assert price.request.campaign == "Spring Days"
    assert price.asks == (Ask(Intent.PRICE, link=1, size="M"),)
    assert [case.split for case in world.cases] == ["train", "train", "eval"]
    catalogue = Catalogue.create(tmp_path / "catalogue.sqlite", world.items, world.rooms, world.coupons)
    assert "49.00" in truth(price, catalogue).reply
    assert "machine wash cold" in truth(care, catalogue).reply
    assert hello.intent is Intent.CHIT_CHAT


def test_money_is_the_same_in_yuan_and_in_cents(tmp_path: Path) -> None:
    in_cents = [{**row, "price_cents": round(100 * float(row["price"]))} for row in SHOP["skus"]]
    for row in in_cents:
        del row["price"]
    yuan = read_logs(write(tmp_path / "yuan", SHOP), seed=1)
    assert read_logs(write(tmp_path / "cents", {**SHOP, "skus": in_cents}), seed=1) == yuan


def test_folder_without_logs_is_no_error_but_a_part_of_them_is(tmp_path: Path) -> None:
    assert not has_logs(tmp_path)
    assert has_logs(write(tmp_path, SHOP))
    (tmp_path / "links.csv").unlink()
    with pytest.raises(UserError, match=r"items is there, links not; expected them together"):
        has_logs(tmp_path)


def test_optional_tables_may_be_missing(tmp_path: Path) -> None:
    needed = {name: SHOP[name] for name in ("items", "skus", "rooms", "links")}
    comments = [{**SHOP["comments"][0], "request_id": ""}, SHOP["comments"][3]]
    world = read_logs(write(tmp_path, {**needed, "comments": comments}), seed=1)
    assert (world.coupons, world.rooms[0].campaign, world.rooms[0].faq) == ((), None, ())


def test_comments_without_an_intent_are_kept_out_with_their_whole_request_and_said(tmp_path: Path) -> None:
    said: list[str] = []
    world = read_logs(write(tmp_path, changed("comments", 1, intent="")), seed=1, announce=said.append)
    assert [case.intent for case in world.cases] == [Intent.SPECIFICATION, Intent.CHIT_CHAT]
    assert said == ["2 comments without an intent are kept out: nothing tells what a right reply to them is"]


def test_every_bad_cell_is_named_in_one_run(tmp_path: Path) -> None:
    tables = changed("skus", 0, price="cheap")
    tables["items"][2]["ship_days"] = "0"
    tables["comments"][0]["intent"] = "cost"
    with pytest.raises(BadCells) as error:
        read_logs(write(tmp_path, tables), seed=1)
    places = [problem.removeprefix(f"{tmp_path}/").split(": ")[0] for problem in error.value.problems]
    assert places == ["items.csv:4:ship_days", "skus.csv:2:price", "comments.csv:2:intent"]
    assert str(error.value).endswith("(and 2 more)")


LINE = dict[str, Any]


@pytest.mark.parametrize(
    ("table", "row", "cells", "expected"),
    [
        (
            "skus",
            0,
            {"price": "cheap"},
            "skus.csv:2:price: expected yuan with at most two decimals, at least 0.01, found",
        ),
        ("skus", 0, {"price": "59.999"}, "skus.csv:2:price: expected yuan with at most two decimals"),
        ("skus", 0, {"price": "1,299.00"}, "skus.csv:2:price: expected yuan with at most two decimals"),
        ("skus", 0, {"price": "nan"}, "skus.csv:2:price: expected yuan"),
        ("skus", 0, {"price": "1e400"}, "skus.csv:2:price: expected yuan"),
        ("skus", 0, {"price": "1_0"}, "skus.csv:2:price: expected yuan"),
        ("skus", 0, {"price": "0"}, "skus.csv:2:price: expected yuan"),
        (
            "skus",
            0,
            {"price": ""},
            "at least 0.01, found an empty cell; fill it",
        ),
        ("skus", 0, {"stock": "-1"}, "skus.csv:2:stock: expected a whole number of at least 0, found '-1'"),
        ("skus", 0, {"stock": str(2**63)}, "skus.csv:2:stock: expected a whole number"),
        ("skus", 0, {"price_cents": "5900"}, "skus.csv:2:price: price_cents is there too"),
        ("skus", 0, {"item_id": "shirts"}, "skus.csv:2:item_id: shirts is not in items"),
        ("skus", 1, {"sku_id": "s1"}, "skus.csv:3:sku_id: s1 stands at"),
        ("skus", 1, {"size": "M", "price": "59"}, "skus.csv:3:size: white M stands at"),
        ("skus", 1, {"size": "M", "colour": "blue"}, "skus.csv:3:price_cents: differs from"),
        ("skus", 2, {"item_id": "lamp"}, "items.csv:3:item_id: kettle is not in skus"),
        ("items", 0, {"material": " - "}, "items.csv:2:material: expected words, found '-'"),
        ("items", 0, {"title": "Oak Lamp"}, "items.csv:4:title: Oak Lamp stands at"),
        ("items", 0, {"prize": "1"}, "items.csv:2:prize: table items has no such column; expected item_id"),
        ("rooms", 0, {"split": "test"}, "rooms.csv:2:split: expected one of train, eval, found 'test'"),
        ("rooms", 0, {"room_id": "r9"}, "rooms.csv:2:room_id: r9 is not in links"),
        ("links", 0, {"item_id": "sofa"}, "links.csv:2:item_id: sofa is not in items"),
        ("links", 0, {"link": "2"}, "links.csv:3:link: r1 2 stands at"),
        ("links", 0, {"link": ""}, "links.csv:2:link: found an empty cell, but other links"),
        ("coupons", 0, {"percent_off": "5"}, "coupons.csv:2:percent_off: expected exactly one of percent_off and off"),
        ("coupons", 0, {"room_id": "r9"}, "coupons.csv:2:room_id: r9 is not in links"),
        ("coupon_items", 0, {"item_id": "lamp"}, "coupon_items.csv:2:item_id: lamp is not in the links of room r1"),
        ("coupon_items", 0, {"coupon_id": "c9"}, "coupon_items.csv:2:coupon_id: c9 is not in coupons"),
        ("campaigns", 0, {"room_id": "r9"}, "campaigns.csv:2:room_id: r9 is not in links"),
        ("faq", 0, {"key": "by post"}, "faq.csv:2:key: expected words of the answer, found 'by post'"),
        ("dialogue", 0, {"request_id": "q9"}, "dialogue.csv:2:request_id: q9 is not in comments"),
        ("comments", 1, {"room_id": "r2"}, "comments.csv:3:room_id: differs from"),
        ("comments", 1, {"comment": "a\0b"}, "comments.csv:3:comment: expected any text, found 'a\\x00b'"),
        ("comments", 2, {"room_id": "r9"}, "comments.csv:4:room_id: room r9 is not in links"),
        ("comments", 2, {"room_id": ""}, "comments.csv:4:room_id: found an empty cell beside an intent"),
        ("comments", 2, {"on_screen_link": ""}, "comments.csv:4:on_screen_link: found an empty cell beside an intent"),
        ("comments", 0, {"link": "7"}, "comments.csv:2:link: room r1 has no link 7"),
        (
            "comments",
            0,
            {"intent": "comparison", "colour": "", "size": "", "quantity": "", "other_link": "1", "link": "1"},
            "comments.csv:2:other_link: is link too; expected another item",
        ),
        (
            "comments",
            0,
            {"intent": "purchase", "quantity": "100"},
            "comments.csv:2:quantity: expected a whole number from 1 to 99, found '100'",
        ),
        ("comments", 0, {"link": ""}, "comments.csv:2:link: found an empty cell; intent price needs one"),
        ("comments", 3, {"link": "1"}, "comments.csv:5:link: intent chit_chat has no use for it"),
        ("comments", 3, {"intent": "bystander"}, "comments.csv:5:intent: only bystander in this request"),
        ("comments", 0, {"size": "XXL"}, "comments.csv:2:intent:"),
        ("comments", 0, {"size": ""}, "comments.csv:2:intent:"),
        ("comments", 2, {"topic": "lining"}, "comments.csv:4:intent:"),
    ],
)
def test_cell_that_cannot_be_used_is_named(tmp_path: Path, table: str, row: int, cells: LINE, expected: str) -> None:
    with pytest.raises(BadCells) as error:
        read_logs(write(tmp_path, changed(table, row, **cells)), seed=1)
    assert expected in error.value.problems[0].removeprefix(f"{tmp_path}/")
    assert "\n" not in error.value.problems[0]


@settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_a_cell_holds_the_logs_are_read_or_it_is_named(tmp_path: Path, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(sorted(SHOP)))
    row = data.draw(st.integers(0, len(SHOP[table]) - 1))
    column = data.draw(st.sampled_from([header for one in TABLES[table].columns for header in one.headers]))
    known = st.sampled_from(["r1", "r2", "shirt", "1", "2", "0", "-1", "1e9", "white", "M", "care", "price", "q1", "eval", ""])
    anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers(), max_size=2)
    try:
        read_logs(write(tmp_path, changed(table, row, **{column: data.draw(known | anything)}), ".jsonl"), seed=1)
    except BadCells as error:
        assert all("\n" not in problem and re.search(r"\.jsonl:\d+:\w+: ", problem) for problem in error.problems)
    except UserError as error:
        assert "no comment with an intent for split" in str(error)


def test_request_with_a_third_intent_is_refused(tmp_path: Path) -> None:
    asked = {"room_id": "r1", "request_id": "q7", "on_screen_link": "1"}
    comments: Rows = [{"comment": text, "intent": "chit_chat", **asked} for text in ("hi", "hello", "hey")]
    with pytest.raises(BadCells, match=r"comments\.csv:4:intent: expected at most 2 intents"):
        read_logs(write(tmp_path, {**SHOP, "comments": comments, "dialogue": []}), seed=1)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"item_id,title\nshirt\n", "items.csv:2: expected 2 cells, as in the first line, found 1"),
        (b"item_id,item_id\n", "items.csv:1: column 'item_id' occurs twice"),
        (b'item_id,title\n"shirt"x,y\n', "items.csv:2: expected CSV"),
        ("item_id,title\nshirt,亚麻\n".encode("gbk"), "items.csv:2: expected text in utf-8"),
        (b'item_id,title\nshirt,"never closed\n', "items.csv:2: expected CSV"),
    ],
)
def test_file_that_is_no_csv_is_named_with_its_line(tmp_path: Path, content: bytes, expected: str) -> None:
    (write(tmp_path, SHOP) / "items.csv").write_bytes(content)
    with pytest.raises(UserError) as error:
        read_logs(tmp_path, seed=1)
    assert expected in str(error.value)


def test_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    (write(tmp_path, SHOP) / "items.csv").rename(tmp_path / "items.parquet")
    with pytest.raises(UserError, match=r"items\.parquet: expected a Parquet file"):
        read_logs(tmp_path, seed=1)


def test_two_files_for_one_table_are_refused(tmp_path: Path) -> None:
    write(tmp_path, SHOP)
    write(tmp_path, {"faq": SHOP["faq"]}, ".jsonl")
    with pytest.raises(UserError, match=r"faq\.csv: faq\.jsonl is there too"):
        read_logs(tmp_path, seed=1)


def test_line_of_a_cell_counts_the_breaks_inside_quotes(tmp_path: Path) -> None:
    tables = changed("items", 0, title="Linen\nShirt")
    tables["items"][1]["ship_days"] = "soon"
    with pytest.raises(BadCells, match=r"items\.csv:4:ship_days"):
        read_logs(write(tmp_path, tables), seed=1)


@pytest.mark.parametrize("raw", ["12", "12.0", 12, 12.0, " 12 "])
def test_whole_numbers_are_read_however_a_file_writes_them(raw: Any) -> None:
    stock = next(column for column in TABLES["skus"].columns if column.name == "stock")
    assert parse(stock, "stock", raw) == 12


@pytest.mark.parametrize("raw", ["12.5", "twelve", "1e3x", "∞", [12], {"units": 12}, "1e999999999", "1e2", "1_0"])
def test_what_is_no_whole_number_is_refused(raw: Any) -> None:
    stock = next(column for column in TABLES["skus"].columns if column.name == "stock")
    with pytest.raises(CellError):
        parse(stock, "stock", raw)


def test_half_of_a_surrogate_pair_is_named_and_not_carried_on(tmp_path: Path) -> None:
    write(tmp_path, {name: rows for name, rows in SHOP.items() if name != "faq"})
    (tmp_path / "faq.jsonl").write_text(r'{"room_id": "r1", "topic": "invoice", "answer": "by \ud83d", "key": "by"}' + "\n")
    with pytest.raises(BadCells, match=r"faq\.jsonl:1:answer: expected words, found 'by \\ud83d'"):
        read_logs(tmp_path, seed=1)


def test_float_prices_come_out_exact_to_the_cent() -> None:
    price = next(column for column in TABLES["skus"].columns if column.name == "price")
    assert [parse(price, "price", cents / 100) for cents in range(1, 20_000)] == list(range(1, 20_000))


def test_rooms_that_share_items_are_in_one_group_also_through_others() -> None:
    rooms = [RoomRecord(name, tuple(enumerate(items, 1))) for name, items in (("a", "xy"), ("b", "z"), ("c", "yz"), ("d", "w"))]
    assert sorted(map(sorted, sharing_items(rooms))) == [["a", "b", "c"], ["d"]]


def test_split_of_a_room_hangs_on_seed_and_room_only_and_few_evaluate() -> None:
    rooms = [RoomRecord(f"r{number}", ((1, f"i{number}"),)) for number in range(1000)]
    splits = room_splits({}, rooms, seed=3, problems=Problems())
    assert room_splits({}, rooms[500:], seed=3, problems=Problems()) == {
        room.room_id: splits[room.room_id] for room in rooms[500:]
    }
    assert abs(list(splits.values()).count("eval") / 1000 - EVAL_SHARE) < 0.04
    assert room_splits({}, rooms, seed=4, problems=Problems()) != splits


def test_rooms_that_share_an_item_may_not_be_in_two_splits(tmp_path: Path) -> None:
    tables = changed("links", 2, item_id="shirt", link="5")
    with pytest.raises(BadCells, match=r"rooms\.csv:3:split: shares items with room r1, which is train"):
        read_logs(write(tmp_path, tables), seed=1)


def test_logs_that_leave_a_split_without_cases_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no comment with an intent for split eval"):
        read_logs(write(tmp_path, changed("rooms", 1, split="train")), seed=1)


def test_training_leaves_out_what_evaluation_has_in_the_same_words_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    tables = changed("comments", 2, comment="Hello, from CHENGDU!!")
    world = read_logs(write(tmp_path, tables), seed=1, announce=said.append)
    assert [case.request.comments[-1] for case in world.cases] == ["😍", "hello from Chengdu"]
    assert said == ["1 requests of training are kept out: evaluation has a line in the same words"]


@pytest.mark.parametrize(
    ("train", "held"),
    [
        ("hi, how much is link 2 in white please", "How much is link 2 in white?"),
        ("How much is link 2 in white?", "hi, how much is link 2 in white please"),
    ],
)
def test_training_leaves_out_what_stands_inside_a_longer_line_of_the_other_split(tmp_path: Path, train: str, held: str) -> None:
    tables = changed("comments", 2, comment=train)
    tables["comments"][-1]["comment"] = held
    before = read_logs(write(tmp_path / "before", changed("comments", 2, comment=train)), seed=1)
    after = read_logs(write(tmp_path / "after", tables), seed=1)
    assert len(after.cases) == len(before.cases) - 1
    assert not any(train in case.request.comments for case in after.cases if case.split == "train")
