"""TRL's GRPO trainer with an advantage of its own for each segment of an episode. Loaded with trl, on use.

Added to TRL: advantages by segment (`advantages.py`) and the ratio that lets them reach their tokens (`ratios.py`),
log-probabilities that read what a group shares once (`logprobs.py`), and the metrics of the simulator. Loss, clipping, KL
and everything else are TRL's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from accelerate.utils import gather, gather_object
from torch.nn.utils.rnn import pad_sequence
from trl import GRPOTrainer
from trl.trainer.utils import split_tensor_dict

from components.training.params import RlParams
from components.training.rl.advantages import segment_advantages, spread
from components.training.rl.logprobs import score_rows
from components.training.rl.metrics import summarise
from components.training.rl.ratios import gspo_old
from components.training.rl.rewards import REWARDS, excess
from components.training.rl.simulator import Rollout
from components.training.shared_prefix import enable, supports


class SegmentTrainer(GRPOTrainer):  # type: ignore[misc]
    """Its `rollout_func` gives each row a field `rollout` (see `simulator.Rollout`)."""

    latest: list[Rollout]
    """This process's episodes of the last generation."""
    _buffered_inputs: list[dict[str, Any]] | None
    _part: dict[str, Any] | None = None
    """What the loss is being computed of."""

    def __init__(self, *, params: RlParams, model: Any, **arguments: Any) -> None:
        """`model` is the bare model; `arguments` are TRL's."""
        self._params, self.latest = params, []
        self.shares_prefix = supports(model)
        if self.shares_prefix:
            enable(model)
        super().__init__(model=model, reward_funcs=[reward_of(name) for name in REWARDS], **arguments)
        if self.shares_prefix and self.ref_model is not None:
            enable(self.accelerator.unwrap_model(self.ref_model))
        rewards, thinking = params.rewards, (params.thinking_in_tool_calls, params.thinking_in_reply)
        chosen = [getattr(rewards, name) for name in REWARDS]
        self._weights = torch.tensor([[one.tool_calls, one.reply] for one in chosen])
        self._penalties = thinking
        self._penalty_weights = torch.tensor([penalty.weight for penalty in thinking])

    def _prepare_inputs(self, generation_batch: Any) -> Any:
        """As TRL's, but in order: a generation is one optimiser step, whose parts may not be shuffled apart from their groups."""
        parts = self.args.steps_per_generation
        if self._step % parts == 0 or self._buffered_inputs is None:
            rows = self._generate_and_score_completions(generation_batch)
            self._buffered_inputs = split_tensor_dict(rows, parts)
        return self._buffered_inputs[self._step % parts]

    def _calculate_rewards(self, *arguments: Any) -> Any:
        self._rewards = super()._calculate_rewards(*arguments)
        return self._rewards

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        self.latest = [row["rollout"] for row in inputs]
        outcomes = gather_object([rollout.outcome for rollout in self.latest])
        for name, value in summarise(outcomes, self.num_generations).items():
            self._metrics["train"][name].append(value)
        device = output["completion_ids"].device
        over = [
            [excess(turns, penalty) for turns, penalty in zip(rollout.outcome.thinking, self._penalties, strict=True)]
            for rollout in self.latest
        ]
        penalties = gather(torch.tensor([[float("nan") if one is None else one for one in row] for row in over], device=device))
        advantages = segment_advantages(
            self._rewards, penalties, self._weights.to(device), self._penalty_weights.to(device), self.num_generations
        )
        own = slice(self.accelerator.process_index * len(inputs), (self.accelerator.process_index + 1) * len(inputs))
        segments = pad_sequence([torch.tensor(rollout.segments or [0]) for rollout in self.latest], batch_first=True)
        output["advantages"] = spread(advantages[own], segments.to(device)).to(torch.float32)
        return output

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Any:
        self._part = dict(inputs)
        try:
            return super()._compute_loss(model, self._part)
        finally:
            self._part = None

    def _get_per_token_logps_and_entropies(self, *arguments: Any, **named: Any) -> Any:
        """TRL's; inside the loss it also sets what TRL divides by, which is known only once the present is."""
        scored = self._scored(*arguments, **named)
        if (part := self._part) is not None:
            part["old_per_token_logps"] = gspo_old(
                scored[0].detach(), part.get("old_per_token_logps"), part["completion_mask"] * part["tool_mask"]
            )
        return scored

    def _scored(
        self,
        model: Any,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        logits_to_keep: int,
        batch_size: int | None = None,
        compute_entropy: bool = False,
        compute_aux_loss: bool = False,
        **others: Any,
    ) -> Any:
        if not self.shares_prefix or compute_aux_loss:
            return super()._get_per_token_logps_and_entropies(
                model, input_ids, attention_mask, logits_to_keep, batch_size, compute_entropy, compute_aux_loss, **others
            )
        size = batch_size or len(input_ids)
        with self.accelerator.autocast():
            parts = [
                score_rows(model, ids, mask, logits_to_keep, compute_entropy)
                for ids, mask in zip(input_ids.split(size), attention_mask.split(size), strict=True)
            ]
        logps = torch.cat([part[0] for part in parts])
        return logps, torch.cat([part[1] for part in parts]) if compute_entropy else None, None


def reward_of(name: str) -> Callable[..., list[float | None]]:
    """The reward of this name as TRL wants it: the rollouts are scored already."""

    def reward(rollout: list[Rollout], **_: Any) -> list[float | None]:
        return [getattr(one.outcome.scores, name) for one in rollout]

    reward.__name__ = name
    return reward
