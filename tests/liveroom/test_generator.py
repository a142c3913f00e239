from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.errors import UserError
from components.liveroom import Case, Intent, Item, RoomRecord, case_from_dict, case_to_dict, generate
from components.liveroom.generator import phrasing_id
from components.liveroom.words import COLOURS, COMMENTS, MATERIALS, TOWNS

Generated = tuple[list[Item], list[RoomRecord], list[Case]]


def test_the_same_seed_makes_the_same_rooms_and_another_seed_others() -> None:
    assert generate(3, 4, 3, 8) == generate(3, 4, 3, 8)
    assert generate(3, 4, 3, 8) != generate(4, 4, 3, 8)


def test_a_split_does_not_depend_on_the_size_of_the_other() -> None:
    def evaluated(cases: list[Case]) -> list[Case]:
        return [case for case in cases if case.split == "eval"]

    assert evaluated(generate(3, 2, 3, 8)[2]) == evaluated(generate(3, 5, 3, 8)[2])


def test_splits_share_no_title_text_or_phrasing(generated: Generated) -> None:
    _, _, cases = generated
    train, held = ([case for case in cases if case.split == split] for split in ("train", "eval"))
    for seen in (
        lambda case: {title for _, title in case.request.links},
        lambda case: set(case.request.comments),
        lambda case: {case.phrasing},
        lambda case: {case.request.room_id},
        lambda case: {case.case_id},
    ):
        assert set().union(*map(seen, train)).isdisjoint(set().union(*map(seen, held)))


def test_there_are_enough_phrasings_of_every_intent() -> None:
    for intent in Intent:
        assert len({phrasing_id(text) for text in COMMENTS["train"][intent]}) >= 4
        assert len({phrasing_id(text) for text in COMMENTS["eval"][intent]}) >= 3
        assert set(COMMENTS["train"][intent]).isdisjoint(COMMENTS["eval"][intent])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), rooms=st.integers(1, 6), comments=st.integers(8, 20))
def test_every_intent_occurs_equally_often_in_each_split(seed: int, rooms: int, comments: int) -> None:
    _, _, cases = generate(seed, rooms, rooms, comments)
    for split in ("train", "eval"):
        intents = [case.intent for case in cases if case.split == split]
        counts = [intents.count(intent) for intent in Intent]
        assert min(counts) >= 1 and max(counts) - min(counts) <= 1


def test_a_comment_points_at_its_target_by_number_or_by_the_screen(generated: Generated) -> None:
    _, _, cases = generated
    styles = set()
    for case in cases:
        if case.target_link is None:
            assert case.intent in (Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE)
            continue
        numbers = {word.strip(".,:;!?") for comment in case.request.comments for word in comment.split()} & set("123456789")
        assert numbers <= {str(case.target_link)}
        assert numbers or case.target_link == case.request.on_screen_link
        styles.add(bool(numbers))
    assert styles == {True, False}


def test_prices_are_wide_and_a_coupon_never_eats_half(generated: Generated) -> None:
    items, _, _ = generated
    prices = [item.price_cents for item in items]
    assert min(prices) < 3_000 and max(prices) > 60_000
    assert all(0 <= 2 * item.coupon_cents < item.price_cents for item in items)
    assert {item.coupon_cents == 0 for item in items} == {item.stock == 0 for item in items} == {True, False}


def test_no_title_states_a_fact(generated: Generated) -> None:
    items, _, _ = generated
    facts = {*COLOURS, *(material for group in MATERIALS.values() for material in group), *map(str.lower, TOWNS)}
    assert not facts & {word for item in items for word in item.title.lower().split()}


def test_too_few_comments_for_all_intents_are_refused() -> None:
    with pytest.raises(UserError, match="eval: 1 rooms of 7 comments cannot hold every intent"):
        generate(1, 2, 1, 7)


def test_more_rooms_than_titles_are_refused() -> None:
    with pytest.raises(UserError, match="eval: expected at most 144 rooms"):
        generate(1, 1, 200, 8)


def test_cases_survive_their_record(generated: Generated) -> None:
    _, _, cases = generated
    assert [case_from_dict(case_to_dict(case)) for case in cases] == cases


def test_a_broken_case_names_itself_and_its_field(generated: Generated) -> None:
    record = case_to_dict(generated[2][0]) | {"intent": "haggling"}
    with pytest.raises(UserError, match="case train-001-01: intent: input should be"):
        case_from_dict(record)
