"""The next token of every row, and the loop that writes until all rows have stopped. Loaded with torch, on use."""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from components.policy.decoding import Written


class Sampler:
    """Chooses tokens: the likeliest (`temperature` None), or one drawn at random with the row's own seed."""

    def __init__(self, seeds: Sequence[str], temperature: float | None) -> None:
        self._temperature = temperature
        self._draws = [random.Random(seed) for seed in seeds]

    def choose(self, rows: Sequence[int], logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The tokens for `rows` from their logits (rows, vocabulary), and the log-probability of each, both (rows,)."""
        logprobs = (logits.float() / (self._temperature or 1.0)).log_softmax(dim=-1)
        tokens = logits.argmax(dim=-1) if self._temperature is None else self._draw(rows, logprobs)
        return tokens, logprobs.gather(1, tokens[:, None])[:, 0]

    def _draw(self, rows: Sequence[int], logprobs: torch.Tensor) -> torch.Tensor:
        """Inverse of the cumulative distribution, one draw a row, so that no row's draws depend on the others."""
        drawn = [self._draws[row].random() for row in rows]
        cumulative = logprobs.double().exp().cumsum(dim=-1)
        points = torch.tensor(drawn, dtype=torch.float64, device=logprobs.device)[:, None] * cumulative[:, -1:]
        return torch.searchsorted(cumulative, points, right=True)[:, 0].clamp(max=logprobs.shape[1] - 1)


def write(
    model: PreTrainedModel,
    cache: Cache,
    tokens: torch.Tensor,
    mask: torch.Tensor,
    sampler: Sampler,
    stop_token: int,
    max_new_tokens: int,
) -> list[Written]:
    """Encode `tokens` (rows, new positions), which end together, after what `cache` holds, and write on.

    `mask` (rows, all positions) is 0 at padding. Returns what each row wrote, its stop token included where it reached one.
    """
    written = [Written([], []) for _ in range(len(tokens))]
    rows = list(range(len(tokens)))
    positions = (mask.cumsum(dim=1) - 1)[:, -tokens.shape[1] :]
    for _ in range(max_new_tokens):
        output = model(
            input_ids=tokens, attention_mask=mask, position_ids=positions, cache=cache, use_cache=True, logits_to_keep=1
        )
        chosen, logprobs = sampler.choose(rows, output.logits[:, -1])
        for row, token, logprob in zip(rows, chosen.tolist(), logprobs.tolist(), strict=True):
            if written[row].tokens[-1:] != [stop_token]:
                written[row].tokens.append(token)
                written[row].logprobs.append(logprob)
        going = [index for index, row in enumerate(rows) if written[row].tokens[-1] != stop_token]
        if not going:
            break
        # Leaving finished rows behind copies the past of the others: worth it once half of them are done.
        if len(going) <= len(rows) / 2:
            keep = torch.tensor(going, device=tokens.device)
            cache.reorder_cache(keep)
            chosen, mask, positions = chosen[keep], mask[keep], positions[keep]
            rows = [rows[index] for index in going]
        tokens, positions = chosen[:, None], positions[:, -1:] + 1
        mask = torch.cat([mask, mask.new_ones(len(rows), 1)], dim=1)
    return written
