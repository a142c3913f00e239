"""Messages and tools in the OpenAI chat format, and the reading of a model's raw text (Hermes tool calls)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from components.harness.types import JsonObject, Message, Tool, ToolCall

_REASONING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
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


def parse_assistant(text: str) -> Message:
    """Read what a model wrote: plain text, `<tool_call>` blocks, or both. Never raises.

    A block that is not JSON with a `name` (string) and `arguments` (object), or that is not closed, is reported in
    `malformed_calls` and its text stays in `content`, so that the model sees its own mistake. A call that a model only
    thinks of, inside `<think>`, is text.
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
            call = json.loads(match["call"])
            name, arguments = call["name"], call.get("arguments", {})
            if not isinstance(name, str) or not isinstance(arguments, dict):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            malformed.append('expected <tool_call>{"name": "...", "arguments": {...}}</tool_call>')
            return match.group(0)
        calls.append(ToolCall(call_id="", name=name, arguments=arguments))
        return ""

    content = _PART.sub(read, text).strip()
    return Message(role="assistant", content=content, tool_calls=tuple(calls), malformed_calls=tuple(malformed))


def strip_reasoning(text: str) -> str:
    """Remove `<think>` blocks (an unclosed one to the end): what is spoken never holds reasoning."""
    return _REASONING.sub("", text).strip()
