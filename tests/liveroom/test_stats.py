from __future__ import annotations

import asyncio
import io
from collections import Counter
from dataclasses import replace

import pytest

from components.harness.types import Request
from components.liveroom import Catalogue, CatalogueRoom, Fault, Intent, World
from components.liveroom.overlaps import overlaps
from components.liveroom.stats import Reference, Stats, reference, room_stats
from components.liveroom.stats_plot import draw_stats
from components.liveroom.truth import calls
from components.liveroom.types import Ask

RATES = {"time_out": 0.1, "malformed": 0.1, "permission_denied": 0.1, "empty": 0.1, "stale": 0.1, "slow": 0.1}


@pytest.fixture(scope="module")
def stats(world: World, catalogue: Catalogue) -> Stats:
    return asyncio.run(room_stats(world.cases, catalogue, RATES, seed=3))


def test_every_request_and_comment_is_counted_where_it_belongs(stats: Stats, world: World) -> None:
    assert list(stats.lots) == [("train", "en"), ("train", "zh"), ("eval", "en"), ("eval", "zh")]
    for (split, language), lot in stats.lots.items():
        cases = [case for case in world.cases if (case.split, case.request.language) == (split, language)]
        assert lot.requests == Counter(case.intent for case in cases)
        assert sorted(lot.lengths) == sorted(len(comment) for case in cases for comment in case.request.comments)
        assert lot.references.total() == sum(len(case.asks) for case in cases)
        assert sum(size * count for size, count in lot.merged.items()) == len(lot.lengths)
        assert lot.dialogues == sum(bool(case.request.dialogue) for case in cases) > 0
        assert len(lot.phrasings) > 40


def test_generated_splits_share_nothing(stats: Stats) -> None:
    assert stats.apart
    assert {one.kind: len(one.shared) for one in stats.overlaps} == dict.fromkeys([one.kind for one in stats.overlaps], 0)


def test_what_is_in_both_splits_is_found(world: World, catalogue: Catalogue) -> None:
    moved = next(case for case in world.cases if case.split == "train" and case.intent is Intent.COUPON)
    shared = {one.kind: one.shared for one in overlaps([*world.cases, replace(moved, split="eval")], catalogue)}
    assert shared["rooms"] == (moved.request.room_id,)
    assert len(shared["items"]) == len(shared["titles"]) == 6
    assert len(shared["comments"]) == len(moved.request.comments)
    assert shared["phrasings"] == (moved.phrasing,)
    assert f"pieces {moved.asks[0].quantity}" in shared["number patterns"]
    assert shared["title words"] and shared["coupons, campaigns, FAQ"]


def test_a_sum_asked_for_in_both_splits_is_found(world: World, catalogue: Catalogue) -> None:
    asked = {
        intent: next(case for case in world.cases if case.split == "train" and case.intent is intent)
        for intent in (Intent.PRICE, Intent.COUPON, Intent.PURCHASE, Intent.COMPARISON)
    }
    for intent, case in asked.items():
        shared = {one.kind: one.shared for one in overlaps([*world.cases, replace(case, split="eval")], catalogue)}
        _, arguments = calls(case.asks)[0]
        said = asyncio.run(CatalogueRoom(catalogue, case.request).call(*calls(case.asks)[0]))
        totals = {"price_after_coupon", "total", "list_price", "list_total"} & said.keys()
        items = said.get("items", [])
        expected = {said[name] for name in totals} | {one["price_after_coupon"] for one in items}
        assert expected and expected <= {*shared["sums asked for"]}, (intent, arguments)


def test_units_asked_for_in_both_splits_are_found(world: World, catalogue: Catalogue) -> None:
    for case in world.cases:
        if case.split == "train" and case.intent is Intent.STOCK:
            units = asyncio.run(CatalogueRoom(catalogue, case.request).call(*calls(case.asks)[0]))["units"]
            found = {one.kind: one for one in overlaps([case, replace(case, split="eval")], catalogue)}
            assert found["sums asked for"].shared == ((f"{units} units",) if units else ())


def test_a_comment_that_differs_in_case_and_marks_only_is_the_same(world: World, catalogue: Catalogue) -> None:
    first = next(case for case in world.cases if case.split == "train" and case.request.language == "en")
    other = next(case for case in world.cases if case.split == "eval")
    shouted = replace(other.request, comments=(f"  {first.request.comments[0].upper()}!! ", "😍"))
    shared = {one.kind: one.shared for one in overlaps([first, replace(other, request=shouted)], catalogue)}
    assert len(shared["comments"]) == 1 and not shared["items"]


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_at_full_rate_is_met_at_every_call(fault: Fault, world: World, catalogue: Catalogue) -> None:
    cases = world.cases[:40]
    counted = asyncio.run(room_stats(cases, catalogue, {fault: 1.0}, seed=1))
    assert counted.calls == sum(len(calls(case.asks)) for case in cases) > 20
    assert {one.fault: one.met for one in counted.faults} == {one: counted.calls if one is fault else 0 for one in Fault}


def test_faults_are_met_about_as_often_as_is_set(stats: Stats) -> None:
    # Six shares of a tenth of some three hundred calls: within four standard deviations.
    for one in stats.faults:
        assert abs(one.met - one.rate * stats.calls) < 4 * (stats.calls * one.rate * (1 - one.rate)) ** 0.5
    assert 0.5 < sum(one.met for one in stats.faults) / stats.calls < 0.7


@pytest.mark.parametrize(
    ("comment", "link", "expected"),
    [
        ("how much is link 3?", 3, Reference.NUMBER),
        ("how much is number three in size L", 3, Reference.NUMBER),
        ("#3 price", 3, Reference.NUMBER),
        ("how much is the nova jar", 3, Reference.TITLE),
        ("how much is the jar", 3, Reference.NOUN),
        ("how much is the one you just showed", 3, Reference.EARLIER),
        ("how much is this", 1, Reference.SCREEN),
        ("link 30?", 3, Reference.EARLIER),
        ("3号链接多少钱", 3, Reference.NUMBER),
        ("第三个多少钱", 3, Reference.NUMBER),
        ("那个马克杯多少钱", 2, Reference.NOUN),
        ("hello", None, Reference.NONE),
    ],
)
def test_how_a_comment_points_at_its_item_is_told(comment: str, link: int | None, expected: Reference) -> None:
    request = Request("r", "room", (comment,), 1, ((1, "Atlas Bench"), (2, "听雨马克杯"), (3, "Nova Jar")))
    assert reference(Ask(Intent.PRICE if link else Intent.CHIT_CHAT, link), request) is expected


def test_the_picture_is_a_png_of_a_readable_size(stats: Stats) -> None:
    from matplotlib.image import imread

    height, width, _ = imread(io.BytesIO(draw_stats(stats))).shape
    assert width > 1600 and height > 900
