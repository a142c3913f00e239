"""Greedy decoding of a batch whose prompts share a beginning, which is encoded once and kept. Loaded with torch, on use."""

from __future__ import annotations

from typing import Any

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

from components.errors import UserError


class GrowingLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of a batch in a buffer of the final size.

    `DynamicLayer` copies the whole past at every token, which on a CPU costs more than the model itself.
    """

    def __init__(self, prefix: DynamicLayer, batch: int, room: int) -> None:
        """Start with `prefix` (batch of 1) repeated `batch` times; `room` is the number of positions still to come."""
        super().__init__()
        self.device, self.is_initialized = prefix.device, True
        self._length: int = prefix.keys.shape[2]
        self.keys, self.values = (self._buffer(states, batch, room) for states in (prefix.keys, prefix.values))

    def _buffer(self, states: torch.Tensor, batch: int, room: int) -> torch.Tensor:
        buffer = states.new_empty(batch, states.shape[1], self._length + room, states.shape[3])
        buffer[:, :, : self._length] = states
        return buffer

    def update(self, keys: torch.Tensor, values: torch.Tensor, *_: Any, **__: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Append; returns views of what is filled, each (batch, heads, length, width)."""
        start, self._length = self._length, self._length + keys.shape[2]
        self.keys[:, :, start : self._length] = keys
        self.values[:, :, start : self._length] = values
        return self.keys[:, :, : self._length], self.values[:, :, : self._length]

    def get_seq_length(self) -> int:
        """Positions filled so far."""
        return self._length


class PrefixDecoder:
    """Decodes batches of prompts that start with at least one common token.

    The cache always holds the common beginning of the last batch. The next batch keeps what it shares with it, extends
    that to its own common beginning, and each row then encodes only its own remainder.
    """

    def __init__(self, model: PreTrainedModel, stop_token: int, max_new_tokens: int) -> None:
        """Raises UserError for a model whose past is not plain keys and values (serve such a one with `ServerPolicy`)."""
        self._model, self._stop, self._max_new_tokens = model, stop_token, max_new_tokens
        self._prefix: list[int] = []
        self._cache = DynamicCache(config=model.config)
        if any(type(layer) is not DynamicLayer for layer in self._cache.layers):
            raise UserError(
                f"{model.name_or_path}: expected full attention in every layer; serve it behind a URL and use ServerPolicy"
            )

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def decode(self, prompts: list[list[int]]) -> list[list[int]]:
        """The tokens written after each prompt, the stop token included where one was reached."""
        self._share(common_prefix(prompts))
        shared, longest = len(self._prefix), max(map(len, prompts))
        device = self._model.device
        # Padding stands between the shared beginning and a row's own remainder, so that all rows end together.
        pads = [longest - len(prompt) for prompt in prompts]
        tokens = torch.tensor(
            [[self._stop] * pad + prompt[shared:] for pad, prompt in zip(pads, prompts, strict=True)], device=device
        )
        mask = torch.ones(len(prompts), longest, dtype=torch.long, device=device)
        for row, pad in enumerate(pads):
            mask[row, shared : shared + pad] = 0
        positions = (mask.cumsum(dim=1) - 1)[:, shared:]
        room = longest - shared + self._max_new_tokens
        cache = Cache(layers=[GrowingLayer(layer, len(prompts), room) for layer in self._cache.layers])

        written: list[list[int]] = [[] for _ in prompts]
        rows = list(range(len(prompts)))
        for _ in range(self._max_new_tokens):
            output = self._model(input_ids=tokens, attention_mask=mask, position_ids=positions, cache=cache, logits_to_keep=1)
            chosen = output.logits[:, -1].argmax(dim=-1)
            for row, token in zip(rows, chosen.tolist(), strict=True):
                if not self._stopped(written[row]):
                    written[row].append(token)
            going = [index for index, row in enumerate(rows) if not self._stopped(written[row])]
            if not going:
                break
            # Leaving finished rows behind copies the past of the others: worth it once half of them are done.
            if len(going) <= len(rows) / 2:
                keep = torch.tensor(going, device=device)
                cache.batch_select_indices(keep)
                chosen, mask, positions = chosen[keep], mask[keep], positions[keep]
                rows = [rows[index] for index in going]
            tokens, positions = chosen[:, None], positions[:, -1:] + 1
            mask = torch.cat([mask, mask.new_ones(len(rows), 1)], dim=1)
        return written

    def _stopped(self, tokens: list[int]) -> bool:
        return bool(tokens) and tokens[-1] == self._stop

    def _share(self, prefix: list[int]) -> None:
        """Make the cache hold exactly `prefix`, keeping what it has of it already."""
        kept = len(common_prefix([self._prefix, prefix], whole=True))
        cache, surplus = self._cache, len(self._prefix) - kept
        # Forgotten until whole again: a failure half-way must not leave a cache that belies its tokens.
        self._cache, self._prefix = DynamicCache(config=self._model.config), []
        cache.crop(-surplus)
        if kept < len(prefix):
            fresh = torch.tensor([prefix[kept:]], device=self._model.device)
            self._model.base_model(input_ids=fresh, cache=cache, use_cache=True)
        self._cache, self._prefix = cache, prefix


def common_prefix(rows: list[list[int]], whole: bool = False) -> list[int]:
    """What all rows start with; unless `whole`, at least one token of every row is left over to be encoded."""
    limit = min(map(len, rows)) - (not whole)
    first = rows[0][:limit]
    for index, token in enumerate(first):
        if any(row[index] != token for row in rows):
            return first[:index]
    return first
