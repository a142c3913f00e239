"""Suite T4: every prompt is asked once, its verdict is the checkers', and an interrupted run goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from components.data.general import GeneralPrompt, answer, general_prompts
from components.errors import UserError
from components.evaluation.general import evaluate_general
from components.evaluation.summary import compare, summarise
from components.evaluation.types import Row
from components.files import read_jsonl
from components.harness.types import Completion, Conversation, Message, PolicyError

PROMPTS = general_prompts(5, 12, "eval")


class Says:
    """A policy that answers each prompt by a function of it, and remembers what it was asked."""

    name = "says"

    def __init__(self, reply: Callable[[GeneralPrompt], str]) -> None:
        self._reply = reply
        self.asked: list[Conversation] = []

    async def complete(self, conversation: Conversation) -> Completion:
        self.asked.append(conversation)
        await asyncio.sleep(0)
        prompt = next(prompt for prompt in PROMPTS if prompt.prompt == conversation.messages[0].content)
        return Completion(Message("assistant", self._reply(prompt)), completion_tokens=9)


def half(prompt: GeneralPrompt) -> str:
    return answer(prompt) if PROMPTS.index(prompt) % 2 else ""


def fails_at_four(prompt: GeneralPrompt) -> str:
    if prompt is PROMPTS[4]:
        raise PolicyError("context full")
    return answer(prompt)


def evaluated(policy: Says, out: Path, prompts: list[GeneralPrompt] = PROMPTS, fingerprint: str = "weights") -> list[Row]:
    return asyncio.run(evaluate_general("arm", policy, prompts, out, fingerprint=fingerprint, concurrency=4))


def test_rows_stand_in_the_order_of_the_prompts_with_the_verdicts_of_the_checkers(tmp_path: Path) -> None:
    policy = Says(half)
    rows = evaluated(policy, tmp_path / "t4.jsonl")
    assert read_jsonl(tmp_path / "t4.jsonl") == rows
    for index, (row, prompt) in enumerate(zip(rows, PROMPTS, strict=True)):
        assert (row["arm"], row["suite"], row["case_id"], row["prompt"]) == ("arm", "T4", prompt.prompt_id, prompt.prompt)
        assert row["response"] == half(prompt) and row["completion_tokens"] == 9
        assert (row["accuracy"], row["instructions"]) == (index % 2, [bool(index % 2)] * len(prompt.instruction_ids))
    for conversation in policy.asked:
        assert [message.role for message in conversation.messages] == ["user"] and conversation.tools == ()


def test_a_policy_that_fails_leaves_a_missing_verdict_which_a_second_run_asks_for_again(tmp_path: Path) -> None:
    out = tmp_path / "t4.jsonl"
    rows = evaluated(Says(fails_at_four), out)
    assert (rows[4]["accuracy"], rows[4]["instructions"]) == (None, None)
    assert rows[4]["reasons"] == ["policy raised PolicyError: context full"]
    assert [row["accuracy"] for row in rows[:4] + rows[5:]] == [1] * 11


def test_an_interrupted_run_asks_only_what_is_missing(tmp_path: Path) -> None:
    def stops(prompt: GeneralPrompt) -> str:
        if PROMPTS.index(prompt) == 8:
            raise KeyboardInterrupt
        return answer(prompt)

    out = tmp_path / "t4.jsonl"
    with pytest.raises(BaseException):  # noqa: B017
        evaluated(Says(stops), out)
    assert not out.exists()
    again = Says(answer)
    rows = evaluated(again, out)
    assert 0 < len(again.asked) < len(PROMPTS)
    assert rows == evaluated(Says(answer), tmp_path / "whole.jsonl")


@pytest.mark.parametrize(("prompts", "fingerprint"), [(PROMPTS, "other weights"), (PROMPTS[:6], "weights")])
def test_rows_of_other_weights_or_prompts_are_not_taken_over(
    prompts: list[GeneralPrompt], fingerprint: str, tmp_path: Path
) -> None:
    out = tmp_path / "t4.jsonl"
    evaluated(Says(half), out)
    out.rename(tmp_path / "t4.jsonl.partial")
    policy = Says(answer)
    evaluated(policy, out, prompts, fingerprint)
    assert len(policy.asked) == len(prompts)


def test_prompts_that_cannot_be_checked_here_are_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nltk.data.path", [])
    sentences = GeneralPrompt("s", "Say it.", ("length_constraints:number_sentences",), ({},))
    policy = Says(answer)
    with pytest.raises(UserError, match="prompt s: instruction length_constraints:number_sentences"):
        evaluated(policy, tmp_path / "t4.jsonl", [*PROMPTS, sentences])
    assert not policy.asked and not list(tmp_path.iterdir())


def test_the_summary_counts_prompts_and_instructions(tmp_path: Path) -> None:
    good, poor = evaluated(Says(answer), tmp_path / "good.jsonl"), evaluated(Says(half), tmp_path / "poor.jsonl")
    figures = summarise(poor, 1)["suites"]["T4"]
    right = sum(len(prompt.instruction_ids) for prompt in PROMPTS[1::2])
    instructions = sum(len(prompt.instruction_ids) for prompt in PROMPTS)
    assert (figures["prompt"]["value"], figures["prompt"]["n"]) == (0.5, 12)
    assert (figures["instruction"]["value"], figures["instruction"]["n"]) == (pytest.approx(right / instructions), instructions)
    assert figures["prompt"]["low"] < 0.5 < figures["prompt"]["high"]
    difference = compare(good, poor, 1)["T4"]
    assert difference["prompt"]["value"] == 0.5 and difference["mcnemar"]["only_first"] == 6
