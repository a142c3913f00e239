"""Reasoning is counted turn by turn, in words that every arm shares, and what is spoken is no reasoning."""

import pytest

from components.evaluation.thinking import thinking
from components.harness.types import Message, Request, StopReason, ToolCall, Trajectory

REQUEST = Request("request", "room", ("How much?",), 1, ((1, "Mug"),))


def episode(*messages):
    return Trajectory("e", REQUEST, "0" * 12, "policy", messages, (), (), "reply", StopReason.REPLIED)


def says(content, calls=0, malformed=()):
    return Message("assistant", content, tuple(ToolCall(str(i), "look_up", {}) for i in range(calls)), malformed_calls=malformed)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<think>Which item is meant?</think>It is 49 yuan.", 4),
        ("It is 49 yuan.", 0),
        ("<think></think>It is 49 yuan.", 0),
        ("The template opened the thought.</think>It is 49 yuan.", 5),
        ("<think>never closed it", 3),
        ("<think>观众问价格</think>四十九元。", 5),
        ("<think>one two</think>It is<think>three</think> 49 yuan.", 3),
        ("", 0),
    ],
)
def test_words_of_a_thought_are_counted_and_those_of_the_reply_are_not(content, words):
    assert thinking(episode(says(content))) == {"tool_calls": [], "reply": [words]}


def test_turns_that_call_and_turns_that_reply_are_told_apart():
    messages = (
        Message("system", "<think>not the model's</think>"),
        Message("user", "How much?"),
        says("<think>look it up</think>", calls=2),
        Message("tool", "<think>not the model's</think>", call_id="0"),
        says("<think>again, this time rightly</think><tool_call>{", malformed=("not closed",)),
        says("<think>now say it</think>It is 49 yuan."),
        Message("user", "Load a reply skill first."),
        says("It is 49 yuan."),
    )
    assert thinking(episode(*messages)) == {"tool_calls": [3, 4], "reply": [3, 0]}
