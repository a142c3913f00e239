"""Where memory runs out, the error says which parameter to change, and to what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from components.errors import UserError
from components.policy.precision import Precision
from components.training.params import OptimiserParams
from components.training.running import run, trainer_arguments
from tests.training.trainers import Square, small_trainer

IDENTITY = {"stage": "sft"}


def too_much() -> None:
    """What a machine without enough memory says: no machine has 2⁵⁰ numbers."""
    torch.empty(2**50)


def no_gpu_memory() -> None:
    raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 MiB.")


@pytest.mark.parametrize("work", [too_much, no_gpu_memory, lambda: bytearray(2**60)], ids=["cpu", "gpu", "python"])
def test_running_out_of_memory_names_what_to_lower(tmp_path: Path, work: Callable[[], Any]) -> None:
    trainer = small_trainer(tmp_path, Square(work), per_device_train_batch_size=4, gradient_accumulation_steps=2)
    with pytest.raises(
        UserError, match=r"^sft: out of memory at step 0; lower batch_size to 2 and raise gradient_accumulation to 4 "
    ):
        run(trainer, IDENTITY, tmp_path / "checkpoints", print)


def test_the_advice_goes_on_where_a_batch_is_one_row(tmp_path: Path) -> None:
    model = Square(too_much)
    said = []
    changes: dict[str, Any]
    for changes in ({}, {"gradient_checkpointing": True}):
        trainer = small_trainer(tmp_path, model, per_device_train_batch_size=1, **changes)
        model.gradient_checkpointing_enable = lambda **_: None
        with pytest.raises(UserError) as caught:
            run(trainer, IDENTITY, tmp_path / "checkpoints", print)
        said.append(str(caught.value).partition("; ")[2])
    trainer.pack_rows = 5
    with pytest.raises(UserError, match="lower pack_rows to 2 and raise gradient_accumulation to 3 "):
        run(trainer, IDENTITY, tmp_path / "checkpoints", print)
    del trainer.pack_rows
    model.peft_config = {}
    with pytest.raises(UserError, match="lower the lengths"):
        run(trainer, IDENTITY, tmp_path / "checkpoints", print)
    assert said[0] == "set gradient_checkpointing to true"
    assert said[1].startswith("set lora to {rank: 16, alpha: 32}, or spread")


def test_another_error_is_not_dressed_up(tmp_path: Path) -> None:
    def broken() -> None:
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        run(small_trainer(tmp_path, Square(broken)), IDENTITY, tmp_path / "checkpoints", print)


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    said: list[str] = []
    steps = 0

    def stop_in_step_eight() -> None:
        nonlocal steps
        steps += 1
        if steps == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(
            small_trainer(tmp_path, Square(stop_in_step_eight), learning_rate=0.25),
            IDENTITY,
            tmp_path / "checkpoints",
            said.append,
        )
    resumed = small_trainer(tmp_path, Square(), learning_rate=0.25)
    run(resumed, IDENTITY, tmp_path / "checkpoints", said.append)
    assert said == ["sft: going on from checkpoint-5"]
    straight = small_trainer(tmp_path / "straight", Square(), learning_rate=0.25)
    run(straight, IDENTITY, tmp_path / "straight" / "checkpoints", said.append)
    losses = [[row["loss"] for row in one.state.log_history if "loss" in row] for one in (resumed, straight)]
    assert losses[0] == losses[1] and len(losses[0]) == 30


def test_every_optimiser_parameter_reaches_the_trainer(tmp_path: Path) -> None:
    params = OptimiserParams(
        max_steps=7,
        learning_rate=0.5,
        batch_size=3,
        gradient_accumulation=2,
        warmup_ratio=0.25,
        weight_decay=0.125,
        max_grad_norm=0.75,
        scheduler="linear",
        save_steps=9,
        gradient_checkpointing=True,
    )
    arguments = trainer_arguments(params, tmp_path, 11, Precision("bfloat16", "cpu", 1, 2))
    given = params.model_dump(
        exclude={"epochs", "divergence", "lora", "batch_size", "gradient_accumulation", "warmup_ratio", "scheduler"}
    )
    assert given.items() <= arguments.items()
    renamed = {
        "per_device_train_batch_size": 3,
        "gradient_accumulation_steps": 2,
        "warmup_steps": 0.25,
        "lr_scheduler_type": "linear",
        "seed": 11,
        "bf16": True,
        "use_cpu": True,
    }
    assert renamed.items() <= arguments.items()
    by_epochs = params.model_copy(update={"max_steps": None, "epochs": 2.5})
    assert trainer_arguments(by_epochs, tmp_path, 1, Precision("float32", "cuda", 1, 1))["num_train_epochs"] == 2.5
