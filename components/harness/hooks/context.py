"""What a check looks at, what it finds, and what a hook's message says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from components.harness.types import Event, Harness, Hook, HookPoint, JsonObject, Request, Tool

MESSAGE_FIELDS = ("reason", "reply", "message")
_FIELD = re.compile(rf"\{{({'|'.join(MESSAGE_FIELDS)})\}}")


@dataclass(slots=True)
class HookContext:
    """An episode as it stands at a hook point. What a point has no use for keeps its default.

    Made at every point that has hooks, and not frozen because that alone would triple what making one costs; no check
    changes it.
    """

    harness: Harness
    request: Request
    events: Sequence[Event] = ()
    results: Sequence[str] = ()
    """What the tools told the model so far, as JSON text."""
    refused: Sequence[str] = ()
    """Replies refused before this one in this episode: as many retries were made."""
    tool: Tool | None = None
    """Points `tool_arguments` and `tool_result`: the tool that is called."""
    schema: Draft202012Validator | None = None
    """The tool's compiled schema."""
    arguments: JsonObject = field(default_factory=dict)
    """As the model wrote them."""
    canonical: JsonObject = field(default_factory=dict)
    """The same as the implementation takes them."""
    result: JsonObject = field(default_factory=dict)
    """Point `tool_result`."""
    reply: str = ""
    """Points of a proposed reply, and `retry_control`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a check fails."""

    reason: str
    rewritten: Any = None
    """What was checked (request, arguments, result or reply) as it would pass; None where the check knows no such."""


Check = Callable[[HookContext, JsonObject], Finding | None]
"""Context and the hook's parameters → what is wrong, or None."""


@dataclass(frozen=True)
class Parameter:
    """What a check may be told."""

    name: str
    expected: str
    """In words."""
    fits: Callable[[Any], bool]
    required: bool = True


@dataclass(frozen=True)
class CheckEntry:
    """A check with what a hook that names it may say."""

    run: Check
    points: tuple[HookPoint, ...]
    parameters: tuple[Parameter, ...] = ()
    rewrites: bool = False
    """Whether a hook with action `rewrite` may name it."""
    clash: Callable[[JsonObject], str | None] = lambda parameters: None
    """What is wrong between parameters that each fit, beginning with the name of one; None where nothing is."""


def message_of(hook: Hook, reason: str, reply: str = "", message: str = "") -> str:
    """The hook's message with its fields filled in; braces within what fills them mean nothing."""
    fields = {"reason": reason, "reply": reply, "message": message}
    return _FIELD.sub(lambda found: fields[found[1]], hook.message)
