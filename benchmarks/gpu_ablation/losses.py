"""The three losses, on the logits of rows that share a beginning. Loaded with torch, on use.

What TRL's trainers compute for these stages, written out; a test holds them to those trainers' own numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from components.training.shared_prefix import lay_out, model_inputs


def scored_logits(model: Any, rows: Sequence[list[int]], scored: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Logits (N, vocabulary), float32, of the tokens that `scored` names row by row, and those tokens (N).

    What the rows begin with goes through the model once (see `shared_prefix`, which the model is enabled for).
    """
    inputs = model_inputs(lay_out([list(rows)]), scored, model.device)
    targets = inputs.pop("labels")
    del inputs["shift_labels"]
    hidden = model.base_model(**inputs, use_cache=False).last_hidden_state
    return model.get_output_embeddings()(hidden)[0].float(), targets[0]


def imitation(logits: Tensor, targets: Tensor) -> Tensor:
    """Stage 1: negative log-likelihood of what the teacher wrote, summed over tokens."""
    return cross_entropy(logits, targets, reduction="sum")


def reverse_kl(student: Tensor, teacher: Tensor, temperature: float = 1.0) -> Tensor:
    """Stage 2: KL(student, teacher) at each token of the student's samples (arXiv 2306.13649, beta 1), summed over tokens."""
    ours, theirs = ((logits / temperature).log_softmax(-1) for logits in (student, teacher))
    return (ours.exp() * (ours - theirs)).sum()


def policy_gradient(logits: Tensor, targets: Tensor, advantages: Sequence[Tensor], temperature: float = 1.0) -> Tensor:
    """Stage 3: the loss of GSPO-token (arXiv 2507.18071) with an advantage a token, summed over episodes.

    advantages  of the scored tokens, episode by episode. A step learns from what the model itself has just sampled, so that
                the sequence's ratio is 1, no clip is reached, and only its gradient counts.
    """
    logps = (logits / temperature).log_softmax(-1).gather(1, targets[:, None])[:, 0]
    losses = []
    for own, advantage in zip(logps.split([len(one) for one in advantages]), advantages, strict=True):
        ratio = (own - own.detach()).exp()
        losses.append(-(ratio * advantage.to(own)).mean())
    return torch.stack(losses).sum()
