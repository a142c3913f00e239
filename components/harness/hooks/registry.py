"""Every check that a hook may name, and which action is possible at which point."""

from __future__ import annotations

import re
from typing import Any

from components.harness.hooks import calls, compliance, inputs, replies, requirements
from components.harness.hooks.context import CheckEntry, Parameter
from components.harness.types import HookAction, HookPoint, JsonObject

REPLY_POINTS = (HookPoint.SKILL_REQUIREMENT, HookPoint.REPLY_FORMAT, HookPoint.FACTUAL_RISK, HookPoint.COMPLIANCE)
"""Points at which a proposed reply is checked, in this order."""

_ENDS = (HookAction.FALL_BACK, HookAction.BLOCK)
ACTIONS: dict[HookPoint, tuple[HookAction, ...]] = dict.fromkeys(HookPoint, tuple(HookAction)) | {
    HookPoint.INPUT: (HookAction.REWRITE, *_ENDS),
    HookPoint.SKILL_REQUIREMENT: (HookAction.RETRY, *_ENDS),
    HookPoint.RETRY_CONTROL: (HookAction.RETRY, *_ENDS),
}
"""Point → what a hook there may do. At `retry_control`, `retry` sends the hook's message instead of the one that would go out."""


def _whole(name: str, least: int, required: bool = True) -> Parameter:
    return Parameter(name, f"a whole number from {least}", lambda value: type(value) is int and value >= least, required)


def _texts(name: str, required: bool) -> Parameter:
    return Parameter(name, "a list of phrases, each of them text", lambda value: bool(_is_texts(value) and value), required)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(phrase, str) and phrase.strip() for phrase in value)


def _is_replacements(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for pair in value.items() for text in pair)


def _replaces_unknown(parameters: JsonObject) -> str | None:
    phrases = {phrase.casefold() for phrase in parameters["phrases"]}
    unknown = next((phrase for phrase in parameters.get("replacements", {}) if phrase.casefold() not in phrases), None)
    return None if unknown is None else f"replacements: expected some of the phrases, found {unknown!r}"


def _is_patterns(value: Any) -> bool:
    try:
        return _is_texts(value) and all(re.compile(pattern) for pattern in value)
    except (re.error, OverflowError, RecursionError):
        return False


_PATTERNS = Parameter("patterns", "a list of regular expressions", _is_patterns, required=False)
_ALLOW = _texts("allow", required=False)
_REPLACEMENTS = Parameter("replacements", "a mapping from phrases to what is said instead", _is_replacements, required=False)

_INPUT, _ARGUMENTS = (HookPoint.INPUT,), (HookPoint.TOOL_ARGUMENTS,)
_RESULT, _RETRY = (HookPoint.TOOL_RESULT,), (HookPoint.RETRY_CONTROL,)

_ENTRIES = (
    CheckEntry(inputs.comment_not_empty, _INPUT),
    CheckEntry(inputs.comment_length, _INPUT, (_whole("max_characters", 1),), rewrites=True),
    CheckEntry(inputs.no_orders, _INPUT, (_PATTERNS,), rewrites=True),
    CheckEntry(calls.arguments_match_schema, _ARGUMENTS, rewrites=True),
    CheckEntry(calls.link_in_room, _ARGUMENTS),
    CheckEntry(calls.result_not_empty, _RESULT),
    CheckEntry(calls.result_is_fresh, _RESULT, (_whole("max_age_minutes", 0),)),
    CheckEntry(calls.result_without_orders, _RESULT, (_PATTERNS,), rewrites=True),
    CheckEntry(requirements.reply_skill_loaded, REPLY_POINTS),
    CheckEntry(requirements.tool_called, REPLY_POINTS),
    CheckEntry(requirements.numbers_supported, REPLY_POINTS),
    CheckEntry(replies.reply_length, REPLY_POINTS, (_whole("max_words", 1), _whole("max_characters", 1, False)), rewrites=True),
    CheckEntry(replies.no_markup, REPLY_POINTS, rewrites=True),
    CheckEntry(replies.reply_language, REPLY_POINTS),
    CheckEntry(
        compliance.forbidden_phrases,
        REPLY_POINTS,
        (_texts("phrases", True), _REPLACEMENTS),
        rewrites=True,
        clash=_replaces_unknown,
    ),
    CheckEntry(compliance.medical_claims, REPLY_POINTS, (_ALLOW,), rewrites=True),
    CheckEntry(compliance.absolute_claims, REPLY_POINTS, (_ALLOW,), rewrites=True),
    CheckEntry(compliance.price_promises, REPLY_POINTS, (_ALLOW,), rewrites=True),
    CheckEntry(replies.repeated_reply, _RETRY),
    CheckEntry(replies.retries_spent, _RETRY, (_whole("max_retries", 0),)),
)
CHECKS: dict[str, CheckEntry] = {entry.run.__name__: entry for entry in _ENTRIES}
