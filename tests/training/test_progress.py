"""A run's log has every number that was logged, survives a break, and a run that goes wrong is stopped."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers import TrainerControl, TrainerState, TrainingArguments

from components.errors import UserError
from components.files import read_jsonl
from components.training.progress import NOISE, Progress
from tests.training.trainers import Square, small_trainer


def test_a_run_that_diverges_is_stopped(tmp_path: Path) -> None:
    said: list[str] = []
    trainer = small_trainer(tmp_path, Square(), said.append)
    # The loss grows four times a step: after eleven steps the last ten are four times the first ten.
    with pytest.raises(UserError, match=r"step 11: the run diverges: .*lower the learning_rate \(now 1.5, try 0.5\)"):
        trainer.train()
    assert [row["loss"] for row in read_jsonl(tmp_path / "log.jsonl")] == [4**step for step in range(11)]
    assert said[-1].startswith("step 11/30  loss 1048576.0000  ")


def test_a_run_that_converges_is_not(tmp_path: Path) -> None:
    trainer = small_trainer(tmp_path, Square(), learning_rate=0.25)
    trainer.train()
    assert len(read_jsonl(tmp_path / "log.jsonl")) == 30


def logged(
    tmp_path: Path, losses: list[float], announce: Callable[[str], None] = str, divergence: float = 3.0, **metrics: Any
) -> list[dict[str, Any]]:
    """Give `Progress` one log a loss, as a trainer does; the clock goes on two seconds from one to the next."""
    seconds = iter(range(0, 10_000, 2))
    progress = Progress(tmp_path / "log.jsonl", announce, divergence, lambda: float(next(seconds)))
    arguments, control = TrainingArguments(output_dir=str(tmp_path), use_cpu=True, learning_rate=3e-4), TrainerControl()
    state = TrainerState(max_steps=len(losses), epoch=0.5)
    progress.on_train_begin(arguments, state, control)
    for step, loss in enumerate(losses, start=1):
        state.global_step, state.num_input_tokens_seen = step, 50 * step
        logs = {"loss": loss, "grad_norm": 0.5, "learning_rate": 1e-3} | metrics
        state.log_history.append(logs)
        progress.on_log(arguments, state, control, logs)
    return list(read_jsonl(tmp_path / "log.jsonl"))


def test_a_row_has_every_finite_number_under_a_readable_name(tmp_path: Path) -> None:
    said: list[str] = []
    row, _ = logged(
        tmp_path,
        [0.25, 0.25],
        said.append,
        reward=1.5,
        mean_token_accuracy=0.75,
        num_tokens=9,
        train_runtime=3.0,
        kl=math.nan,
        **{"completions/mean_length": 12.0, "rewards/accuracy/mean": 0.5},
    )
    assert row.pop("memory_gib") > 0
    assert row == {
        "step": 1,
        "epoch": 0.5,
        "loss": 0.25,
        "grad_norm": 0.5,
        "learning_rate": 1e-3,
        "reward": 1.5,
        "token_accuracy": 0.75,
        "completions_mean_length": 12.0,
        "rewards_accuracy_mean": 0.5,
        "tokens": 50,
        "tokens_per_second": 25.0,
    }
    assert said[0].startswith("step 1/2  loss 0.2500  reward 1.500  25 tokens/s  ") and said[0].endswith("left 0:00:02")


@pytest.mark.parametrize(("name", "value"), [("loss", math.inf), ("loss", math.nan), ("grad_norm", math.nan)])
def test_a_number_that_is_none_stops_the_run(tmp_path: Path, name: str, value: float) -> None:
    with pytest.raises(UserError, match=rf"step 1: expected a finite {name}, found (nan|inf); .*now 0.0003, try 0.0001"):
        logged(tmp_path, [1.0], **{name: value})


@pytest.mark.parametrize(
    ("losses", "stopped_at"),
    [
        ([1.0] * 10 + [3.1] * 9, None),
        ([1.0] * 10 + [3.1] * 10, 20),
        ([5.0] * 10 + [1.0] * 10 + [2.9] * 10, None),
        ([1.0] * 5 + [100.0], None),
        # Where a distillation is all but at its end, or a policy loss is about 0, its noise is no divergence.
        ([0.001] * 10 + [0.2] * 10, None),
        ([-0.01] * 10 + [0.01] * 10, None),
        ([0.001] * 10 + [3.1 * NOISE] * 10, 20),
    ],
)
def test_the_last_ten_steps_are_held_against_the_best_ten(tmp_path: Path, losses: list[float], stopped_at: int | None) -> None:
    if stopped_at is None:
        assert len(logged(tmp_path, losses)) == len(losses)
    else:
        with pytest.raises(UserError, match=f"step {stopped_at}: the run diverges"):
            logged(tmp_path, losses)
