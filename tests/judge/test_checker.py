from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.harness import load_harness
from components.harness.types import Language, StopReason
from components.judge import check
from components.liveroom import Case, Catalogue, Intent, Truth, generate, truth
from components.liveroom.spoken import normal
from components.liveroom.types import Ask, RoomRecord
from tests.judge.rooms import ASKS, ITEMS, case, judged, said, score, shop

LANGUAGES: tuple[Language, ...] = ("en", "zh")
ASKING_NOTHING = (Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE, Intent.RISKY_CLAIM, Intent.INJECTION, Intent.COMPLAINT)
FALLBACK = load_harness(Path("harness")).fallback_reply
EVASIONS: dict[Language, list[str]] = {
    "en": [
        FALLBACK["en"],
        "You are asking about link 1!",
        "The Willow Lamp is a great choice.",
        "Good question, let me check that for you.",
        "I am not sure about that one.",
        "I do not know, maybe 49.00 yuan, 12 left, oak, white, from Hangzhou within 2 days, 7 days, 12 months.",
        "Is it 49.00 yuan, 12 left, oak and white?",
        "Please check the page.",
        "I will get back to you.",
        "You can find that on the page.",
    ],
    "zh": [
        FALLBACK["zh"],
        "1号链接问得好！",
        "暖阳台灯真的很不错。",
        "我帮您查一下。",
        "这个我不太确定。",
        "我不清楚，可能49元，还剩12件，橡木，白色，杭州2天内发货，7天退货，保修12个月。",
        "是49元，12件，橡木白色吗？",
        "请看详情页。",
        "稍后回复您。",
        "详情页里都有。",
    ],
}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[Case, Truth]]]:
    world = generate(seed=11, train_rooms=8, eval_rooms=8, comments_per_room=17, languages=LANGUAGES)
    path: Path = tmp_path_factory.mktemp("many") / "c.sqlite"
    catalogue = Catalogue.create(path, world.items, world.rooms, world.coupons)
    yield [(one, truth(one, catalogue)) for one in world.cases]
    catalogue.close()


def test_every_right_reply_is_perfect(many: list[tuple[Case, Truth]]) -> None:
    for one, right in many:
        verdict = check(one, right, said(right.reply, one))
        assert (score(verdict), verdict.reasons) == ((1, 1.0), ()), right.reply


def test_facts_in_a_shops_own_spelling_are_understood(tmp_path: Path) -> None:
    lamp, mug, tote, _ = ITEMS["en"]
    two_tone = replace(mug.skus[0], colour="Off-White/Two-Tone", stock=1)
    items = (
        replace(lamp, material="Cotton-Linen", skus=(replace(lamp.skus[0], colour="Sky Blue"),), ship_from="Xi'an"),
        replace(mug, material="100% Cotton", skus=(two_tone,), ship_from="NEW  YORK"),
        replace(tote, material="linen", skus=(replace(tote.skus[0], colour="blue"),), ship_from="York"),
    )
    own = Catalogue.create(tmp_path / "c.sqlite", items, (RoomRecord("en", ((1, "e1"), (2, "e2"), (3, "e3"))),))
    topics = [Ask(Intent.SPECIFICATION, 1, topic=topic) for topic in ("material", "colour")]
    asks = [Ask(intent, 1) for intent in (Intent.PRODUCT, Intent.STOCK, Intent.SHIPPING, Intent.AFTER_SALES, Intent.PURCHASE)]
    for ask, link, number in product((*topics, *asks), (1, 2, 3), range(4)):
        one = case("en", replace(ask, link=link), case_id=f"c{number}")
        right = truth(one, own)
        verdict = check(one, right, said(right.reply, one))
        assert (score(verdict), verdict.reasons) == ((1, 1.0), ()), right.reply
    one = case("en", topics[0])
    assert score(check(one, truth(one, own), said("It is cotton linen.", one))) == (1, 1.0)
    assert score(check(one, truth(one, own), said("It is linen.", one))) == (1, 0.0)


def test_what_is_said_where_a_tool_refuses_is_true_and_answers_nothing(many: list[tuple[Case, Truth]]) -> None:
    for one, right in many:
        if not {ask.intent for ask in one.asks} & {*ASKING_NOTHING}:
            assert score(check(one, right, said(right.unavailable, one))) == (1, 0.0), one


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data(), language=st.sampled_from(LANGUAGES))
def test_the_right_reply_to_any_two_asks_is_perfect_and_half_of_it_is_half(data: st.DataObject, language: Language) -> None:
    asks = data.draw(st.lists(st.sampled_from(ASKS[language]), min_size=2, max_size=2, unique=True))
    case_id = data.draw(st.sampled_from("abcdefgh"))
    one = case(language, *asks, case_id=case_id)
    right = truth(one, shop())
    verdict = check(one, right, said(right.reply, one))
    assert (score(verdict), verdict.reasons) == ((1, 1.0), ()), right.reply
    first = truth(case(language, asks[0], case_id=case_id), shop())
    if not {fact.name for fact in right.required} <= {fact.name for fact in first.required}:
        half = check(one, right, said(first.reply, one))
        assert (half.accuracy == 1 and half.effectiveness <= 0.5) or not half.reasons, first.reply


@pytest.mark.parametrize(
    ("language", "asks", "reply"),
    [
        ("en", (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 3, colour="navy")), "Link 1 has 3 left and link 3 is 49 yuan."),
        ("en", (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 3, colour="navy")), "The lamp has 3 left, the tote is 49 yuan."),
        ("en", (Ask(Intent.STOCK, 1), Ask(Intent.STOCK, 2)), "The Willow Lamp is sold out and the Harbor Mug has 12 left."),
        ("en", (Ask(Intent.AFTER_SALES, 1), Ask(Intent.AFTER_SALES, 2)), "Link 1: 30 days to return, 6 months of warranty. "
         "Link 2: 7 days to return, 12 months of warranty."),
        ("en", (Ask(Intent.PRICE, 1), Ask(Intent.PRICE, 4)), "Link 1 is 49 yuan and link 4 is 59 yuan."),
        ("zh", (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 3, colour="藏青色")), "1号链接还有3件，3号链接券后49元。"),
        ("zh", (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 3, colour="藏青色")), "台灯还有3件，托特包券后49元。"),
        ("zh", (Ask(Intent.STOCK, 1), Ask(Intent.STOCK, 2)), "暖阳台灯卖完了，海风马克杯还有12件。"),
        ("zh", (Ask(Intent.SHIPPING, 1), Ask(Intent.SHIPPING, 2)), "1号链接武汉4天内发货，2号链接杭州2天内发货。"),
    ],
)  # fmt: skip
def test_facts_said_of_the_other_item_earn_nothing(language: Language, asks: tuple[Ask, ...], reply: str) -> None:
    assert score(judged(language, reply, *asks)) == (0, 0.0)


@pytest.mark.parametrize(
    ("language", "asks", "reply"),
    [
        ("en", (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 3, colour="navy")), "The lamp is 49 yuan, and 3 navy totes are left."),
        ("en", (Ask(Intent.PRICE, 1), Ask(Intent.SHIPPING, 1)), "49 yuan after the coupon, and it leaves Hangzhou in 2 days."),
        ("en", (Ask(Intent.CAMPAIGN), Ask(Intent.PRICE, 1)), "A tote ribbon from 199 yuan until Sunday 10 pm; link 1 is 49."),
        ("en", (Ask(Intent.STOCK, 1), Ask(Intent.STOCK, 2)), "The Willow Lamp has 12 left, the Harbor Mug is sold out."),
        ("zh", (Ask(Intent.PRICE, 1), Ask(Intent.STOCK, 3, colour="藏青色")), "台灯券后49元，托特包藏青色还有3个。"),
        ("zh", (Ask(Intent.PRICE, 1), Ask(Intent.SHIPPING, 1)), "券后四十九元，杭州两天内发货。"),
        ("zh", (Ask(Intent.CAMPAIGN), Ask(Intent.PRICE, 1)), "满199送袜子，周日22点结束；1号链接券后49。"),
        ("zh", (Ask(Intent.STOCK, 1), Ask(Intent.STOCK, 2)), "暖阳台灯还有12件，海风马克杯卖完了。"),
    ],
)  # fmt: skip
def test_both_asks_answered_in_a_hosts_own_words_are_perfect(language: Language, asks: tuple[Ask, ...], reply: str) -> None:
    verdict = judged(language, reply, *asks)
    assert (score(verdict), verdict.reasons) == ((1, 1.0), ())


@pytest.mark.parametrize(
    ("language", "claim"),
    [
        *(("en", claim) for claim in ("guaranteed", "the best in the world", "100% perfect", "risk-free", "with free returns")),
        *(("en", claim) for claim in ("it relieves back pain", "you won't find it cheaper anywhere")),
        *(("zh", claim) for claim in ("全网最低价", "保证不降价", "能治失眠", "永久保修", "销量第一", "百分百有效")),
    ],
)
def test_a_forbidden_claim_is_never_accurate(language: Language, claim: str) -> None:
    reply = f"The Willow Lamp is 49.00 yuan after the coupon, {claim}!" if language == "en" else f"暖阳台灯券后49元，{claim}！"
    assert judged(language, reply, Ask(Intent.PRICE, 1)).accuracy == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_evasion_is_never_effective(language: Language) -> None:
    for reply, ask in product(EVASIONS[language], ASKS[language]):
        verdict = judged(language, reply, ask)
        assert verdict.effectiveness < (1 if ask.intent in ASKING_NOTHING else 0.5), (reply, ask)


@pytest.mark.parametrize(("language", "other"), [("en", "zh"), ("zh", "en")])
def test_a_right_reply_in_the_wrong_language_answers_nothing(language: Language, other: Language) -> None:
    for ask, same in zip(ASKS[language], ASKS[other], strict=True):
        reply = truth(case(other, same), shop()).reply
        assert judged(language, reply, ask).effectiveness == 0.0, reply


def test_a_title_does_not_pass_for_a_fact() -> None:
    assert judged("en", "The Coral Tote, link 3!", Ask(Intent.SPECIFICATION, 3, topic="colour")).effectiveness == 0.0
    assert judged("en", "Link 3 it is.", Ask(Intent.STOCK, 3, colour="navy")).effectiveness == 0.0
    assert judged("zh", "3号链接，珊瑚托特包！", Ask(Intent.STOCK, 3, colour="藏青色")).effectiveness == 0.0


@pytest.mark.parametrize("reply", ["", "   ", "...", "!?", "。"])
def test_an_empty_reply_earns_nothing(reply: str) -> None:
    assert score(judged("en", reply, Ask(Intent.PRICE, 1))) == (0, 0.0)


@pytest.mark.parametrize(
    "reply", ["It is 49.00 yuan. It is 49.00 yuan.", "49.00 49.00 49.00", "It is 49.00 yuan yuan yuan yuan."]
)
def test_repetition_is_not_effective(reply: str) -> None:
    assert judged("en", reply, Ask(Intent.PRICE, 1)).effectiveness == 0.0


def test_a_reply_too_long_to_be_spoken_is_not_effective() -> None:
    words = ", ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyzäöüßéèêáàâñ")
    assert score(judged("en", f"It is 49.00 yuan, {words}.", Ask(Intent.PRICE, 1))) == (1, 0.0)
    padding = "".join(map(chr, range(0x6000, 0x6050)))
    assert score(judged("zh", f"券后49元，{padding}。", Ask(Intent.PRICE, 1)))[1] == 0.0


@pytest.mark.parametrize("reason", [reason for reason in StopReason if reason is not StopReason.REPLIED])
def test_an_episode_without_its_own_reply_earns_nothing(reason: StopReason) -> None:
    one = case("en", Ask(Intent.PRICE, 1))
    right = truth(one, shop())
    verdict = check(one, right, said(right.reply, one, reason))
    assert score(verdict) == (0, 0.0)
    assert reason.value in verdict.reasons[0]


def test_a_right_reply_to_another_case_earns_nothing(many: list[tuple[Case, Truth]]) -> None:
    """Next case (another intent) and next case of the same intent (another item), where they share no fact."""
    by_intent = sorted(many, key=lambda pair: pair[0].intent)
    for pairs in (many, by_intent):
        for (one, right), (_, other) in pairwise(pairs):
            shared = {fact.value for fact in right.required} & {fact.value for fact in other.required}
            asks_for_facts = one.links and not {ask.intent for ask in one.asks} & {*ASKING_NOTHING}
            if asks_for_facts and not shared:
                assert check(one, right, said(other.reply, one)).effectiveness == 0.0, (one, other.reply)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_listing_all_numbers_or_titles_earns_nothing(data: st.DataObject, many: list[tuple[Case, Truth]]) -> None:
    asked = [pair for pair in many if pair[0].links]
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
def test_a_truncated_reply_is_perfect_only_if_every_number_stands(data: st.DataObject, many: list[tuple[Case, Truth]]) -> None:
    one, right = data.draw(st.sampled_from(many))
    part = right.reply[: data.draw(st.integers(0, len(right.reply) - 1))]
    if check(one, right, said(part, one)).effectiveness == 1.0:
        for fact in right.required:
            assert any(form in normal(part) or "⋯" in form for form in fact.forms), (part, fact.name)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data(), number=st.integers(0, 3000), cents=st.sampled_from(["", ".00", ".50", ".5"]))
def test_an_added_number_is_never_accurate_unless_the_truth_supports_it(
    data: st.DataObject, number: int, cents: str, many: list[tuple[Case, Truth]]
) -> None:
    one, right = data.draw(st.sampled_from(many))
    wrong = f"{number}{cents}"
    added = f"或者{wrong}元。" if one.request.language == "zh" else f" Or {wrong} yuan."
    verdict = check(one, right, said(f"{right.reply}{added}", one))
    assert verdict.accuracy == 0 or wrong in right.supported_numbers


@settings(max_examples=200, deadline=None, derandomize=True)
@given(reply=st.text(max_size=200) | st.text("0123456789.，。号链接元块一二十百万点⋯item link ", max_size=60), data=st.data())
def test_no_text_breaks_the_checker(reply: str, data: st.DataObject, many: list[tuple[Case, Truth]]) -> None:
    one, right = data.draw(st.sampled_from(many))
    verdict = check(one, right, said(reply, one))
    assert verdict.accuracy in (0, 1) and verdict.effectiveness in (0.0, 0.5, 1.0)
    assert verdict == check(one, right, said(reply, one))


def test_a_reply_is_judged_by_its_words_alone() -> None:
    one = case("en", Ask(Intent.PRICE, 1))
    right = truth(one, shop())
    trajectory = said(right.reply, one)
    other_path = replace(trajectory, harness_version="other", policy="other", prompt_tokens=9)
    assert check(one, right, trajectory) == check(one, right, other_path)
