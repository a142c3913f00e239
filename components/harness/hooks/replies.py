"""Checks of how a reply reads when it is spoken."""

from __future__ import annotations

import re

from components.harness.hooks.context import Finding, HookContext
from components.harness.hooks.text import join_sentences, scripts, sentences, word_count
from components.harness.types import JsonObject

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_MARKUP = re.compile(rf"[*#`<>{{}}\[\]|]|{_ADDRESS.pattern}")
_NAMED_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"</?\w[^<>]*>")
_CHARACTERS_A_WORD = 2


def reply_length(context: HookContext, parameters: JsonObject) -> Finding | None:
    """At most `max_words` words, in a Chinese room `max_characters` characters (by default twice as many).

    Rewriting keeps the leading sentences that fit.
    """
    chinese = context.request.language == "zh"
    most: int = parameters["max_words"]
    if chinese:
        most = parameters.get("max_characters", _CHARACTERS_A_WORD * most)
    size = word_count(context.reply)
    if size <= most:
        return None
    kept: list[str] = []
    for sentence in sentences(context.reply):
        if word_count(join_sentences([*kept, sentence])) > most:
            break
        kept.append(sentence)
    unit = "characters" if chinese else "words"
    return Finding(f"the reply has {size} {unit}, at most {most} are allowed", join_sentences(kept) or None)


def no_markup(context: HookContext, parameters: JsonObject) -> Finding | None:
    """Plain words that can be spoken, without markup or addresses; rewriting strips them."""
    found = _MARKUP.search(context.reply)
    if not found:
        return None
    plain = _MARKUP.sub(" ", _TAG.sub(" ", _ADDRESS.sub(" ", _NAMED_LINK.sub(r"\1", context.reply))))
    return Finding(f"the reply holds {found.group(0)!r}", re.sub(r"\s+(?=[.,!?]?(?:\s|$))", "", " ".join(plain.split())) or None)


def reply_language(context: HookContext, parameters: JsonObject) -> Finding | None:
    """The reply is in the language of the room; names and units of the other script may stand in it."""
    han, latin = scripts(context.reply)
    if context.request.language == "zh":
        return Finding("the room speaks Chinese") if latin > han else None
    return Finding("the room speaks English") if han > latin else None


def repeated_reply(context: HookContext, parameters: JsonObject) -> Finding | None:
    """The reply that is refused now is none that was refused before."""
    said = context.reply.split()
    repeated = any(earlier.split() == said for earlier in context.refused)
    return Finding("the same reply was refused before") if repeated else None


def retries_spent(context: HookContext, parameters: JsonObject) -> Finding | None:
    """Fewer than `max_retries` retries were made so far."""
    made = len(context.refused)
    return Finding(f"{made} retries were made") if made >= parameters["max_retries"] else None
