"""Figures against rows whose figures are known."""

import pytest

from components.evaluation.summary import compare, summarise


def row(suite="T1", case=0, accuracy=1, effectiveness=1.0, dimensions=(), intent="price", **changes):
    return {
        "suite": suite,
        "case_id": f"case-{case}",
        "room_id": f"room-{case % 4}",
        "variant_id": "original" if suite == "T1" else "heldout-0",
        "intent": intent,
        "dimensions": list(dimensions),
        "accuracy": accuracy,
        "effectiveness": effectiveness,
        "tool_correct": True,
        "skill_correct": False,
        "stop_reason": "replied",
        "turns": 3,
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "latency_s": float(case),
        "fault": None,
        "recovered_from_fault": None,
        "refused": 0,
        "recovered_from_refusal": None,
        "thinking": {"tool_calls": [4, 8], "reply": [3]},
    } | changes


def general(case=0, followed=(True, True), **changes):
    return {
        "suite": "T4",
        "case_id": f"general-{case}",
        "instruction_ids": ["some:instruction"] * len(followed),
        "accuracy": int(all(followed)),
        "instructions": list(followed),
    } | changes


def test_avg_is_the_mean_of_accuracy_and_effectiveness():
    figures = summarise([row(case=0), row(case=1, effectiveness=0.5), row(case=2, accuracy=0, effectiveness=0.0)], seed=1)[
        "suites"
    ]["T1"]
    assert figures["accuracy"]["value"] == pytest.approx(2 / 3)
    assert figures["effectiveness"]["value"] == pytest.approx(1.5 / 3)
    assert figures["avg"]["value"] == pytest.approx((1 + 0.75 + 0) / 3)
    assert (figures["tool_correct"]["value"], figures["skill_correct"]["value"]) == (1, 0)


def test_missing_verdicts_are_counted_in_every_figure():
    lost = row(case=1, accuracy=None, effectiveness=None, tool_correct=None, skill_correct=None, stop_reason="crashed")
    summary = summarise([row(case=0), lost], seed=1)
    for name in ("accuracy", "effectiveness", "avg", "tool_correct", "skill_correct"):
        estimate = summary["suites"]["T1"][name]
        assert (estimate["n"], estimate["missing"]) == (1, 1), name
    assert summary["stop_reasons"]["T1"] == {"crashed": 1, "replied": 1}


def test_case_counts_for_each_dimension_of_its_variant_and_only_in_t2():
    rows = [
        row("T2", 0, dimensions=["tool_schemas", "skill_content"]),
        row("T2", 1, accuracy=0, effectiveness=0.0, dimensions=["tool_schemas"]),
        row("T1", 0),
    ]
    dimensions = summarise(rows, seed=1)["dimensions"]
    assert {name: (e["value"], e["n"]) for name, e in dimensions.items()} == {"tool_schemas": (0.5, 2), "skill_content": (1.0, 1)}


def test_gap_pairs_t2_with_t1_on_the_cases_asked_in_both():
    rows = [row("T1", 0), row("T1", 1), row("T1", 2, accuracy=0), row("T2", 0, accuracy=0, effectiveness=0.0), row("T2", 1)]
    assert summarise(rows, seed=1)["gap"]["value"] == -0.5
    assert summarise(rows, seed=1)["gap"]["n"] == 2


def test_cost_tells_quantiles_of_latency_and_means_of_the_rest():
    cost = summarise([row(case=i) for i in range(101)], seed=1)["cost"]
    assert cost == {
        "T1": {"latency_p50_s": 50.0, "latency_p95_s": 95.0, "turns": 3.0, "prompt_tokens": 100.0, "completion_tokens": 10.0}
    }


def test_comparison_pairs_cases_whatever_their_order_and_leaves_out_what_only_one_arm_was_asked():
    first = [row(case=0), row(case=1), row(case=2)]
    second = [row(case=3), row(case=1, accuracy=0, effectiveness=0.5), row(case=0)]
    result = compare(first, second, seed=1)["T1"]
    assert (result["accuracy"]["value"], result["effectiveness"]["value"], result["avg"]["value"]) == (0.5, 0.25, 0.375)
    assert result["avg"]["n"] == 2
    assert result["mcnemar"] == {"only_first": 1, "only_second": 0, "p_value": 1.0}


def test_suite_without_cases_has_figures_without_values():
    summary = summarise([row()], seed=1)
    assert summary["suites"]["T2"]["avg"] == {"value": None, "low": None, "high": None, "n": 0, "missing": 0}
    assert summary["gap"]["n"] == 0


def test_t4_counts_prompts_and_instructions_as_ifeval_does():
    rows = [general(0, (True, True, True)), general(1, (False,)), general(2, (True, False))]
    lost = general(3, (True, True), accuracy=None, instructions=None)
    figures = summarise([*rows, lost], seed=1)["suites"]["T4"]
    assert (figures["prompt"]["value"], figures["prompt"]["n"], figures["prompt"]["missing"]) == (pytest.approx(1 / 3), 3, 1)
    assert figures["instruction"]["value"] == pytest.approx(4 / 6)
    assert (figures["instruction"]["n"], figures["instruction"]["missing"]) == (6, 2)


def test_t4_is_compared_prompt_by_prompt_and_instruction_by_instruction():
    first = [general(0, (True, True)), general(1, (True, False))]
    second = [general(1, (False, False)), general(0, (True, True))]
    result = compare(first, second, seed=1)["T4"]
    assert (result["prompt"]["value"], result["instruction"]["value"]) == (0.0, 0.25)
    assert result["instruction"]["n"] == 4


def test_recovery_is_a_share_of_the_episodes_in_which_a_tool_failed():
    rows = [
        row("T3", 0, fault="stale", recovered_from_fault=True),
        row("T3", 1, fault="empty", recovered_from_fault=False),
        row("T3", 2, fault="stale", recovered_from_fault=True),
        row("T3", 3, fault="stale"),
    ]
    summary = summarise(rows, seed=1)
    assert summary["suites"]["T3"]["recovered"]["value"] == pytest.approx(2 / 3)
    assert {name: (e["value"], e["n"]) for name, e in summary["faults"].items()} == {"empty": (0.0, 1), "stale": (1.0, 2)}


def test_thinking_is_words_a_turn_over_the_episodes_that_have_such_a_turn():
    none = {"tool_calls": [], "reply": [9]}
    figures = summarise([row(case=0), row(case=1, thinking=none)], seed=1)["suites"]["T1"]
    assert (figures["thinking_tool_calls"]["value"], figures["thinking_tool_calls"]["n"]) == (6.0, 1)
    assert figures["thinking_reply"]["value"] == 6.0


def test_thinking_less_is_a_negative_difference_in_words():
    less = {"tool_calls": [1, 1], "reply": [0]}
    first, second = [row(case=i, thinking=less) for i in range(4)], [row(case=i) for i in range(4)]
    estimate = compare(first, second, seed=1)["T1"]["thinking_tool_calls"]
    assert estimate["value"] == -5.0
    assert -8 <= estimate["low"] <= -5 <= estimate["high"] <= 8


def test_replies_sent_back_are_counted_and_so_is_what_came_of_them():
    rows = [
        row(case=0, refused=2, recovered_from_refusal=True),
        row(case=1, refused=1, recovered_from_refusal=False),
        row(case=2),
    ]
    summary = summarise(rows, seed=1)
    assert summary["refused"]["T1"] == {"replies": 3, "episodes": 2}
    assert summary["suites"]["T1"]["recovered_from_refusal"]["value"] == 0.5
