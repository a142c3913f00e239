"""Rows of an arm to the figures that a report and a metrics file carry. Shares are 0 to 1 throughout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from components.evaluation.measures import AVG, MEASURES, RECOVERED, Measure, average, case_key, cells
from components.evaluation.statistics import mcnemar_exact, mean_interval, paired_difference, rate_interval
from components.evaluation.types import ROOM_SUITES, Row, Suite
from components.harness.types import JsonObject


def summarise(rows: Sequence[Row], seed: int) -> JsonObject:
    """Figures of one arm; an estimate is {value, low, high, n, missing}.

    suites → suite → measure (`components.evaluation.measures`) → estimate; intents → suite → intent → avg;
    dimensions → dimension → avg over the T2 cases whose variant changes it (a case counts for each of its dimensions);
    faults → fault → share of T3 episodes recovered from it; gap: avg of T2 - T1 over the cases asked in both;
    refused → suite → {replies, episodes}: proposed replies that hooks sent back, and episodes with one at least;
    stop_reasons → suite → reason → count; cost → suite → latency_p50_s, latency_p95_s, turns, prompt_tokens,
    completion_tokens (means a case). The last three, and intents, are of T1 to T3.
    """
    in_rooms = {suite.value: [r for r in rows if r["suite"] == suite] for suite in ROOM_SUITES}
    t2, t3 = in_rooms[Suite.T2], in_rooms[Suite.T3]
    t1_avg = {r["case_id"]: average(r) for r in in_rooms[Suite.T1]}
    both = [r for r in t2 if r["case_id"] in t1_avg]
    rooms = [str(r["room_id"]) for r in both]
    gap = paired_difference([average(r) for r in both], [t1_avg[r["case_id"]] for r in both], rooms, seed)
    return {
        "suites": {
            suite.value: {measure.name: _estimate(rows, suite, measure, seed) for measure in measures}
            for suite, measures in MEASURES.items()
        },
        "intents": {
            suite: {
                intent: _estimate([r for r in group if r["intent"] == intent], Suite(suite), AVG, seed)
                for intent in sorted({r["intent"] for r in group})
            }
            for suite, group in in_rooms.items()
        },
        "dimensions": {
            dimension: _estimate([r for r in t2 if dimension in r["dimensions"]], Suite.T2, AVG, seed)
            for dimension in sorted({d for r in t2 for d in r["dimensions"]})
        },
        "faults": {
            fault: _estimate([r for r in t3 if r["fault"] == fault], Suite.T3, RECOVERED, seed)
            for fault in sorted({r["fault"] for r in t3})
        },
        "gap": asdict(gap),
        "refused": {
            suite: {"replies": sum(r["refused"] for r in group), "episodes": sum(r["refused"] > 0 for r in group)}
            for suite, group in in_rooms.items()
        },
        "stop_reasons": {
            suite: dict(sorted(Counter(r["stop_reason"] for r in group).items())) for suite, group in in_rooms.items()
        },
        "cost": {suite: _cost(group) for suite, group in in_rooms.items() if group},
    }


def compare(first: Sequence[Row], second: Sequence[Row], seed: int) -> JsonObject:
    """First arm minus second over the cases that both were asked: suite → measure → {value, low, high, n, missing}.

    Beside the measures, `mcnemar` holds the exact test on accuracy: {only_first, only_second, p_value}.
    """
    return {
        suite.value: {measure.name: _difference(first, second, suite, measure, seed) for measure in measures}
        | {"mcnemar": _mcnemar(first, second, suite)}
        for suite, measures in MEASURES.items()
    }


def _estimate(rows: Sequence[Row], suite: Suite, measure: Measure, seed: int) -> JsonObject:
    found = cells(rows, suite, measure)
    values, clusters = [cell.value for cell in found], [cell.cluster for cell in found]
    if measure.kind == "rate":
        return asdict(rate_interval(values, clusters))
    return asdict(mean_interval(values, clusters, seed, measure.bounds(values)))


def _difference(first: Sequence[Row], second: Sequence[Row], suite: Suite, measure: Measure, seed: int) -> JsonObject:
    others = {cell.key: cell.value for cell in cells(second, suite, measure)}
    pairs = [(cell, others[cell.key]) for cell in cells(first, suite, measure) if cell.key in others]
    mine, theirs = [cell.value for cell, _ in pairs], [value for _, value in pairs]
    _, most = measure.bounds([*mine, *theirs])
    return asdict(paired_difference(mine, theirs, [cell.cluster for cell, _ in pairs], seed, (-most, most)))


def _mcnemar(first: Sequence[Row], second: Sequence[Row], suite: Suite) -> JsonObject:
    others = {case_key(r): r["accuracy"] for r in second if r["suite"] == suite}
    pairs = [(r["accuracy"], others[case_key(r)]) for r in first if r["suite"] == suite and case_key(r) in others]
    return asdict(mcnemar_exact([a for a, _ in pairs], [b for _, b in pairs]))


def _cost(rows: Sequence[Row]) -> JsonObject:
    p50, p95 = np.quantile([r["latency_s"] for r in rows], [0.5, 0.95])
    means = {name: float(np.mean([r[name] for r in rows])) for name in ("turns", "prompt_tokens", "completion_tokens")}
    return {"latency_p50_s": float(p50), "latency_p95_s": float(p95), **means}
