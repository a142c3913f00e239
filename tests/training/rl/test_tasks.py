"""Tasks are drawn at exactly the set shares, the same ones every time."""

from __future__ import annotations

import pytest

from components.data.types import ORIGINAL
from components.errors import UserError
from components.training.rl.tasks import draw_tasks, scaled
from tests.training.rl.world import CASES, PARAMS, VARIANTS, WORLD


def test_shares_are_exact_and_independent() -> None:
    params = PARAMS.model_copy(update={"tasks": 40, "hsa_share": 0.75, "fault_share": 0.25})
    tasks = draw_tasks(WORLD.cases, VARIANTS, params, seed=1)
    assert len({task.task_id for task in tasks}) == 40
    assert sum(task.variant_id != ORIGINAL for task in tasks) == 30
    assert sum(task.faults for task in tasks) == 10
    assert all(task.case.split == "train" for task in tasks)
    fixed = draw_tasks(WORLD.cases, VARIANTS, params.model_copy(update={"hsa_share": 0.0}), seed=1)
    assert [(task.case, task.faults) for task in fixed] == [(task.case, task.faults) for task in tasks]
    assert {task.variant_id for task in fixed} == {ORIGINAL}


def test_every_case_comes_before_one_comes_again() -> None:
    params = PARAMS.model_copy(update={"tasks": len(CASES) + 3})
    drawn = [task.case.case_id for task in draw_tasks(CASES, VARIANTS, params, seed=2)]
    assert len(set(drawn[: len(CASES)])) == len(CASES)


def test_the_seed_decides() -> None:
    draws = [draw_tasks(CASES, VARIANTS, PARAMS, seed) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_what_there_is_none_of_is_refused() -> None:
    with pytest.raises(UserError, match=r"rl\.hsa_share: .* found none"):
        draw_tasks(CASES, [], PARAMS, 1)
    with pytest.raises(UserError, match=r"rl\.tasks: expected train cases"):
        draw_tasks([case for case in WORLD.cases if case.split == "eval"], VARIANTS, PARAMS, 1)


def test_faults_keep_their_proportions() -> None:
    assert scaled({"time_out": 0.01, "stale": 0.03}, 0.4) == pytest.approx({"time_out": 0.1, "stale": 0.3})
    with pytest.raises(UserError, match="all rates are 0"):
        scaled({"time_out": 0.0}, 0.4)
