"""Checks of a tool call: its arguments before the tool runs, its result before the model sees it."""

from __future__ import annotations

from typing import Any

from components.harness.arguments import fit_types
from components.harness.hooks.context import Finding, HookContext
from components.harness.hooks.orders import find_order
from components.harness.types import JsonObject

_DROPPED = object()
_REASON_LENGTH = 200


def arguments_match_schema(context: HookContext, parameters: JsonObject) -> Finding | None:
    """The arguments validate against the tool's own JSON Schema; rewriting turns `"3"` into 3 where that loses nothing."""
    assert context.tool is not None and context.schema is not None
    first = min(context.schema.iter_errors(context.arguments), key=lambda error: error.json_path, default=None)
    if first is None:
        return None
    mended = fit_types(context.tool.parameters, context.arguments)
    message = first.message if len(first.message) <= _REASON_LENGTH else f"{first.message[:_REASON_LENGTH]}…"
    return Finding(f"{first.json_path}: {message}", mended if context.schema.is_valid(mended) else None)


def link_in_room(context: HookContext, parameters: JsonObject) -> Finding | None:
    """Canonical arguments `link_id` and `link_ids` name links of this room."""
    named = [context.canonical.get("link_id")]
    several = context.canonical.get("link_ids")
    named += several if isinstance(several, list) else []
    here = [number for number, _ in context.request.links]
    wrong = next((link for link in named if type(link) is int and link not in here), None)
    return Finding(f"no link {wrong} here; links here: {', '.join(map(str, here))}") if wrong is not None else None


def result_not_empty(context: HookContext, parameters: JsonObject) -> Finding | None:
    """The result has at least one value that says something."""
    said = any(value not in (None, "", [], {}) for value in context.result.values())
    return None if said else Finding("the result is empty")


def result_is_fresh(context: HookContext, parameters: JsonObject) -> Finding | None:
    """A result that says how old it is (`as_of_minutes_ago`) is at most `max_age_minutes` old."""
    age = context.result.get("as_of_minutes_ago", 0)
    most = parameters["max_age_minutes"]
    fresh = isinstance(age, int | float) and age <= most
    return None if fresh else Finding(f"the result is {age} minutes old, at most {most} is allowed")


def result_without_orders(context: HookContext, parameters: JsonObject) -> Finding | None:
    """No text in the result tries to give the agent orders (`patterns`: more to look for); rewriting drops such texts."""
    found: list[str] = []
    kept = _without_orders(context.result, parameters.get("patterns", ()), found)
    return Finding(f"the result gives orders ({found[0]!r})", kept) if found else None


def _without_orders(value: Any, more: list[str], found: list[str]) -> Any:
    if isinstance(value, str):
        if order := find_order(value, more):
            found.append(order)
            return _DROPPED
    elif isinstance(value, dict):
        parts = {key: _without_orders(part, more, found) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part is not _DROPPED}
    elif isinstance(value, list):
        return [part for part in (_without_orders(part, more, found) for part in value) if part is not _DROPPED]
    return value
