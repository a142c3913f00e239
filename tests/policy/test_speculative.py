"""Guessing ahead changes how fast a text is written, never what is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.policy import prepare_base
from components.policy.base_models import load_tokenizer
from components.policy.decode import GenerateDecoder, PrefixDecoder
from components.policy.decoding import Written
from components.policy.speculative import Acceptance, SpeculativeDecoder
from tests.policy.conftest import TEXT

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel
    from transformers.cache_utils import Cache

NEW_TOKENS = 16
WORDS = ["how much is link 3?", "hello!", "One moment.", "元"]


@dataclass
class Guesser:
    """Knows the text that will be written, and guesses it but for the guesses that `wrong`, in turn, spoils."""

    text: list[int]
    wrong: Sequence[bool] = (False,)
    written: int = 0
    guesses: int = 0

    def draft(self, main: PreTrainedModel, hidden: torch.Tensor, tokens: torch.Tensor, cache: Cache, count: int) -> list[int]:
        assert hidden.shape[:2] == tokens.shape, "a hidden state for each token that follows"
        # The first call comes with the prompt and one written token, each other with what was written since the last.
        self.written += tokens.shape[1] if self.written else 1
        assert tokens[0, -1] == self.text[self.written - 1]
        return [self._spoil(token) for token in (self.text[self.written :] + [0] * count)[:count]]

    def _spoil(self, token: int) -> int:
        self.guesses += 1
        return (token + 1) % 100 if self.wrong[self.guesses % len(self.wrong)] else token


@dataclass(frozen=True)
class World:
    """A model, prompts that share beginnings, and what plain greedy decoding writes after them."""

    model: PreTrainedModel
    stop: int
    prompts: list[list[int]]
    plain: list[Written]


@pytest.fixture(scope="module", params=["tiny", "trained"])
def world(request: pytest.FixtureRequest) -> World:
    from transformers import AutoModelForCausalLM

    directory: Path = request.getfixturevalue(request.param)
    tokenizer = load_tokenizer(directory)
    model = AutoModelForCausalLM.from_pretrained(directory).eval()
    start = tokenizer("<|im_start|>user\nViewer: ")["input_ids"]
    prompts = [
        start + tokenizer(f"{one} {other}<|im_end|>\n<|im_start|>assistant\n")["input_ids"] for one in WORDS for other in WORDS
    ]
    stop: int = tokenizer.eos_token_id
    plain = [PrefixDecoder(model, stop, NEW_TOKENS).decode([prompt], [""])[0] for prompt in prompts]
    return World(model, stop, prompts, plain)


def tokens_of(written: list[Written]) -> list[list[int]]:
    return [one.tokens for one in written]


@pytest.mark.parametrize("count", [1, 3])
def test_an_untrained_head_writes_what_plain_decoding_writes(world: World, count: int) -> None:
    import torch

    from components.training.draft.head import DraftHead

    torch.manual_seed(0)
    head = DraftHead(world.model)
    torch.nn.init.normal_(head.fc.weight, std=0.1)
    decoder = SpeculativeDecoder(world.model, head, world.stop, NEW_TOKENS, count)
    written = decoder.decode(world.prompts, [""] * len(world.prompts))
    assert tokens_of(written) == tokens_of(world.plain)
    for one, other in zip(written, world.plain, strict=True):
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4)
    assert decoder.acceptance.verifications > 0


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    wrong=st.lists(st.booleans(), min_size=1, max_size=7),
    count=st.integers(1, 6),
    length=st.integers(1, NEW_TOKENS),
    row=st.integers(0, len(WORDS) ** 2 - 1),
)
def test_whatever_is_guessed_the_text_is_the_same(world: World, wrong: list[bool], count: int, length: int, row: int) -> None:
    expected = world.plain[row].tokens[:length]
    guesser = Guesser(world.plain[row].tokens, wrong)
    decoder = SpeculativeDecoder(world.model, guesser, world.stop, length, count)
    assert decoder.decode([world.prompts[row]], [""])[0].tokens == expected
    counted = decoder.acceptance
    assert counted.drafted == guesser.guesses
    # Every token but the first comes out of a verification; the last forward may have checked nothing.
    assert counted.accepted + counted.verifications >= len(expected) - 2


def test_right_guesses_are_counted_by_hand(world: World) -> None:
    row = next(index for index, one in enumerate(world.plain) if len(one.tokens) == NEW_TOKENS)
    text = world.plain[row].tokens
    decoder = SpeculativeDecoder(world.model, Guesser(text), world.stop, 9, 3)
    decoder.decode([world.prompts[row]], [""])
    # One token by the prompt, 3 + 1 twice: nine.
    assert decoder.acceptance == Acceptance(verifications=2, drafted=6, accepted=6)
    decoder = SpeculativeDecoder(world.model, Guesser(text, (True,)), world.stop, 4, 3)
    decoder.decode([world.prompts[row]], [""])
    # One by the prompt, then one a forward; no guess is made beyond the length that is asked for: two, one, none.
    assert decoder.acceptance == Acceptance(verifications=2, drafted=3, accepted=0)
    decoder = SpeculativeDecoder(world.model, Guesser(text, (True, False, False)), world.stop, 9, 3)
    decoder.decode([world.prompts[row]], [""])
    # The third guess of each three is wrong: 1 + (2 + 1) + (2 + 1), and of the last one (2 left, 1 guessed) 1 + 1.
    assert decoder.acceptance == Acceptance(verifications=3, drafted=7, accepted=5)


def test_acceptance_is_what_vllm_reports() -> None:
    counted = Acceptance(verifications=4, drafted=12, accepted=7)
    assert counted.rate == pytest.approx(7 / 12) and counted.mean_length == 2.75
    assert counted + Acceptance(1, 3, 3) == Acceptance(5, 15, 10)
    assert (Acceptance().rate, Acceptance().mean_length) == (0, 1)


def test_a_turn_encodes_only_what_is_new(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from components.training.draft.head import DraftHead

    decoder = SpeculativeDecoder(world.model, DraftHead(world.model), world.stop, NEW_TOKENS, 2)
    first = world.prompts[2]
    written = decoder.decode([first], [""])[0].tokens
    fed: list[int] = []
    inner = world.model.get_decoder()
    whole = inner.forward

    def count(**inputs: Any) -> Any:
        fed.append(inputs["input_ids"].shape[1])
        return whole(**inputs)

    monkeypatch.setattr(inner, "forward", count)
    second = [*first, *written, *world.prompts[0]]
    answer = decoder.decode([second], [""])[0].tokens
    # The head learns of a token with the one after it, so it lags by what the last verification brought: three at the most.
    assert len(world.prompts[0]) + 1 <= fed[0] <= len(world.prompts[0]) + 4
    assert answer == PrefixDecoder(world.model, world.stop, NEW_TOKENS).decode([second], [""])[0].tokens


def test_tokens_of_equal_logits_go_to_the_lower_id_as_in_plain_decoding(world: World) -> None:
    import copy

    from components.training.draft.head import DraftHead

    model = copy.deepcopy(world.model)
    written = [token for one in world.plain for token in one.tokens]
    twice = max(set(written), key=written.count)
    twin = next(token for token in range(twice) if token not in written and token != world.stop)
    model.get_output_embeddings().weight.data[twin] = model.get_output_embeddings().weight.data[twice]
    prompts = world.prompts[:8]
    plain = PrefixDecoder(model, world.stop, NEW_TOKENS)
    expected = [plain.decode([prompt], [""])[0].tokens for prompt in prompts]
    assert any(twin in one for one in expected) and not any(twice in one for one in expected)
    decoder = SpeculativeDecoder(model, DraftHead(model), world.stop, NEW_TOKENS, 3)
    assert tokens_of(decoder.decode(prompts, [""] * len(prompts))) == expected


def test_a_forward_that_breaks_off_leaves_no_false_memory(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from components.training.draft.head import DraftHead

    decoder = SpeculativeDecoder(world.model, DraftHead(world.model), world.stop, NEW_TOKENS, 3)
    decoder.decode(world.prompts[:1], [""])
    layer = world.model.get_decoder().layers[1]
    with monkeypatch.context() as patched, pytest.raises(MemoryError):
        patched.setattr(layer, "forward", lambda *_, **__: (_ for _ in ()).throw(MemoryError))
        decoder.decode(world.prompts[1:2], [""])
    assert tokens_of(decoder.decode(world.prompts[:3], [""] * 3)) == tokens_of(world.plain[:3])


def test_a_model_with_linear_attention_takes_wrong_guesses_back(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    from components.training.draft.head import DraftHead

    prepare_base("tiny-moe", tmp_path / "moe", seed=2, text=TEXT)
    tokenizer = load_tokenizer(tmp_path / "moe")
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "moe", dtype=torch.float32).eval()
    prompts = [tokenizer(text)["input_ids"] for text in (*WORDS[:3], WORDS[0] + WORDS[1])]
    plain = GenerateDecoder(model, tokenizer.eos_token_id, 12)
    expected = [plain.decode([prompt], [""])[0].tokens for prompt in prompts]
    head = SpeculativeDecoder(model, DraftHead(model), tokenizer.eos_token_id, 12, 3)
    assert tokens_of(head.decode(prompts, [""] * 4)) == expected
    for prompt, text in zip(prompts, expected, strict=True):
        mixed = SpeculativeDecoder(model, Guesser(text, (False, True, False, False)), tokenizer.eos_token_id, 12, 3)
        assert mixed.decode([prompt], [""])[0].tokens == text
        assert mixed.acceptance.accepted > 0
