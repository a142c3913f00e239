"""Parameters of the training stages, checked before anything is loaded."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class LoraParams(BaseModel):
    """Train a low-rank addition, which is merged into the weights at the end."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rank: int = Field(gt=0)
    alpha: float = Field(gt=0)
    targets: tuple[str, ...] | Literal["all-linear"] = "all-linear"
    """Names of the layers it is added to."""


class SftParams(BaseModel):
    """Supervised tuning. Give `epochs` or `max_steps`; the latter wins in TRL, so both at once are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    epochs: float | None = Field(default=None, gt=0)
    max_steps: int | None = Field(default=None, gt=0)
    """Optimiser steps."""
    learning_rate: float = Field(gt=0)
    batch_size: int = Field(gt=0)
    """Rows a forward pass on one device."""
    gradient_accumulation: int = Field(default=1, gt=0)
    """Forward passes an optimiser step."""
    max_length: int = Field(gt=0)
    """Tokens. Longer rows are left out, never cut."""
    max_dropped_share: float = Field(default=0.0, ge=0, le=1)
    """The stage fails if a larger share of the rows is too long."""
    warmup_ratio: float = Field(default=0.0, ge=0, lt=1)
    """Share of the steps in which the learning rate rises to its full value."""
    weight_decay: float = Field(default=0.0, ge=0)
    scheduler: Literal["linear", "cosine", "constant", "constant_with_warmup"] = "cosine"
    save_steps: int = Field(default=100, gt=0)
    """Optimiser steps from one checkpoint to the next."""
    gradient_checkpointing: bool = False
    """Less memory for a third more work; a large model needs it."""
    lora: LoraParams | None = None

    @model_validator(mode="after")
    def _one_length(self) -> Self:
        if (self.epochs is None) == (self.max_steps is None):
            raise ValueError("expected either epochs or max_steps")
        return self
