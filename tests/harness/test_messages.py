"""Reading a model's text never fails, and reads back what the format writes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from components.harness.messages import parse_assistant, strip_reasoning

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
)


@given(st.text() | st.text("<>/tool_cal{}\"':,name rguents", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    message = parse_assistant(text)
    assert message.role == "assistant"
    if not message.tool_calls:
        assert message.content == text.strip()


@given(st.lists(st.tuples(st.text(min_size=1), st.dictionaries(st.text(), json_values)), min_size=1, max_size=3))
def test_calls_read_back_as_written(calls: list[tuple[str, dict[str, object]]]) -> None:
    blocks = [f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>" for name, arguments in calls]
    message = parse_assistant("\n".join(blocks))
    assert [(call.name, call.arguments) for call in message.tool_calls] == calls
    assert message.content == "" and message.malformed_calls == ()


def test_malformed_calls_are_named_and_stay_visible() -> None:
    text = 'one <tool_call>{"name": 1}</tool_call> two <tool_call>{"name": "a", "arguments": {}}'
    message = parse_assistant(text)
    assert message.tool_calls == ()
    assert len(message.malformed_calls) == 2
    assert message.content == text


def test_call_that_is_only_thought_of_is_text() -> None:
    thought, call = '<tool_call>{"name": "a"}</tool_call>', '<tool_call>{"name": "b"}</tool_call>'
    message = parse_assistant(f"<think>{thought}</think>{call}")
    assert [one.name for one in message.tool_calls] == ["b"]
    assert message.content == f"<think>{thought}</think>"
    unfinished = parse_assistant(f"<think>{thought} <tool_call>")
    assert (unfinished.tool_calls, unfinished.malformed_calls) == ((), ())


def test_reasoning_is_never_spoken() -> None:
    assert strip_reasoning("<think>49 or 59?</think> It is 49.00 yuan.") == "It is 49.00 yuan."
    assert strip_reasoning("Yes. <think>unfinished") == "Yes."
