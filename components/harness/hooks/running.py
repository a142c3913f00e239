"""Hooks at work: the checks of one point in their order, and what follows from the first that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from components.harness.arguments import to_canonical
from components.harness.hooks.context import HookContext, message_of
from components.harness.hooks.registry import ACTIONS, CHECKS
from components.harness.types import Hook, HookAction, HookPoint, StopReason

Record = Callable[[str, HookAction, str], None]
"""Called with the hook's name, what it did, and why."""


class EpisodeEnded(Exception):
    """The episode is over. `reply` is empty where the harness's fallback reply is to be spoken."""

    def __init__(self, stop_reason: StopReason, reply: str = "") -> None:
        super().__init__(stop_reason)
        self.stop_reason, self.reply = stop_reason, reply


def run_hooks(hooks: Sequence[Hook], context: HookContext, record: Record) -> tuple[HookContext, str | None]:
    """Run checks until one wants a retry. Returns the context as rewritten, and the message for the model (None: all is well).

    What a hook rewrites is checked by all of them anew. A rewrite that knows no better text, or that still fails after it,
    is a retry, and where there is nothing to retry, a block. Raises EpisodeEnded.
    """
    rewrote: set[str] = set()
    place = 0
    while place < len(hooks):
        hook = hooks[place]
        place += 1
        finding = CHECKS[hook.check].run(context, hook.parameters)
        if finding is None:
            continue
        action = hook.action
        if action is HookAction.REWRITE and (finding.rewritten is None or hook.name in rewrote):
            action = HookAction.RETRY if HookAction.RETRY in ACTIONS[hook.point] else HookAction.BLOCK
        record(hook.name, action, finding.reason)
        if action is HookAction.REWRITE:
            context = _rewritten(context, hook.point, finding.rewritten)
            rewrote.add(hook.name)
            place = 0
            continue
        message = message_of(hook, finding.reason, context.reply)
        _end(action, message)
        return context, message.strip() or finding.reason
    return context, None


def control_retry(hooks: Iterable[Hook], context: HookContext, message: str, record: Record) -> str:
    """Run the hooks of `retry_control` over a wish for a retry; returns the message that goes out. Raises EpisodeEnded."""
    for hook in hooks:
        finding = CHECKS[hook.check].run(context, hook.parameters)
        if finding is not None:
            record(hook.name, hook.action, finding.reason)
            message = message_of(hook, finding.reason, context.reply, message)
            _end(hook.action, message)
    return message


def _end(action: HookAction, message: str) -> None:
    if action is HookAction.BLOCK:
        raise EpisodeEnded(StopReason.BLOCKED)
    if action is HookAction.FALL_BACK:
        raise EpisodeEnded(StopReason.FELL_BACK, message)


def _rewritten(context: HookContext, point: HookPoint, value: Any) -> HookContext:
    match point:
        case HookPoint.INPUT:
            return replace(context, request=value)
        case HookPoint.TOOL_ARGUMENTS:
            assert context.tool is not None
            return replace(context, arguments=value, canonical=to_canonical(context.tool, value))
        case HookPoint.TOOL_RESULT:
            return replace(context, result=value)
    return replace(context, reply=value)
