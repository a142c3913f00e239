"""Advantages by segment: right to the digit, independent of TRL and of torch, and blind to what cannot be scored."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from components.training.rl.advantages import EPSILON, has_signal, segment_advantages, spread, within_groups

NAN = math.nan
WEIGHTS = torch.tensor([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
PENALTY_WEIGHTS = torch.tensor([0.3, 0.2])
SIZE = 4


def advantages(rewards: object, penalties: object = None, weights: torch.Tensor = WEIGHTS, size: int = SIZE) -> np.ndarray:
    rows = torch.as_tensor(rewards, dtype=torch.float64)
    over = torch.zeros(len(rows), 2) if penalties is None else torch.as_tensor(penalties, dtype=torch.float64)
    return np.asarray(segment_advantages(rows, over, weights, PENALTY_WEIGHTS, size))


def reference(rewards: np.ndarray, penalties: np.ndarray, size: int) -> np.ndarray:
    """The same in plain Python, number by number."""

    def normal(column: list[float]) -> list[float]:
        known = [value for value in column if not math.isnan(value)]
        if len(set(known)) < 2:
            return [0.0] * len(column)
        mean = sum(known) / len(known)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in known) / (len(known) - 1))
        return [0.0 if math.isnan(value) else (value - mean) / (deviation + 1e-4) for value in column]

    out = np.zeros((len(rewards), 2))
    for segment in range(2):
        sums: list[float] = []
        for start in range(0, len(rewards), size):
            rows = range(start, start + size)
            parts = [normal([rewards[row, kind] for row in rows]) for kind in range(4)]
            cost = normal([penalties[row, segment] for row in rows])
            for place, row in enumerate(rows):
                counted = [kind for kind in range(4) if WEIGHTS[kind, segment] > 0 and not math.isnan(rewards[row, kind])]
                if not counted and math.isnan(penalties[row, segment]):
                    sums.append(NAN)
                    continue
                gained = sum(float(WEIGHTS[kind, segment]) * parts[kind][place] for kind in range(4))
                sums.append(gained - float(PENALTY_WEIGHTS[segment]) * cost[place])
        known = [value for value in sums if not math.isnan(value)]
        if len(known) > 1:
            mean = sum(known) / len(known)
            deviation = math.sqrt(sum((value - mean) ** 2 for value in known) / (len(known) - 1))
            out[:, segment] = [0.0 if math.isnan(value) else (value - mean) / (deviation + 1e-4) for value in sums]
    return out


def test_a_group_of_four_by_hand() -> None:
    # Accuracy 1 1 0 0: mean 1/2, deviation sqrt(1/3); the batch is the group, whose normalised deviation is all but 1.
    deviation = math.sqrt(1 / 3)
    one = 0.5 / (deviation + EPSILON)
    in_batch = one / (math.sqrt(4 * one**2 / 3) + EPSILON)
    found = advantages([[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert found[:, 1] == pytest.approx([in_batch, in_batch, -in_batch, -in_batch])
    assert in_batch == pytest.approx(0.8659, abs=1e-4)
    assert not found[:, 0].any(), "accuracy counts for the reply alone"


def test_a_rare_reward_counts_as_much_as_a_frequent_one() -> None:
    rewards = [[1, 0, 0, 0], [1, 0, 0, 0], [1, 0.1, 0, 0], [0, 0, 0, 0]]
    by_reward = within_groups(torch.tensor(rewards, dtype=torch.float64), SIZE).numpy()
    # One of four stands out in either, by 1 or by 0.1: the same distance once normalised.
    assert by_reward[3, 0] == pytest.approx(-1.5, rel=1e-3) and by_reward[2, 1] == pytest.approx(1.5, rel=3e-3)


def test_each_penalty_lowers_its_own_segment_only() -> None:
    found = advantages(np.zeros((4, 4)), [[3, 0], [0, 0], [0, 0], [0, 0]])
    assert found[0, 0] < 0 < found[1, 0] and not found[:, 1].any()


def test_what_cannot_be_scored_gets_nothing_and_moves_nobody() -> None:
    known = [[1, 1, 1, 0.5], [0, 0, 1, 1], [0, 0.5, 0, 1]]
    found = advantages([*known, [NAN] * 4], [[0, 0]] * 3 + [[NAN, NAN]])
    assert not found[3].any()
    assert found[:3] == pytest.approx(advantages(known, size=3))


def test_a_judge_that_failed_once_leaves_the_other_rewards_standing() -> None:
    rewards = np.array([[1, NAN, 1, 1], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0]], dtype=float)
    found = advantages(rewards)
    assert found == pytest.approx(reference(rewards, np.zeros((4, 2)), 4))
    assert found[0, 1] > found[3, 1]


def test_equal_rewards_are_no_signal_however_they_round() -> None:
    for value in (0.1, 1 / 3, 0.7):
        rewards = torch.full((8, 4), value)
        assert not advantages(rewards, torch.full((8, 2), value)).any()
        assert not has_signal(rewards, SIZE).any()
    assert has_signal(torch.tensor([[0.0], [NAN], [1.0], [NAN]]), 4).item()
    assert not has_signal(torch.tensor([[NAN], [NAN], [1.0], [NAN]]), 4).item()


def test_tokens_get_the_advantage_of_their_segment() -> None:
    found = spread(torch.tensor([[1.0, -2.0], [3.0, 4.0]]), torch.tensor([[1, 1, 0, 2, 0], [2, 0, 1, 1, 2]]))
    assert found.tolist() == [[1, 1, 0, -2, 0], [4, 0, 3, 3, 4]]


numbers = st.one_of(st.sampled_from([0.0, 0.5, 1.0, NAN]), st.floats(0, 1, width=32))
batches = st.integers(1, 3).flatmap(
    lambda groups: st.tuples(
        st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=groups * SIZE, max_size=groups * SIZE),
        st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=groups * SIZE, max_size=groups * SIZE),
    )
)


@settings(max_examples=150, deadline=None)
@given(batches)
def test_it_agrees_with_the_reference(batch: tuple[list[list[float]], list[list[float]]]) -> None:
    rewards, penalties = np.array(batch[0]), np.array(batch[1])
    assert advantages(rewards, penalties) == pytest.approx(reference(rewards, penalties, SIZE), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(batches, st.permutations(range(SIZE)))
def test_the_order_within_a_group_does_not_matter(batch: tuple[list[list[float]], list[list[float]]], order: list[int]) -> None:
    rewards, penalties = np.array(batch[0]), np.array(batch[1])
    moved = np.concatenate([np.array(order) + start for start in range(0, len(rewards), SIZE)])
    assert advantages(rewards[moved], penalties[moved]) == pytest.approx(advantages(rewards, penalties)[moved], abs=1e-6)


coarse = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=4, max_size=4), min_size=8, max_size=8)


@settings(max_examples=60, deadline=None)
@given(coarse, st.floats(-5, 5), st.floats(1, 10))
def test_a_reward_may_be_shifted_for_a_group_and_scaled(rows: list[list[float]], shift: float, scale: float) -> None:
    rewards = np.array(rows)
    changed = rewards * scale
    changed[:SIZE] += shift
    assert advantages(changed) == pytest.approx(advantages(rewards), abs=2e-3)
