from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from components.errors import UserError
from components.harness.hooks.text import numbers, word_count
from components.harness.types import Language, Utterance
from components.liveroom import Catalogue, CatalogueRoom, Intent, World, truth
from components.liveroom.spoken import LONGEST
from components.liveroom.types import Ask, RoomRecord
from tests.judge.rooms import ITEMS, case, shop

_OTHERS = (Intent.SPECIFICATION, Intent.COMPARISON, Intent.COUPON, Intent.CAMPAIGN, Intent.FAQ, Intent.SEVERAL)


@pytest.mark.parametrize(
    ("ask", "skill", "call", "values"),
    [
        (Ask(Intent.PRODUCT, 1), "item-qa", ("item_lookup", {"link_id": 1}), ["home", "oak"]),
        (Ask(Intent.PRODUCT, 2), "item-qa", ("item_lookup", {"link_id": 2}), ["kitchen", "glass"]),
        (Ask(Intent.SPECIFICATION, 3, topic="colour"), "item-qa", ("item_lookup", {"link_id": 3}), ["navy", "red"]),
        (Ask(Intent.SPECIFICATION, 3, topic="size"), "item-qa", ("item_lookup", {"link_id": 3}), ["S", "M", "L"]),
        (Ask(Intent.SPECIFICATION, 3, topic="strap"), "item-qa", ("item_lookup", {"link_id": 3}), ["not detachable"]),
        (Ask(Intent.COMPARISON, 1, 2), "compare-qa", ("compare_items", {"link_ids": [1, 2]}), ["link 2"]),
        (Ask(Intent.COMPARISON, 1, 4), "compare-qa", ("compare_items", {"link_ids": [1, 4]}), ["neither"]),
        (Ask(Intent.PRICE, 1), "price-qa", ("price_lookup", {"link_id": 1}), ["49.00"]),
        (Ask(Intent.PRICE, 2, size="large"), "price-qa", ("price_lookup", {"link_id": 2, "size": "large"}), ["39.50"]),
        (Ask(Intent.COUPON, 1, quantity=3), "coupon-qa", ("order_quote", {"link_id": 1, "quantity": 3}), ["167.00"]),
        (
            Ask(Intent.COUPON, 3, quantity=2, colour="red"),
            "coupon-qa",
            ("order_quote", {"link_id": 3, "quantity": 2, "colour": "red"}),
            ["2328.20"],
        ),
        (Ask(Intent.STOCK, 1), "logistics-qa", ("stock_lookup", {"link_id": 1}), ["in stock", "12"]),
        (
            Ask(Intent.STOCK, 3, colour="navy"),
            "logistics-qa",
            ("stock_lookup", {"link_id": 3, "colour": "navy"}),
            ["in stock", "3"],
        ),
        (Ask(Intent.STOCK, 3, size="M"), "logistics-qa", ("stock_lookup", {"link_id": 3, "size": "M"}), ["sold out"]),
        (Ask(Intent.SHIPPING, 1), "logistics-qa", ("shipping_lookup", {"link_id": 1}), ["Hangzhou", "2"]),
        (Ask(Intent.AFTER_SALES, 1), "after-sales-qa", ("after_sales_lookup", {"link_id": 1}), ["7", "12"]),
        (
            Ask(Intent.PURCHASE, 1, quantity=2),
            "order-guide",
            ("order_quote", {"link_id": 1, "quantity": 2}),
            ["108.00", "link 1"],
        ),
        (
            Ask(Intent.PURCHASE, 2, size="large"),
            "order-guide",
            ("order_quote", {"link_id": 2, "quantity": 1, "size": "large"}),
            ["sold out"],
        ),
        (
            Ask(Intent.PURCHASE, 3, quantity=4, colour="navy"),
            "order-guide",
            ("order_quote", {"link_id": 3, "quantity": 4, "colour": "navy"}),
            ["only 3 left"],
        ),
        (Ask(Intent.CAMPAIGN), "room-info", ("campaign_lookup", {}), ["a tote ribbon", "199.00", "Sunday 22:00"]),
        (Ask(Intent.FAQ, topic="payment"), "room-info", ("faq_lookup", {"topic": "payment"}), ["Alipay or WeChat Pay"]),
        (Ask(Intent.COMPLAINT, 2), "complaint-care", ("after_sales_lookup", {"link_id": 2}), ["an apology", "30"]),
        (Ask(Intent.COMPLAINT), "complaint-care", None, ["an apology", "customer service"]),
        (Ask(Intent.CHIT_CHAT), "small-talk", None, ["welcome"]),
        (Ask(Intent.OUT_OF_SCOPE), "decline-safely", None, ["redirect"]),
        (Ask(Intent.RISKY_CLAIM, 1, payload="cures back pain"), "decline-safely", None, ["decline"]),
        (Ask(Intent.INJECTION, payload="everything is free"), "decline-safely", None, ["redirect"]),
    ],
)
def test_each_ask_has_its_skill_call_and_facts(
    ask: Ask, skill: str, call: tuple[str, dict[str, object]] | None, values: list[str]
) -> None:
    right = truth(case("en", ask), shop())
    assert (right.skills, right.calls) == ((skill,), (call,) if call else ())
    assert [fact.value for fact in right.required] == values


def test_what_others_are_is_refuted() -> None:
    assert truth(case("en", Ask(Intent.SPECIFICATION, 3, topic="material")), shop()).refuted >= {"oak", "glass", "bamboo"}
    assert "wuhan" in truth(case("en", Ask(Intent.SHIPPING, 1)), shop()).refuted
    assert "sold out" in truth(case("en", Ask(Intent.STOCK, 1)), shop()).refuted
    assert "in stock" in truth(case("en", Ask(Intent.STOCK, 2)), shop()).refuted
    assert truth(case("zh", Ask(Intent.INJECTION, payload="能治腰疼！")), shop()).refuted == {"能治腰疼"}


@pytest.mark.parametrize("ask", [Ask(Intent.PRICE, 1), Ask(Intent.AFTER_SALES, 1), Ask(Intent.RISKY_CLAIM, 1, payload="x")])
def test_what_the_item_is_not_made_of_and_does_not_come_in_is_refuted_whatever_is_asked(ask: Ask) -> None:
    refuted = truth(case("en", ask), shop()).refuted
    assert refuted >= {"glass", "canvas", "red", "navy", "teal"}
    assert not refuted & {"oak", "white"}


def test_of_two_items_neither_ones_material_is_refuted() -> None:
    assert not truth(case("en", Ask(Intent.COMPARISON, 1, 2)), shop()).refuted & {"oak", "glass"}


def test_two_asks_have_the_skills_calls_and_facts_of_both_each_once() -> None:
    right = truth(case("en", Ask(Intent.STOCK, 1), Ask(Intent.SHIPPING, 1)), shop())
    assert right.skills == ("logistics-qa",)
    assert [tool for tool, _ in right.calls] == ["stock_lookup", "shipping_lookup"]
    assert [fact.name for fact in right.required] == ["in_stock", "units", "ships_from", "ships_within"]
    same = Ask(Intent.COUPON, 1, quantity=2), Ask(Intent.PURCHASE, 1, quantity=2)
    assert len(truth(case("en", *same), shop()).calls) == 1


def test_strategies_follow_from_the_request() -> None:
    one = case("en", Ask(Intent.PRICE, 1))
    assert truth(one, shop()).strategies == ()
    spoken = replace(one.request, dialogue=(Utterance("host", "Look at link 1!"),))
    assert truth(replace(one, request=spoken), shop()).strategies == ("resolve-link",)
    assert truth(case("en", Ask(Intent.PRICE, 1), Ask(Intent.CAMPAIGN)), shop()).strategies == ("split-comments",)


def test_wording_depends_on_the_case_alone_and_varies() -> None:
    def replies() -> list[str]:
        return [truth(case("zh", Ask(Intent.PRICE, 1), case_id=f"c{number}"), shop()).reply for number in range(40)]

    assert replies() == replies()
    assert len(set(replies())) == 3


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (Ask(Intent.COMPARISON, 2, 2), r"case c: link 2 is compared with itself; name two different links"),
        (Ask(Intent.PRICE, 9), r"case c: no item at link 9 of room en; .* rebuild both"),
        (Ask(Intent.PRICE, 2), r"case c: Harbor Mug has several prices; .* names a size"),
        (Ask(Intent.PRICE, 1, colour="pink"), r"case c: Willow Lamp has no pink"),
        (Ask(Intent.SPECIFICATION, 1, topic="taste"), r"case c: Willow Lamp has no taste; expected one of material, colour"),
        (Ask(Intent.FAQ, topic="membership"), r"case c: no answer on membership in room en"),
    ],
)
def test_a_case_that_the_catalogue_cannot_answer_is_refused(ask: Ask, message: str) -> None:
    with pytest.raises(UserError, match=message):
        truth(case("en", ask), shop())


def test_a_case_of_another_room_is_refused() -> None:
    one = case("en", Ask(Intent.CHIT_CHAT))
    with pytest.raises(UserError, match="case c: no room elsewhere"):
        truth(replace(one, request=replace(one.request, room_id="elsewhere")), shop())


def test_a_price_that_is_the_least_of_several_is_told_as_such() -> None:
    for language, least in (("en", "from 29.50"), ("zh", "起价29.50")):
        for number in range(12):
            reply = truth(case(language, Ask(Intent.COMPARISON, 1, 2), case_id=f"c{number}"), shop()).reply
            assert least in reply and f"{least.removesuffix('29.50')}49" not in reply


def test_verbs_agree_with_titles_in_the_plural(tmp_path: Path) -> None:
    lamp, mug, *_ = ITEMS["en"]
    items = (replace(lamp, title="Rowan Sandals"), replace(mug, title="Wine Glass"))
    catalogue = Catalogue.create(tmp_path / "c.sqlite", items, (RoomRecord("en", ((1, "e1"), (2, "e2"))),))
    asks = [Ask(intent, link) for intent in Intent if intent not in _OTHERS for link in (1, 2)]
    said = [
        truth(case("en", replace(ask, size="small" if ask.link == 2 else ""), case_id=f"c{number}"), catalogue).reply
        for ask in asks
        for number in range(8)
    ]
    assert not [reply for reply in said if re.search(r"Sandals (?:is|has|comes|costs|ships|leaves)\b", reply)]
    assert not [reply for reply in said if re.search(r"Glass(?: in size small)? (?:are|have|come|cost|ship|leave)\b", reply)]


def test_every_reply_is_short_plain_and_holds_supported_numbers_only(world: World, catalogue: Catalogue) -> None:
    assert {case.intent for case in world.cases} == {*Intent}
    for one in world.cases:
        right = truth(one, catalogue)
        assert word_count(right.reply) <= LONGEST[one.request.language], right.reply
        assert not re.search(r"[*#`<>{}\[\]|]", right.reply)
        assert not numbers(right.unavailable)


def test_every_number_of_a_reply_is_in_the_results_of_its_calls(world: World, catalogue: Catalogue) -> None:
    """So that no hook that asks for tool results refuses it; a link's number is in the request."""
    for one in world.cases:
        right = truth(one, catalogue)
        room = CatalogueRoom(catalogue, one.request)
        results = [str(asyncio.run(room.call(tool, arguments))) for tool, arguments in right.calls]
        known = numbers(" ".join((*results, *(str(link) for link in one.links))))
        assert numbers(right.reply) <= known, (right.reply, results)


def test_truth_does_not_depend_on_the_words_of_the_comment(world: World, catalogue: Catalogue) -> None:
    for one in world.cases[::7]:
        other = replace(one, request=replace(one.request, comments=("nobody reads this: 12.34 yuan",)))
        assert truth(one, catalogue) == truth(other, catalogue)


@pytest.mark.parametrize("language", get_args(Language))
def test_both_languages_word_every_kind_of_reply(language: Language) -> None:
    from components.liveroom.speech import WORDS

    assert WORDS[language].wordings.keys() == WORDS["en"].wordings.keys()
    assert all(len(wordings) >= 2 for wordings in WORDS[language].wordings.values())
