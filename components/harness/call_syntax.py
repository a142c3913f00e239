"""How models write a tool call between `<tool_call>` and `</tool_call>`: as JSON (Hermes), or a tag a parameter (Qwen)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from components.harness.types import JsonObject, Tool

CallReader = Callable[[str], tuple[str, JsonObject]]
"""What stands between the tags → name and arguments. Raises ValueError that says what was expected, and nothing else."""

_FUNCTION = re.compile(r"\s*<function=([^<>\n]+)>(.*)</function>\s*", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^<>\n]+)>\n?(.*)", re.DOTALL)
_PARAMETER_END = re.compile(r"\n?</parameter>\s*(?=<parameter=|\Z)")
"""Only before another parameter or the end: a value may hold the tag itself."""


def read_hermes(text: str) -> tuple[str, JsonObject]:
    """`{"name": ..., "arguments": {...}}`. Raises ValueError for anything else."""
    try:
        call = json.loads(text)
        name, arguments = call["name"], call.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError('expected <tool_call>{"name": "...", "arguments": {...}}</tool_call>') from None
    return name, arguments


def qwen_reader(tools: Sequence[Tool]) -> CallReader:
    """Reads `<function=name><parameter=key>value</parameter></function>`.

    The syntax has no types: a value is text where the tool's schema takes text or does not know the parameter, else JSON;
    what is not even JSON stays text, for the hook that checks arguments to name.
    """
    properties = {tool.name: tool.parameters.get("properties", {}) for tool in tools}

    def read(text: str) -> tuple[str, JsonObject]:
        function = _FUNCTION.fullmatch(text)
        *parameters, rest = _PARAMETER_END.split(function[2].strip()) if function else ("?",)
        found = [_PARAMETER.fullmatch(parameter) for parameter in parameters]
        if not function or rest or not all(found):
            raise ValueError("expected <tool_call><function=...><parameter=...>value</parameter></function></tool_call>")
        name = function[1].strip()
        schemas = properties.get(name, {})
        pairs = [(match[1].strip(), match[2]) for match in found if match]
        return name, {key: _typed(value, schemas.get(key)) for key, value in pairs}

    return read


def _typed(text: str, schema: Any) -> Any:
    if _takes_text(schema) and not (text == "null" and "null" in _types(schema)):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _takes_text(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return True
    choices = [choice for key in ("anyOf", "oneOf") for choice in schema.get(key, ())]
    texts = any(isinstance(value, str) for value in schema.get("enum", ()))
    return "string" in _types(schema) or texts or any(map(_takes_text, choices))


def _types(schema: Any) -> Sequence[str]:
    """The JSON types that a schema names; none where it leaves them open."""
    types = schema.get("type", ()) if isinstance(schema, dict) else ()
    return (types,) if isinstance(types, str) else types
