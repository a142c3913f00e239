"""What the order of hooks decides: where all ask for a retry, only which message comes first; elsewhere, the outcome."""

from __future__ import annotations

from collections.abc import Iterable

from components.harness.hooks import CHECKS, REPLY_POINTS
from components.harness.types import Hook, HookAction, HookPoint

_POINTS = {point: place for place, point in enumerate(HookPoint)}


def may_move(hook: Hook, point: HookPoint) -> bool:
    """Whether a hook asks the same at another point: it refuses a proposed reply, and its check works there."""
    is_reply = hook.point in REPLY_POINTS and point in REPLY_POINTS and point in CHECKS[hook.check].points
    return hook.point is point or (hook.action is HookAction.RETRY and is_reply)


def is_bound(hook: Hook) -> bool:
    """Whether it matters which hooks come before and after this one: it ends the episode, changes it, or acts on others."""
    return hook.action is not HookAction.RETRY or hook.point is HookPoint.RETRY_CONTROL


def binding_order(hooks: Iterable[Hook]) -> dict[str, frozenset[str]]:
    """Name of each bound hook → the hooks that an episode passes before it."""
    passed: list[str] = []
    before: dict[str, frozenset[str]] = {}
    for hook in sorted(hooks, key=lambda hook: _POINTS[hook.point]):
        if is_bound(hook):
            before[hook.name] = frozenset(passed)
        passed.append(hook.name)
    return before
