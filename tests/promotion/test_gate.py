from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.errors import UserError
from components.harness.types import JsonObject
from components.promotion import Decision, Outcome, decide
from components.promotion.types import Check, CheckVerdict
from tests.promotion.evidence import POLICY, context, rows

GOOD, BASE = rows(0.9, 0.9), rows(0.8, 0.5)


def judge(candidate: list[JsonObject], champion: list[JsonObject], /, **changes: Any) -> Decision:
    return decide(POLICY, candidate, champion, context(**changes))


def check(decision: Decision, name: str) -> Check:
    return next(check for check in decision.checks if check.name.startswith(name))


def changed(side: list[JsonObject], index: int, **fields: Any) -> list[JsonObject]:
    return [row | fields if number == index else row for number, row in enumerate(side)]


def test_better_on_both_suites_is_promoted_with_the_right_differences() -> None:
    decision = judge(GOOD, BASE)
    assert decision.outcome is Outcome.PROMOTE
    assert check(decision, "T2 AVG").measured == pytest.approx(0.4)
    assert check(decision, "T1 AVG").measured == pytest.approx(0.1)
    assert {c.verdict for c in decision.checks} == {CheckVerdict.PASSED}


def test_average_is_the_mean_of_accuracy_and_effectiveness() -> None:
    half = [row | {"effectiveness": 0.5} if row["accuracy"] else row for row in rows(1, 1)]
    assert check(judge(half, rows(0, 0)), "T2 AVG").measured == pytest.approx(0.75)


def test_better_on_t2_and_worse_on_t1_is_rejected() -> None:
    decision = judge(rows(0.7, 0.9), BASE)
    assert decision.outcome is Outcome.REJECT
    assert check(decision, "T1 AVG").verdict is CheckVerdict.FAILED
    assert check(decision, "T2 AVG").verdict is CheckVerdict.PASSED


def test_replies_that_got_rarer_are_rejected_however_good_the_rest() -> None:
    silent = [row | {"stop_reason": "turn_limit"} if index % 10 == 0 else row for index, row in enumerate(GOOD)]
    decision = judge(silent, BASE)
    assert decision.outcome is Outcome.REJECT
    assert check(decision, "replies").measured == pytest.approx(-0.1)


def test_one_dimension_that_fell_behind_is_named_and_rejected() -> None:
    fallen = [
        row | {"accuracy": 0, "effectiveness": 0.0} if "tool_schemas" in row["dimensions"] else row for row in rows(0.9, 1.0)
    ]
    decision = judge(fallen, rows(0.8, 0.2))
    assert check(decision, "T2 AVG").verdict is CheckVerdict.PASSED
    assert check(decision, "worst dimension (tool_schemas)").verdict is CheckVerdict.FAILED
    assert decision.outcome is Outcome.REJECT


def test_too_few_cases_say_nothing_and_how_many_are_lacking() -> None:
    decision = judge(rows(1, 1, rooms=6, per_room=5), rows(0, 0, rooms=6, per_room=5))
    assert decision.outcome is Outcome.INCONCLUSIVE
    assert check(decision, "T2 cases").more_cases == POLICY.minimum_cases - 30


def test_one_room_is_never_enough() -> None:
    decision = judge(rows(1, 1, rooms=1, per_room=100), rows(0, 0, rooms=1, per_room=100))
    assert decision.outcome is Outcome.INCONCLUSIVE
    assert check(decision, "T2 rooms").verdict is CheckVerdict.UNCLEAR
    assert check(decision, "T2 AVG").verdict is CheckVerdict.UNCLEAR


def test_nothing_evaluated_is_inconclusive_not_promoted() -> None:
    assert judge([], []).outcome is Outcome.INCONCLUSIVE


def noisy(seed: int, rooms: int) -> tuple[list[JsonObject], list[JsonObject]]:
    """Ten cases a room; on T2 the candidate is right in 60 % and the champion in 50 %, on T1 always and in 70 %."""
    draw = random.Random(seed)
    candidate, champion = [], []
    for row in rows(1, 1, rooms, per_room=10):
        for side, share in ((candidate, {"T1": 1.0, "T2": 0.6}), (champion, {"T1": 0.7, "T2": 0.5})):
            right = draw.random() < share[row["suite"]]
            side.append(row | {"accuracy": int(right), "effectiveness": float(right)})
    return candidate, champion


def test_an_interval_over_both_sides_says_how_many_more_cases_and_these_then_settle_it() -> None:
    candidate, champion = noisy(seed=2, rooms=10)
    first = check(judge(candidate, champion), "T2 AVG")
    assert first.verdict is CheckVerdict.UNCLEAR and first.measured is not None and first.measured > 0
    assert first.more_cases is not None
    assert f"{first.more_cases} more cases" in first.sentence
    copies = first.more_cases // 100 + 2
    grown = [
        [row | {"room_id": f"{row['room_id']}/{n}", "case_id": f"{row['case_id']}/{n}"} for n in range(copies) for row in side]
        for side in (candidate, champion)
    ]
    assert check(judge(*grown), "T2 AVG").verdict is CheckVerdict.PASSED


def test_equal_to_the_champion_is_not_promoted() -> None:
    decision = judge(BASE, BASE)
    assert decision.outcome is not Outcome.PROMOTE
    assert "no number of cases" in check(decision, "T2 AVG").sentence


@pytest.mark.parametrize(
    ("candidate", "champion", "changes", "name"),
    [
        (GOOD, BASE, {"leak_check_passed": False}, "no leak"),
        (GOOD, BASE, {"candidate": "same", "champion": "same"}, "a new release"),
        (GOOD[:-1], BASE, {}, "same cases"),
        (GOOD, BASE[1:], {}, "same cases"),
        (GOOD, [], {}, "same cases"),
        ([*GOOD, GOOD[0]], [*BASE, BASE[0]], {}, "same cases"),
        (changed(GOOD, 3, room_id="elsewhere"), BASE, {}, "same cases"),
        (changed(GOOD, len(GOOD) - 1, harness_version="other"), BASE, {}, "same harness"),
        (GOOD, BASE, {"harness_version": "other"}, "same harness"),
        (changed(GOOD, 3, judge="judge v2"), BASE, {}, "same judge"),
        (GOOD, BASE, {"judge": "judge v2"}, "same judge"),
        (changed(GOOD, 3, accuracy=7), BASE, {}, "verdicts in range"),
        (changed(GOOD, 3, accuracy=float("nan")), BASE, {}, "verdicts in range"),
        (changed(GOOD, 3, accuracy=None), BASE, {}, "same verdicts missing"),
        (changed(GOOD, 3, accuracy=None), changed(BASE, 4, accuracy=None), {}, "same verdicts missing"),
    ],
)
def test_sides_that_cannot_be_compared_are_invalid_for_the_reason_that_applies(
    candidate: list[JsonObject], champion: list[JsonObject], changes: dict[str, Any], name: str
) -> None:
    decision = judge(candidate, champion, **changes)
    assert decision.outcome is Outcome.INVALID
    assert [c.name for c in decision.checks if c.verdict is CheckVerdict.INVALID] == [name]


def test_rows_of_other_suites_change_nothing() -> None:
    other_suites: list[JsonObject] = [
        *(row | {"suite": "T3", "fault": "stale"} for row in GOOD[:50]),
        {"suite": "T4", "case_id": "general-0", "accuracy": 1, "instructions": [True]},
    ]
    assert judge([*GOOD, *other_suites], BASE) == judge(GOOD, BASE)


def test_a_verdict_missing_on_both_sides_is_left_out_not_counted_as_wrong() -> None:
    full, holed = judge(GOOD, BASE), judge(changed(GOOD, 0, accuracy=None), changed(BASE, 0, accuracy=None))
    assert holed.outcome is Outcome.PROMOTE
    cases = check(full, "T1 cases").measured
    assert cases is not None and check(holed, "T1 cases").measured == cases - 1


@pytest.mark.parametrize("field", ["room_id", "accuracy", "judge"])
def test_a_row_without_a_field_is_named(field: str) -> None:
    broken = [*GOOD[:2], {name: value for name, value in GOOD[2].items() if name != field}]
    with pytest.raises(UserError, match=f"candidate row 3: {field}"):
        judge(broken, BASE)


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_neither_decision_nor_hash(draw: random.Random) -> None:
    shuffled = [draw.sample(side, len(side)) for side in (GOOD, BASE)]
    assert judge(*shuffled) == judge(GOOD, BASE)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.sampled_from(["candidate", "champion"]))
def test_any_other_verdict_gives_another_hash(index: int, side: str) -> None:
    sides = {"candidate": GOOD, "champion": BASE}
    flipped = sides | {side: changed(sides[side], index, accuracy=1 - sides[side][index]["accuracy"])}
    assert judge(*flipped.values()).evidence_hash != judge(GOOD, BASE).evidence_hash


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_two_arms_are_never_both_promoted_over_each_other(seed: int) -> None:
    first, second = noisy(seed, rooms=8)
    assert [judge(first, second).outcome, judge(second, first).outcome].count(Outcome.PROMOTE) <= 1


@settings(max_examples=10, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.sampled_from(["accuracy", "effectiveness"]))
def test_losing_the_verdict_of_a_wrong_answer_never_helps(index: int, field: str) -> None:
    assert judge(changed(rows(0.9, 0.4), index, **{field: None}), BASE).outcome is Outcome.INVALID
