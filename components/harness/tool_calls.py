"""The calls of one turn: checked in their order, run together, answered in their order."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace

from components.harness.arguments import to_canonical
from components.harness.episode import Episode
from components.harness.hooks import HookContext
from components.harness.messages import why_no_json_object
from components.harness.records import covered
from components.harness.types import LOAD_SKILL, Event, HookPoint, JsonObject, Limits, Message, Skill, ToolCall, ToolError

_SHOWN = 80
"""Characters of what a model wrote that an error repeats."""


@dataclass(frozen=True)
class _Outcome:
    """What became of a call: the record, and what the model is told."""

    event: Event
    told: JsonObject
    known: bool = False
    """Whether what is told are facts that a reply may state."""


async def answer_calls(message: Message, episode: Episode, limits: Limits) -> None:
    """Answer every call of an assistant message, the unreadable ones with an error. Raises EpisodeEnded where a hook says so.

    What was done is recorded, even where a hook or a time limit ends the turn before the model is told.
    """
    for reason in message.malformed_calls:
        episode.record("error", "malformed_call", reason)
    done: dict[int, _Outcome] = {}
    try:
        running: dict[int, HookContext] = {}
        for place, call in enumerate(message.tool_calls):
            one = _check_call(call, episode) if place < limits.calls else _too_many(episode, limits.calls)
            if isinstance(one, HookContext):
                running[place] = one
            else:
                done[place] = one
        await _run(running, done, episode, limits.tool_seconds)
        for place, call in enumerate(message.tool_calls):
            outcome = _check_result(running[place], done[place], episode) if place in running else done[place]
            del done[place]
            text = json.dumps(outcome.told, ensure_ascii=False)
            episode.events.append(outcome.event)
            if outcome.known:
                episode.results.append(text)
            episode.messages.append(Message(role="tool", content=text, call_id=call.call_id, name=call.name))
    finally:
        episode.events.extend(done[place].event for place in sorted(done))
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


def _too_many(episode: Episode, most: int) -> _Outcome:
    return _error(episode, "too_many_calls", f"at most {most} calls at once; make the others later if they are still needed")


async def _run(calls: dict[int, HookContext], done: dict[int, _Outcome], episode: Episode, seconds: float | None) -> None:
    """Carry out calls, all at once; each is in `done` as soon as it is. Whatever ends this early leaves none of them running."""

    async def run(place: int) -> None:
        done[place] = await _call_room(calls[place], episode, seconds)

    if len(calls) == 1:
        await run(*calls)
        return
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(run(place)) for place in calls]
    for task in tasks:
        task.result()  # A group passes over a call that was cancelled from within the room.


async def _call_room(call: HookContext, episode: Episode, seconds: float | None) -> _Outcome:
    """What the room says to a call. Whatever it raises or returns is an outcome, for the episode outlives a broken tool."""
    assert call.tool is not None
    name, arguments = call.tool.name, call.canonical
    try:
        async with asyncio.timeout(seconds):
            result = await episode.room.call(call.tool.implementation, arguments)
    except ToolError as error:
        return _error(episode, "tool_error", str(error), arguments)
    except TimeoutError:
        return _error(episode, "tool_timeout", f"{name} timed out; call it again or do without it", arguments)
    except Exception as error:
        return _error(episode, "tool_failed", f"{name} failed ({type(error).__name__}); do without it", arguments)
    if fault := why_no_json_object(result):
        return _error(episode, "tool_failed", f"{name} failed (its result: {fault}); do without it", arguments)
    return _Outcome(Event("tool", episode.turn, call.tool.implementation, arguments, result), result, known=True)


def _check_result(call: HookContext, outcome: _Outcome, episode: Episode) -> _Outcome:
    """The outcome of a call that ran, as the hooks leave it."""
    if outcome.event.kind == "error":
        return outcome
    hooks = episode.hooks.at[HookPoint.TOOL_RESULT]
    checked, text = episode.check(hooks, tool=call.tool, canonical=call.canonical, result=outcome.told)
    if text is not None:
        return _error(episode, "bad_result", text, call.canonical)
    return replace(outcome, event=replace(outcome.event, result=checked.result), told=checked.result)


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
    if skill.files and episode.prepared.reads_files:
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
