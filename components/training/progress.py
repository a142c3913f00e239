"""What a person and the record see of a run while it trains. Loaded with transformers, on use."""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from components.errors import UserError
from components.files import write_jsonl
from components.harness.types import JsonObject


class Progress(TrainerCallback):  # type: ignore[misc]
    """Writes a row a step to the log file, prints it with the time left, and sends it to the active MLflow run.

    The rows live in the trainer's own history, so a resumed run has those of its past too.
    """

    def __init__(self, log_path: Path, announce: Callable[[str], None], clock: Callable[[], float] = time.perf_counter) -> None:
        """`clock` returns seconds."""
        self._log_path, self._announce, self._clock = log_path, announce, clock
        self._mlflow_run = os.environ.get("MLFLOW_RUN_ID")

    def on_train_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Start the clock."""
        self._started, self._first_step = self._clock(), state.global_step
        self._last = (self._started, state.num_input_tokens_seen)

    def on_log(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, logs: dict[str, Any], **_: Any
    ) -> None:
        """One optimiser step is done. Raises UserError if the loss is no longer a number."""
        if "loss" not in logs:
            return
        if not math.isfinite(logs["loss"]):
            raise UserError(f"step {state.global_step}: expected a finite loss, found {logs['loss']}; lower the learning_rate")
        now, tokens = self._clock(), state.num_input_tokens_seen
        row = {
            "step": state.global_step,
            "epoch": state.epoch,
            "loss": logs["loss"],
            "learning_rate": logs["learning_rate"],
            "grad_norm": logs["grad_norm"],
            "token_accuracy": logs["mean_token_accuracy"],
            "tokens": tokens,
            "tokens_per_second": (tokens - self._last[1]) / max(now - self._last[0], 1e-9),
            "memory_gib": _peak_memory_gib(),
        }
        self._last = (now, tokens)
        state.log_history[-1] = row
        if state.is_world_process_zero:
            self._publish(row, state.log_history, now, state.max_steps)

    def _publish(self, row: JsonObject, history: list[JsonObject], now: float, max_steps: int) -> None:
        write_jsonl(self._log_path, [row for row in history if "loss" in row])
        done = row["step"] - self._first_step
        left = timedelta(seconds=round((now - self._started) / done * (max_steps - row["step"])))
        self._announce(
            f"step {row['step']}/{max_steps}  loss {row['loss']:.4f}  {row['tokens_per_second']:.0f} tokens/s  "
            f"{row['memory_gib']:.1f} GiB  left {left}"
        )
        if self._mlflow_run:
            import mlflow

            metrics = {name: value for name, value in row.items() if name != "step"}
            mlflow.log_metrics(metrics, step=row["step"], run_id=self._mlflow_run)


def _peak_memory_gib() -> float:
    """Most memory held so far: the GPU's if there is one, else this process's."""
    import torch

    if torch.cuda.is_available():
        return float(torch.cuda.max_memory_allocated()) / 2**30
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
