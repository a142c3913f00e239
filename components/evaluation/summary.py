"""Rows of an arm to the figures that a report and a metrics file carry. Shares are 0 to 1 throughout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np

from components.evaluation.statistics import Estimate, mcnemar_exact, mean_interval, paired_difference, rate_interval
from components.evaluation.types import Row, Suite
from components.harness.types import JsonObject

Measure = Callable[[Row], float | None]


def average(row: Row) -> float | None:
    """AVG of a case: mean of accuracy and effectiveness, the paper's headline measure; None where there is no verdict."""
    if row["accuracy"] is None or row["effectiveness"] is None:
        return None
    return (float(row["accuracy"]) + float(row["effectiveness"])) / 2


MEASURES: dict[str, Measure] = {
    "accuracy": lambda r: r["accuracy"],
    "effectiveness": lambda r: r["effectiveness"],
    "avg": average,
}
RATES: dict[str, Measure] = {name: lambda r, name=name: r[name] for name in ("accuracy", "tool_correct", "skill_correct")}  # type: ignore[misc]


def summarise(rows: Sequence[Row], seed: int) -> JsonObject:
    """Figures of one arm.

    suites → suite → accuracy, effectiveness, avg, tool_correct, skill_correct, each {value, low, high, n, missing};
    intents → suite → intent → avg; dimensions → dimension → avg over the T2 cases whose variant changes it (a case
    counts for each of its dimensions); gap: avg of T2 - T1 over the cases asked in both; stop_reasons → suite → reason →
    count; cost → suite → latency_p50_s, latency_p95_s, turns, prompt_tokens, completion_tokens (means a case).
    """
    suites = {suite.value: [r for r in rows if r["suite"] == suite] for suite in Suite}
    t1_avg = {r["case_id"]: average(r) for r in suites[Suite.T1]}
    both = [r for r in suites[Suite.T2] if r["case_id"] in t1_avg]
    gap = paired_difference([average(r) for r in both], [t1_avg[r["case_id"]] for r in both], _rooms(both), seed)
    dimensions = sorted({d for r in suites[Suite.T2] for d in r["dimensions"]})
    return {
        "suites": {suite: _figures(group, seed) for suite, group in suites.items()},
        "intents": {
            suite: {
                intent: _mean([r for r in group if r["intent"] == intent], average, seed)
                for intent in sorted({r["intent"] for r in group})
            }
            for suite, group in suites.items()
        },
        "dimensions": {d: _mean([r for r in suites[Suite.T2] if d in r["dimensions"]], average, seed) for d in dimensions},
        "gap": asdict(gap),
        "stop_reasons": {
            suite: dict(sorted(Counter(r["stop_reason"] for r in group).items())) for suite, group in suites.items()
        },
        "cost": {suite: _cost(group) for suite, group in suites.items() if group},
    }


def compare(first: Sequence[Row], second: Sequence[Row], seed: int) -> JsonObject:
    """First arm minus second over the cases that both were asked: suite → measure → {value, low, high, n, missing}.

    Beside the measures, `mcnemar` holds the exact test on accuracy: {only_first, only_second, p_value}.
    """
    result: JsonObject = {}
    for suite in Suite:
        others = {(r["case_id"], r["variant_id"]): r for r in second if r["suite"] == suite}
        pairs = [(r, others[key]) for r in first if r["suite"] == suite and (key := (r["case_id"], r["variant_id"])) in others]
        rooms = _rooms([a for a, _ in pairs])
        result[suite.value] = {
            name: asdict(paired_difference([of(a) for a, _ in pairs], [of(b) for _, b in pairs], rooms, seed))
            for name, of in MEASURES.items()
        } | {"mcnemar": asdict(mcnemar_exact([a["accuracy"] for a, _ in pairs], [b["accuracy"] for _, b in pairs]))}
    return result


def _figures(rows: Sequence[Row], seed: int) -> JsonObject:
    means = {name: _mean(rows, of, seed) for name, of in MEASURES.items()}
    return means | {name: asdict(rate_interval([of(r) for r in rows], _rooms(rows))) for name, of in RATES.items()}


def _mean(rows: Sequence[Row], of: Measure, seed: int) -> JsonObject:
    estimate: Estimate = mean_interval([of(r) for r in rows], _rooms(rows), seed)
    return asdict(estimate)


def _cost(rows: Sequence[Row]) -> JsonObject:
    p50, p95 = np.quantile([r["latency_s"] for r in rows], [0.5, 0.95])
    means = {name: float(np.mean([r[name] for r in rows])) for name in ("turns", "prompt_tokens", "completion_tokens")}
    return {"latency_p50_s": float(p50), "latency_p95_s": float(p95), **means}


def _rooms(rows: Sequence[Row]) -> list[str]:
    return [str(r["room_id"]) for r in rows]
