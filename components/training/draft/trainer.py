"""transformers' trainer over `DraftTask`: batches of rollouts, agreement logged. Loaded with torch, on use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset
from transformers import Trainer

from components.training.draft.losses import IGNORED
from components.training.draft.rollouts import Rollout


class Rows(Dataset[Rollout]):  # type: ignore[misc]
    """Rollouts as training rows."""

    def __init__(self, rollouts: Sequence[Rollout]) -> None:
        self._rollouts = rollouts

    def __len__(self) -> int:
        return len(self._rollouts)

    def __getitem__(self, index: int) -> Rollout:
        return self._rollouts[index]

    @staticmethod
    def collate(rollouts: Sequence[Rollout]) -> dict[str, torch.Tensor]:
        """A batch, padded on the right, as `DraftTask` takes it."""
        ids = [torch.tensor(rollout.tokens) for rollout in rollouts]
        written = [torch.tensor(rollout.written) for rollout in rollouts]
        labels = [tokens.masked_fill(mask == 0, IGNORED) for tokens, mask in zip(ids, written, strict=True)]
        return {
            "input_ids": pad_sequence(ids, batch_first=True),
            "attention_mask": pad_sequence([torch.ones_like(tokens) for tokens in ids], batch_first=True),
            "labels": pad_sequence(labels, batch_first=True, padding_value=IGNORED),
            "rewards": torch.tensor([rollout.reward or 0.0 for rollout in rollouts]),
        }


class DraftTrainer(Trainer):  # type: ignore[misc]
    """Logs `agreement_1`, `agreement_2`, …: how often the head's k-th guess is the main model's choice."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """As `Trainer`."""
        super().__init__(*arguments, **options)
        self._counts: list[torch.Tensor] = []

    def compute_loss(self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None) -> Any:
        """The task's own loss; the counts are kept until the step is logged."""
        loss, outputs = super().compute_loss(model, inputs, return_outputs=True, num_items_in_batch=num_items_in_batch)
        self._counts.append(torch.stack([outputs["agreed"], outputs["guessed"]]).detach())
        return (loss, outputs) if return_outputs else loss

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Add the agreement since the last time, over all processes."""
        if self._counts:
            counts = self.accelerator.reduce(torch.stack(self._counts).sum(dim=0), "sum")
            self._counts = []
            logs |= {f"agreement_{k}": float(a / g) for k, (a, g) in enumerate(counts.T, start=1) if g}
        super().log(logs, start_time)

    def _save(self, output_dir: str | None = None, state_dict: dict[str, torch.Tensor] | None = None) -> None:
        # Safetensors refuses tensors that share memory, as the embedding and output layer of many models do.
        weights = state_dict if state_dict is not None else self.model.state_dict()
        super()._save(output_dir, {name: tensor.clone() for name, tensor in weights.items()})
