"""What grows while one request is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from components.harness.hooks import HookContext
from components.harness.hooks.running import control_retry, run_hooks
from components.harness.messages import recordable
from components.harness.prepared import InForce, PreparedHarness
from components.harness.render import request_prompt
from components.harness.types import (
    Completion,
    Event,
    EventKind,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    Message,
    Request,
    Room,
    ToolCall,
)


@dataclass
class Episode:
    """One request on its way through the loop."""

    prepared: PreparedHarness
    request: Request
    """As it came; hooks at `input` may have shortened what the model reads."""
    room: Room
    messages: list[Message] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    """What tools and files told the model, as JSON text."""
    refused: list[str] = field(default_factory=list)
    turn: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __post_init__(self) -> None:
        self.hooks: InForce = self.prepared.in_force(self.request)
        self._read = self.request
        self._open()

    def check_input(self) -> None:
        """Run the hooks at `input`. Raises EpisodeEnded."""
        context, _ = self.check(self.hooks.at[HookPoint.INPUT])
        if context.request is not self.request:
            self._read = context.request
            self._open()

    def check(self, hooks: Sequence[Hook], **parts: Any) -> tuple[HookContext, str | None]:
        """Run hooks over `parts` of a context; returns them as rewritten and the message for the model, or None."""
        return run_hooks(hooks, self._context(**parts), self._hook_fired)

    def refuse(self, reply: str, message: str) -> None:
        """Send a proposed reply back with a message. Raises EpisodeEnded where hooks at `retry_control` want no more."""
        hooks = self.hooks.at[HookPoint.RETRY_CONTROL]
        message = control_retry(hooks, self._context(reply=reply), message, self._hook_fired)
        self.refused.append(reply)
        self.messages.append(Message(role="user", content=message))

    def add_completion(self, completion: Completion) -> Message:
        """Append the assistant's message, with an identity for every call that has none."""
        message = recordable(completion.message, completion.finish_reason == "length")
        if any(not call.call_id for call in message.tool_calls):
            named = tuple(
                call if call.call_id else ToolCall(f"call_{self.turn}_{index}", call.name, call.arguments)
                for index, call in enumerate(message.tool_calls)
            )
            message = replace(message, tool_calls=named)
        self.messages.append(message)
        self.prompt_tokens += completion.prompt_tokens
        self.completion_tokens += completion.completion_tokens
        return message

    def record(self, kind: EventKind, name: str, detail: str, arguments: JsonObject | None = None) -> None:
        self.events.append(Event(kind, self.turn, name, arguments or {}, detail=detail))

    def _hook_fired(self, name: str, action: HookAction, reason: str) -> None:
        self.record("hook", name, reason, {"action": action.value})

    def _context(self, **parts: Any) -> HookContext:
        return HookContext(self.prepared.harness, self._read, self.events, self.results, self.refused, **parts)

    def _open(self) -> None:
        self.messages[:] = [self.hooks.system, Message(role="user", content=request_prompt(self._read))]
