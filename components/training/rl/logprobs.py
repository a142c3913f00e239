"""Log-probabilities of episodes whose beginnings are shared: what a group has in common goes through the model once.

Loaded with torch, on use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from components.training.shared_prefix import lay_out, model_inputs, shared_length


def score_rows(model: Any, input_ids: Tensor, attention_mask: Tensor, kept: int, entropy: bool) -> tuple[Tensor, Tensor | None]:
    """Log-probability, and where wanted entropy, of the last `kept` places of each row (B, T); 0 where they are padding.

    The rows are padded around, never inside; `model` has TRL's fused head and takes streams (see `shared_prefix`).
    """
    rows = [ids[mask.bool()].tolist() for ids, mask in zip(input_ids, attention_mask, strict=True)]
    lengths = attention_mask[:, -kept:].sum(1).tolist()
    packs = share(rows)
    order = [index for pack in packs for index in pack]
    stream = lay_out([[rows[index] for index in pack] for pack in packs])
    scored = [range(len(rows[index]) - lengths[index], len(rows[index])) for index in order]
    output = model(**model_inputs(stream, scored, input_ids.device), fused_lm_head=True)
    return (
        _in_rows(output.log_probs, lengths, order, kept),
        _in_rows(output.entropy, lengths, order, kept) if entropy else None,
    )


def share(rows: Sequence[list[int]]) -> list[list[int]]:
    """Rows, by index, in packs: a row joins those before it, in the order of their tokens, where less is computed so."""
    first, *others = sorted(range(len(rows)), key=rows.__getitem__)
    packs, saved = [[first]], 0
    for index in others:
        pack = packs[-1]
        # Rows are in order, so that the first and the last of a pack differ earliest.
        together = len(pack) * shared_length(rows[pack[0]], rows[index])
        if together > saved:
            pack.append(index)
            saved = together
        else:
            packs.append([index])
            saved = 0
    return packs


def _in_rows(values: Tensor, lengths: Sequence[int], order: Sequence[int], width: int) -> Tensor:
    """What lies behind each other in `order`, as rows of the batch."""
    parts = values[0].split([lengths[index] for index in order])
    padded = [torch.nn.functional.pad(part, (0, width - len(part))) for part in parts]
    return torch.stack([row for _, row in sorted(zip(order, padded, strict=True), key=lambda pair: pair[0])])
