"""Optimiser steps for as long as there is time. Loaded with torch, on use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import cos, isfinite, pi
from typing import Any

import torch
from torch import Tensor

from benchmarks.gpu_ablation.pace import Pace
from components.errors import UserError
from components.harness.types import JsonObject
from components.training.params import OptimiserParams


@dataclass(frozen=True)
class Step:
    """What a step tells beside its loss."""

    drawn: int
    """Rows, prompts or tasks."""
    tokens: int
    """Read, learnt or written in it, however the stage counts."""
    figures: dict[str, float] = field(default_factory=dict)


Batch = Callable[[], tuple[Iterator[Tensor], Step]]
"""The next step: its loss in parts, each computed when it is asked for, and what it tells."""


def learn(model: Any, params: OptimiserParams, pace: Pace, dtype: str, batch: Batch) -> list[JsonObject]:
    """Take steps for as long as `pace` allows; a row a step. Raises UserError for a loss that is no number."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=params.learning_rate, weight_decay=params.weight_decay)
    rows: list[JsonObject] = []
    model.train()
    for progress in pace:
        start, loss = time.monotonic(), 0.0
        for group in optimiser.param_groups:
            group["lr"] = params.learning_rate * schedule(progress)
        parts, step = batch()
        for part in autocast(model, dtype, parts):
            part.backward()
            loss += part.item()
        if not isfinite(loss):
            raise UserError(f"{pace.name}: step {len(rows)}: the loss is no number; lower its learning_rate and pack again")
        torch.nn.utils.clip_grad_norm_(model.parameters(), params.max_grad_norm)
        optimiser.step()
        optimiser.zero_grad()
        row = {"step": len(rows), "loss": loss, "seconds": time.monotonic() - start}
        rows.append(row | {"drawn": step.drawn, "tokens": step.tokens} | step.figures)
    return rows


def autocast(model: Any, dtype: str, parts: Iterator[Tensor]) -> Iterator[Tensor]:
    """The parts, computed in the number format `dtype` where it is not that of the weights."""
    while True:
        with torch.autocast(model.device.type, getattr(torch, dtype), enabled=dtype != "float32"):
            part = next(parts, None)
        if part is None:
            return
        yield part


def schedule(progress: float) -> float:
    """What the learning rate is multiplied by: up for a tenth of the stage, down as a cosine; by time where time decides."""
    return min(1.0, 0.1 + 9 * progress) * (1 + cos(pi * progress)) / 2
