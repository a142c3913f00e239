"""Suites pass on good data; what is broken is named with its rows; warnings do not block."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from components.data import DataQualityError, Filtered, build_arm, validate_frames
from components.data.frames import (
    cases_frame,
    coupons_frame,
    items_frame,
    rows_frame,
    skus_frame,
    trajectories_frame,
    turns_frame,
)
from components.data.quality import SUITES
from components.errors import UserError
from components.harness.types import Limits
from components.liveroom.types import Ask, Case, Intent
from tests.data.world import World
from tests.liveroom.shop import COUPONS, ITEMS, LAMP, REQUEST, ROOMS

Frames = dict[str, pd.DataFrame]

BREAKS: list[tuple[str, str, Any, str]] = [
    ("catalogue", "title", None, "expect_column_values_to_not_be_null"),
    ("catalogue", "material", "", "expect_column_value_lengths_to_be_between"),
    ("catalogue", "ship_fee_cents", -1, "expect_column_values_to_be_between"),
    ("catalogue", "blank_features", 1, "expect_column_values_to_be_in_set"),
    ("skus", "price_cents", 0, "expect_column_values_to_be_between"),
    ("skus", "stock", -1, "expect_column_values_to_be_between"),
    ("skus", "size", None, "expect_column_values_to_not_be_null"),
    ("coupons", "percent_off", 91, "expect_column_values_to_be_between"),
    ("coupons", "kinds", 2, "expect_column_values_to_be_in_set"),
    ("coupons", "unknown_items", 1, "expect_column_values_to_be_in_set"),
    ("coupons", "title", None, "expect_column_values_to_not_be_null"),
    ("cases", "split", "test", "expect_column_values_to_be_in_set"),
    ("cases", "intent", "haggling", "expect_column_values_to_be_in_set"),
    ("cases", "language", "fr", "expect_column_values_to_be_in_set"),
    ("cases", "asked_in_links", False, "expect_column_values_to_be_in_set"),
    ("cases", "asks_fit_intent", False, "expect_column_values_to_be_in_set"),
    ("cases", "least_quantity", 0, "expect_column_values_to_be_between"),
    ("cases", "longest_comment", 201, "expect_column_values_to_be_between"),
    ("cases", "on_screen_in_links", False, "expect_column_values_to_be_in_set"),
    ("trajectories", "stop_reason", "turn_limit", "expect_column_values_to_be_in_set"),
    ("trajectories", "reply", None, "expect_column_values_to_not_be_null"),
    ("trajectories", "reply_skills", 0, "expect_column_values_to_be_between"),
    ("trajectories", "turns_left", -1, "expect_column_values_to_be_between"),
    ("turns", "malformed_calls", 1, "expect_column_values_to_be_between"),
    ("turns", "says_something", False, "expect_column_values_to_be_in_set"),
    ("dataset", "messages", 2, "expect_column_values_to_be_between"),
    ("dataset", "tools", 0, "expect_column_values_to_be_between"),
    ("dataset", "last_role", "tool", "expect_column_values_to_be_in_set"),
    ("dataset", "calls_answered", False, "expect_column_values_to_be_in_set"),
    ("dataset", "variant_id", "train-1", "expect_column_values_to_be_in_set"),
]
"""Suite, column, a value that breaks it, and the expectation that must say so. The break is in the row of `row_of`."""


def row_of(suite: str, column: str) -> int:
    """The first break of a suite is in its first row, and so on."""
    return [c for s, c, _, _ in BREAKS if s == suite].index(column)


def put(frame: pd.DataFrame, column: str, value: Any, *rows: int) -> None:
    values = frame[column].tolist()
    for row in rows:
        values[row] = value
    frame[column] = values


@pytest.fixture(scope="module")
def frames(world: World, filtered: Filtered) -> Frames:
    arms = {arm: build_arm(arm, filtered.kept, 20, 0.5, seed=0) for arm in ("fixed_sft", "hsa_sft")}
    return {
        "catalogue": items_frame(world.catalogue.items()),
        "skus": skus_frame(world.catalogue.items()),
        "coupons": coupons_frame(world.catalogue.coupons(), world.catalogue.items(), world.catalogue.rooms()),
        "cases": cases_frame(world.cases),
        "trajectories": trajectories_frame(filtered.kept, world.base, Limits()),
        "turns": turns_frame(filtered.kept),
        "dataset": rows_frame(arms),
    }


@pytest.fixture(scope="module")
def failure(frames: Frames, tmp_path_factory: pytest.TempPathFactory) -> DataQualityError:
    """What is said of frames in which every break of `BREAKS` and a few more were made."""
    broken = {name: frame.copy() for name, frame in frames.items()}
    for suite, column, value, _ in BREAKS:
        put(broken[suite], column, value, row_of(suite, column))
    put(broken["skus"], "price_of_size_cents", 1, *range(3, 10))
    put(broken["coupons"], "cents_off", 10**9, 4)
    put(broken["coupons"], "room_id", "r", 5, 6)
    put(broken["coupons"], "title", "Ten off", 5, 6)
    put(broken["cases"], "case_id", "twin", 10, 11)
    put(broken["dataset"], "arm_rows", 3, 0)
    with pytest.raises(DataQualityError) as raised:
        validate_frames(broken, tmp_path_factory.mktemp("broken") / "docs")
    return raised.value


def test_every_suite_passes_on_good_data(frames: Frames, tmp_path: Path) -> None:
    assert {file.stem for file in SUITES.glob("*.yaml")} == set(frames)
    docs = tmp_path / "deep" / "docs"
    (docs / "stale").mkdir(parents=True)
    summary = validate_frames(frames, docs)
    for name, frame in frames.items():
        assert summary[name]["rows"] == len(frame)
        assert summary[name]["warnings"] == []
        assert summary[name]["passed"] == summary[name]["expectations"] > 0
    assert (docs / "index.html").is_file()
    assert not (docs / "stale").exists()
    assert {page.relative_to(docs / "validations").parts[0] for page in docs.glob("validations/**/*.html")} == set(frames)
    assert [path.name for path in docs.parent.iterdir()] == ["docs"]


@pytest.mark.parametrize(("suite", "column", "expectation"), [(s, c, e) for s, c, _, e in BREAKS])
def test_a_broken_row_is_named(frames: Frames, failure: DataQualityError, suite: str, column: str, expectation: str) -> None:
    identity = frames[suite].iloc[:, 0].tolist()[row_of(suite, column)]
    assert f"suite {suite}: {expectation} failed on {column}: 1 rows ({identity})" in failure.failures


def test_colours_that_differ_in_price_are_named_five_at_the_most(frames: Frames, failure: DataQualityError) -> None:
    ids = ", ".join(frames["skus"]["sku_id"][[0, 3, 4, 5, 6]])
    expectation = "expect_column_pair_values_to_be_equal failed on price_cents and price_of_size_cents"
    # The first row's price was put to 0.
    assert f"suite skus: {expectation}: 8 rows ({ids})" in failure.failures


def test_a_coupon_above_the_smallest_order_is_named(frames: Frames, failure: DataQualityError) -> None:
    expectation = "expect_column_pair_values_a_to_be_greater_than_b failed on smallest_order_cents and cents_off"
    assert f"suite coupons: {expectation}: 1 rows ({frames['coupons']['coupon_id'][4]})" in failure.failures


def test_two_coupons_of_one_title_in_a_room_are_named(frames: Frames, failure: DataQualityError) -> None:
    ids = ", ".join(frames["coupons"]["coupon_id"][[5, 6]])
    assert f"suite coupons: expect_compound_columns_to_be_unique failed on the frame: 2 rows ({ids})" in failure.failures


def test_frames_tell_what_the_suites_ask(tmp_path: Path) -> None:
    lamp, coupon = skus_frame([LAMP]), coupons_frame(COUPONS, ITEMS, ROOMS)
    assert lamp["price_of_size_cents"].tolist() == lamp["price_cents"].tolist() == [5900, 5900, 8900]
    assert items_frame([LAMP]).loc[0, ["skus", "options", "features"]].tolist() == [3, 3, 2]
    # The mug at 29.05 is the cheapest of the room; a lamp costs 59.00; the third counts from 170.00.
    assert coupon["smallest_order_cents"].tolist() == [2905, 5900, 17000, 9900]
    assert coupon["kinds"].tolist() == [1, 1, 1, 1] and coupon["unknown_items"].tolist() == [0, 0, 0, 0]
    doubled = replace(LAMP, skus=(*LAMP.skus, replace(LAMP.skus[0], sku_id="x", price_cents=1)), features={"bulb": " "})
    assert items_frame([doubled]).loc[0, ["skus", "options", "blank_features"]].tolist() == [4, 3, 1]
    assert skus_frame([doubled])["price_of_size_cents"].tolist() == [5900, 5900, 8900, 5900]
    several = Case("c", "train", Intent.SEVERAL, REQUEST, (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 9)), "p")
    cases = cases_frame([several, replace(several, intent=Intent.PRICE), replace(several, asks=(Ask(Intent.SEVERAL),))])
    assert cases["asks_fit_intent"].tolist() == [True, False, False]
    assert cases["asked_in_links"].tolist() == [False, False, True]


def test_a_doubled_identity_is_named(failure: DataQualityError) -> None:
    assert "suite cases: expect_column_values_to_be_unique failed on case_id: 2 rows (twin, twin)" in failure.failures


def test_unequal_arms_are_refused(failure: DataQualityError) -> None:
    expectation = "expect_column_unique_value_count_to_be_between"
    assert f"suite dataset: {expectation} failed on arm_rows: found 2" in failure.failures


def write_suite(directory: Path, text: str) -> Path:
    (directory / "mine.yaml").write_text(text)
    return directory


SMALL = """
expectations:
  - {type: expect_column_values_to_be_between, kwargs: {column: price, min_value: 0}, severity: critical}
  - {type: expect_column_values_to_be_in_set, kwargs: {column: colour, value_set: [red]}, severity: critical}
  - {type: expect_column_values_to_be_between, kwargs: {column: price, max_value: 9}, severity: warning}
"""


def test_the_message_is_one_line_and_counts_the_rest(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a", "b", "c"], "price": [1, -2, -3], "colour": ["red", "blue", "red"]})
    with pytest.raises(DataQualityError) as raised:
        validate_frames({"mine": frame}, tmp_path / "docs", write_suite(tmp_path, SMALL))
    assert len(raised.value.failures) == 2
    assert str(raised.value) == (
        f"{raised.value.failures[0]} (and 1 more critical failures); "
        f"mend these rows; all failures: {tmp_path / 'docs' / 'index.html'}"
    )
    assert "suite mine: expect_column_values_to_be_between failed on price: 2 rows (b, c)" in raised.value.failures
    assert (tmp_path / "docs" / "index.html").is_file()


def test_a_failed_warning_is_told_and_does_not_block(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "price": [1, 10], "colour": ["red", "red"]})
    summary = validate_frames({"mine": frame}, tmp_path / "docs", write_suite(tmp_path, SMALL))
    warning = "suite mine: expect_column_values_to_be_between failed on price: 1 rows (b)"
    assert summary == {"mine": {"rows": 2, "expectations": 3, "passed": 2, "warnings": [warning]}}


def test_the_docs_folder_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"id": ["a"], "price": [1], "colour": ["red"]})
    validate_frames({"mine": frame}, Path("made/docs"), write_suite(tmp_path, SMALL))
    assert (tmp_path / "made" / "docs" / "index.html").is_file()


def test_a_missing_column_blocks(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": ["a"], "price": [1]})
    with pytest.raises(DataQualityError, match="failed on colour: it could not be evaluated; is the column there"):
        validate_frames({"mine": frame}, tmp_path / "docs", write_suite(tmp_path, SMALL))


def test_a_frame_without_rows_blocks(tmp_path: Path) -> None:
    with pytest.raises(DataQualityError, match="suite cases: the frame has no rows"):
        validate_frames({"cases": cases_frame([])}, tmp_path / "docs")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("expectations: [{type: expect_nonsense, kwargs: {}}]", r"expectations\[0\]: .*expect_nonsense not found"),
        ("expectations: [{type: expect_column_values_to_not_be_null, kwargs: {colum: a}}]", r"expectations\[0\]: "),
        (
            "expectations: [{type: expect_column_values_to_not_be_null, kwargs: {column: a}, severity: fatal}]",
            "Invalid severity 'fatal'",
        ),
        ("expectations: [{type: expect_column_values_to_not_be_null, kwarg: {column: a}}]", "kwarg"),
        ("expectation: []", "expected `expectations:` with a list below it"),
        ("expectations: [", "expected YAML"),
    ],
)
def test_a_suite_that_cannot_be_read_is_refused(frames: Frames, tmp_path: Path, text: str, complaint: str) -> None:
    suites = write_suite(tmp_path, text)
    with pytest.raises(UserError, match=complaint) as raised:
        validate_frames({"mine": frames["cases"]}, tmp_path / "docs", suites)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "docs").exists()


def test_an_unknown_suite_names_those_that_exist(frames: Frames, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="suites here: cases, catalogue, coupons, dataset, skus, trajectories, turns"):
        validate_frames({"case": frames["cases"]}, tmp_path / "docs")
