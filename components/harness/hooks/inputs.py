"""Checks of the request, before the model sees it."""

from __future__ import annotations

from dataclasses import replace

from components.harness.hooks.context import Finding, HookContext
from components.harness.hooks.orders import find_order
from components.harness.types import JsonObject


def comment_not_empty(context: HookContext, parameters: JsonObject) -> Finding | None:
    """At least one comment has a visible character."""
    return None if any(comment.strip() for comment in context.request.comments) else Finding("the comment is empty")


def comment_length(context: HookContext, parameters: JsonObject) -> Finding | None:
    """No comment is longer than `max_characters`; rewriting cuts it there."""
    most, comments = parameters["max_characters"], context.request.comments
    longest = max(map(len, comments), default=0)
    if longest <= most:
        return None
    cut = tuple(comment[:most].rstrip() for comment in comments)
    return Finding(f"a comment has {longest} characters, at most {most} are read", replace(context.request, comments=cut))


def no_orders(context: HookContext, parameters: JsonObject) -> Finding | None:
    """No comment tries to give the agent orders (`patterns`: more to look for); rewriting drops those that do."""
    more = parameters.get("patterns", ())
    orders = {comment: order for comment in context.request.comments if (order := find_order(comment, more))}
    if not orders:
        return None
    others = tuple(comment for comment in context.request.comments if comment not in orders)
    rewritten = replace(context.request, comments=others) if others else None
    return Finding(f"a comment gives orders ({next(iter(orders.values()))!r})", rewritten)
