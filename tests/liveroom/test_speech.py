from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from components.harness.types import Language, Request
from components.judge import check
from components.liveroom import Catalogue, Intent, World, truth
from components.liveroom.speech import WORDS, Subject, answer
from components.liveroom.speech.money import money
from components.liveroom.spoken import normal
from components.liveroom.types import Ask, Case, Coupon, Item, RoomRecord, Sku
from tests.judge.rooms import ASKS, ROOMS, case, judged, said, score, shop

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wording_of_every_ask_is_perfect(language: Language) -> None:
    room = next(room for room in ROOMS if room.language == language)
    for ask in ASKS[language]:
        found = answer(Subject("case c", ask, room, shop()), WORDS[language], {})
        for reply in found.replies:
            verdict = judged(language, reply, ask)
            assert (score(verdict), verdict.reasons) == ((1, 1.0), ()), reply


def test_every_wording_of_generated_cases_is_perfect(world: World, catalogue: Catalogue) -> None:
    for one in world.cases[::3]:
        room = catalogue.room(one.request.room_id)
        assert room is not None
        words = WORDS[one.request.language]
        right = truth(one, catalogue)
        replies = [answer(Subject("c", ask, room, catalogue), words, {}).replies for ask in one.asks]
        glue = "" if one.request.language == "zh" else " "
        for parts in product(*replies):
            verdict = check(one, right, said(glue.join(parts), one))
            wrong = [reason for reason in verdict.reasons if not reason.startswith("is too long")]
            assert wrong == [], parts


def test_forms_are_in_normal_form(world: World, catalogue: Catalogue) -> None:
    for one in world.cases[::11]:
        right = truth(one, catalogue)
        for form in (form for fact in (*right.required, *right.asides) for form in fact.forms):
            assert form and normal(form) == form, form


def test_a_run_of_sizes_states_all_of_them() -> None:
    ask = Ask(Intent.SPECIFICATION, 3, topic="size")
    assert score(judged("en", "From S to L.", ask)) == score(judged("zh", "S到L都有。", ask)) == (1, 1.0)


def test_half_years_have_their_own_words() -> None:
    right = truth(case("zh", Ask(Intent.AFTER_SALES, 3)), shop())
    warranty = next(fact for fact in right.required if fact.name == "warranty")
    assert {"18个月", "1年半", "1.5年"} <= {*warranty.forms}


def test_a_sum_is_said_with_and_without_cents_and_yuan() -> None:
    assert money(4900) == ("49.00", "49", "49.00 yuan", "49 yuan")
    assert money(4950) == ("49.50", "49.5", "49.50 yuan", "49.5 yuan")
    assert money(4955) == ("49.55", "49.55 yuan")


def test_a_coupon_of_half_the_price_may_be_said_of_both(tmp_path: Path) -> None:
    item = Item("i", "Bay Cup", "kitchen", "glass", (Sku("s", "teal", "", 1000, 5),), "Wuhan", 1, 0, 7, 6)
    half = Coupon("c", "r", "Half Deal", "shop", cents_off=500)
    catalogue = Catalogue.create(tmp_path / "c.sqlite", (item,), (RoomRecord("r", ((1, "i"),)),), (half,))
    request = Request("q", "r", ("?",), 1, ((1, "Bay Cup"),))
    one = Case("c", "eval", Intent.PRICE, request, (Ask(Intent.PRICE, 1),), "p")
    verdict = check(one, truth(one, catalogue), said("You pay 5 yuan, you save 5 yuan.", one))
    assert (score(verdict), verdict.reasons) == ((1, 1.0), ())
