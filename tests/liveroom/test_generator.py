from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.errors import UserError
from components.harness.types import Language
from components.liveroom import Case, Catalogue, CatalogueRoom, Intent, Item, World, case_from_dict, case_to_dict, generate
from components.liveroom.overlaps import overlaps
from components.liveroom.stats import Reference, reference
from components.liveroom.truth import CALL_OF, calls
from components.liveroom.types import FaqTopic
from components.liveroom.viewers import phrasing_id
from components.liveroom.words import GOODS, SPEECH
from tests.liveroom.reader import links_meant, options_meant, pieces_meant

LANGUAGES: tuple[Language, ...] = get_args(Language)
ITEM_WANTED = {
    *(Intent.PRODUCT, Intent.SPECIFICATION, Intent.COMPARISON, Intent.PRICE, Intent.COUPON, Intent.STOCK, Intent.SHIPPING),
    *(Intent.AFTER_SALES, Intent.PURCHASE, Intent.RISKY_CLAIM),
}


def of_room(world: World, room_id: str) -> tuple[object, ...]:
    items = tuple(item for item in world.items if item.item_id.startswith(f"{room_id}-"))
    rooms = tuple(room for room in world.rooms if room.room_id == room_id)
    coupons = tuple(coupon for coupon in world.coupons if coupon.room_id == room_id)
    return items, rooms, coupons, tuple(case for case in world.cases if case.request.room_id == room_id)


def items_of(case: Case, world: World) -> dict[int, Item]:
    items = {item.item_id: item for item in world.items}
    room = next(room for room in world.rooms if room.room_id == case.request.room_id)
    return {link: items[item_id] for link, item_id in room.links}


seeds = st.integers(0, 10**6)
few = settings(max_examples=10, deadline=None, derandomize=True)


@few
@given(seed=seeds)
def test_the_same_seed_makes_the_same_rooms_and_another_seed_others(seed: int) -> None:
    made = generate(seed, 3, 3, 6)
    assert made == generate(seed, 3, 3, 6)
    assert made != generate(seed + 1, 3, 3, 6)


@few
@given(seed=seeds, more=st.integers(1, 5), languages=st.permutations(LANGUAGES))
def test_a_room_depends_on_nothing_but_its_place(seed: int, more: int, languages: list[Language]) -> None:
    """Not on how many rooms there are, on the other split, or on the other language."""
    alone = generate(seed, 3, 3, 6, ("zh",))
    both = generate(seed, 6 + 2 * more, 6 + more * 4, 6, tuple(languages))
    for room in alone.rooms:
        assert of_room(alone, room.room_id) == of_room(both, room.room_id)
    unequal = generate(seed, 3 + more, 3, 6, ("zh",))
    for room in alone.rooms:
        assert of_room(alone, room.room_id) == of_room(unequal, room.room_id)


@few
@given(seed=seeds)
def test_rooms_take_turns_in_their_languages(seed: int) -> None:
    world = generate(seed, 7, 6, 6, ("zh", "en"))
    assert [room.language for room in world.rooms if room.room_id.startswith("train")] == [*("zh", "en") * 3, "zh"]
    for case in world.cases:
        assert case.request.language == case.request.room_id.split("-")[1]
        written = "".join((*case.request.comments, *(title for _, title in case.request.links)))
        assert bool(re.search(r"[\u4e00-\u9fff]", written)) == (case.request.language == "zh")


@few
@given(seed=seeds)
def test_every_intent_occurs_equally_often_in_each_split_and_language(seed: int) -> None:
    world = generate(seed, 8, 6, 7, LANGUAGES)
    for split in ("train", "eval"):
        for language in LANGUAGES:
            intents = Counter(case.intent for case in world.cases if (case.split, case.request.language) == (split, language))
            counts = [intents[intent] for intent in Intent]
            assert min(counts) >= 1 and max(counts) - min(counts) <= 1


@settings(few, max_examples=4)
@given(seed=seeds)
def test_the_splits_share_nothing(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    world = generate(seed, 12, 12, 17, LANGUAGES)
    catalogue = Catalogue.create(tmp_path_factory.mktemp("rooms") / "c.sqlite", world.items, world.rooms, world.coupons)
    found = {one.kind: one for one in overlaps(world.cases, catalogue)}
    assert not {kind: one.shared for kind, one in found.items() if one.shared}
    assert {"items", "titles", "title words", "comments", "phrasings", "number patterns", "sums asked for"} <= found.keys()
    assert all(one.train > 5 and one.held > 5 for one in found.values())
    catalogue.close()


def test_an_independent_reader_knows_which_item_every_comment_means(world: World) -> None:
    checked = 0
    for case in world.cases:
        for ask in case.asks:
            if ask.link is None:
                continue
            meant = [links_meant(comment, case.request) for comment in case.request.comments]
            wanted = [link for link in (ask.link, ask.other_link) if link is not None]
            assert wanted in meant, (case.case_id, case.request, meant)
            checked += 1
    assert checked > 200


def test_the_reader_knows_options_and_quantity_too(world: World) -> None:
    named: Counter[str] = Counter()
    for case in world.cases:
        if case.intent not in (Intent.PRICE, Intent.COUPON, Intent.STOCK, Intent.PURCHASE):
            continue
        (ask,) = case.asks
        assert ask.link is not None
        item = items_of(case, world)[ask.link]
        readings = [(*options_meant(one, item), pieces_meant(one)) for one in case.request.comments]
        assert (ask.colour, ask.size, ask.quantity) in readings, (case.request, readings)
        named.update(name for name in ("colour", "size") if getattr(ask, name))
        named[f"{ask.quantity} pieces"] += 1
    assert named["colour"] > 10 and named["size"] > 10
    assert {one for one in named if "pieces" in one} == {f"{count} pieces" for count in range(1, 7)}


def test_a_frequent_question_is_one_that_the_rooms_answer_answers(world: World) -> None:
    asked = 0
    for case in world.cases:
        if case.intent is Intent.FAQ:
            room = next(room for room in world.rooms if room.room_id == case.request.room_id)
            (topic, answer), *_ = ((faq.topic, faq.answer) for faq in room.faq if faq.topic == case.asks[0].topic)
            known = GOODS[room.language].faq[topic][case.split]
            (questions,) = (one.questions for one in known if one.answer == answer)
            assert case.phrasing in {phrasing_id(question) for question in questions}
            asked += 1
    assert asked > 10


def test_an_ask_fits_its_item(world: World) -> None:
    for case in world.cases:
        for ask in case.asks:
            assert (ask.link is not None) or ask.intent not in ITEM_WANTED
            assert (ask.other_link is not None) == (ask.intent is Intent.COMPARISON) and ask.other_link != (ask.link or 0)
            assert bool(ask.payload) == (ask.intent in (Intent.RISKY_CLAIM, Intent.INJECTION))
            if ask.intent is Intent.FAQ:
                room = next(room for room in world.rooms if room.room_id == case.request.room_id)
                assert ask.topic in {faq.topic for faq in room.faq}
            if ask.link is None:
                continue
            item = items_of(case, world)[ask.link]
            assert any(ask.colour in (sku.colour, "") and ask.size in (sku.size, "") for sku in item.skus)
            if ask.intent is Intent.SPECIFICATION:
                assert ask.topic in ("material", "colour", *(("size",) if item.skus[0].size else ()), *item.features)
            if ask.intent is Intent.COUPON:
                assert ask.quantity > 1
        if Intent.CAMPAIGN in {ask.intent for ask in case.asks}:
            assert case.request.campaign


def test_the_room_answers_every_call_of_a_right_answer(world: World, catalogue: Catalogue) -> None:
    async def call_all() -> Counter[str]:
        made: Counter[str] = Counter()
        for case in world.cases:
            room = CatalogueRoom(catalogue, case.request)
            for implementation, arguments in calls(case.asks):
                assert None not in (await room.call(implementation, arguments)).values() or implementation == "compare_items"
                made[implementation] += 1
        return made

    assert asyncio.run(call_all()).keys() == {*CALL_OF.values()}


def test_viewers_point_at_items_in_every_way(world: World) -> None:
    for language in LANGUAGES:
        cases = [case for case in world.cases if case.request.language == language]
        ways = Counter(reference(ask, case.request) for case in cases for ask in case.asks)
        assert {*ways} == {*Reference} and min(ways.values()) > 5


def test_what_the_dialogue_leads_to_is_not_what_the_screen_shows(world: World) -> None:
    led = [case for case in world.cases if case.request.dialogue]
    assert len(led) > 30
    assert all(case.asks[0].link != case.request.on_screen_link for case in led)


def test_a_follow_up_has_a_question_of_its_kind_and_a_true_answer_before_it(world: World, catalogue: Catalogue) -> None:
    async def price(case: Case, link: int, size: str) -> str:
        arguments = {"link_id": link, **({"size": size} if size else {})}
        return str((await CatalogueRoom(catalogue, case.request).call("price_lookup", arguments))["price_after_coupon"])

    kinds: Counter[Intent] = Counter()
    for case in world.cases:
        if not case.request.dialogue or case.request.dialogue[0].speaker == "host":
            continue
        (ask,) = case.asks
        question, answer = case.request.dialogue
        kinds[ask.intent] += 1
        keys = [f"{ask.intent}/{ask.topic}"] if ask.intent is Intent.SPECIFICATION else [str(ask.intent)]
        asked = [one for key in keys for one in SPEECH[case.request.language].comments[case.split].asks[key]]
        assert any(re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(one)), question.text) for one in asked), question
        (link,) = links_meant(question.text, case.request)
        assert link != ask.link
        item = items_of(case, world)[link]
        facts = {
            Intent.SPECIFICATION: [item.material],
            Intent.STOCK: [str(units) if (units := sum(sku.stock for sku in item.skus)) else "sold out"],
            Intent.SHIPPING: [item.ship_from, str(item.ship_days)],
            Intent.AFTER_SALES: [str(item.return_days), str(item.warranty_months)],
        }
        if ask.intent is Intent.PRICE:
            facts[Intent.PRICE] = [asyncio.run(price(case, link, options_meant(question.text, item)[1]))]
        text = re.sub("all gone|卖完了|断货啦", "sold out", answer.text)
        assert all(fact in text for fact in facts[ask.intent]), (question, answer)
    assert {*kinds} == {Intent.PRICE, Intent.STOCK, Intent.SHIPPING, Intent.AFTER_SALES, Intent.SPECIFICATION}


def test_several_are_two_comments_with_different_asks(world: World) -> None:
    several = [case for case in world.cases if case.intent is Intent.SEVERAL]
    for case in several:
        first, second = case.asks
        assert first.intent is not second.intent and len(case.request.comments) >= 2
        assert Intent.SEVERAL not in (first.intent, second.intent)
    assert len({ask.intent for case in several for ask in case.asks}) > 10
    assert all(len(case.asks) == 1 and case.asks[0].intent is case.intent for case in world.cases if case not in several)


def test_items_are_as_wide_as_a_shop_and_prices_differ_by_size_only(world: World) -> None:
    prices = [sku.price_cents for item in world.items for sku in item.skus]
    assert min(prices) < 3_000 and max(prices) > 100_000
    for item in world.items:
        assert len({(sku.colour, sku.size) for sku in item.skus}) == len(item.skus)
        for size in {sku.size for sku in item.skus}:
            assert len({sku.price_cents for sku in item.skus if sku.size == size}) == 1
    kinds = [
        {len({sku.price_cents for sku in item.skus}) > 1 for item in world.items},
        {sum(sku.stock for sku in item.skus) == 0 for item in world.items},
        {item.ship_fee_cents == 0 for item in world.items},
        {len(item.skus) == 1 for item in world.items},
        {room.campaign is None for room in generate(seed=7, train_rooms=8, eval_rooms=8, comments_per_room=6).rooms},
        {bool(case.request.audience) for case in world.cases},
        {len(case.request.comments) > len(case.asks) for case in world.cases},
    ]
    assert kinds == [{True, False}] * len(kinds)
    assert {faq.topic for room in world.rooms for faq in room.faq} == {*get_args(FaqTopic)}


def test_coupons_stack_and_exclude_and_none_gives_an_order_away(world: World) -> None:
    groups = [Counter(coupon.group for coupon in world.coupons if coupon.room_id == room.room_id) for room in world.rooms]
    assert any(len(group) > 1 for group in groups) and any(max(group.values()) > 1 for group in groups)
    for coupon in world.coupons:
        assert (coupon.percent_off == 0) != (coupon.cents_off == 0)
        assert 4 * coupon.cents_off <= coupon.minimum_cents
        titles = [one.title for one in world.coupons if one.room_id == coupon.room_id]
        assert len(set(titles)) == len(titles)


def test_a_language_named_twice_is_refused() -> None:
    with pytest.raises(UserError, match="languages: zh is named twice; expected each once; remove one"):
        generate(1, 4, 4, 17, ("zh", "en", "zh"))


def test_too_few_comments_for_all_intents_in_a_language_are_refused() -> None:
    with pytest.raises(UserError, match="eval: 1 rooms of 16 comments in language en cannot hold every intent"):
        generate(1, 2, 1, 16)
    with pytest.raises(UserError, match="eval: 0 rooms of 17 comments in language zh"):
        generate(1, 4, 1, 17, ("en", "zh"))


def test_more_rooms_than_titles_are_refused() -> None:
    with pytest.raises(UserError, match=r"train: expected at most \d+ rooms in language zh"):
        generate(1, 900, 2, 17, ("zh",))


def test_cases_survive_their_record(world: World) -> None:
    assert [case_from_dict(case_to_dict(case)) for case in world.cases] == list(world.cases)


def test_a_broken_case_names_itself_and_its_field(world: World) -> None:
    record = case_to_dict(world.cases[0]) | {"intent": "haggling"}
    with pytest.raises(UserError, match="case train-en-001-01: intent: input should be"):
        case_from_dict(record)
