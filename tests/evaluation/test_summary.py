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
    for name, estimate in summary["suites"]["T1"].items():
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
