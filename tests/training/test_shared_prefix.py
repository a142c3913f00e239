"""A stream of packs gives the log-probabilities and gradients of its rows one by one."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import LlamaConfig, LlamaForCausalLM, MistralConfig, MistralForCausalLM, Qwen3Config, Qwen3ForCausalLM
from trl.trainer.utils import add_fused_lm_head

from components.training.shared_prefix import enable, lay_out, model_inputs, shared_length, supports

VOCABULARY = 40
SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "pad_token_id": 0,
}
Rows = list[list[int]]


def make(kind: str = "llama") -> Any:
    torch.manual_seed(3)
    model = LlamaForCausalLM(LlamaConfig(**SIZES)) if kind == "llama" else Qwen3ForCausalLM(Qwen3Config(**SIZES))
    # Large weights, so that attention is far from even and a wrong key would be seen.
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(8) if weight.dim() > 1 else None
    return model


def row(*parts: tuple[int, int]) -> list[int]:
    """Tokens in runs of (length, start): `start`, `start + 7`, …"""
    return [(start + 7 * step) % VOCABULARY for length, start in parts for step in range(length)]


PACKS: list[Rows] = [
    [row((20, 1), (5, 2)), row((20, 1), (9, 3)), row((20, 1), (1, 4))],
    [row((6, 5))],
    [row((2, 6), (3, 7)), row((2, 6), (3, 8))],
]
SCORED = [[1, 2, 19, 20, 24], list(range(19, 29)), [20], [1, 5], [2], []]
"""Tokens of the shared beginning too, and the first after it, which all rows predict from the same place."""


def one_by_one(model: Any, rows: Rows, scored: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probability and entropy of the scored tokens from the plain logits of each row alone."""
    log_probs, entropies = [], []
    for tokens, indices in zip(rows, scored, strict=True):
        all_log_probs = model(input_ids=torch.tensor([tokens])).logits[0].log_softmax(-1)
        for index in indices:
            log_probs.append(all_log_probs[index - 1, tokens[index]])
            entropies.append(-(all_log_probs[index - 1].exp() * all_log_probs[index - 1]).sum())
    return torch.stack(log_probs), torch.stack(entropies)


def gradients(model: Any, log_probs: torch.Tensor, entropy: torch.Tensor) -> list[torch.Tensor]:
    model.zero_grad()
    weights = torch.linspace(0.5, 1.5, len(log_probs))
    ((log_probs * weights).sum() + 0.3 * (entropy * weights).sum()).backward()
    return [parameter.grad.clone() for parameter in model.parameters()]


@pytest.mark.parametrize("kind", ["llama", "qwen3"])
@pytest.mark.parametrize("checkpointing", [None, False, True], ids=["plain", "checkpointed", "reentrant"])
def test_a_stream_is_its_rows_one_by_one(kind: str, checkpointing: bool | None) -> None:
    model = make(kind)
    rows = [tokens for pack in PACKS for tokens in pack]
    log_probs, entropy = one_by_one(model, rows, SCORED)
    expected = gradients(model, log_probs, entropy)

    add_fused_lm_head(model, outputs=("log_probs", "entropy", "is_top1"))
    enable(model)
    if checkpointing is not None:
        model.gradient_checkpointing_enable({"use_reentrant": checkpointing})
        model.train()
    output = model(**model_inputs(lay_out(PACKS), SCORED), fused_lm_head=True)
    assert torch.allclose(output.log_probs[0], log_probs, atol=1e-5)
    assert torch.allclose(output.entropy[0], entropy, atol=1e-5)
    for found, wanted in zip(gradients(model, output.log_probs[0], output.entropy[0]), expected, strict=True):
        assert torch.allclose(found, wanted, rtol=1e-4, atol=1e-5 * float(wanted.abs().max()))


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=6), min_size=1, max_size=4)),
        min_size=1,
        max_size=3,
    )
)
def test_any_packs_give_the_log_probabilities_of_their_rows(drawn: list[tuple[int, Rows]]) -> None:
    model = make().eval()
    packs = [[row((length, number)) + rest for rest in rests] for number, (length, rests) in enumerate(drawn)]
    rows = [tokens for pack in packs for tokens in pack]
    scored = [list(range(1, len(tokens))) for tokens in rows]
    with torch.no_grad():
        expected, _ = one_by_one(model, rows, scored)
        add_fused_lm_head(model)
        enable(model)
        found = model(**model_inputs(lay_out(packs), scored), fused_lm_head=True).log_probs[0]
    assert torch.allclose(found, expected, atol=1e-5)


def test_a_stream_holds_what_a_pack_shares_once() -> None:
    stream = lay_out([[[1, 2, 3, 4], [1, 2, 5], [1, 2, 3, 4]], [[7, 8]]])
    assert stream.tokens == [1, 2, 3, 4, 5, 3, 4, 7, 8]
    assert stream.positions == [0, 1, 2, 3, 2, 2, 3, 0, 1]
    assert [(pack.prefix, pack.rests) for pack in stream.packs] == [(2, (2, 1, 2)), (0, (2,))]
    assert stream.rows == [[0, 1, 2, 3], [0, 1, 4], [0, 1, 5, 6], [7, 8]]


def test_rows_that_are_alike_to_the_end_keep_a_rest_each() -> None:
    assert shared_length([1, 2, 3], [1, 2, 3]) == 2
    assert shared_length([1, 2, 3, 4], [1, 2]) == 1
    assert lay_out([[[1, 2], [1, 2]]]).tokens == [1, 2, 2]


def test_without_a_stream_the_model_answers_as_before() -> None:
    model = make().eval()
    padded = torch.tensor([[0, 0, 1, 2, 3], [4, 5, 6, 7, 8]])
    inputs = {"input_ids": padded, "attention_mask": (padded != 0).long()}
    answers = []
    with torch.no_grad():
        for prepare in (lambda _: None, enable):
            prepare(model)
            answers.append((model(**inputs).logits, model.generate(**inputs, max_new_tokens=6, do_sample=False)))
    for before, after in zip(*answers, strict=True):
        assert torch.equal(before, after)


def test_only_models_whose_every_layer_sees_all_that_came_before_are_supported() -> None:
    from transformers import Qwen3_5MoeForConditionalGeneration, Qwen3_5MoeTextConfig

    assert supports(make("llama")) and supports(make("qwen3"))
    sliding = MistralForCausalLM(MistralConfig(**SIZES, sliding_window=16))
    assert not supports(sliding)
    assert set(Qwen3_5MoeTextConfig().layer_types) > {"linear_attention"}
    with torch.device("meta"):
        assert not supports(Qwen3_5MoeForConditionalGeneration._from_config(Qwen3_5MoeForConditionalGeneration.config_class()))
