"""The rewards of an episode: what they are for, and what does not earn them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from components.augment.types import Variant
from components.harness.types import Message, StopReason, ToolCall, Trajectory
from components.judge.fact_matcher import FactMatcher
from components.judge.lookups import lookups
from components.liveroom import Case, Intent
from components.training.params import ThinkingPenalty
from components.training.rl.rewards import UNSCORABLE, Scores, excess, score, thinking_tokens
from tests.training.rl.world import CASES, HARNESS, VARIANTS, case_of, play, play_expert, right

PRICE = case_of(lambda case: case.intent is Intent.PRICE and not case.request.dialogue)
CHAT = case_of(lambda case: case.intent is Intent.CHIT_CHAT)
TRUTH = right(PRICE)
(LOOKUP,) = TRUTH.calls
RIGHT_CALL = ("price_lookup", {"link_id": LOOKUP[1]["link_id"], "option": {k: v for k, v in LOOKUP[1].items() if k != "link_id"}})
LOAD = ("load_skill", {"skill": "price-qa"})


def scored(case: Case, trajectory: Trajectory) -> Scores:
    verdict = asyncio.run(FactMatcher().judge(case, right(case), trajectory))
    return score(right(case), trajectory, verdict)


def of(*turns: object, case: Case = PRICE, **options: object) -> Scores:
    return scored(case, play(case, *turns, **options))  # type: ignore[arg-type]


def rewards(scores: Scores) -> tuple[float | None, ...]:
    return scores.accuracy, scores.effectiveness, scores.tool_rationality, scores.skill_selection


def test_the_expert_earns_everything_under_every_harness() -> None:
    for harness in (HARNESS, *(variant.harness for variant in VARIANTS)):
        for case in CASES:
            assert rewards(scored(case, play_expert(case, harness))) == (1, 1, 1, 1), case.case_id


@pytest.mark.parametrize("fault", ["time_out", "malformed", "empty", "stale", "slow"])
def test_the_expert_recovers_from_what_passes(fault: str) -> None:
    found = scored(PRICE, play_expert(PRICE, faults={fault: 1.0}))
    assert rewards(found) == (1, 1, 1, 1)
    assert found.recovered is (None if fault == "slow" else True)


def test_owning_up_to_a_refused_lookup_is_rational_accurate_and_of_no_effect() -> None:
    found = scored(PRICE, play_expert(PRICE, faults={"permission_denied": 1.0}))
    assert (rewards(found), found.recovered) == ((1, 0, 1, 1), True)


def test_giving_up_at_once_earns_half_and_hiding_it_nothing() -> None:
    calls = [LOAD, RIGHT_CALL]
    owned = of(("", calls), TRUTH.unavailable, faults={"time_out": 1.0})
    assert owned.recovered is True and owned.tool_rationality == pytest.approx(2 / 3)
    hidden = of(("", calls), "It is a lovely item, you will like it.", faults={"time_out": 1.0})
    assert (hidden.recovered, hidden.tool_rationality, hidden.accuracy) == (False, 0, 0)


def test_misses_needless_and_wrong_calls_cost() -> None:
    reply = TRUTH.reply
    full = of(("", [LOAD, RIGHT_CALL]), reply).tool_rationality
    missed = of(("", [LOAD]), reply).tool_rationality
    needless = of(("", [LOAD, RIGHT_CALL, ("room_state", {})]), reply).tool_rationality
    again = of(("", [LOAD, RIGHT_CALL]), ("", [RIGHT_CALL]), reply).tool_rationality
    unknown = of(("", [LOAD, RIGHT_CALL, ("guess", {})]), reply).tool_rationality
    unfit = of(("", [LOAD, RIGHT_CALL, ("price_lookup", {"link_id": "one"})]), reply).tool_rationality
    hoarded = of(("", [LOAD, RIGHT_CALL, *[("room_state", {})] * 3]), reply).tool_rationality
    thoughts = of(("", [LOAD, ("price_lookup", {**RIGHT_CALL[1], "thoughts": "hm"})]), reply).tool_rationality
    assert full == 1 and missed == 0 and thoughts == 0
    assert needless == again == unknown == unfit == pytest.approx(2 / 3)
    assert hoarded == pytest.approx(0.4)


def test_a_malformed_call_costs_like_a_needless_one() -> None:
    trajectory = play_expert(PRICE)
    first = next(place for place, message in enumerate(trajectory.messages) if message.tool_calls)
    messages = list(trajectory.messages)
    messages[first] = replace(messages[first], malformed_calls=("not JSON",))
    assert lookups(TRUTH, replace(trajectory, messages=tuple(messages))).wasted == 1


def test_a_call_is_the_same_with_empty_options_and_in_other_case() -> None:
    case = case_of(lambda case: any("colour" in arguments for _, arguments in right(case).calls))
    ((name, arguments),) = right(case).calls
    shouted = {
        "link_id": arguments["link_id"],
        "option": {"colour": arguments["colour"].upper(), "size": arguments.get("size", "")},
    }
    trajectory = play(case, ("", [("load_skill", {"skill": right(case).skills[0]}), (name, shouted)]), right(case).reply)
    (found,) = lookups(right(case), trajectory).needed
    assert found.tries == 1


def test_skills_needless_repeated_unknown_or_missing_cost() -> None:
    reply = TRUTH.reply
    names = [skill.name for skill in HARNESS.skills]
    assert of(("", [LOAD, RIGHT_CALL]), reply).skill_selection == 1
    assert of(("", [LOAD, RIGHT_CALL, LOAD]), reply).skill_selection == pytest.approx(2 / 3)
    assert of(("", [LOAD, ("load_skill", {"skill": "nothing"}), RIGHT_CALL]), reply).skill_selection == pytest.approx(2 / 3)
    assert of(("", [("load_skill", {"skill": "small-talk"}), RIGHT_CALL]), reply).skill_selection == 0
    every = of(("", [("load_skill", {"skill": name}) for name in names]), ("", [RIGHT_CALL]), reply).skill_selection
    assert every == pytest.approx(1 / 3)
    recovering = [LOAD, ("load_skill", {"skill": "recover-tools"}), RIGHT_CALL]
    assert of(("", recovering), reply).skill_selection == pytest.approx(2 / 3)
    assert of(("", recovering), ("", [RIGHT_CALL]), reply, faults={"time_out": 1.0}).skill_selection == 1


def test_who_never_proposes_a_reply_earns_nothing() -> None:
    found = of(("", [LOAD, RIGHT_CALL]))
    assert rewards(found) == (0, 0, 0, 0)


def test_who_does_nothing_earns_nothing() -> None:
    assert rewards(of("", case=CHAT)) == (0, 0, 0, 0)
    assert rewards(of("Welcome!", case=CHAT)) == (0, 0, 0, 0)


@pytest.mark.parametrize("reason", [reason for reason in StopReason if reason is not StopReason.REPLIED])
def test_a_right_reply_that_was_not_accepted_earns_no_reply_reward(reason: StopReason) -> None:
    found = scored(PRICE, replace(play_expert(PRICE), stop_reason=reason))
    assert (found.accuracy, found.effectiveness) == (0, 0)
    assert found.tool_rationality == found.skill_selection == 1


def test_an_episode_in_which_the_model_never_wrote_is_not_scored() -> None:
    trajectory = play_expert(PRICE)
    silent = replace(trajectory, messages=trajectory.messages[:2], events=(), stop_reason=StopReason.POLICY_ERROR)
    assert scored(PRICE, silent) == UNSCORABLE
    assert UNSCORABLE.mean is None


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " ",
        "<think>the price is right</think>",
        TRUTH.reply + " " + TRUTH.reply,
        " ".join([TRUTH.reply] * 6),
        ", ".join(sorted(TRUTH.supported_numbers)),
        " ".join(fact.forms[0] for fact in (*TRUTH.required, *TRUTH.asides)),
        HARNESS.fallback_reply["en"],
        TRUTH.unavailable,
        "Maybe " + TRUTH.reply,
        TRUTH.reply.rstrip(".!") + "?",
        "I would say it is not " + TRUTH.required[0].forms[0] + " at all.",
        '{"price_after_coupon": "' + TRUTH.required[0].forms[0] + '", "title": "x"}',
        TRUTH.reply + " We guarantee the lowest price.",
        TRUTH.reply + " It was 987 yuan.",
        "Welcome! Sorry, I cannot claim that, ask customer service or ask me about the items in this room.",
    ],
)
def test_no_such_reply_earns_a_reply_reward(reply: str) -> None:
    trajectory = replace(play_expert(PRICE), reply=reply)
    found = scored(PRICE, trajectory)
    assert (found.accuracy, found.effectiveness) == (0, 0)


def count(text: str) -> int:
    return len(text.split())


CALL = '<tool_call>{"name": "room_state", "arguments": {}}</tool_call>'
CALLING = Message("assistant", "", (ToolCall("", "room_state", {}),))


@pytest.mark.parametrize(
    ("written", "message", "tokens"),
    [
        ("Hello there", Message("assistant", "Hello there"), 0),
        ("<think> a b </think> Hello", Message("assistant", ""), 4),
        ("<think> a b c d", Message("assistant", ""), 5),
        ("a b </think> Hello", Message("assistant", ""), 3),
        (CALL, CALLING, 0),
        (f"<think> a b </think> {CALL}", CALLING, 4),
        (f"first I look it up {CALL}", CALLING, 5),
        (f"{CALL} and then I think on", CALLING, 5),
        (f"<think> {CALL} </think> {CALL}", CALLING, 2 + count(CALL)),
        ("<tool_call> a b c", Message("assistant", "", malformed_calls=("open",)), 4),
    ],
    ids=["none", "tags", "unclosed", "unopened", "call", "before", "outside", "after", "call-thought-of", "open-call"],
)
def test_reasoning_is_counted_wherever_it_stands(written: str, message: Message, tokens: int) -> None:
    assert thinking_tokens(written, message, count) == tokens


def test_reasoning_beyond_the_free_tokens_is_charged_a_turn_up_to_the_most() -> None:
    penalty = ThinkingPenalty(free=10, scale=20, weight=1, most=2)
    assert excess((), penalty) is None
    assert excess((0, 10), penalty) == 0
    assert excess((20, 10), penalty) == pytest.approx(0.25)
    assert excess((10_000,), penalty) == 2


def test_variants_are_of_use_here() -> None:
    names = {tool.name for variant in VARIANTS for tool in variant.harness.tools}
    assert names - {tool.name for tool in HARNESS.tools}, "at least one variant renames a tool"
    assert all(isinstance(variant, Variant) for variant in VARIANTS)
