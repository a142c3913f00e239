"""Advantages of a batch of episodes, one for the tokens of tool-call turns and one for those of the reply.

Pure functions on tensors; loaded with torch, on use. Each reward is normalised within its group before they are added up
(GDPO, arXiv 2601.05242), so that a rare reward is not drowned by a frequent one. NaN stands for what cannot be scored: it
is left out of means and deviations, and moves nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor

SEGMENTS = ("tool_calls", "reply")
"""Names of segments; in a list of tokens the first is 1, the second 2, and 0 is what the environment wrote."""
EPSILON = 1e-4
"""Added to deviations, as TRL does."""


def segment_advantages(rewards: Tensor, penalties: Tensor, weights: Tensor, penalty_weights: Tensor, group_size: int) -> Tensor:
    """The advantage of each episode (N) for each segment (S), shape (N, S), float64.

    rewards          (N, R); NaN: not scorable. Rows of one group of `group_size` stand together.
    penalties        (N, S), each only for its own segment; NaN: the episode has no such segment, or is not scorable.
    weights          (R, S): what a reward counts for a segment.
    penalty_weights  (S,).
    Where nothing of an episode that counts for a segment can be scored, it gets 0 there and counts for nobody's mean.
    """
    normalised = within_groups(rewards.double(), group_size)
    excess = within_groups(penalties.double(), group_size)
    weights, penalty_weights = weights.double(), penalty_weights.double()
    raw = normalised.nan_to_num(0.0) @ weights - excess.nan_to_num(0.0) * penalty_weights
    scorable = (~rewards.isnan()).double() @ (weights > 0).double() + (~penalties.isnan()) * (penalty_weights > 0)
    return _over_the_batch(raw.masked_fill(scorable == 0, torch.nan)).nan_to_num(0.0)


def within_groups(values: Tensor, group_size: int) -> Tensor:
    """Less the mean of the group, divided by its deviation; (N, R) → (N, R).

    Exactly 0 where all that can be scored are equal: rounding must not become a signal.
    """
    grouped = values.view(-1, group_size, values.shape[1])
    deviations = _deviation(grouped, 1)
    normalised = (grouped - grouped.nanmean(1, keepdim=True)) / (deviations + EPSILON)
    return torch.where(has_signal(values, group_size)[:, None] | grouped.isnan(), normalised, 0.0).view_as(values)


def has_signal(values: Tensor, group_size: int) -> Tensor:
    """Whether the values of a group differ, NaN left out; (N, R) → (N / group_size, R)."""
    grouped = values.view(-1, group_size, values.shape[1])
    highest = grouped.nan_to_num(-torch.inf).amax(1)
    return highest > grouped.nan_to_num(torch.inf).amin(1)


def spread(advantages: Tensor, segments: Tensor) -> Tensor:
    """Each token gets the advantage of its segment: (B, S) and (B, T) → (B, T); segment 0 gets 0."""
    padded = torch.cat([advantages.new_zeros(len(advantages), 1), advantages], dim=1)
    return padded.gather(1, segments.long())


def _over_the_batch(raw: Tensor) -> Tensor:
    """Less the mean and divided by the deviation of all episodes, a segment at a time."""
    return (raw - raw.nanmean(0)) / (_deviation(raw, 0) + EPSILON)


def _deviation(values: Tensor, dim: int) -> Tensor:
    """Sample standard deviation along `dim`, which is kept; 0 for fewer than two numbers."""
    squares = (values - values.nanmean(dim, keepdim=True)) ** 2
    count = (~values.isnan()).sum(dim, keepdim=True)
    return (squares.nansum(dim, keepdim=True) / (count - 1).clamp(min=1)).sqrt()
