"""Messages and tools in the OpenAI chat format, and the reading of a model's raw text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from typing import Any

from components.harness.call_syntax import CallReader, read_hermes
from components.harness.types import JsonObject, Message, Tool, ToolCall

_OPEN, _CLOSE = "<think>", "</think>"
_REASONING = re.compile(rf"{_OPEN}.*?(?:{_CLOSE}|\Z)", re.DOTALL)
DEEPEST = 32
"""Levels of nesting in a call's arguments at the most: deeper ones no tool takes, and no record holds."""
_PART = re.compile(rf"{_REASONING.pattern}|<tool_call>(?P<call>.*?)(?P<end></tool_call>|\Z)", re.DOTALL)


def to_openai(messages: Iterable[Message]) -> list[JsonObject]:
    """Conversation as OpenAI chat messages; tool-call arguments stay objects, as chat templates expect them."""
    return [_message_to_openai(message) for message in messages]


def _message_to_openai(message: Message) -> JsonObject:
    result: JsonObject = {"role": message.role, "content": message.content}
    if message.tool_calls:
        result["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        result["tool_call_id"] = message.call_id
        result["name"] = message.name
    return result


def tools_to_openai(tools: Iterable[Tool]) -> list[JsonObject]:
    """Tools as OpenAI function descriptions; implementation keys are not part of them."""
    return [
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in tools
    ]


def parse_assistant(text: str, read_call: CallReader = read_hermes) -> Message:
    """Read what a model wrote: plain text, `<tool_call>` blocks, or both. Never raises.

    A block that `read_call` cannot read, or that is not closed, is reported in `malformed_calls` and its text stays in
    `content`, so that the model sees its own mistake. A call that a model only thinks of, inside `<think>` or before a
    first `</think>`, is text.
    """
    calls: list[ToolCall] = []
    malformed: list[str] = []

    def read(match: re.Match[str]) -> str:
        if match["call"] is None:
            return match.group(0)
        if not match["end"]:
            malformed.append("the tool call is not closed by </tool_call>")
            return match.group(0)
        try:
            name, arguments = read_call(match["call"])
        except ValueError as error:
            malformed.append(str(error))
            return match.group(0)
        calls.append(ToolCall(call_id="", name=name, arguments=arguments))
        return ""

    spoken_from = _end_of_opening_thought(text)
    content = (text[:spoken_from] + _PART.sub(read, text[spoken_from:])).strip()
    return Message(role="assistant", content=content, tool_calls=tuple(calls), malformed_calls=tuple(malformed))


def recordable(message: Message, cut_off: bool = False) -> Message:
    """The message with only such calls as can be run and recorded; the others are reported in `malformed_calls`.

    A call whose arguments are nested too deep, or hold what JSON or UTF-8 has no place for, is malformed. So is a call
    left open by an answer that was `cut_off`.
    """
    faults = {index: fault for index, call in enumerate(message.tool_calls) if (fault := _fault([call.name, call.arguments]))}
    malformed = [*message.malformed_calls, *(f"arguments of the call: {fault}" for fault in faults.values())]
    if cut_off and not malformed and "<tool_call>" in strip_reasoning(message.content):
        malformed.append("the answer was cut off inside a tool call")
    if len(malformed) > len(message.malformed_calls):
        calls = tuple(call for index, call in enumerate(message.tool_calls) if index not in faults)
        message = replace(message, tool_calls=calls, malformed_calls=tuple(malformed))
    if _fault([message.content, *message.malformed_calls]):
        reported = tuple(map(_mended, message.malformed_calls))
        message = replace(message, content=_mended(message.content), malformed_calls=reported)
    return message


def why_no_json_object(value: Any) -> str | None:
    """What keeps a value from being a JSON object that a record can hold, or None."""
    return _fault(value) if isinstance(value, dict) else f"{type(value).__name__} is no JSON object"


def _fault(value: Any, depth: int = 0) -> str | None:
    """Why a value cannot be kept as JSON in UTF-8, or None."""
    if depth > DEEPEST:
        return f"nested deeper than {DEEPEST} levels"
    match value:
        case str():
            return None if value.isascii() or _mended(value) == value else "a character that is half of a pair"
        case float():
            return None if isfinite(value) else f"{value} is no number"
        case dict():
            if not all(isinstance(key, str) for key in value):
                return "a name that is no text"
            return next((fault for pair in value.items() for part in pair if (fault := _fault(part, depth + 1))), None)
        case list():
            return next((fault for part in value if (fault := _fault(part, depth + 1))), None)
        case None | bool() | int():
            return None
    return f"{type(value).__name__} is not JSON"


def _mended(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def strip_reasoning(text: str) -> str:
    """Remove what a model only thinks, opened or not, closed or not: what is spoken never holds reasoning."""
    return _REASONING.sub("", text).rpartition(_CLOSE)[2].strip()


def split_thought(text: str) -> tuple[str, str]:
    """The thought that a text opens with, without its tags and closed or not (empty: none), and the rest."""
    opened = text.lstrip()
    if not opened.startswith(_OPEN):
        spoken_from = _end_of_opening_thought(text)
        return text[: max(spoken_from - len(_CLOSE), 0)].strip(), text[spoken_from:].strip()
    thought, _, spoken = opened.removeprefix(_OPEN).partition(_CLOSE)
    return thought.strip(), spoken.strip()


def _end_of_opening_thought(text: str) -> int:
    """Where a text that begins inside a thought leaves it (some chat templates write `<think>` themselves), or 0."""
    before, closed, _ = text.partition(_CLOSE)
    return len(before) + len(closed) if closed and _OPEN not in before else 0
