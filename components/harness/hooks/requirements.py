"""Checks of what must have happened before a reply, and of what a reply states."""

from __future__ import annotations

from components.harness.hooks.compliance import declines
from components.harness.hooks.context import Finding, HookContext
from components.harness.hooks.text import numbers, sentences, stated_numbers
from components.harness.types import JsonObject, SkillKind


def reply_skill_loaded(context: HookContext, parameters: JsonObject) -> Finding | None:
    """At least one reply skill was loaded in this episode; to have read one of its files alone is not enough."""
    loaded = {event.name for event in context.events if event.kind == "skill" and "file" not in event.arguments}
    if any(skill.kind is SkillKind.REPLY and skill.key in loaded for skill in context.harness.skills):
        return None
    return Finding("no reply skill was loaded")


def tool_called(context: HookContext, parameters: JsonObject) -> Finding | None:
    """A reply that states a number other than a link's comes after a tool's answer, even where the viewer named it first."""
    if context.results:
        return None
    links = {str(number) for number, _ in context.request.links}
    stated = {number for sentence in sentences(context.reply) if not declines(sentence) for number in stated_numbers(sentence)}
    titles = {number for _, title in context.request.links for number in numbers(title)}
    unknown = sorted(stated - links - titles)
    return Finding(f"the number {unknown[0]} is stated and no tool was called") if unknown else None


def numbers_supported(context: HookContext, parameters: JsonObject) -> Finding | None:
    """Every number in the reply, in digits or words, occurs in a tool's result, a comment, the dialogue, or the room's links."""
    stated = stated_numbers(context.reply)
    if not stated:
        return None
    request = context.request
    known = [*context.results, *request.comments, request.campaign, *(said.text for said in request.dialogue)]
    known += [f"{number} {title}" for number, title in request.links] + [str(count) for count in request.audience.values()]
    unknown = sorted(stated.difference(*map(numbers, known)))
    return Finding(f"the number {unknown[0]} is in no tool result") if unknown else None
