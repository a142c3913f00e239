"""What it is to decode: prompts of a batch become written tokens. Torch loads with the decoder that is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from transformers import PreTrainedModel


@dataclass(frozen=True)
class Written:
    """What a model wrote after one prompt; both lists have one entry a token."""

    tokens: list[int]
    """The stop token included where one was reached."""
    logprobs: list[float]
    """Natural logarithm of each token's probability under the model at the sampling temperature (greedy: at 1)."""


class Decoder(Protocol):
    """Writes after prompts. Not safe for concurrent calls."""

    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        """What is written after each prompt (at least one token each), in order.

        One seed a row: what is sampled for a row depends on its own prompt and seed, not on who shares the batch. A greedy
        decoder ignores the seeds.
        """
        ...


def make_decoder(
    model: PreTrainedModel,
    stop_token: int,
    max_new_tokens: int,
    temperature: float | None = None,
    announce: Callable[[str], None] = print,
) -> Decoder:
    """The faster decoder that the model's layers allow; the slower one is announced.

    `model` is in evaluation mode and its weights stay as they are for as long as the decoder is used.
    `temperature` None is greedy.
    """
    from components.policy.decode import GenerateDecoder, PrefixDecoder, has_full_attention

    if has_full_attention(model):
        return PrefixDecoder(model, stop_token, max_new_tokens, temperature)
    announce(f"{model.config.model_type}: not every layer has full attention, so what prompts share is encoded for each (slower)")
    return GenerateDecoder(model, stop_token, max_new_tokens, temperature)
