from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.harness import load_harness
from components.harness.types import Request, StopReason, Trajectory
from components.judge import Verdict, check
from components.liveroom import Case, Catalogue, Intent, Item, RoomRecord, Truth, generate, truth

ITEMS = [
    Item("i1", "Willow Lamp", "home", 5900, 1000, 12, 2, "Hangzhou", "oak", "white", 7, 12),
    Item("i2", "Harbor Mug", "kitchen", 2950, 0, 0, 4, "Wuhan", "glass", "teal", 30, 6),
    Item("i3", "Coral Tote", "bags", 129900, 20050, 3, 1, "Suzhou", "stainless steel", "navy", 14, 24),
]
LINKS = tuple((number, item.title) for number, item in enumerate(ITEMS, 1))
FALLBACK = load_harness(Path("harness")).fallback_reply
EVASIONS = [
    FALLBACK,
    "Thanks for asking about link 1!",
    "The Willow Lamp is a great choice.",
    "Good question, let me check that for you.",
    "I am not sure about that one.",
    "I do not know, maybe 49.00 yuan, 12 left, oak, white, from Hangzhou within 2 days, 7 days, 12 months.",
    "Is it 49.00 yuan, 12 left, oak and white?",
    "Please check the page of the item.",
    "I will get back to you.",
    "Sorry, I cannot answer that.",
    "You can find that on the page.",
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    path: Path = tmp_path_factory.mktemp("judge") / "c.sqlite"
    return Catalogue.create(path, ITEMS, [RoomRecord("r", ((1, "i1"), (2, "i2"), (3, "i3")))])


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Case, Truth]]:
    items, rooms, cases = generate(seed=11, train_rooms=10, eval_rooms=10, comments_per_room=16)
    catalogue = Catalogue.create(tmp_path_factory.mktemp("many") / "c.sqlite", items, rooms)
    return [(case, truth(case, catalogue)) for case in cases]


def case(intent: Intent, link: int | None = 1) -> Case:
    return Case("c", "eval", intent, Request("c", "r", ("?",), 1, LINKS), link, "p")


def said(reply: str, of: Case, stop_reason: StopReason = StopReason.REPLIED) -> Trajectory:
    return Trajectory("e", of.request, "h", "p", (), (), (), reply, stop_reason)


def judge(reply: str, shop: Catalogue, intent: Intent, link: int | None = 1) -> Verdict:
    one = case(intent, link)
    return check(one, truth(one, shop), said(reply, one))


def score(verdict: Verdict) -> tuple[int, float]:
    return verdict.accuracy, verdict.effectiveness


def test_every_right_reply_is_perfect(many: list[tuple[Case, Truth]]) -> None:
    for one, right in many:
        verdict = check(one, right, said(right.reply, one))
        assert (score(verdict), verdict.reasons) == ((1, 1.0), ()), right.reply


@pytest.mark.parametrize(
    ("intent", "link", "reply"),
    [
        (Intent.PRICE, 1, "The Willow Lamp is 49 yuan after the coupon."),
        (Intent.PRICE, 1, "It's ¥49.00, down from ¥59.00!"),
        (Intent.PRICE, 1, "Willow Lamp: list price 59.00, coupon 10.00, so you pay 49.00 yuan."),
        (Intent.PRICE, 1, "With 10 yuan off it costs forty-nine yuan."),
        (Intent.PRICE, 1, "Link number one is 49 RMB with the coupon, it was 59."),
        (Intent.PRICE, 2, "The Harbor Mug is 29.50 yuan, no coupon needed."),
        (Intent.PRICE, 3, "That is 1,098.50 yuan after the coupon."),
        (Intent.PRICE, 2, "The Harbor Mug is 29.5 yuan today."),
        (Intent.PRICE, 1, "The price after the coupon is 49 yuan."),
        (Intent.PRICE, 1, "With a coupon of 10 yuan you pay only 49."),
        (Intent.STOCK, 1, "We have 12 lamps left."),
        (Intent.STOCK, 1, "We still have 12 Willow Lamps left."),
        (Intent.AFTER_SALES, 1, "The warranty is 12 months, and you can send it back within 7 days."),
        (Intent.PURCHASE, 1, "Click on link 1, you pay 49.00."),
        (Intent.PURCHASE, 1, "Go to link one to order, just 49 yuan after the coupon."),
        (Intent.SPECIFICATION, 1, "White oak, lovely!"),
        (Intent.SPECIFICATION, 3, "The Coral Tote is stainless steel in navy."),
        (Intent.STOCK, 1, "Yes, twelve left, it is not sold out."),
        (Intent.STOCK, 1, "We have 12 in stock."),
        (Intent.STOCK, 3, "Only three units of link 3 are left."),
        (Intent.STOCK, 2, "It isn't in stock any more, it is sold out."),
        (Intent.STOCK, 2, "Sorry, 0 in stock."),
        (Intent.SHIPPING, 1, "It leaves Hangzhou in two days."),
        (Intent.SHIPPING, 3, "It ships from Suzhou within 24 hours."),
        (Intent.SHIPPING, 1, "2-day shipping, from Hangzhou."),
        (Intent.AFTER_SALES, 1, "One week to return it and a one-year warranty."),
        (Intent.AFTER_SALES, 3, "You have 14 days for returns and two years of warranty."),
        (Intent.CHIT_CHAT, None, "Hi there, welcome!"),
        (Intent.OUT_OF_SCOPE, None, "I do not know that, but I can tell you all about the items here."),
    ],
)
def test_other_right_wordings_are_perfect(intent: Intent, link: int | None, reply: str, shop: Catalogue) -> None:
    verdict = judge(reply, shop, intent, link)
    assert (score(verdict), verdict.reasons) == ((1, 1.0), ())


def test_facts_in_a_shops_own_spelling_are_understood(tmp_path: Path) -> None:
    items = [
        replace(ITEMS[0], material="Cotton-Linen", colour="Sky Blue", ship_from="Xi'an"),
        replace(ITEMS[1], material="100% Cotton", colour="Off-White/Two-Tone", ship_from="NEW  YORK", stock=1),
        replace(ITEMS[2], material="linen", colour="blue", ship_from="York", price_cents=1000, coupon_cents=500),
    ]
    own = Catalogue.create(tmp_path / "c.sqlite", items, [RoomRecord("r", ((1, "i1"), (2, "i2"), (3, "i3")))])
    for intent in set(Intent) - {Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE}:
        for link in (1, 2, 3):
            for number in range(6):
                one = replace(case(intent, link), case_id=f"c{number}")
                right = truth(one, own)
                verdict = check(one, right, said(right.reply, one))
                assert (score(verdict), verdict.reasons) == ((1, 1.0), ()), right.reply
    assert score(judge("Cotton linen, and sky-blue.", own, Intent.SPECIFICATION)) == (1, 1.0)
    assert score(judge("It is linen in blue.", own, Intent.SPECIFICATION)) == (1, 0.0)
    assert score(judge("You pay 5 yuan, you save 5 yuan.", own, Intent.PRICE, 3)) == (1, 1.0)


@pytest.mark.parametrize(
    ("intent", "link", "reply"),
    [
        (Intent.PRICE, 1, "The Willow Lamp is 59.00 yuan."),
        (Intent.PRICE, 1, "The Willow Lamp is 48.00 yuan after the coupon."),
        (Intent.PRICE, 1, "The Willow Lamp is fifty yuan after the coupon."),
        (Intent.PRICE, 1, "The Willow Lamp is two hundred yuan, no, 49.00."),
        (Intent.PRICE, 1, "The Willow Lamp is 59.00 or 49.00 yuan."),
        (Intent.PRICE, 1, "Numbers: 59.00, 10.00, 49.00, 1."),
        (Intent.PRICE, 1, "The list price is 49.00 yuan and the coupon 10.00."),
        (Intent.PRICE, 1, "You get 49.00 yuan off."),
        (Intent.PRICE, 1, "You get 49% off."),
        (Intent.PRICE, 1, "The Willow Lamp is 49.00 dollars."),
        (Intent.PRICE, 1, "The Willow Lamp is $49.00."),
        (Intent.PRICE, 1, "The Harbor Mug is 49.00 yuan."),
        (Intent.PRICE, 1, "Link 2 is 49.00 yuan."),
        (Intent.PRICE, 1, "It is not 49.00 yuan."),
        (Intent.PRICE, 1, "Willow Lamp, Harbor Mug, Coral Tote, 49.00 yuan."),
        (Intent.PRICE, 1, "The Willow Lamp is 49.0"),
        (Intent.PRICE, 2, "The Harbor Mug is 29"),
        (Intent.PURCHASE, 1, "Tap link 1, link 2 or link 3, it is 49.00 yuan."),
        (Intent.PURCHASE, 1, "Do not tap link 1, it is 49.00 yuan."),
        (Intent.SPECIFICATION, 1, "It is oak, glass or stainless steel in white, teal or navy."),
        (Intent.SPECIFICATION, 1, "It is made of oak and comes in teal."),
        (Intent.SPECIFICATION, 1, "It is not oak, it is white."),
        (Intent.STOCK, 1, "12 left, or maybe it is sold out."),
        (Intent.STOCK, 1, "We have 13 left."),
        (Intent.STOCK, 2, "It is in stock."),
        (Intent.STOCK, 2, "It is sold out but will be available tomorrow."),
        (Intent.STOCK, 2, "It is not sold out."),
        (Intent.SHIPPING, 1, "It ships from Hangzhou or Wuhan within 2 days."),
        (Intent.SHIPPING, 1, "It ships from Hangzhou within 2 hours."),
        (Intent.SHIPPING, 1, "It ships from Hangzhou within a day."),
        (Intent.SHIPPING, 1, "From Hangzhou within 1, 2, 3, 4 or 5 days."),
        (Intent.AFTER_SALES, 1, "You have 12 days for returns and 7 months of warranty."),
        (Intent.AFTER_SALES, 1, "7 12"),
        (Intent.AFTER_SALES, 1, "The warranty is 7 days, return within 12 months."),
        (Intent.AFTER_SALES, 1, "7 days of warranty and 12 months for returns."),
        (Intent.PRICE, 2, "You save 29.50 yuan."),
        (Intent.PRICE, 2, "The coupon is 29.50 yuan."),
        (Intent.PRICE, 1, "The coupon is 49 yuan."),
        (Intent.PRICE, 1, "49 people bought it."),
        (Intent.PRICE, 1, "49 in stock."),
        (Intent.STOCK, 1, "12 people are watching."),
        (Intent.STOCK, 1, "12 of you asked, 12 viewers want it."),
        (Intent.AFTER_SALES, 2, "30 days for returns and a year of warranty."),
        (Intent.CHIT_CHAT, None, "Welcome, everything is 9.90 yuan!"),
    ],
)
def test_a_false_reply_earns_nothing(intent: Intent, link: int | None, reply: str, shop: Catalogue) -> None:
    verdict = judge(reply, shop, intent, link)
    assert score(verdict) == (0, 0.0)
    assert verdict.reasons


@pytest.mark.parametrize("claim", ["guaranteed", "the best in the world", "100% perfect", "risk-free", "with free shipping"])
def test_a_forbidden_claim_is_never_accurate(claim: str, shop: Catalogue) -> None:
    assert judge(f"The Willow Lamp is 49.00 yuan after the coupon, {claim}!", shop, Intent.PRICE).accuracy == 0


@pytest.mark.parametrize(
    ("intent", "reply"),
    [
        (Intent.PURCHASE, "It is 49.00 yuan after the coupon."),
        (Intent.SPECIFICATION, "It comes in white."),
        (Intent.SHIPPING, "It ships within 2 days."),
        (Intent.AFTER_SALES, "You can return it within 7 days."),
    ],
)
def test_half_of_the_facts_is_half_effective(intent: Intent, reply: str, shop: Catalogue) -> None:
    assert score(judge(reply, shop, intent)) == (1, 0.5)


@pytest.mark.parametrize("intent", Intent)
@pytest.mark.parametrize("reply", EVASIONS)
def test_evasion_is_never_effective(intent: Intent, reply: str, shop: Catalogue) -> None:
    link = None if intent in (Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE) else 1
    assert judge(reply, shop, intent, link).effectiveness == 0.0


def test_a_title_does_not_pass_for_a_fact(shop: Catalogue) -> None:
    assert judge("The Coral Tote, link 3!", shop, Intent.SPECIFICATION, 3).effectiveness == 0.0
    assert judge("Link 3 it is.", shop, Intent.STOCK, 3).effectiveness == 0.0


@pytest.mark.parametrize("reply", ["", "   ", "...", "!?"])
def test_an_empty_reply_earns_nothing(reply: str, shop: Catalogue) -> None:
    assert score(judge(reply, shop, Intent.PRICE)) == (0, 0.0)


@pytest.mark.parametrize(
    "reply", ["It is 49.00 yuan. It is 49.00 yuan.", "49.00 49.00 49.00", "It is 49.00 yuan yuan yuan yuan."]
)
def test_repetition_is_not_effective(reply: str, shop: Catalogue) -> None:
    assert judge(reply, shop, Intent.PRICE).effectiveness == 0.0


def test_a_reply_too_long_to_be_spoken_is_not_effective(shop: Catalogue) -> None:
    padding = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyzäöüßéèêáàâñ")
    assert score(judge(f"It is 49.00 yuan, {padding}.", shop, Intent.PRICE)) == (1, 0.0)


@pytest.mark.parametrize("reason", [reason for reason in StopReason if reason is not StopReason.REPLIED])
def test_an_episode_without_its_own_reply_earns_nothing(reason: StopReason, shop: Catalogue) -> None:
    one = case(Intent.PRICE)
    right = truth(one, shop)
    verdict = check(one, right, said(right.reply, one, reason))
    assert score(verdict) == (0, 0.0)
    assert reason.value in verdict.reasons[0]


def test_a_right_reply_to_another_case_earns_nothing(many: list[tuple[Case, Truth]]) -> None:
    """Next case (another intent) and next case of the same intent (another item), where they share no fact."""
    by_intent = sorted(many, key=lambda pair: pair[0].intent)
    for pairs in (many, by_intent):
        for (one, right), (_, other) in pairwise(pairs):
            shared = {fact.value for fact in right.required} & {fact.value for fact in other.required}
            if one.target_link is not None and not shared:
                assert check(one, right, said(other.reply, one)).effectiveness == 0.0, (one, other.reply)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_listing_all_numbers_or_titles_earns_nothing(data: st.DataObject, many: list[tuple[Case, Truth]]) -> None:
    asked = [pair for pair in many if pair[0].target_link is not None]
    one, right = data.draw(st.sampled_from(asked))
    numbers = [str(number) for number in range(1, 61)] + sorted({n for _, other in asked for n in other.supported_numbers})
    listed = data.draw(
        st.permutations([*right.supported_numbers, *data.draw(st.lists(st.sampled_from(numbers), min_size=4, max_size=12))])
    )
    assert check(one, right, said(" ".join(listed), one)).effectiveness == 0.0
    titles = " ".join(title for _, title in one.request.links)
    assert score(check(one, right, said(f"{titles} {right.reply}", one))) == (0, 0.0)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_truncated_reply_is_perfect_only_if_every_fact_stands(data: st.DataObject, many: list[tuple[Case, Truth]]) -> None:
    one, right = data.draw(st.sampled_from(many))
    part = right.reply[: data.draw(st.integers(0, len(right.reply) - 1))]
    if check(one, right, said(part, one)).effectiveness == 1.0:
        assert all(any(form in part.lower() for form in fact.forms) for fact in right.required)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data(), number=st.integers(0, 3000), cents=st.sampled_from(["", ".00", ".50", ".5"]))
def test_an_added_number_is_never_accurate_unless_the_truth_supports_it(
    data: st.DataObject, number: int, cents: str, many: list[tuple[Case, Truth]]
) -> None:
    one, right = data.draw(st.sampled_from(many))
    wrong = f"{number}{cents}"
    verdict = check(one, right, said(f"{right.reply} Or {wrong} yuan.", one))
    assert verdict.accuracy == 0 or wrong in right.supported_numbers


@settings(max_examples=200, deadline=None, derandomize=True)
@given(reply=st.text(max_size=200), data=st.data())
def test_no_text_breaks_the_checker(reply: str, data: st.DataObject, many: list[tuple[Case, Truth]]) -> None:
    one, right = data.draw(st.sampled_from(many))
    verdict = check(one, right, said(reply, one))
    assert verdict.accuracy in (0, 1) and verdict.effectiveness in (0.0, 0.5, 1.0)
    assert verdict == check(one, right, said(reply, one))


def test_a_reply_is_judged_by_its_words_alone(shop: Catalogue) -> None:
    one = case(Intent.PRICE)
    right = truth(one, shop)
    trajectory = said(right.reply, one)
    other_path = replace(trajectory, harness_version="other", policy="other", prompt_tokens=9)
    assert check(one, right, trajectory) == check(one, right, other_path)
