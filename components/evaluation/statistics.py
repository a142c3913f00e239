"""Estimates with intervals. Cases of one room share its items and its phrasing, so rooms are what is resampled.

Values are shares (0 to 1), differences of shares (-1 to 1) or, with other `bounds`, counts; a value of None is a missing
verdict: it is counted and left out, never read as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.95
DRAWS = 2000
"""Bootstrap resamples: the Monte-Carlo error of a bound is then a small part of the interval's width."""

Values = Sequence[float | None]


@dataclass(frozen=True)
class Estimate:
    """A mean with its two-sided 95 % interval."""

    value: float | None
    """None where no case has a verdict."""
    low: float | None
    """None where fewer than two rooms have verdicts: nothing is then known of how rooms differ."""
    high: float | None
    n: int
    """Cases with a verdict."""
    missing: int
    """Cases without one."""


@dataclass(frozen=True)
class McNemar:
    """Exact McNemar test of two arms on the same cases."""

    only_first: int
    """Cases that the first arm got right and the second wrong."""
    only_second: int
    p_value: float
    """Two-sided."""


def mean_interval(values: Values, clusters: Sequence[str], seed: int, bounds: tuple[float, float] = (0.0, 1.0)) -> Estimate:
    """Mean of values within `bounds`, interval by a bootstrap over clusters.

    The percentile interval is too narrow for few clusters, so its level is widened by Student's t (Hesterberg 2015,
    "What Teachers Should Know About the Bootstrap", expanded percentile interval). Two things would make it claim more
    certainty than the cases give. Clusters whose means are more alike than chance makes them: there, every case is a
    cluster of its own. Values that are all alike: there, unlike values are given the share that Wilson's bound allows
    for 0 of n.
    """
    from scipy import stats
    from statsmodels.stats.proportion import proportion_confint

    seen, sums, counts, missing = _by_cluster(values, clusters)
    if not seen.size:
        return Estimate(None, None, None, 0, missing)
    mean, n, k = float(seen.mean()), seen.size, counts.size
    if k < 2:
        low, high = None, None
    elif np.ptp(seen) == 0:
        unlike = float(proportion_confint(0, n, 1 - CONFIDENCE, method="wilson")[1])
        low, high = (mean * (1 - unlike) + bound * unlike for bound in bounds)
    else:
        clustered, simple = _variances(seen, sums, counts)
        if clustered < simple:
            sums, counts, k = seen, np.ones(n), n
        widened = 1 - 2 * stats.norm.sf(np.sqrt(k / (k - 1)) * stats.t.ppf((1 + CONFIDENCE) / 2, k - 1))
        interval = stats.bootstrap(
            (sums, counts),
            lambda s, c, axis: s.sum(axis=axis) / c.sum(axis=axis),
            paired=True,
            vectorized=True,
            n_resamples=DRAWS,
            confidence_level=widened,
            method="percentile",
            rng=np.random.default_rng(seed),
        ).confidence_interval
        low, high = float(interval.low), float(interval.high)
    return Estimate(mean, low, high, n, missing)


def rate_interval(values: Values, clusters: Sequence[str]) -> Estimate:
    """Share of ones among zeros and ones, with Wilson's interval at the effective sample size.

    The effective size is n over the design effect: the variance of the mean with rooms as clusters (Taylor
    linearisation) over the variance without; it is never taken to be more than n.
    """
    from statsmodels.stats.proportion import proportion_confint

    seen, sums, counts, missing = _by_cluster(values, clusters)
    if not seen.size:
        return Estimate(None, None, None, 0, missing)
    rate, n, k = float(seen.mean()), seen.size, counts.size
    if k < 2:
        return Estimate(rate, None, None, n, missing)
    clustered, simple = _variances(seen, sums, counts)
    effective = n / max(clustered / simple, 1.0) if simple else float(n)
    low, high = proportion_confint(rate * effective, effective, 1 - CONFIDENCE, method="wilson")
    return Estimate(rate, float(low), float(high), n, missing)


def paired_difference(
    first: Values, second: Values, clusters: Sequence[str], seed: int, bounds: tuple[float, float] = (-1.0, 1.0)
) -> Estimate:
    """Mean of first - second over the same cases, case by case; a case with a verdict missing on either side is missing."""
    differences = [None if a is None or b is None else a - b for a, b in zip(first, second, strict=True)]
    return mean_interval(differences, clusters, seed, bounds)


def mcnemar_exact(first: Values, second: Values) -> McNemar:
    """Exact two-sided McNemar test of right (1) and wrong (0) answers; cases with a verdict missing are left out."""
    from statsmodels.stats.contingency_tables import mcnemar

    pairs = [(a == 1, b == 1) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    table = np.array([[pairs.count((a, b)) for b in (True, False)] for a in (True, False)])
    return McNemar(int(table[0, 1]), int(table[1, 0]), float(mcnemar(table, exact=True).pvalue))


def _variances(seen: np.ndarray, sums: np.ndarray, counts: np.ndarray) -> tuple[float, float]:
    """Of the mean: with clusters (Taylor linearisation), and without."""
    k = counts.size
    clustered = k / (k - 1) * float(np.sum((sums - seen.mean() * counts) ** 2)) / seen.size**2
    return clustered, float(seen.var()) / seen.size


def _by_cluster(values: Values, clusters: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Values that are there, their sum and number a cluster, and how many are missing."""
    pairs = [(v, c) for v, c in zip(values, clusters, strict=True) if v is not None]
    seen = np.array([v for v, _ in pairs], dtype=float)
    _, index = np.unique([c for _, c in pairs], return_inverse=True)
    return seen, np.bincount(index, weights=seen), np.bincount(index), len(values) - len(pairs)
