"""A local model answers as it would alone, however its conversations are batched and whatever is shared."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from components.harness.types import Completion, Conversation, Message, PolicyError
from components.policy import LocalPolicy
from components.policy.base_models import load_tokenizer
from components.policy.decode import PrefixDecoder, common_prefix
from components.policy.decoding import Written
from components.policy.renderer import TURN_END, render_prompt
from tests.policy.conversations import SYSTEM, conversation, trajectory

if TYPE_CHECKING:
    from transformers import PreTrainedModel

NEW_TOKENS = 24
SHORT_SYSTEM = Message("system", "Answer the viewer's comment aloud, truthfully and briefly.")
OTHER_SYSTEM = Message("system", "Another harness altogether.")
COMMENTS = ("how much is link 3?", "hello!", "is link 2 in stock, and where does it ship from? I live far away", "this one?")


@pytest.fixture(scope="module")
def model(trained: Path) -> PreTrainedModel:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(trained).eval()


def answer(policy: LocalPolicy, *conversations: Conversation) -> list[Completion]:
    async def together() -> list[Completion]:
        return await asyncio.gather(*(policy.complete(one) for one in conversations))

    return asyncio.run(together())


def short(comment: str, system: Message = SHORT_SYSTEM) -> Conversation:
    """Without tools: the yardstick, which remembers nothing, encodes the whole prompt again at every token."""
    return replace(conversation(comment, system), tools=())


def prompts(directory: Path, *conversations: Conversation) -> list[list[int]]:
    tokenizer = load_tokenizer(directory)
    return [render_prompt(tokenizer, one) for one in conversations]


def stop_token(directory: Path) -> int:
    return int(load_tokenizer(directory).convert_tokens_to_ids(TURN_END))


def plain_generate(model: PreTrainedModel, prompt: list[int], stop: int) -> list[int]:
    """What transformers itself writes: one prompt at a time, nothing remembered between tokens."""
    import torch

    output = model.generate(
        torch.tensor([prompt]), max_new_tokens=NEW_TOKENS, do_sample=False, use_cache=False, eos_token_id=stop, pad_token_id=stop
    )
    return [int(token) for token in output[0, len(prompt) :]]


@pytest.mark.parametrize("kind", ["tiny", "trained"])
def test_batched_answers_with_a_shared_prefix_equal_plain_generation(kind: str, request: pytest.FixtureRequest) -> None:
    from transformers import AutoModelForCausalLM

    directory: Path = request.getfixturevalue(kind)
    model = AutoModelForCausalLM.from_pretrained(directory).eval()
    stop = stop_token(directory)
    decoder = PrefixDecoder(model, stop, NEW_TOKENS)
    turns = (SHORT_SYSTEM, *trajectory()[1:])
    batches = [
        [short(comment) for comment in COMMENTS],
        [short("alone")],
        [Conversation("e", turns[:length], ()) for length in (2, 5, 7)],
        [short(comment, OTHER_SYSTEM) for comment in COMMENTS[:2]],
        [short(comment) for comment in COMMENTS[2:]],
    ]
    written = []
    for batch in batches:
        tokens = prompts(directory, *batch)
        answers = [one.tokens for one in decoder.decode(tokens, [""] * len(tokens))]
        assert answers == [plain_generate(model, prompt, stop) for prompt in tokens]
        written += answers
    if kind == "trained":
        assert len({tuple(tokens) for tokens in written}) > 2 and any(tokens[-1] == stop for tokens in written)


def test_what_prompts_share_is_encoded_once_and_kept_for_the_next_batch(model: PreTrainedModel, trained: Path) -> None:
    encoded: list[int] = []
    hook = model.get_input_embeddings().register_forward_pre_hook(lambda _, inputs: encoded.append(inputs[0].numel()))
    decoder = PrefixDecoder(model, stop_token(trained), max_new_tokens=1)
    first = prompts(trained, *(conversation(comment) for comment in COMMENTS))
    second = prompts(trained, *(conversation(f"{comment} please") for comment in COMMENTS))
    shared = len(common_prefix(first))
    remainders = [len(batch) * max(len(prompt) - shared for prompt in batch) for batch in (first, second)]
    try:
        for batch in (first, second):
            decoder.decode(batch, [""] * len(batch))
    finally:
        hook.remove()
    assert shared > 200
    assert encoded == [shared, *remainders]


def test_a_failure_half_way_does_not_spoil_later_answers(model: PreTrainedModel, trained: Path) -> None:
    tokens = prompts(trained, conversation("hello!"), conversation("hi"))
    decoder = PrefixDecoder(model, stop_token(trained), max_new_tokens=4)
    expected = decoder.decode(tokens, ["", ""])
    with pytest.raises(IndexError):
        decoder.decode([[*tokens[0][:-3], 10**6, 5], [*tokens[0][:-3], 10**6, 6]], ["", ""])
    assert decoder.decode(tokens, ["", ""]) == expected


def test_an_answer_that_was_cut_says_so(tiny: Path, trained: Path) -> None:
    (cut,) = answer(LocalPolicy(tiny, max_new_tokens=3), conversation("hello!"))
    assert (cut.finish_reason, cut.completion_tokens) == ("length", 3)
    (whole,) = answer(LocalPolicy(trained, max_new_tokens=400), Conversation("e", trajectory()[:7], ()))
    assert whole.finish_reason == "stop" and whole.completion_tokens < 400
    assert whole.prompt_tokens == len(prompts(trained, Conversation("e", trajectory()[:7], ()))[0])


def test_a_full_context_fails_that_conversation_alone(tiny: Path) -> None:
    policy = LocalPolicy(tiny, max_new_tokens=2)

    async def together() -> list[Completion | BaseException]:
        both = (conversation("long " * 4000), conversation("short"))
        return await asyncio.gather(*(policy.complete(one) for one in both), return_exceptions=True)

    full, fine = asyncio.run(together())
    assert isinstance(full, PolicyError) and "context full" in str(full)
    assert isinstance(fine, Completion)


def test_batches_are_formed_by_order_of_arrival_within_one_harness(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = LocalPolicy(tiny, max_new_tokens=1, batch_size=2)
    batches: list[list[list[int]]] = []
    decode = PrefixDecoder.decode

    def spy(self: PrefixDecoder, rows: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        batches.append(rows)
        written: list[Written] = decode(self, rows, seeds)
        return written

    monkeypatch.setattr(PrefixDecoder, "decode", spy)
    arrivals = [conversation(str(i), OTHER_SYSTEM if i in (1, 3) else SYSTEM) for i in range(6)]
    completions = answer(policy, *arrivals)
    tokens = prompts(tiny, *arrivals)
    assert batches == [[tokens[0], tokens[2]], [tokens[1], tokens[3]], [tokens[4], tokens[5]]]
    assert [completion.prompt_tokens for completion in completions] == [len(row) for row in tokens]


def test_prompts_without_a_harness_share_a_batch(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = LocalPolicy(tiny, max_new_tokens=1, batch_size=3)
    sizes: list[int] = []
    decode = PrefixDecoder.decode
    monkeypatch.setattr(PrefixDecoder, "decode", lambda self, rows, seeds: sizes.append(len(rows)) or decode(self, rows, seeds))
    answer(policy, *(Conversation(str(i), (Message("user", f"Name fish number {i}."),), ()) for i in range(4)))
    assert sizes == [3, 1]


def test_an_error_of_the_model_reaches_everyone_who_waits_and_the_policy_lives_on(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = LocalPolicy(tiny, max_new_tokens=1, batch_size=2)
    with monkeypatch.context() as patched, pytest.raises(RuntimeError, match="out of memory"):
        patched.setattr(PrefixDecoder, "decode", lambda *_: (_ for _ in ()).throw(RuntimeError("out of memory")))
        answer(policy, conversation("a"), conversation("b"), conversation("c"))
    assert len(answer(policy, conversation("a"), conversation("b"), conversation("c"))) == 3


def test_the_measured_precision_is_announced(tiny: Path) -> None:
    said: list[str] = []
    policy = LocalPolicy(tiny, name="student", announce=said.append)
    assert said == [f"policy student: {policy.precision}"]
