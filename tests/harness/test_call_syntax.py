"""Tool calls in Qwen's syntax: typed by the tool's schema, back exactly as they were written, and never a reason to fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from components.harness.call_syntax import qwen_reader, read_hermes
from components.harness.messages import parse_assistant, recordable, split_thought
from components.harness.types import JsonObject, Tool

SCHEMAS: dict[str, JsonObject] = {
    "text": {"type": "string"},
    "choice": {"enum": ["3", "L"]},
    "maybe": {"type": ["string", "null"]},
    "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    "count": {"type": "integer"},
    "price": {"type": "number"},
    "now": {"type": "boolean"},
    "options": {"type": "object", "properties": {"size": {"type": "string"}}},
    "links": {"type": "array", "items": {"type": "integer"}},
    "few": {"enum": [1, 2]},
}
TOOL = Tool("find", "Finds.", {"type": "object", "properties": SCHEMAS}, "find")
READ = qwen_reader([TOOL])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["", "\n", "\n\n x \n", "3", "null", "true", '{"a": 1}', "</parameter>", "</function>", "<parameter=x>", "a\n</parameter>\nb"]
)


def written(name: str, arguments: JsonObject) -> str:
    """As the template of Qwen3.6 writes a call."""
    parameters = "".join(
        f"<parameter={key}>\n{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}\n</parameter>\n"
        for key, value in arguments.items()
    )
    return f"<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>"


def read(text: str) -> tuple[list[tuple[str, JsonObject]], int]:
    """The calls, and how many were malformed."""
    message = parse_assistant(text, READ)
    return [(call.name, call.arguments) for call in message.tool_calls], len(message.malformed_calls)


def value(text: str, parameter: str) -> Any:
    calls, malformed = read(f"<tool_call><function=find><parameter={parameter}>{text}</parameter></function></tool_call>")
    assert not malformed
    return calls[0][1][parameter]


@pytest.mark.parametrize(
    ("parameter", "text", "expected"),
    [
        ("text", "49", "49"),
        ("text", "null", "null"),
        ("text", '{"a": 1}', '{"a": 1}'),
        ("text", "\n two\nlines \n", " two\nlines "),
        ("choice", "3", "3"),
        ("maybe", "null", None),
        ("maybe", "nullify", "nullify"),
        ("either", "3", "3"),
        ("count", "\n3\n", 3),
        ("count", "three", "three"),
        ("count", "", ""),
        ("price", "49.5", 49.5),
        ("now", "true", True),
        ("now", "True", "True"),
        ("options", '{"size": "S"}', {"size": "S"}),
        ("options", "{'size'", "{'size'"),
        ("links", "[1, 2]", [1, 2]),
        ("few", "2", 2),
        ("unknown", "5", "5"),
    ],
)
def test_a_value_is_text_where_the_schema_takes_text_and_json_elsewhere(parameter: str, text: str, expected: Any) -> None:
    found = value(text, parameter)
    assert found == expected and type(found) is type(expected)


def test_a_tool_that_is_not_there_is_read_too_for_the_loop_to_say_so() -> None:
    assert read(written("nothing", {"link": 3})) == ([("nothing", {"link": "3"})], 0)
    assert read("<tool_call><function=find></function></tool_call>") == ([("find", {})], 0)


@settings(max_examples=150, deadline=None)
@given(
    text=TEXTS,
    count=st.integers(),
    price=st.floats(allow_nan=False, allow_infinity=False),
    options=st.dictionaries(st.text(max_size=5), JSON_VALUES, max_size=3),
    links=st.lists(JSON_VALUES, max_size=3),
)
def test_what_the_template_writes_is_read_back_exactly(
    text: str, count: int, price: float, options: JsonObject, links: list[Any]
) -> None:
    arguments = {"text": text, "count": count, "price": price, "options": options, "links": links}
    call = written("find", arguments)
    # What no parser of this syntax can tell apart: a value that holds the tags which end it.
    assume(call.count("<parameter=") == len(arguments) and call.count("</tool_call>") == 1)
    assert read(call) == ([("find", arguments)], 0)


@pytest.mark.parametrize(
    "block",
    [
        "",
        '{"name": "find", "arguments": {}}',
        "<function=find>",
        "<function=></function>",
        "<function=find><parameter=text>S</function>",
        "<function=find><parameter=text>S</parameter>",
        "<function=find>text</function>",
        "<function=find><parameter=text>S</parameter> and more</function>",
        "<function=find></function> and more",
        "<function=find><parameter=>S</parameter></function>",
        "<parameter=text>S</parameter>",
    ],
)
def test_a_malformed_block_is_reported_and_stays_in_the_text(block: str) -> None:
    text = f"Hm. <tool_call>{block}</tool_call>"
    message = parse_assistant(text, READ)
    assert not message.tool_calls and message.content == text
    assert message.malformed_calls == (
        "expected <tool_call><function=...><parameter=...>value</parameter></function></tool_call>",
    )


def test_a_block_that_is_not_closed_is_reported_and_those_before_it_count() -> None:
    message = parse_assistant(f"{written('find', {'count': 1})}\n<tool_call>\n<function=find>\n<parameter=co", READ)
    assert [call.arguments for call in message.tool_calls] == [{"count": 1}]
    assert message.malformed_calls == ("the tool call is not closed by </tool_call>",)


PIECES = st.sampled_from(
    [
        "<tool_call>",
        "</tool_call>",
        "<function=find>",
        "<function=",
        "</function>",
        "<parameter=text>",
        "<parameter=count>",
        "<parameter=options>",
        "<parameter=",
        "</parameter>",
        "<think>",
        "</think>",
        "<|im_end|>",
        "\n",
        "[" * 3000,
        "1" * 5000,
        '{"a": ' * 500,
        "\ud800",
        "NaN",
    ]
)


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(PIECES | st.text(max_size=10), max_size=14))
@example(parts=["<tool_call><function=find><parameter=count>", "[" * 100_000, "</parameter></function></tool_call>"])
@example(parts=["<tool_call><function=find><parameter=count>", "9" * 5000, "</parameter></function></tool_call>"])
@example(parts=["<tool_call><function=find>", "<parameter=text>" * 5000, "</function></tool_call>"])
@example(parts=["<tool_call><function=find><parameter=text>", "</parameter>\n" * 5000 + "x", "</function></tool_call>"])
def test_nothing_that_a_model_writes_makes_the_reading_fail(parts: list[str]) -> None:
    text = "".join(parts)
    message = recordable(parse_assistant(text, READ), cut_off=True)
    json.dumps([message.content, [[call.name, call.arguments] for call in message.tool_calls]]).encode()
    thought, spoken = split_thought(text)
    assert thought in text and spoken in text


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=40))
def test_hermes_refuses_with_the_one_error_that_it_names(text: str) -> None:
    try:
        read_hermes(text)
    except ValueError as error:
        assert "arguments" in str(error)


@pytest.mark.parametrize(
    ("text", "thought", "spoken"),
    [
        ("<think>\nPrice?\n</think>\n\nIt is 49.", "Price?", "It is 49."),
        ("Price?\n</think>\n\nIt is 49.", "Price?", "It is 49."),
        ("<think>never closed", "never closed", ""),
        ("It is 49. <think>More?</think>", "", "It is 49. <think>More?</think>"),
        ("It is 49.", "", "It is 49."),
        ("<think></think>Hi", "", "Hi"),
        ("</think>Hi", "", "Hi"),
        ("", "", ""),
    ],
)
def test_an_opening_thought_is_told_apart_from_what_is_said(text: str, thought: str, spoken: str) -> None:
    assert split_thought(text) == (thought, spoken)
