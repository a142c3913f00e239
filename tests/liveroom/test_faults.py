from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from components.errors import UserError
from components.harness.types import JsonObject, ToolError
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import SLOW_SECONDS, Fault, FaultyRoom
from components.liveroom.room import CatalogueRoom
from tests.liveroom.shop import COUPONS, ITEMS, REQUEST, ROOMS

CALL = ("price_lookup", {"link_id": 1, "size": "S"})
RIGHT = {
    **{"link_id": 1, "title": "Willow Lamp", "list_price": "59.00", "coupon": "12.95", "price_after_coupon": "46.05"},
    "coupons": ["Room 5%", "Lamp 10 off"],
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> CatalogueRoom:
    path: Path = tmp_path_factory.mktemp("faults") / "c.sqlite"
    return CatalogueRoom(Catalogue.create(path, ITEMS, ROOMS, COUPONS), REQUEST)


async def no_wait(seconds: float) -> None:
    """For faults that must not wait."""
    raise AssertionError(f"waited {seconds} s")


def always(room: CatalogueRoom, fault: Fault, seed: str = "1:e") -> FaultyRoom:
    return FaultyRoom(room, {fault: 1.0}, seed, sleep=no_wait)


def call(room: FaultyRoom, tool: str, **arguments: Any) -> JsonObject:
    return asyncio.run(room.call(tool, arguments))


def price(room: FaultyRoom) -> JsonObject:
    return call(room, CALL[0], **CALL[1])


def test_a_time_out_is_gone_at_the_second_try(room: CatalogueRoom) -> None:
    faulty = always(room, Fault.TIME_OUT)
    with pytest.raises(ToolError, match=r"^timed out"):
        price(faulty)
    assert price(faulty) == price(faulty) == RIGHT


def test_a_permission_stays_denied(room: CatalogueRoom) -> None:
    faulty = always(room, Fault.PERMISSION_DENIED)
    for _ in range(4):
        with pytest.raises(ToolError, match=r"^permission denied"):
            price(faulty)


def test_a_malformed_result_is_json_that_breaks_off_then_whole(room: CatalogueRoom) -> None:
    for episode in range(30):
        faulty = always(room, Fault.MALFORMED, f"1:{episode}")
        broken = price(faulty)
        assert broken.keys() == {"data"}
        assert json.dumps(RIGHT).startswith(broken["data"]) and broken["data"]
        with pytest.raises(json.JSONDecodeError):
            json.loads(broken["data"])
        assert price(faulty) == RIGHT


def test_an_empty_result_is_empty_then_whole(room: CatalogueRoom) -> None:
    faulty = always(room, Fault.EMPTY)
    assert price(faulty) == {}
    assert price(faulty) == RIGHT


def test_a_stale_result_tells_its_age_and_old_values_that_add_up(room: CatalogueRoom) -> None:
    for episode in range(30):
        faulty = always(room, Fault.STALE, f"1:{episode}")
        old = price(faulty)
        assert 60 < old.pop("as_of_minutes_ago") <= 1440
        assert old["list_price"] != RIGHT["list_price"] and old["price_after_coupon"] != RIGHT["price_after_coupon"]
        listed, off, rest = (round(100 * float(old[name])) for name in ("list_price", "coupon", "price_after_coupon"))
        assert listed - off == rest
        assert old.keys() == RIGHT.keys()
        assert price(faulty) == RIGHT


def test_stale_stock_is_other_stock_and_stale_comparisons_agree_with_themselves(room: CatalogueRoom) -> None:
    stock = call(always(room, Fault.STALE), "stock_lookup", link_id=3)
    assert stock["in_stock"] and stock["units"] > 0
    compared = call(always(room, Fault.STALE), "compare_items", link_ids=[1, 3])
    first, second = (float(one["price_after_coupon"]) for one in compared["items"])
    assert first > second and compared["cheaper"] == 3
    assert (first, second) != (46.05, 27.60)


def test_a_slow_answer_is_right_and_waits_by_the_sleep_it_is_given(room: CatalogueRoom) -> None:
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    faulty = FaultyRoom(room, {Fault.SLOW: 1.0}, 1, sleep=sleep)
    assert price(faulty) == price(faulty) == RIGHT
    assert waited == [SLOW_SECONDS]


def test_an_error_of_the_room_inside_is_told_as_it_is(room: CatalogueRoom) -> None:
    for fault in (Fault.STALE, Fault.EMPTY, Fault.MALFORMED):
        with pytest.raises(ToolError, match="no item at link 9"):
            call(always(room, fault), "price_lookup", link_id=9)


def outcome(room: FaultyRoom, link: int) -> str:
    try:
        return json.dumps(asyncio.run(room.call("stock_lookup", {"link_id": link})))
    except ToolError as error:
        return str(error)


RATES: dict[str, float] = {
    Fault.TIME_OUT: 0.2,
    Fault.EMPTY: 0.1,
    Fault.STALE: 0.2,
    Fault.PERMISSION_DENIED: 0.1,
    Fault.MALFORMED: 0.1,
}


def test_what_happens_depends_on_identity_alone_not_on_what_was_asked_before(room: CatalogueRoom) -> None:
    def outcomes(seed: str, links: list[int], rates: dict[str, float] = RATES) -> dict[int, list[str]]:
        faulty = FaultyRoom(room, rates, seed, sleep=no_wait)
        found: dict[int, list[str]] = {}
        for link in links:
            found.setdefault(link, []).append(outcome(faulty, link))
        return found

    seeds = [f"7:{episode}" for episode in range(40)]
    straight = [outcomes(seed, [1, 1, 3, 3]) for seed in seeds]
    assert straight == [outcomes(seed, [3, 1, 3, 1]) for seed in seeds]
    assert straight == [outcomes(seed, [1, 1, 3, 3], dict(reversed(RATES.items()))) for seed in seeds]
    assert straight != [outcomes(f"8{seed}", [1, 1, 3, 3]) for seed in seeds]


def test_rates_are_kept(room: CatalogueRoom) -> None:
    texts = Counter(outcome(FaultyRoom(room, RATES, f"3:{episode}", sleep=no_wait), 1) for episode in range(2000))
    stale = sum(count for text, count in texts.items() if "as_of_minutes_ago" in text)
    time_outs = sum(count for text, count in texts.items() if text.startswith("timed out"))
    denied = sum(count for text, count in texts.items() if text.startswith("permission"))
    right = texts['{"link_id": 1, "title": "Willow Lamp", "in_stock": true, "units": 15}']
    # Four standard deviations of a binomial of 2000.
    for found, rate in ((stale, 0.2), (time_outs, 0.2), (denied, 0.1), (texts["{}"], 0.1), (right, 0.3)):
        assert abs(found - 2000 * rate) < 4 * (2000 * rate * (1 - rate)) ** 0.5


def test_without_rates_nothing_fails(room: CatalogueRoom) -> None:
    faulty = FaultyRoom(room, {}, 1, sleep=no_wait)
    assert [price(faulty) for _ in range(3)] == [RIGHT] * 3


def test_faults_fit_any_room() -> None:
    class Odd:
        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            return {"total": 3, "units": "many", "list_price": "free", "rows": [{"total": "1.50"}, None, True]}

    old = asyncio.run(FaultyRoom(Odd(), {Fault.STALE: 1}, 1).call("x", {}))
    assert old["total"] == 3 and old["units"] == "many" and old["list_price"] == "free"
    assert old["rows"][0]["total"] != "1.50" and old["rows"][1:] == [None, True]


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        ({"timeout": 0.1}, "faults: timeout is unknown; expected some of time_out, malformed, "),
        ({"slow": 1.5}, "faults: slow: expected a share from 0 to 1, found 1.5"),
        ({"slow": -0.1}, "faults: slow: expected a share from 0 to 1, found -0.1"),
        ({"slow": float("nan")}, "faults: slow: expected a share from 0 to 1, found nan"),
        ({"slow": 0.6, "stale": 0.5}, "faults: expected rates that add up to 1 at most, found 1.1"),
    ],
)
def test_rates_that_are_none_are_refused(room: CatalogueRoom, rates: dict[str, float], message: str) -> None:
    with pytest.raises(UserError) as error:
        FaultyRoom(room, rates, 1)
    assert message in str(error.value)


def test_rates_may_add_up_to_one(room: CatalogueRoom) -> None:
    tenths: dict[str, float] = {Fault.TIME_OUT: 0.1, Fault.EMPTY: 0.1, Fault.STALE: 0.1, Fault.MALFORMED: 0.7}
    for episode in range(50):
        assert outcome(FaultyRoom(room, tenths, f"{episode}", sleep=no_wait), 1) != outcome(FaultyRoom(room, {}, 1), 1)
