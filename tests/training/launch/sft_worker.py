"""Run by a test, in as many processes as the launcher starts: a whole training, and one that stops half-way and goes on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from components.training.launch import is_worker, launch_stage
from components.training.params import LaunchParams, SftParams

PARAMS = SftParams(
    max_steps=3, learning_rate=3e-3, batch_size=1, gradient_accumulation=2, max_length=4096, warmup_ratio=0.25, save_steps=1
)
SEED = 7


def train(model: Path, dataset: Path, directory: Path, **changes: Any) -> None:
    from components.training import train_sft

    arguments = (directory / "model", directory / "checkpoints", directory / "log.jsonl")
    train_sft(model, dataset, *arguments, PARAMS.model_copy(update=changes), SEED)


class Stopped(Exception):
    """As if the machine had gone down."""


def stop_at_step_2(model: Path, dataset: Path, directory: Path) -> None:
    from components.training.progress import Progress

    on_log = Progress.on_log

    def stopping(self: Progress, args: Any, state: Any, *rest: Any, **named: Any) -> None:
        on_log(self, args, state, *rest, **named)
        if state.global_step == 2:
            raise Stopped

    Progress.on_log = stopping  # type: ignore[method-assign]
    try:
        train(model, dataset, directory)
    except Stopped:
        return
    finally:
        Progress.on_log = on_log  # type: ignore[method-assign]
    raise AssertionError("expected the training to be stopped")


def main(model: Path, dataset: Path, directory: Path, kind: str, port: str) -> int:
    launch = LaunchParams(processes_per_node=2, deepspeed=kind, main_port=int(port))  # type: ignore[arg-type]
    code = launch_stage([__spec__.name, *sys.argv[1:]], launch)
    if code is not None:
        return code
    assert is_worker()

    import torch

    torch.set_num_threads(1)
    train(model, dataset, directory / "straight")
    stop_at_step_2(model, dataset, directory / "stopped")
    train(model, dataset, directory / "stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:4]), *sys.argv[4:]))
