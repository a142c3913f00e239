"""Rows that begin alike go through a model in one forward pass in which the shared beginning is computed once.

The rows of a pack lie behind each other in one *stream*: [prefix | rest of row 1 | rest of row 2 | …], packs behind each
other, nothing padded. Attention is all that has to know: every rest sees the prefix and itself. Log-probabilities and
gradients are those of the rows one by one; loss, metrics and generation stay TRL's and transformers' own.
Loaded with torch, on use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.nn.utils.rnn import pad_sequence
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import repeat_kv, sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "shared_prefix"


@dataclass(frozen=True)
class Pack:
    """Lengths in tokens of what the rows of a pack share, and of the rest of each."""

    prefix: int
    rests: tuple[int, ...]


@dataclass(frozen=True)
class Stream:
    """Packs behind each other, as a model takes them, and where the tokens of each row lie in them."""

    tokens: list[int]
    positions: list[int]
    packs: tuple[Pack, ...]
    rows: list[list[int]]
    """Row by row, pack by pack: the place in the stream of each of its tokens."""


def shared_length(first: list[int], second: list[int]) -> int:
    """Tokens that two rows have in common from their beginning, at least one of each left to be its rest."""
    most = min(len(first), len(second)) - 1
    return next((place for place in range(most) if first[place] != second[place]), most)


def lay_out(packs: Sequence[Sequence[list[int]]]) -> Stream:
    """The stream of `packs`, each of them rows of at least two tokens."""
    tokens: list[int] = []
    positions: list[int] = []
    laid: list[Pack] = []
    rows: list[list[int]] = []
    for pack in packs:
        # The smallest and the largest row differ earliest.
        prefix = shared_length(min(pack), max(pack)) if len(pack) > 1 else 0
        prefix = min(prefix, min(len(row) for row in pack) - 1)
        start = len(tokens)
        tokens += pack[0][:prefix]
        positions += range(prefix)
        for row in pack:
            rows.append([*range(start, start + prefix), *range(len(tokens), len(tokens) + len(row) - prefix)])
            tokens += row[prefix:]
            positions += range(prefix, len(row))
        laid.append(Pack(prefix, tuple(len(row) - prefix for row in pack)))
    return Stream(tokens, positions, tuple(laid), rows)


def model_inputs(stream: Stream, scored: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> dict[str, Any]:
    """Keyword arguments of the model for `stream`; `scored` has, row by row, the tokens (by index, none 0) to be judged.

    With `fused_lm_head=True` the output's fields have shape (1, scored tokens), row by row.
    """
    before = [places[index - 1] for places, indices in zip(stream.rows, scored, strict=True) for index in indices]
    targets = [stream.tokens[places[index]] for places, indices in zip(stream.rows, scored, strict=True) for index in indices]
    labels = torch.tensor([targets], device=device)
    return {
        "input_ids": torch.tensor([stream.tokens], device=device),
        "position_ids": torch.tensor([stream.positions], device=device),
        # No token is padding. With four dimensions, transformers builds no mask of its own out of it.
        "attention_mask": torch.ones(1, 1, 1, len(stream.tokens), dtype=torch.long, device=device),
        "labels": labels,
        "shift_labels": labels,
        "scored": torch.tensor(before, device=device),
        NAME: stream.packs,
    }


def supports(model: PreTrainedModel) -> bool:
    """Whether every layer of the model attends to all that came before, through transformers' attention interface."""
    config = model.config.get_text_config()
    kinds = set(getattr(config, "layer_types", None) or ["full_attention"])
    return bool(
        kinds == {"full_attention"}
        and not (getattr(config, "use_sliding_window", True) and getattr(config, "sliding_window", None))
        and model._supports_attention_backend
        and model._supports_sdpa
    )


def enable(model: PreTrainedModel) -> None:
    """Let `model` take streams (see `model_inputs`). Without one it works as before, with the attention `sdpa`.

    Call it on the bare model, before an adapter or a distributed wrapper is put around it.
    """
    AttentionInterface.register(NAME, shared_prefix_attention)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    model.set_attn_implementation(NAME)
    model.base_model.register_forward_hook(_keep_scored, with_kwargs=True)


def _keep_scored(module: torch.nn.Module, args: Any, kwargs: dict[str, Any], output: Any) -> Any:
    """Only what is judged goes on to the head, which is as costly as a quarter of a small model."""
    if kwargs.get("scored") is not None:
        output.last_hidden_state = output.last_hidden_state[:, kwargs["scored"]]
    return output


def shared_prefix_attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    shared_prefix: tuple[Pack, ...] | None = None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    """Attention of a stream; heads of shape (1, heads, tokens, size). Without `shared_prefix`, that of `sdpa`."""
    if shared_prefix is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **kwargs)  # type: ignore[no-any-return]
    lengths = [length for pack in shared_prefix for length in (pack.prefix, *pack.rests)]
    parts = zip(*(heads[0].transpose(0, 1).split(lengths) for heads in (query, key, value)), strict=True)
    outputs = []
    for pack in shared_prefix:
        prefix = [heads.transpose(0, 1)[None] for heads in next(parts)]
        if pack.prefix:
            outputs.append(sdpa_attention_forward(module, *prefix, None, **kwargs)[0][0])
        rests = [
            pad_sequence(list(heads), batch_first=True).transpose(1, 2)
            for heads in zip(*(next(parts) for _ in pack.rests), strict=True)
        ]
        attended = _attend_to_prefix(module, *rests, *prefix[1:], **kwargs)
        outputs += [row[:length] for row, length in zip(attended, pack.rests, strict=True)]
    return torch.cat(outputs)[None], None


def _attend_to_prefix(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    prefix_key: torch.Tensor,
    prefix_value: torch.Tensor,
    dropout: float = 0.0,
    scaling: float | None = None,
    **_: Any,
) -> torch.Tensor:
    """The rests of a pack, padded at their ends, (rows, heads, tokens, size), as (rows, tokens, heads, size)."""
    rows, _, longest, _ = query.shape
    prefix = prefix_key.shape[2]
    key = torch.cat([prefix_key.expand(rows, -1, -1, -1), key], dim=2)
    value = torch.cat([prefix_value.expand(rows, -1, -1, -1), value], dim=2)
    # What pads a rest lies behind its tokens, so that they do not see it.
    seen = torch.ones(longest, prefix + longest, dtype=torch.bool, device=query.device).tril(prefix)
    # With a mask, only the kernel for CPUs takes fewer keys than queries; on a GPU it would be the slowest of all.
    grouped = query.device.type == "cpu"
    if not grouped:
        key, value = (repeat_kv(heads, query.shape[1] // key.shape[1]) for heads in (key, value))
    attended = scaled_dot_product_attention(
        query, key, value, attn_mask=seen, dropout_p=dropout, scale=scaling, enable_gqa=grouped
    )
    return attended.transpose(1, 2)
