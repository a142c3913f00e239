"""Greedy decoding that guesses ahead: a draft head proposes, the main model checks in one forward. Loaded with torch, on use.

What is written is what the main model alone would write: every token is the most likely one by its own forward. Two bounds
of that. Tokens of exactly equal logits are a tie, which both ways of decoding give to the lower id. And a forward over
several tokens may round the last bits of a logit otherwise than one over a single token, so two tokens closer than that
(about 1e-5 in float32, far more in bfloat16) can come out either way, as they can between two batch sizes.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import Cache, DynamicCache

from components.policy.decode import common_prefix, has_full_attention
from components.policy.decoding import Written


class Drafter(Protocol):
    """Guesses what the main model will write; see `components.training.draft.DraftHead`."""

    def draft(self, main: PreTrainedModel, hidden: torch.Tensor, tokens: torch.Tensor, cache: Cache, count: int) -> list[int]:
        """`count` tokens after the last of `tokens`, whose predecessors' hidden states are `hidden`."""
        ...


@dataclass(frozen=True)
class Acceptance:
    """What came of the guesses, counted as vLLM's `spec_decode` metrics count: a guess is accepted with all before it."""

    verifications: int = 0
    """Forwards of the main model that checked guesses."""
    drafted: int = 0
    """Tokens guessed."""
    accepted: int = 0
    """Those of them that the main model would have written itself."""

    @property
    def rate(self) -> float:
        """Accepted tokens a drafted one; 0 where nothing was drafted."""
        return self.accepted / self.drafted if self.drafted else 0.0

    @property
    def mean_length(self) -> float:
        """Tokens a verification: those accepted, and the one that the main model adds."""
        return 1 + (self.accepted / self.verifications if self.verifications else 0.0)

    def __add__(self, other: Acceptance) -> Acceptance:
        return Acceptance(self.verifications + other.verifications, self.drafted + other.drafted, self.accepted + other.accepted)


class SpeculativeDecoder:
    """One row after another; what a prompt shares with the text before it is not encoded again.

    A model whose past cannot be cut (linear attention) starts each prompt afresh and, after a wrong guess, encodes the right
    tokens a second time: right, and slower than plain decoding. vLLM rolls such states back.
    """

    def __init__(self, model: PreTrainedModel, head: Drafter, stop_token: int, max_new_tokens: int, tokens: int) -> None:
        """`tokens` are guessed at a time."""
        self._model, self._head, self._stop, self._max_new_tokens, self._count = model, head, stop_token, max_new_tokens, tokens
        self._can_cut = has_full_attention(model)
        self._tokens: list[int] = []
        self._cache: Cache = DynamicCache(config=model.config)
        self._head_cache: Cache = DynamicCache()
        self.acceptance = Acceptance()
        """Of all that was decoded so far."""

    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        """The tokens written after each prompt, the stop token included where one was reached. `seeds` decide nothing."""
        try:
            return [self._write(prompt) for prompt in prompts]
        except BaseException:
            # A forward that broke off may have filled some layers of a cache and not the others.
            self._forget()
            raise

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def _write(self, prompt: list[int]) -> Written:
        kept = self._keep(prompt)
        hidden, choices, logprobs = self._encode(prompt[kept:], last_only=True)
        written, scores = [choices[-1]], [logprobs[-1]]
        following = [*prompt[kept + 1 :], written[-1]]
        while len(written) < self._max_new_tokens and written[-1] != self._stop:
            count = min(self._count, self._max_new_tokens - len(written) - 1)
            drafts = self._draft(hidden, following, count)
            hidden, choices, logprobs = self._verify([written[-1], *drafts])
            accepted = len(choices) - 1
            if drafts:
                self.acceptance += Acceptance(1, len(drafts), accepted)
            if self._stop in choices:
                choices = choices[: choices.index(self._stop) + 1]
            following = choices
            written += choices
            scores += logprobs[: len(choices)]
        return Written(written, scores)

    def _draft(self, hidden: torch.Tensor, following: list[int], count: int) -> list[int]:
        tokens = torch.tensor([following], device=self._model.device)
        return self._head.draft(self._model, hidden, tokens, self._head_cache, count)

    def _verify(self, tokens: list[int]) -> tuple[torch.Tensor, list[int], list[float]]:
        """Encode the last token and the guesses; keep what the main model agrees to, and what it says after that."""
        held = len(self._tokens)
        before = None if self._can_cut else copy.deepcopy(self._cache)
        hidden, choices, logprobs = self._encode(tokens)
        agreed = 0
        while agreed < len(tokens) - 1 and tokens[agreed + 1] == choices[agreed]:
            agreed += 1
        if before is None:
            self._cut(held + agreed + 1)
        elif agreed < len(tokens) - 1:
            self._cache, self._tokens = before, self._tokens[:held]
            self._encode(tokens[: agreed + 1], last_only=True)
        return hidden[:, : agreed + 1], choices[: agreed + 1], logprobs[: agreed + 1]

    def _encode(self, tokens: list[int], last_only: bool = False) -> tuple[torch.Tensor, list[int], list[float]]:
        """Put `tokens` into the cache. Their hidden states, and the most likely token after each with its log-probability."""
        decoder: Any = self._model.get_decoder()
        ids = torch.tensor([tokens], device=self._model.device)
        hidden = decoder(input_ids=ids, cache=self._cache, use_cache=True).last_hidden_state
        self._tokens += tokens
        logits = self._model.get_output_embeddings()(hidden[:, -1:] if last_only else hidden)[0]
        choices = logits.argmax(dim=-1)
        logprobs = logits.float().log_softmax(dim=-1).gather(1, choices[:, None])[:, 0]
        return hidden, choices.tolist(), logprobs.tolist()

    def _keep(self, prompt: list[int]) -> int:
        """Cut the caches back to what they share with `prompt`; returns how many tokens that is.

        One token of what is shared is encoded again: the head wants the hidden state that it follows from.
        """
        if not self._can_cut:
            self._forget()
            return 0
        shared = len(common_prefix([self._tokens, prompt], whole=True)) if self._tokens else 0
        kept = max(0, min(shared - 1, int(self._head_cache.get_seq_length())))
        self._cut(kept)
        return kept

    def _cut(self, length: int) -> None:
        self._cache.crop(length - len(self._tokens))
        del self._tokens[length:]
        self._head_cache.crop(min(0, length - self._head_cache.get_seq_length()))

    def _forget(self) -> None:
        self._tokens, self._cache, self._head_cache = [], DynamicCache(config=self._model.config), DynamicCache()
