"""The draft head: one decoder layer that guesses the token after the next. Loaded with torch, on use.

A next-n (multi-token prediction) head as Qwen3.5 and DeepSeek-V3 (arXiv 2412.19437, section 2.2) have it: the main model's
last hidden state at a position (after its final norm) and the embedding of the token that follows, each normed, joined and
projected to one vector, through one layer of the main model's own kind and a norm; the main model's own output layer makes
tokens of it. For tokens further on, the head is fed its own hidden state. Embedding, rotary positions and output layer stay
the main model's, so that the tensors of a head are exactly the `mtp.*` of a Qwen3.5/3.6 checkpoint.
"""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from components.errors import UserError


class DraftHead(nn.Module):  # type: ignore[misc]
    """Tensors by name: `fc`, `layers.0.*`, `norm`, `pre_fc_norm_embedding`, `pre_fc_norm_hidden`, as in `mtp.*`."""

    def __init__(self, main: PreTrainedModel) -> None:
        """Graft a head on `main`: its last layer and final norm copied, `fc` such that the layer starts from the last token.

        Of the mixes tried on a small model, this one learnt soonest; what the hidden state adds is learnt within a few steps.

        Raises UserError for a model whose last layer is not full attention: the head must be able to take back a guess.
        """
        super().__init__()
        decoder: Any = main.get_decoder()
        if not hasattr(decoder.layers[-1], "self_attn"):
            raise UserError(f"{main.name_or_path}: expected full attention in the last layer, to graft a draft head on it")
        layer = copy.deepcopy(decoder.layers[-1])
        layer.self_attn.layer_idx = 0
        # Its own copy of the configuration came along: the masks of training are written for this implementation.
        layer.self_attn.config._attn_implementation = "sdpa"
        self.layers = nn.ModuleList([layer])
        self.norm, self.pre_fc_norm_hidden, self.pre_fc_norm_embedding = (copy.deepcopy(decoder.norm) for _ in range(3))
        width = main.get_input_embeddings().weight.shape[1]
        self.fc = nn.Linear(2 * width, width, bias=False, dtype=main.dtype, device=main.device)
        with torch.no_grad():
            self.fc.weight.copy_(torch.cat([torch.eye(width), torch.zeros(width, width)], dim=1))
        self.requires_grad_(True)

    def forward(
        self,
        main: PreTrainedModel,
        hidden: torch.Tensor,
        tokens: torch.Tensor,
        positions: torch.Tensor,
        mask: torch.Tensor | None = None,
        cache: Cache | None = None,
    ) -> torch.Tensor:
        """The head's hidden states (batch, length, width), from which `main`'s output layer makes the guesses.

        hidden     (batch, length, width): of `main`, after its final norm, or of the head itself one token earlier
        tokens     (batch, length): the token that follows each of these positions
        positions  (1, length): places in the text, from 0
        mask       (1, 1, length, past + length), true where a position sees another; None: all of them
        """
        with torch.no_grad():
            embedded = main.get_input_embeddings()(tokens)
            rotary = main.get_decoder().rotary_emb(embedded, position_ids=positions)
        mixed = torch.cat([self.pre_fc_norm_embedding(embedded), self.pre_fc_norm_hidden(hidden)], dim=-1)
        out = self.layers[0](
            self.fc(mixed), position_embeddings=rotary, attention_mask=mask, position_ids=positions, cache=cache, use_cache=True
        )
        return self.norm(out)

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def draft(self, main: PreTrainedModel, hidden: torch.Tensor, tokens: torch.Tensor, cache: Cache, count: int) -> list[int]:
        """Guess `count` tokens after the last of `tokens`.

        hidden, tokens  (1, length, width), (1, length): `main`'s states at the positions that follow those in `cache`, and the
                        token after each; the cache holds these too afterwards, and none of the guesses.
        """
        past, length = cache.get_seq_length(), tokens.shape[1]
        positions = torch.arange(past, past + length, device=tokens.device)[None]
        seen = torch.arange(past + length, device=tokens.device) <= positions[0, :, None]
        state = self(main, hidden, tokens, positions, seen[None, None], cache)[:, -1:]
        drafts: list[torch.Tensor] = []
        for depth in range(count):
            if depth:
                positions = positions[:, -1:] + 1
                state = self(main, state, drafts[-1], positions, None, cache)
            drafts.append(main.get_output_embeddings()(state).argmax(dim=-1))
        cache.crop(past + length - cache.get_seq_length())
        return [int(token) for token in drafts]
