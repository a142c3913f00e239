from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from components.errors import UserError
from components.harness.types import Request
from components.liveroom import Case, Catalogue, CatalogueRoom, Intent, Item, RoomRecord, truth

Generated = tuple[list[Item], list[RoomRecord], list[Case]]
LAMP = Item("i1", "Willow Lamp", "home", 5900, 1000, 12, 2, "Hangzhou", "oak", "white", 7, 12)


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    path: Path = tmp_path_factory.mktemp("truth") / "c.sqlite"
    mug = replace(LAMP, item_id="i2", title="Harbor Mug", ship_from="Wuhan", material="glass", colour="teal", stock=0)
    return Catalogue.create(path, [LAMP, mug], [RoomRecord("r", ((1, "i1"), (2, "i2")))])


def case(intent: Intent, link: int | None = 1, case_id: str = "c") -> Case:
    request = Request(case_id, "r", ("a comment that nobody reads",), 1, ((1, "Willow Lamp"), (2, "Harbor Mug")))
    return Case(case_id, "eval", intent, request, link, "p")


@pytest.mark.parametrize(
    ("intent", "skill", "tool", "values"),
    [
        (Intent.PRICE, "price_qa", "price_lookup", ["49.00"]),
        (Intent.PURCHASE, "price_qa", "price_lookup", ["49.00", "tap link 1"]),
        (Intent.SPECIFICATION, "item_qa", "item_lookup", ["oak", "white"]),
        (Intent.STOCK, "logistics_qa", "stock_lookup", ["12"]),
        (Intent.SHIPPING, "logistics_qa", "shipping_lookup", ["Hangzhou", "2"]),
        (Intent.AFTER_SALES, "after_sales_qa", "after_sales_lookup", ["7", "12"]),
    ],
)
def test_each_intent_has_its_skill_tool_and_facts(
    intent: Intent, skill: str, tool: str, values: list[str], lamp: Catalogue
) -> None:
    right = truth(case(intent), lamp)
    assert (right.skill, right.calls) == (skill, ((tool, {"link_id": 1}),))
    assert [fact.value for fact in right.required] == values


@pytest.mark.parametrize("intent", [Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE])
def test_small_talk_calls_no_tool_and_supports_no_number(intent: Intent, lamp: Catalogue) -> None:
    right = truth(case(intent, None), lamp)
    assert (right.skill, right.calls, right.supported_numbers) == ("small_talk", (), frozenset())


def test_sold_out_is_the_fact_where_nothing_is_left(lamp: Catalogue) -> None:
    right = truth(case(Intent.STOCK, 2), lamp)
    assert right.required[0].value == "sold out"
    assert "in stock" in right.refuted and "sold out" in truth(case(Intent.STOCK, 1), lamp).refuted


def test_other_materials_colours_and_towns_are_refuted(lamp: Catalogue) -> None:
    assert truth(case(Intent.SPECIFICATION), lamp).refuted == {"glass", "teal"}
    assert truth(case(Intent.SHIPPING), lamp).refuted == {"wuhan"}


def test_wording_depends_on_the_case_alone_and_varies(lamp: Catalogue) -> None:
    replies = [truth(case(Intent.PRICE, case_id=f"c{i}"), lamp).reply for i in range(40)]
    assert replies == [truth(case(Intent.PRICE, case_id=f"c{i}"), lamp).reply for i in range(40)]
    assert len(set(replies)) == 3


def test_a_case_of_another_catalogue_is_refused(lamp: Catalogue) -> None:
    with pytest.raises(UserError, match=r"case c: no item at link 3 of room r; .* rebuild both"):
        truth(case(Intent.PRICE, 3), lamp)


def test_every_reply_is_short_and_states_its_facts_with_supported_numbers(generated: Generated, catalogue: Catalogue) -> None:
    for one in generated[2]:
        right = truth(one, catalogue)
        spoken = right.reply.lower()
        assert len(right.reply.split()) <= 25
        assert not re.search(r"[*#`<>{}\[\]|]", right.reply)
        assert all(any(form in spoken for form in fact.forms) for fact in right.required)
        assert set(re.findall(r"\d+(?:\.\d+)?", right.reply)) <= right.supported_numbers


def test_every_number_of_a_reply_is_in_the_result_of_its_call(generated: Generated, catalogue: Catalogue) -> None:
    for one in generated[2]:
        right = truth(one, catalogue)
        room = CatalogueRoom(catalogue, one.request.room_id)
        results = " ".join(str(asyncio.run(room.call(tool, arguments))) for tool, arguments in right.calls)
        assert set(re.findall(r"\d+(?:\.\d+)?", right.reply)) <= set(re.findall(r"\d+(?:\.\d+)?", results))
