"""Estimates against independent references, and the coverage that they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from components.evaluation.statistics import mcnemar_exact, mean_interval, paired_difference, rate_interval

verdicts = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, None]), st.sampled_from("abcdef")), min_size=1, max_size=40)


def test_wilson_interval_of_independent_cases_equals_scipys():
    values = [1.0] * 17 + [0.0] * 3
    rooms = [f"room-{i}" for i in range(20)]
    reference = binomtest(17, 20).proportion_ci(method="wilson")
    # A room a case: the clustered variance is n/(n-1) times the simple one, which is the only difference from scipy's.
    estimate = rate_interval(values, rooms)
    assert estimate.value == 0.85
    assert estimate.low == pytest.approx(reference.low, abs=0.01)
    assert estimate.high == pytest.approx(reference.high, abs=0.01)


def test_rate_without_errors_keeps_wilsons_bound_instead_of_certainty():
    reference = binomtest(20, 20).proportion_ci(method="wilson")
    estimate = rate_interval([1.0] * 20, [f"room-{i % 5}" for i in range(20)])
    assert (estimate.low, estimate.high) == pytest.approx((reference.low, reference.high))


def test_rate_interval_widens_where_a_room_is_right_or_wrong_as_a_whole():
    values = [1.0] * 20 + [0.0] * 20
    together = rate_interval(values, [f"room-{i // 4}" for i in range(40)])
    apart = rate_interval(values, [f"room-{i % 10}" for i in range(40)])
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_mean_interval_agrees_with_students_t_where_every_case_is_a_room_of_its_own():
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 1, 60)
    estimate = mean_interval(list(values), [str(i) for i in range(60)], seed=2)
    margin = 2.001 * values.std(ddof=1) / np.sqrt(60)
    assert estimate.value == pytest.approx(values.mean())
    assert (estimate.low, estimate.high) == pytest.approx((values.mean() - margin, values.mean() + margin), abs=0.012)


def test_mean_of_alike_values_is_not_certain():
    estimate = mean_interval([1.0] * 40, [f"room-{i % 8}" for i in range(40)], seed=0)
    assert estimate.high == 1.0
    assert estimate.low == pytest.approx(binomtest(40, 40).proportion_ci(method="wilson").low)


def test_difference_of_alike_answers_is_zero_but_not_certainly():
    answers = [1.0, 0.0] * 20
    estimate = paired_difference(answers, answers, [f"room-{i % 8}" for i in range(40)], seed=0)
    assert estimate.value == 0
    assert estimate.low is not None and estimate.high is not None
    assert -0.1 < estimate.low < 0 < estimate.high < 0.1


def test_rooms_that_come_out_alike_do_not_make_a_difference_certain():
    rooms = [str(i // 2) for i in range(12)]
    estimate = paired_difference([1.0, 0.5] * 6, [0.0, 0.5] * 6, rooms, seed=0)
    # As twelve independent cases: 0.5 give or take Student's t times the standard error.
    assert estimate.value == 0.5
    assert (estimate.low, estimate.high) == pytest.approx((0.5 - 2.2 * 0.5 / 11**0.5, 0.5 + 2.2 * 0.5 / 11**0.5), abs=0.06)


def test_rooms_more_alike_than_chance_makes_them_give_the_interval_of_independent_cases():
    values = [1.0, 0.0] * 11 + [1.0, 1.0]
    apart = mean_interval(values, [str(i) for i in range(24)], seed=0)
    together = mean_interval(values, [str(i // 2) for i in range(24)], seed=0)
    assert (together.low, together.high) == (apart.low, apart.high)


def test_one_room_gives_a_value_and_no_interval():
    estimate = mean_interval([1.0, 0.0], ["room", "room"], seed=0)
    assert (estimate.value, estimate.low, estimate.high) == (0.5, None, None)


def test_missing_verdicts_are_counted_and_never_read_as_zero():
    estimate = mean_interval([1.0, None, 1.0, None], ["a", "a", "b", "b"], seed=0)
    assert (estimate.value, estimate.n, estimate.missing) == (1.0, 2, 2)


def test_pair_with_a_verdict_missing_on_either_side_is_missing():
    estimate = paired_difference([1.0, None, 1.0], [0.5, 1.0, None], ["a", "b", "c"], seed=0)
    assert (estimate.value, estimate.n, estimate.missing) == (0.5, 1, 2)


def test_nothing_but_missing_verdicts_gives_no_figure():
    estimate = mean_interval([None, None], ["a", "b"], seed=0)
    assert (estimate.value, estimate.n, estimate.missing) == (None, 0, 2)


def test_pairing_removes_the_noise_that_both_arms_share():
    rng = np.random.default_rng(5)
    base = rng.choice([0.0, 1.0], 80)
    other = np.clip(base + (rng.uniform(size=80) < 0.1), 0, 1)
    rooms = [str(i // 4) for i in range(80)]
    paired = paired_difference(list(other), list(base), rooms, seed=0)
    alone = mean_interval(list(other), rooms, seed=0)
    assert paired.low is not None and paired.high is not None and alone.low is not None and alone.high is not None
    assert paired.high - paired.low < (alone.high - alone.low) / 1.4


@pytest.mark.parametrize(("only_first", "only_second"), [(8, 1), (3, 3), (0, 6), (0, 0)])
def test_mcnemar_is_the_binomial_test_of_the_discordant_cases(only_first, only_second):
    first = [1] * only_first + [0] * only_second + [1] * 5 + [0] * 5
    second = [0] * only_first + [1] * only_second + [1] * 5 + [0] * 5
    result = mcnemar_exact([*first, None], [*second, 1])
    discordant = only_first + only_second
    assert (result.only_first, result.only_second) == (only_first, only_second)
    assert result.p_value == pytest.approx(binomtest(only_first, discordant).pvalue if discordant else 1.0)


@settings(max_examples=40, deadline=None)
@given(verdicts)
def test_interval_lies_around_the_mean_within_bounds(cases):
    values, rooms = zip(*cases, strict=True)
    for estimate in (
        mean_interval(values, rooms, seed=3),
        rate_interval([None if v is None else float(v > 0.5) for v in values], rooms),
    ):
        assert estimate.n + estimate.missing == len(values)
        if estimate.low is not None:
            assert estimate.value is not None and estimate.high is not None
            assert -1e-9 <= estimate.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9


@settings(max_examples=20, deadline=None)
@given(verdicts, st.randoms(use_true_random=False))
def test_difference_changes_its_sign_with_the_order_of_the_arms(cases, random):
    values, rooms = zip(*cases, strict=True)
    other = [random.choice([0.0, 0.5, 1.0]) for _ in values]
    forth, back = paired_difference(values, other, rooms, seed=3), paired_difference(other, values, rooms, seed=3)
    if forth.value is not None:
        assert forth.value == pytest.approx(-back.value)
    if forth.low is not None:
        assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low), abs=0.02)


@pytest.mark.parametrize("rooms", [6, 20])
def test_intervals_cover_the_truth_about_as_often_as_they_say(rooms):
    """Rooms differ in how hard they are; 95 % intervals of 200 simulated runs."""
    rng = np.random.default_rng(rooms)
    clusters = [str(i // 6) for i in range(rooms * 6)]
    covered = {"mean": 0, "rate": 0}
    for _ in range(200):
        chance = np.repeat(rng.beta(7, 3, rooms), 6)
        right = (rng.uniform(size=chance.size) < chance).astype(float)
        for name, estimate in (
            ("mean", mean_interval(list(right), clusters, seed=1)),
            ("rate", rate_interval(list(right), clusters)),
        ):
            covered[name] += estimate.low <= 0.7 <= estimate.high
    # Three standard errors of a share of 200 below 95 %.
    assert all(count >= 0.90 * 200 for count in covered.values()), covered
