"""The checks that hooks may name. A check returns None where all is well, or the reason in a few words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

from components.harness.types import Event, Harness, Hook, HookPoint, JsonObject, Request, SkillKind, Tool

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKUP = re.compile(r"[*#`<>{}\[\]|]|https?://")


@dataclass(frozen=True)
class HookContext:
    """What a check may look at. `reply` is set for checks of the reply, `tool` and `arguments` for those of a call."""

    harness: Harness
    request: Request
    events: tuple[Event, ...] = ()
    reply: str = ""
    tool: Tool | None = None
    arguments: JsonObject = field(default_factory=dict)


Check = Callable[[HookContext, JsonObject], str | None]


def comment_not_empty(context: HookContext, parameters: JsonObject) -> str | None:
    """Input: at least one comment has a visible character."""
    return None if any(c.strip() for c in context.request.comments) else "the comment is empty"


def arguments_match_schema(context: HookContext, parameters: JsonObject) -> str | None:
    """Tool arguments: they validate against the tool's own JSON Schema."""
    assert context.tool is not None
    errors = sorted(Draft202012Validator(context.tool.parameters).iter_errors(context.arguments), key=lambda e: e.json_path)
    return f"{errors[0].json_path}: {errors[0].message}" if errors else None


def reply_skill_loaded(context: HookContext, parameters: JsonObject) -> str | None:
    """Skill requirement: at least one reply skill was loaded in this episode."""
    reply_keys = {skill.key for skill in context.harness.skills if skill.kind is SkillKind.REPLY}
    loaded = any(event.kind == "skill" and event.name in reply_keys for event in context.events)
    return None if loaded else "no reply skill was loaded"


def reply_length(context: HookContext, parameters: JsonObject) -> str | None:
    """Reply format: not empty, and at most `max_words` words."""
    words = len(context.reply.split())
    if words == 0:
        return "the reply is empty"
    return f"the reply has {words} words" if words > parameters["max_words"] else None


def no_markup(context: HookContext, parameters: JsonObject) -> str | None:
    """Reply format: plain words that can be spoken, without markup or addresses."""
    found = _MARKUP.search(context.reply)
    return f"the reply holds {found.group(0)!r}" if found else None


def numbers_supported(context: HookContext, parameters: JsonObject) -> str | None:
    """Factual risk: every number in the reply occurs in a tool result, a comment or the room's links."""
    known = [json.dumps(event.result, ensure_ascii=False) for event in context.events if event.kind == "tool"]
    known += context.request.comments
    known += [f"{number} {title}" for number, title in context.request.links]
    supported = {_plain(number) for text in known for number in _NUMBER.findall(text)}
    for number in _NUMBER.findall(context.reply):
        if _plain(number) not in supported:
            return f"the number {number} is in no tool result"
    return None


def forbidden_phrases(context: HookContext, parameters: JsonObject) -> str | None:
    """Factual risk: none of `phrases` occurs in the reply, whatever the case."""
    reply = context.reply.lower()
    found = next((phrase for phrase in parameters["phrases"] if phrase.lower() in reply), None)
    return f"the phrase {found!r} is not allowed" if found else None


def _plain(number: str) -> str:
    """One spelling a value: `1,299.00`, `1299.0` and `1299` are the same number."""
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        comment_not_empty,
        arguments_match_schema,
        reply_skill_loaded,
        reply_length,
        no_markup,
        numbers_supported,
        forbidden_phrases,
    )
}

REPLY_POINTS = (HookPoint.SKILL_REQUIREMENT, HookPoint.REPLY_FORMAT, HookPoint.FACTUAL_RISK)
"""Points at which a proposed reply is checked, in this order."""

CHECK_POINTS: dict[str, tuple[HookPoint, ...]] = dict.fromkeys(CHECKS, REPLY_POINTS) | {
    "comment_not_empty": (HookPoint.INPUT,),
    "arguments_match_schema": (HookPoint.TOOL_ARGUMENTS,),
}
"""Check → the points at which there is what it looks at."""


@dataclass(frozen=True)
class Parameter:
    """What a check must be given."""

    name: str
    expected: str
    fits: Callable[[Any], bool]


def _is_phrases(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(phrase, str) and phrase for phrase in value)


CHECK_PARAMETERS: dict[str, Parameter] = {
    "reply_length": Parameter("max_words", "a whole number above 0", lambda value: type(value) is int and value > 0),
    "forbidden_phrases": Parameter("phrases", "a list of phrases, each of them text", _is_phrases),
}


def message_of(hook: Hook, reason: str) -> str:
    """What the model reads when `hook` fails."""
    return hook.message.replace("{reason}", reason)
