"""What a draft head is trained for: to say, at each depth, what the main model will. Loaded with torch, on use.

Its target is the main model's most likely token, which is what greedy decoding accepts. On a small model this reached a given
acceptance in about two thirds of the steps that the KL divergence to the main model's distribution took.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.nn.functional import cross_entropy, pad
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache

from components.training.draft.head import DraftHead

IGNORED = -100
"""Label of a token that the model did not write."""


class DraftTask(nn.Module):  # type: ignore[misc]
    """Head and main model with their losses. Only what is to be trained is registered: head alone, or both.

    The head's loss never reaches the main model: its hidden states, embedding and output layer are constants to it.
    """

    accepts_loss_kwargs = True
    """The trainer hands over `num_items_in_batch`, so that accumulated batches weigh every token alike."""

    def __init__(self, head: DraftHead, main: PreTrainedModel, depths: int, main_weight: float | None) -> None:
        """`main_weight` is that of the main model's own loss; None freezes it."""
        super().__init__()
        self.head, self._depths, self._main_weight = head, depths, main_weight
        # In a tuple, torch does not take it for a part of this.
        self._outside = (main,)
        if main_weight is None:
            main.requires_grad_(False).eval()
        else:
            self.main = main

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        labels: torch.Tensor,
        rewards: torch.Tensor,
        num_items_in_batch: torch.Tensor | int | None = None,
    ) -> dict[str, torch.Tensor]:
        """`loss`, and how often head and main model agree: `agreed` and `guessed`, one count a depth.

        input_ids, labels (rows, length): padded on the right; labels are IGNORED where the model did not write.
        rewards (rows,): weights of the rows in the main model's loss.
        """
        main = self._outside[0]
        decoder: Any = main.get_decoder()
        with torch.set_grad_enabled(self._main_weight is not None and torch.is_grad_enabled()):
            hidden = decoder(input_ids=input_ids, attention_mask=attention_mask, use_cache=False).last_hidden_state
        items = num_items_in_batch if num_items_in_batch is not None else (labels != IGNORED).sum()
        agreed, guessed = (torch.zeros(self._depths, device=hidden.device) for _ in range(2))
        loss = hidden.new_zeros((), dtype=torch.float32)
        for row, length in enumerate(attention_mask.sum(dim=1).tolist()):
            ids, written = input_ids[row, :length], labels[row, :length] != IGNORED
            for depth, logits, choices in self._guesses(hidden[row, :length].detach(), ids, written):
                loss = loss + cross_entropy(logits.float(), choices, reduction="sum") / (self._depths * items)
                agreed[depth] += (logits.argmax(dim=-1) == choices).sum()
                guessed[depth] += len(choices)
            if self._main_weight is not None and rewards[row] > 0:
                said = torch.nonzero(written)[:, 0]
                logits = main.get_output_embeddings()(hidden[row, said - 1])
                own = cross_entropy(logits.float(), ids[said], reduction="sum")
                loss = loss + self._main_weight * rewards[row] * own / items
        return {"loss": loss, "agreed": agreed, "guessed": guessed}

    def gradient_checkpointing_enable(self, **options: Any) -> None:
        """As of a `PreTrainedModel`: for the main model where it learns along. The head is one layer, with nothing to save."""
        if self._main_weight is not None:
            self._outside[0].gradient_checkpointing_enable(**options)

    def _guesses(
        self, hidden: torch.Tensor, ids: torch.Tensor, written: torch.Tensor
    ) -> Iterator[tuple[int, torch.Tensor, torch.Tensor]]:
        """Of one row, for each depth: its index, the head's logits (guesses, vocabulary) and the main model's choices (guesses,).

        As in decoding, a chain of guesses starts at position i, with all text before it, when the model has written token
        i + 1; its k-th guess is token i + 1 + k, and sees the chain's own earlier steps in place of the text after i.
        Chains are followed over what the model did write, for only there a guess is reached.
        """
        main, cache = self._outside[0], DynamicCache()
        positions = torch.arange(len(ids) - 1, device=ids.device)
        causal = positions <= positions[:, None]
        state = self.head(main, hidden[None, :-1], ids[None, 1:], positions[None], causal[None, None], cache)[0]
        with torch.no_grad():
            # Only where the model wrote: logits of a whole prompt would take more memory than all the rest.
            choices = ids.new_full((len(ids) - 1,), IGNORED)
            choices[written[1:]] = main.get_output_embeddings()(hidden[:-1][written[1:]]).argmax(dim=-1)
        starts, state = positions[written[1:]], state[written[1:]]
        # Beyond the end nothing is written.
        written = pad(written, (0, self._depths))
        chains: list[torch.Tensor] = []
        for depth in range(self._depths):
            going = written[starts + depth + 2]
            starts, state = starts[going], state[going]
            if not len(starts):
                return
            with _constant(main.get_output_embeddings()):
                logits = main.get_output_embeddings()(state)
            yield depth, logits, choices[starts + depth + 1]
            if depth + 1 < self._depths:
                chains.append(starts)
                sees = [positions <= starts[:, None], *(chain == starts[:, None] for chain in chains)]
                mask = torch.cat(sees, dim=1)[None, None]
                tokens, places = ids[None, starts + depth + 2], starts[None] + depth + 1
                state = self.head(main, state[None], tokens, places, mask, cache)[0]


@contextmanager
def _constant(module: nn.Module) -> Iterator[None]:
    """What runs inside passes gradients through `module`, and none to its weights."""
    trained = [parameter for parameter in module.parameters() if parameter.requires_grad]
    for parameter in trained:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in trained:
            parameter.requires_grad_(True)
