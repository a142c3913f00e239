"""Decoding of a batch: what its prompts share is encoded once and kept, where the model allows. Loaded with torch, on use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

from components.errors import UserError
from components.policy.decoding import Written
from components.policy.sampling import Sampler, write


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
    """Decodes batches of prompts that start alike.

    The cache always holds the common beginning of the last batch. The next batch keeps what it shares with it, extends
    that to its own common beginning, and each row then encodes only its own remainder. So a decoder is of use for as long
    as the model's weights stay as they are, and no longer.
    """

    def __init__(self, model: PreTrainedModel, stop_token: int, max_new_tokens: int, temperature: float | None = None) -> None:
        """Raises UserError for a model whose past is not plain keys and values (`make_decoder` knows one for it)."""
        self._model, self._stop, self._max_new_tokens, self._temperature = model, stop_token, max_new_tokens, temperature
        self._prefix: list[int] = []
        self._cache = DynamicCache(config=model.config)
        if not has_full_attention(model):
            raise UserError(f"{model.name_or_path}: expected full attention in every layer; decode it with GenerateDecoder")

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        """What is written after each prompt; the seed of a row alone decides what is sampled for it."""
        self._share(common_prefix(prompts))
        shared, longest = len(self._prefix), max(map(len, prompts))
        # Padding stands between the shared beginning and a row's own remainder, so that all rows end together.
        tokens, mask = _padded([prompt[shared:] for prompt in prompts], self._stop, self._model.device)
        mask = torch.cat([mask.new_ones(len(prompts), shared), mask], dim=1)
        room = longest - shared + self._max_new_tokens
        layers = [GrowingLayer(layer, len(prompts), room) for layer in self._cache.layers] if shared else None
        cache = Cache(layers=layers) if layers else DynamicCache(config=self._model.config)
        return write(self._model, cache, tokens, mask, Sampler(seeds, self._temperature), self._stop, self._max_new_tokens)

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


class GenerateDecoder:
    """Decodes any causal model, linear attention included, with the cache that transformers makes for it.

    Every prompt is encoded whole: a recurrent state cannot be cut back to what the next batch shares.
    """

    def __init__(self, model: PreTrainedModel, stop_token: int, max_new_tokens: int, temperature: float | None = None) -> None:
        self._model, self._stop, self._max_new_tokens, self._temperature = model, stop_token, max_new_tokens, temperature

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        """What is written after each prompt; the seed of a row alone decides what is sampled for it."""
        tokens, mask = _padded(prompts, self._stop, self._model.device)
        cache = DynamicCache(config=self._model.config)
        return write(self._model, cache, tokens, mask, Sampler(seeds, self._temperature), self._stop, self._max_new_tokens)


def has_full_attention(model: PreTrainedModel) -> bool:
    """Whether every layer's past is plain keys and values."""
    return all(type(layer) is DynamicLayer for layer in DynamicCache(config=model.config).layers)


def _padded(rows: list[list[int]], filler: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows filled up from the left, and the mask that is 0 there, both (rows, longest)."""
    longest = max(map(len, rows))
    pads = [longest - len(row) for row in rows]
    tokens = torch.tensor([[filler] * pad + row for pad, row in zip(pads, rows, strict=True)], device=device)
    mask = torch.tensor([[0] * pad + [1] * (longest - pad) for pad in pads], device=device)
    return tokens, mask


def common_prefix(rows: list[list[int]], whole: bool = False) -> list[int]:
    """What all rows start with; unless `whole`, at least one token of every row is left over to be encoded."""
    limit = min(map(len, rows)) - (not whole)
    first = rows[0][:limit]
    for index, token in enumerate(first):
        if any(row[index] != token for row in rows):
            return first[:index]
    return first
