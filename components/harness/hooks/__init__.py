"""Hooks: the checks that a harness may name at the points of the loop, and what a failing one may do.

`CHECKS` holds them by name, `ACTIONS` says what is possible where; a check reads a `HookContext` and returns a `Finding`.
"""

from components.harness.hooks.context import MESSAGE_FIELDS, Check, CheckEntry, Finding, HookContext, Parameter, message_of
from components.harness.hooks.registry import ACTIONS, CHECKS, REPLY_POINTS

__all__ = [
    "ACTIONS",
    "CHECKS",
    "MESSAGE_FIELDS",
    "REPLY_POINTS",
    "Check",
    "CheckEntry",
    "Finding",
    "HookContext",
    "Parameter",
    "message_of",
]
