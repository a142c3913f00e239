"""The calls of one turn: checked in their order, run together, answered in their order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass

from components.harness.arguments import to_canonical
from components.harness.episode import Episode
from components.harness.hooks import HookContext
from components.harness.records import covered
from components.harness.types import LOAD_SKILL, Event, HookPoint, JsonObject, Message, Skill, ToolCall, ToolError

_SHOWN = 80
"""Characters of what a model wrote that an error repeats."""


@dataclass(frozen=True)
class _Outcome:
    """What became of a call: the record, and what the model is told."""

    event: Event
    told: JsonObject
    known: bool = False
    """Whether what is told are facts that a reply may state."""


async def answer_calls(message: Message, episode: Episode, tool_seconds: float | None) -> None:
    """Answer every call of an assistant message, the unreadable ones with an error. Raises EpisodeEnded where a hook says so."""
    for reason in message.malformed_calls:
        episode.record("error", "malformed_call", reason)
    checked = [_check_call(call, episode) for call in message.tool_calls]
    outcomes = await _run([one for one in checked if isinstance(one, HookContext)], episode, tool_seconds)
    for call, one in zip(message.tool_calls, checked, strict=True):
        outcome = one if isinstance(one, _Outcome) else _check_result(one, next(outcomes), episode)
        text = json.dumps(outcome.told, ensure_ascii=False)
        episode.events.append(outcome.event)
        if outcome.known:
            episode.results.append(text)
        episode.messages.append(Message(role="tool", content=text, call_id=call.call_id, name=call.name))
    # After the answered ones: servers want every answer right behind its call, and these have no call to stand behind.
    for reason in message.malformed_calls:
        episode.messages.append(Message(role="tool", content=json.dumps({"error": reason}, ensure_ascii=False)))


def _check_call(call: ToolCall, episode: Episode) -> HookContext | _Outcome:
    """The context of a call that may run, or the outcome of one that may not or that needs no room."""
    tool, schema = episode.prepared.tools.get(call.name, (None, None))
    if tool is None:
        return _error(episode, "unknown_tool", f"no tool named {_short(call.name)}; tools: {', '.join(episode.prepared.tools)}")
    hooks = episode.hooks.at[HookPoint.TOOL_ARGUMENTS]
    canonical = to_canonical(tool, call.arguments)
    context, text = episode.check(hooks, tool=tool, schema=schema, arguments=call.arguments, canonical=canonical)
    if text is not None:
        return _error(episode, "bad_arguments", text)
    return _load_skill(context.canonical, episode) if tool.implementation == LOAD_SKILL else context


async def _run(calls: list[HookContext], episode: Episode, seconds: float | None) -> Iterator[JsonObject | _Outcome]:
    """Results of the room, at once for all calls. Whatever ends this early leaves none of them running."""
    if len(calls) == 1:
        return iter([await _call_room(calls[0], episode, seconds)])
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_call_room(call, episode, seconds)) for call in calls]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return iter([task.result() for task in tasks])


async def _call_room(call: HookContext, episode: Episode, seconds: float | None) -> JsonObject | _Outcome:
    assert call.tool is not None
    try:
        async with asyncio.timeout(seconds):
            return await episode.room.call(call.tool.implementation, call.canonical)
    except ToolError as error:
        return _error(episode, "tool_error", str(error), call.canonical)
    except TimeoutError:
        return _error(episode, "tool_timeout", f"{call.tool.name} timed out; call it again or do without it", call.canonical)


def _check_result(call: HookContext, result: JsonObject | _Outcome, episode: Episode) -> _Outcome:
    if isinstance(result, _Outcome):
        return result
    assert call.tool is not None
    hooks = episode.hooks.at[HookPoint.TOOL_RESULT]
    checked, text = episode.check(hooks, tool=call.tool, canonical=call.canonical, result=result)
    if text is not None:
        return _error(episode, "bad_result", text, call.canonical)
    event = Event("tool", episode.turn, call.tool.implementation, call.canonical, checked.result)
    return _Outcome(event, checked.result, known=True)


def _load_skill(arguments: JsonObject, episode: Episode) -> _Outcome:
    """Disclose a skill's body or, where `file` is given, one of the files beside it."""
    name = str(arguments.get("skill", ""))
    skill = episode.prepared.skills.get(name)
    if skill is None:
        known = ", ".join(episode.prepared.skills)
        return _error(episode, "unknown_skill", f"no skill named {_short(name)}; skills: {known}")
    if arguments.get("file"):
        return _read_file(skill, str(arguments["file"]), episode)
    told: JsonObject = {"skill": skill.name, "instructions": skill.body}
    if skill.files:
        told["files"] = _readable(skill)
    return _Outcome(Event("skill", episode.turn, skill.key, {"covers": list(covered(skill))}), told)


def _read_file(skill: Skill, path: str, episode: Episode) -> _Outcome:
    file = next((file for file in skill.files if file.path == path and file.encoding == "utf-8"), None)
    if file is None:
        known = ", ".join(_readable(skill)) or "none"
        return _error(episode, "unknown_file", f"no readable file {_short(path)} in skill {skill.name}; files: {known}")
    event = Event("skill", episode.turn, skill.key, {"covers": [], "file": path})
    return _Outcome(event, {"skill": skill.name, "file": path, "content": file.content}, known=True)


def _readable(skill: Skill) -> list[str]:
    return [file.path for file in skill.files if file.encoding == "utf-8"]


def _error(episode: Episode, name: str, detail: str, arguments: JsonObject | None = None) -> _Outcome:
    return _Outcome(Event("error", episode.turn, name, arguments or {}, detail=detail), {"error": detail})


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
