"""What a person and the record see of a run while it trains, and when it is stopped. Loaded with transformers, on use."""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from transformers import Trainer, TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from components.errors import UserError
from components.files import write_jsonl
from components.harness.types import JsonObject

NAMES = {"mean_token_accuracy": "token_accuracy"}
"""Of TRL's metrics, those that get a plainer name; in the others `/` becomes `_`."""
COUNTED_HERE = ("num_tokens", "num_input_tokens_seen", "train_runtime", "train_tokens_per_second", "epoch", "step")
WINDOW = 10
"""Steps over which a loss is averaged before it is judged."""
NOISE = 0.1
"""Loss below which a rise is no divergence, as where a distillation has all but ended, or a policy loss that is near 0."""


def steps(trainer: Trainer) -> list[JsonObject]:
    """The row of every optimiser step of a run, those before a break included."""
    return [row for row in trainer.state.log_history if "loss" in row]


class Progress(TrainerCallback):  # type: ignore[misc]
    """Writes a row a step to the log file, prints it with the time left, and sends it to the active MLflow run.

    A row holds every finite number that the trainer logs, throughput and peak memory. The rows live in the trainer's own
    history, so a resumed run has those of its past too.
    """

    def __init__(
        self,
        log_path: Path,
        announce: Callable[[str], None],
        divergence: float,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`divergence`: see `OptimiserParams`. `clock` returns seconds."""
        self._log_path, self._announce, self._divergence, self._clock = log_path, announce, divergence, clock
        self._mlflow_run = os.environ.get("MLFLOW_RUN_ID")

    def on_train_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Start the clock."""
        self._started, self._first_step = self._clock(), state.global_step
        self._last = (self._started, state.num_input_tokens_seen)

    def on_log(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, logs: dict[str, Any], **_: Any
    ) -> None:
        """One optimiser step is done. Raises UserError if the loss is no longer a number, or the run diverges."""
        if "loss" not in logs:
            return
        for name in ("loss", "grad_norm"):
            if not math.isfinite(logs.get(name) or 0.0):
                raise UserError(
                    f"step {state.global_step}: expected a finite {name}, found {logs[name]}; lower the learning_rate "
                    f"(now {args.learning_rate:g}, try {args.learning_rate / 3:.1g})"
                )
        now, tokens = self._clock(), state.num_input_tokens_seen
        row: JsonObject = {"step": state.global_step, "epoch": state.epoch}
        row |= {
            NAMES.get(name, name.replace("/", "_")): value
            for name, value in logs.items()
            if name not in COUNTED_HERE and isinstance(value, int | float) and math.isfinite(value)
        }
        row |= {
            "tokens": tokens,
            "tokens_per_second": (tokens - self._last[1]) / max(now - self._last[0], 1e-9),
            "memory_gib": peak_memory_gib(),
        }
        self._last = (now, tokens)
        state.log_history[-1] = row
        history = [row for row in state.log_history if "loss" in row]
        if state.is_world_process_zero:
            self._publish(row, history, now, state.max_steps)
        self._check_divergence([row["loss"] for row in history], args.learning_rate)

    def _publish(self, row: JsonObject, history: list[JsonObject], now: float, max_steps: int) -> None:
        write_jsonl(self._log_path, history)
        done = row["step"] - self._first_step
        left = timedelta(seconds=round((now - self._started) / done * (max_steps - row["step"])))
        reward = f"reward {row['reward']:.3f}  " if "reward" in row else ""
        self._announce(
            f"step {row['step']}/{max_steps}  loss {row['loss']:.4f}  {reward}{row['tokens_per_second']:.0f} tokens/s  "
            f"{row['memory_gib']:.1f} GiB  left {left}"
        )
        if self._mlflow_run:
            import mlflow

            metrics = {name: value for name, value in row.items() if name != "step"}
            mlflow.log_metrics(metrics, step=row["step"], run_id=self._mlflow_run)

    def _check_divergence(self, losses: list[float], learning_rate: float) -> None:
        means = [fmean(losses[end - WINDOW : end]) for end in range(WINDOW, len(losses) + 1)]
        if means and means[-1] > self._divergence * max(min(means), NOISE):
            raise UserError(
                f"step {len(losses)}: the run diverges: mean loss of the last {WINDOW} steps {means[-1]:.3g}, of the best "
                f"{WINDOW} {min(means):.3g}; lower the learning_rate (now {learning_rate:g}, try {learning_rate / 3:.1g})"
            )


def peak_memory_gib() -> float:
    """Most memory held so far: the GPU's if there is one, else this process's."""
    import torch

    if torch.cuda.is_available():
        return float(torch.cuda.max_memory_allocated()) / 2**30
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
