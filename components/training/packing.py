"""Which rows go through the model together, and in which order. Loaded with torch, on use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from random import Random
from typing import Any

from torch.utils.data import Sampler

from components.training.shared_prefix import lay_out, model_inputs, shared_length

WORTHWHILE = 64
"""Tokens that rows must share for a pack to be worth its bookkeeping."""


def pack(rows: Sequence[list[int]], most: int, seed: int = 0) -> list[list[int]]:
    """The indices of `rows` (tokens) in packs of at most `most` rows that begin alike; every row is in exactly one.

    Which rows are packed together spares the most tokens; which of those that begin alike share a pack, the seed decides.
    """
    # Sorted, rows that begin alike stand side by side.
    order = sorted(range(len(rows)), key=rows.__getitem__)
    shared = [shared_length(rows[one], rows[other]) for one, other in pairwise(order)]
    packs = []
    for start, end in _families(shared, 0, len(order), most)[1]:
        family = sorted(order[start:end])
        Random(f"{seed}:{family[0]}").shuffle(family)
        packs += [family[start : start + most] for start in range(0, len(family), most)]
    return packs


def _families(shared: list[int], start: int, end: int, most: int) -> tuple[int, list[tuple[int, int]]]:
    """The best way to split the sorted rows `start` to `end`, and how many tokens it spares.

    `shared` has what each row shares with the next. Rows are kept together, or parted wherever they share least.
    """
    if end - start < 2:
        return 0, [(start, end)] if end > start else []
    least = min(shared[start : end - 1])
    cuts = [start, *(place + 1 for place in range(start, end - 1) if shared[place] == least), end]
    parts = [_families(shared, first, last, most) for first, last in pairwise(cuts)]
    apart = sum(spared for spared, _ in parts)
    together = (end - start - ceil((end - start) / most)) * least if least >= WORTHWHILE else 0
    if together > apart:
        return together, [(start, end)]
    return apart, [family for _, families in parts for family in families]


def collate_packs(packs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A batch of packs ({"input_ids", "assistant_masks"}, a list a row) as one stream; what the assistant wrote is judged."""
    scored = [
        [index for index, mask in enumerate(masks) if mask and index] for pack in packs for masks in pack["assistant_masks"]
    ]
    return model_inputs(lay_out([pack["input_ids"] for pack in packs]), scored)


class StagedOrder(Sampler[int]):  # type: ignore[misc]
    """Another order every epoch, by seed: items of stage 0 before those of stage 1 and so on, each stage shuffled."""

    def __init__(self, stages: Sequence[int], seed: int, epoch: Callable[[], int]) -> None:
        """`stages` has one entry an item. `epoch` is asked at each start: a resumed epoch has its own order again."""
        self._stages, self._seed, self._epoch = stages, seed, epoch

    def __len__(self) -> int:
        return len(self._stages)

    def __iter__(self) -> Iterator[int]:
        order = list(range(len(self._stages)))
        Random(f"{self._seed}:{self._epoch()}").shuffle(order)
        return iter(sorted(order, key=self._stages.__getitem__))
