"""What is sampled follows the model's own distribution, comes from the row's seed alone, and is scored as training scores it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from components.errors import UserError
from components.policy.base_models import load_tokenizer
from components.policy.decoding import Decoder, Written, make_decoder
from components.policy.renderer import TURN_END

if TYPE_CHECKING:
    from transformers import PreTrainedModel

TEMPERATURE = 0.8
PROMPTS = [[1, 9, 10, 11, 12, 40, 41], [1, 9, 10, 11, 99], [1, 9, 10, 11, 7, 300, 301, 302, 303, 304]]


def make_moe(layers: int) -> PreTrainedModel:
    """The production model's architecture with random weights: linear attention, and full in every second layer."""
    import torch
    from transformers import Qwen3_5MoeForCausalLM, Qwen3_5MoeTextConfig

    config = Qwen3_5MoeTextConfig(
        vocab_size=400,
        hidden_size=48,
        num_hidden_layers=layers,
        layer_types=["linear_attention", "full_attention"] * (layers // 2),
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
        linear_num_key_heads=2,
        linear_num_value_heads=4,
        moe_intermediate_size=16,
        shared_expert_intermediate_size=16,
        num_experts=6,
        num_experts_per_tok=2,
        max_position_embeddings=512,
        initializer_range=0.2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(5)
        return Qwen3_5MoeForCausalLM(config).eval()


@pytest.fixture(scope="module")
def models(trained: Path) -> dict[str, PreTrainedModel]:
    from transformers import AutoModelForCausalLM

    return {"full": AutoModelForCausalLM.from_pretrained(trained).eval(), "moe": make_moe(4)}


@pytest.fixture(params=["full", "moe"])
def model(request: pytest.FixtureRequest, models: dict[str, PreTrainedModel]) -> PreTrainedModel:
    return models[request.param]


def quiet(_: str) -> None:
    pass


def decoder(model: PreTrainedModel, max_new_tokens: int = 12, temperature: float | None = TEMPERATURE, stop: int = 2) -> Decoder:
    return make_decoder(model, stop, max_new_tokens, temperature, quiet)


def distributions(model: PreTrainedModel, prompt: list[int], tokens: list[int], temperature: float) -> np.ndarray:
    """Log-probabilities (token, vocabulary) by one forward over prompt and tokens, the softmax by NumPy in double precision."""
    import torch

    with torch.no_grad():
        logits = model(input_ids=torch.tensor([prompt + tokens]), use_cache=False).logits[0].double().numpy() / temperature
    rows = logits[len(prompt) - 1 : -1]
    peaks = rows.max(axis=1, keepdims=True)
    normalised: np.ndarray = rows - peaks - np.log(np.exp(rows - peaks).sum(axis=1, keepdims=True))
    return normalised


def teacher_forced(model: PreTrainedModel, prompt: list[int], tokens: list[int], temperature: float) -> np.ndarray:
    """Log-probability of each of `tokens`."""
    scores: np.ndarray = distributions(model, prompt, tokens, temperature)[np.arange(len(tokens)), tokens]
    return scores


def close(one: Written, other: Written) -> bool:
    return one.tokens == other.tokens and bool(np.allclose(one.logprobs, other.logprobs, atol=2e-4))


@pytest.mark.parametrize("temperature", [None, 0.5, 1.0, 1.7])
def test_log_probabilities_are_those_of_a_fresh_forward(model: PreTrainedModel, temperature: float | None) -> None:
    for prompt, one in zip(PROMPTS, decoder(model, temperature=temperature).decode(PROMPTS, ["a", "b", "c"]), strict=True):
        assert len(one.tokens) == len(one.logprobs) > 0
        np.testing.assert_allclose(one.logprobs, teacher_forced(model, prompt, one.tokens, temperature or 1.0), atol=2e-4)


def test_a_row_is_sampled_alike_alone_in_a_batch_and_in_another_place(model: PreTrainedModel) -> None:
    seeds = ["a", "b", "c"]
    together = decoder(model).decode(PROMPTS, seeds)
    alone = [decoder(model).decode([prompt], [seed])[0] for prompt, seed in zip(PROMPTS, seeds, strict=True)]
    backwards = decoder(model).decode(PROMPTS[::-1], seeds[::-1])[::-1]
    assert all(map(close, together, alone)) and all(map(close, together, backwards))


def test_rows_of_unequal_length_are_decoded_greedily_as_transformers_decodes_each_alone(model: PreTrainedModel) -> None:
    import torch

    for prompt, one in zip(PROMPTS, decoder(model, temperature=None).decode(PROMPTS, [""] * 3), strict=True):
        output = model.generate(
            torch.tensor([prompt]), max_new_tokens=12, do_sample=False, use_cache=False, eos_token_id=2, pad_token_id=2
        )
        assert one.tokens == output[0, len(prompt) :].tolist()


def test_another_seed_is_another_sample_and_greedy_knows_no_seed(model: PreTrainedModel) -> None:
    prompt = [PROMPTS[0]]
    first, again, other = (decoder(model, temperature=1.7).decode(prompt, [seed])[0] for seed in ("a", "a", "b"))
    assert first == again and first.tokens != other.tokens
    greedy = decoder(model, temperature=None)
    assert greedy.decode(prompt, ["a"])[0].tokens == greedy.decode(prompt, ["b"])[0].tokens


def test_samples_have_the_frequencies_of_the_models_distribution(models: dict[str, PreTrainedModel]) -> None:
    model, prompt, count = models["moe"], PROMPTS[0], 3000
    drawn = Counter(
        one.tokens[0]
        for start in range(0, count, 500)
        for one in decoder(model, 1).decode([prompt] * 500, [f"s{start + row}" for row in range(500)])
    )
    expected = np.exp(distributions(model, prompt, [0], TEMPERATURE)[0])
    assert expected.sum() == pytest.approx(1, abs=1e-6)
    likely = [token for token in range(400) if expected[token] * count >= 5]
    square = sum((drawn[token] - count * expected[token]) ** 2 / (count * expected[token]) for token in likely)
    # Chi-square with len(likely) degrees of freedom: mean plus four standard deviations.
    assert len(likely) > 20 and square < len(likely) + 4 * (2 * len(likely)) ** 0.5


def test_rows_that_stop_early_leave_the_others_as_they_were(models: dict[str, PreTrainedModel]) -> None:
    model = models["moe"]
    prompts, seeds = [PROMPTS[0]] * 8, [f"r{row}" for row in range(8)]
    unstopped = decoder(model, stop=399, max_new_tokens=10, temperature=1.3).decode(prompts, seeds)
    # A token that five rows write early stops them there; half of the batch is then left behind, twice.
    stop = Counter(one.tokens[2] for one in unstopped).most_common(1)[0][0]
    stopped = decoder(model, stop=stop, max_new_tokens=10, temperature=1.3).decode(prompts, seeds)
    for one, whole in zip(stopped, unstopped, strict=True):
        end = whole.tokens.index(stop) + 1 if stop in whole.tokens else len(whole.tokens)
        assert close(one, Written(whole.tokens[:end], whole.logprobs[:end]))


def test_prompts_of_one_token_and_one_token_to_write(model: PreTrainedModel) -> None:
    (one, other) = decoder(model, max_new_tokens=1).decode([[1], [9]], ["a", "b"])
    assert len(one.tokens) == len(other.tokens) == 1


def test_the_slower_decoder_is_announced_and_the_faster_one_refuses_its_model(
    models: dict[str, PreTrainedModel], trained: Path
) -> None:
    from components.policy.decode import GenerateDecoder, PrefixDecoder

    said: list[str] = []
    stop = load_tokenizer(trained).convert_tokens_to_ids(TURN_END)
    assert isinstance(make_decoder(models["full"], stop, 4, None, said.append), PrefixDecoder) and not said
    assert isinstance(make_decoder(models["moe"], 2, 4, None, said.append), GenerateDecoder)
    assert len(said) == 1 and "slower" in said[0]
    with pytest.raises(UserError, match="full attention"):
        PrefixDecoder(models["moe"], 2, 4)
