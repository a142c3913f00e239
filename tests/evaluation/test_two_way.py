"""Intervals over rooms and seeds: against formulas, an independent bootstrap, and the coverage that they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from components.evaluation.measures import Cell
from components.evaluation.statistics import mean_interval
from components.evaluation.two_way import over_seeds

WIDE = (-99.0, 99.0)


def cells(values, rooms):
    """Cells of seeds x cases."""
    return [
        [Cell(("T1", str(i), "", 0), str(room), v) for i, (v, room) in enumerate(zip(row, rooms, strict=True))] for row in values
    ]


def drawn(rng, rooms, seeds, per_room, of_rooms, of_seeds, of_both=0.0, of_cases=0.3):
    room = np.repeat(np.arange(rooms), per_room)
    values = (
        0.5
        + rng.normal(0, of_rooms, rooms)[room]
        + rng.normal(0, of_seeds, (seeds, 1))
        + rng.normal(0, of_both, (seeds, rooms))[:, room]
        + rng.normal(0, of_cases, (seeds, room.size))
    )
    return values, [str(r) for r in room]


def test_one_seed_gives_the_interval_over_rooms_and_says_that_it_is_one():
    rng = np.random.default_rng(0)
    values, rooms = drawn(rng, 6, 1, 4, 0.1, 0.0)
    estimate, one = over_seeds(cells(values, rooms), seed=3, bounds=WIDE), mean_interval(list(values[0]), rooms, 3, WIDE)
    assert (estimate.value, estimate.low, estimate.high, estimate.seeds) == (one.value, one.low, one.high, 1)


def test_seeds_that_are_all_that_differs_give_students_interval_of_their_means():
    means = np.array([0.4, 0.5, 0.7])
    estimate = over_seeds(cells(np.repeat(means[:, None], 12, axis=1), [str(i // 3) for i in range(12)]), seed=0, bounds=WIDE)
    interval = stats.t.interval(0.95, 2, loc=means.mean(), scale=stats.sem(means))
    assert (estimate.low, estimate.high) == pytest.approx(interval, rel=1e-6)


def test_rooms_that_are_all_that_differs_give_students_interval_of_their_means():
    means = np.array([0.2, 0.4, 0.5, 0.9, 0.6])
    estimate = over_seeds(cells(np.tile(means, (3, 1)), list("abcde")), seed=0, bounds=WIDE)
    interval = stats.t.interval(0.95, 4, loc=means.mean(), scale=stats.sem(means))
    assert (estimate.low, estimate.high) == pytest.approx(interval, rel=1e-6)


def test_variance_is_that_of_a_two_way_bootstrap_where_there_are_many_rooms_and_seeds():
    rng = np.random.default_rng(4)
    values, rooms = drawn(rng, 30, 25, 1, 0.2, 0.1, of_cases=0.05)
    means = [values[np.ix_(rng.integers(0, 25, 25), rng.integers(0, 30, 30))].mean() for _ in range(2000)]
    estimate = over_seeds(cells(values, rooms), seed=0, bounds=WIDE)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.012)


@pytest.mark.parametrize(
    ("of_rooms", "of_seeds", "of_both", "seeds", "missing"),
    [
        (0.1, 0.1, 0.0, 3, 0.0),
        (0.0, 0.2, 0.0, 3, 0.0),
        (0.1, 0.0, 0.05, 3, 0.3),
        (0.2, 0.05, 0.0, 2, 0.0),
        (0.0, 0.0, 0.0, 3, 0.3),
    ],
)
def test_intervals_cover_the_truth_at_least_about_as_often_as_they_say(of_rooms, of_seeds, of_both, seeds, missing):
    rng = np.random.default_rng(seeds)
    covered = 0
    for _ in range(200):
        values, rooms = drawn(rng, 10, seeds, 4, of_rooms, of_seeds, of_both)
        kept = np.where(rng.uniform(size=values.shape) < missing, None, values)
        estimate = over_seeds(cells(kept, rooms), seed=0, bounds=WIDE)
        covered += estimate.low <= 0.5 <= estimate.high
    # Three standard errors of a share of 200 below 95 %.
    assert covered >= 0.90 * 200


def test_interval_over_rooms_alone_would_miss_what_seeds_add():
    rng = np.random.default_rng(9)
    covered = {"rooms": 0, "both": 0}
    for _ in range(100):
        values, rooms = drawn(rng, 10, 3, 4, 0.02, 0.2)
        both, alone = over_seeds(cells(values, rooms), 0, WIDE), mean_interval(list(values.mean(axis=0)), rooms, 0, WIDE)
        covered["both"] += both.low <= 0.5 <= both.high
        covered["rooms"] += alone.low <= 0.5 <= alone.high
    assert covered["both"] >= 88 > 60 > covered["rooms"]


def test_case_without_a_value_in_one_seed_keeps_those_of_the_others():
    estimate = over_seeds(cells([[1.0, None], [0.0, 1.0]], ["a", "b"]), seed=0)
    assert (estimate.value, estimate.n, estimate.missing, estimate.seeds) == (pytest.approx(2 / 3), 3, 1, 2)


def test_seed_without_any_value_is_no_seed():
    estimate = over_seeds(cells([[1.0, 0.0], [None, None]], ["a", "b"]), seed=0)
    assert (estimate.seeds, estimate.missing) == (1, 2)


def test_nothing_measured_is_no_figure():
    estimate = over_seeds(cells([[None], [None]], ["a"]), seed=0)
    assert (estimate.value, estimate.low, estimate.n, estimate.missing) == (None, None, 0, 2)


def test_one_room_gives_a_value_and_no_interval():
    estimate = over_seeds(cells([[1.0, 0.0], [1.0, 1.0]], ["a", "a"]), seed=0)
    assert (estimate.value, estimate.low, estimate.high) == (0.75, None, None)


def test_values_that_are_all_alike_are_not_certain():
    estimate = over_seeds(cells(np.ones((3, 20)), [str(i // 4) for i in range(20)]), seed=0)
    assert estimate.value == 1.0 and estimate.low < 0.9 and estimate.high == 1.0
    assert estimate.n == 60


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=3, max_size=3)),
        min_size=1,
        max_size=12,
    )
)
def test_interval_lies_around_the_mean_within_bounds_and_counts_every_value(cases):
    rooms, columns = zip(*cases, strict=True)
    estimate = over_seeds(cells(list(zip(*columns, strict=True)), rooms), seed=1)
    assert estimate.n + estimate.missing == 3 * len(cases)
    if estimate.low is not None:
        assert 0 <= estimate.low <= estimate.value + 1e-9 and estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9
