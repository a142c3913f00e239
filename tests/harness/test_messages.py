"""Reading a model's text never fails, and reads back what the format writes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from components.harness import to_dict
from components.harness.messages import DEEPEST, parse_assistant, recordable, strip_reasoning
from components.harness.types import Message, ToolCall

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=10,
)


@given(st.text() | st.text("<>/tool_cal{}\"':,name rguents", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    message = parse_assistant(text)
    assert message.role == "assistant"
    if not message.tool_calls:
        assert message.content == text.strip()


@given(
    st.lists(
        st.tuples(st.text(min_size=1), st.dictionaries(st.text(max_size=8), json_values, max_size=3)), min_size=1, max_size=3
    )
)
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
    assert strip_reasoning("thinking… </think> Hello <think>more</think>there") == "Hello there"
    assert strip_reasoning("thinking… </think> and more </think> Hello") == "Hello"
    assert strip_reasoning("<think>a</think> b </think> Hello") == "Hello"


def test_call_in_a_thought_that_the_template_opened_is_text() -> None:
    message = parse_assistant('I write <tool_call>{"name": "a"}</tool_call>.</think><tool_call>{"name": "b"}</tool_call>')
    assert [one.name for one in message.tool_calls] == ["b"] and message.malformed_calls == ()
    assert strip_reasoning(message.content) == ""


def test_message_that_can_be_recorded_stays_the_very_same() -> None:
    message = parse_assistant('看看 <tool_call>{"name": "a", "arguments": {"b": [1, 2.5, null, {"c": "券"}]}}</tool_call>')
    assert recordable(message) is message


@given(json_values | st.lists(st.floats(), max_size=2))
def test_what_is_recordable_reads_back_from_the_record(value: object) -> None:
    message = recordable(Message("assistant", "", (ToolCall("1", "a", {"b": value}),)))
    read = json.loads(json.dumps(to_dict(message)).encode())
    assert [call["arguments"] for call in read["tool_calls"]] == [call.arguments for call in message.tool_calls]
    assert len(message.tool_calls) + len(message.malformed_calls) == 1


def test_nesting_is_read_up_to_a_depth() -> None:
    def nested(levels: int) -> Message:
        text = '{"a":' * levels + "1" + "}" * levels
        return recordable(parse_assistant(f'<tool_call>{{"name": "a", "arguments": {text}}}</tool_call>'))

    assert len(nested(DEEPEST - 1).tool_calls) == 1
    assert nested(DEEPEST + 1).malformed_calls == (f"arguments of the call: nested deeper than {DEEPEST} levels",)
    assert len(nested(100_000).malformed_calls) == 1
