"""Estimates over several seeds of an arm, whose intervals carry that other cases and other seeds would give other figures.

Rooms and seeds are crossed: every seed meets every room. The variance of the mean is that of a two-way random-effects
design, V = V_rooms + V_seeds - V_rest (what varies with neither alone is in both of the first), where the sums of rooms and
of seeds are linearised as in Cameron, Gelbach & Miller 2011 ("Robust Inference With Multiway Clustering"). V is never less
than V_rooms or V_seeds alone. The interval is Student's t with Satterthwaite's degrees of freedom: close to rooms - 1
where seeds hardly differ, close to seeds - 1 where they are all that does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from components.evaluation.measures import Cell
from components.evaluation.statistics import CONFIDENCE, Estimate, mean_interval

Variances = tuple[np.ndarray, np.ndarray]
"""Of the mean: by rooms, by seeds and by what is left; and the degrees of freedom of each."""


@dataclass(frozen=True)
class SeededEstimate(Estimate):
    """A mean over seeds and cases; `n` and `missing` count over all seeds."""

    seeds: int = 1
    """1: the interval carries the variation of cases only; nothing is known of how seeds differ."""


def over_seeds(seeds: Sequence[Sequence[Cell]], seed: int, bounds: tuple[float, float] = (0.0, 1.0)) -> SeededEstimate:
    """Mean of all values of all seeds, with its interval, held within `bounds`.

    One seed: `statistics.mean_interval`, bootstrapped with `seed`. No interval where fewer than two rooms have values.
    """
    found = [(place, cell) for place, cells in enumerate(seeds) for cell in cells if cell.value is not None]
    values = np.array([cell.value for _, cell in found], dtype=float)
    missing = sum(map(len, seeds)) - len(found)
    present = np.unique([place for place, _ in found]).size
    if present < 2 or np.ptp(values) == 0:
        # Values that are all alike say nothing of how seeds differ: what is left is what Wilson's bound says of the cases.
        cases = {cell.key: cell for _, cell in found}.values()
        one = mean_interval([cell.value for cell in cases], [cell.cluster for cell in cases], seed, bounds)
        return SeededEstimate(one.value, one.low, one.high, len(found), missing, max(present, 1))
    mean, low, high = float(values.mean()), None, None
    if len({cell.cluster for _, cell in found}) > 1:
        places = [place for place, _ in found]
        by_room = _variances(values, places, [cell.cluster for _, cell in found])
        by_case = _variances(values, places, [str(cell.key) for _, cell in found])
        # Rooms that are more alike than chance makes them say no more than their cases do.
        reach = _reach(max(by_room, by_case, key=lambda parts: float(parts[0][0])))
        low, high = max(mean - reach, bounds[0]), min(mean + reach, bounds[1])
    return SeededEstimate(mean, low, high, len(found), missing, present)


def _reach(parts: Variances) -> float:
    """Half the width of the interval."""
    from scipy import stats

    variances, freedoms = parts
    of_rooms, of_seeds, rest = variances
    variance = max(of_rooms + of_seeds - rest, of_rooms, of_seeds)
    freedom = variance**2 / np.sum(variances**2 / freedoms)
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom) * np.sqrt(variance))


def _variances(values: np.ndarray, seeds: Sequence[int], rooms: Sequence[str]) -> Variances:
    _, row = np.unique(seeds, return_inverse=True)
    _, column = np.unique(rooms, return_inverse=True)
    s, r = row.max() + 1, column.max() + 1
    sums, counts = np.zeros((s, r)), np.zeros((s, r))
    np.add.at(sums, (row, column), values - values.mean())
    np.add.at(counts, (row, column), 1)
    of_room, of_seed = sums.sum(axis=0, keepdims=True), sums.sum(axis=1, keepdims=True)
    # What a cell would hold if its room and its seed were all that mattered.
    expected = of_room * counts / counts.sum(axis=0, keepdims=True) + of_seed * counts / counts.sum(axis=1, keepdims=True)
    squares = np.array([r * np.sum(of_room**2), s * np.sum(of_seed**2), r * s * np.sum((sums - expected) ** 2)])
    freedoms = np.array([r - 1, s - 1, (r - 1) * (s - 1)])
    return squares / freedoms / values.size**2, freedoms
