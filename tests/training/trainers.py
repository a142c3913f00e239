"""A trainer so small that what is around the training can be tested by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import Trainer, TrainingArguments

from components.training.progress import Progress


class Square(torch.nn.Module):  # type: ignore[misc]
    """One weight `w`, whose loss is w². Plain gradient descent at a rate of 1.5 doubles it every step."""

    def __init__(self, work: Callable[[], Any] = lambda: None) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(()))
        self.work = work

    def forward(self, x: torch.Tensor, **_: Any) -> dict[str, torch.Tensor]:
        self.work()
        return {"loss": (self.w * x).square().mean()}


def small_trainer(
    directory: Path, model: torch.nn.Module, announce: Callable[[str], None] = str, divergence: float = 3.0, **arguments: Any
) -> Trainer:
    """Logs to `directory`/log.jsonl; checkpoints in `directory`/checkpoints."""
    defaults = {"max_steps": 30, "learning_rate": 1.5, "optim": "sgd", "lr_scheduler_type": "constant", "max_grad_norm": 0.0}
    return Trainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(directory / "checkpoints"),
            **defaults | arguments,
            save_steps=5,
            logging_steps=1,
            logging_nan_inf_filter=False,
            use_cpu=True,
            disable_tqdm=True,
            dataloader_pin_memory=False,
            report_to="none",
        ),
        train_dataset=[{"x": torch.ones(())} for _ in range(8)],
        callbacks=[Progress(directory / "log.jsonl", announce, divergence)],
    )
