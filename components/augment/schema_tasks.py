"""Tasks for a harness whose own room is not at hand: every tool called as its schema allows, every skill loaded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from components.augment.samples import samples
from components.augment.schema_room import SchemaRoom, answer
from components.augment.tasks import LIMITS, Answer, Call, Task, play
from components.augment.types import AugmentError
from components.harness import AgentLoop
from components.harness.arguments import to_canonical
from components.harness.types import (
    LOAD_SKILL,
    Harness,
    JsonObject,
    Language,
    Request,
    SkillKind,
    StopReason,
    Tool,
    Trajectory,
    Utterance,
)

_TITLES: Mapping[Language, str] = {"en": "Sample item", "zh": "样品"}
_COMMENTS: Mapping[Language, tuple[str, str]] = {
    "en": ("Can you look it up?", "Me too please"),
    "zh": ("帮我查一下", "我也想知道"),
}
_REPLIES: Mapping[Language, tuple[str, ...]] = {
    "en": ("You asked, here is what I found: {}.", "It is {}.", "Glad that you are here, welcome.", "Yes.", "{}"),
    "zh": ("帮您查到了，是{}。", "是{}。", "欢迎您来到直播间。", "好的。", "{}"),
}
"""From the fullest to the barest: the first that the harness's own hooks accept is spoken. `{}` holds what the tools found."""
_SPOKEN = 3
"""Found numbers that one reply speaks at the most."""


@dataclass(frozen=True)
class SchemaTasks:
    """What could be made of a harness, and what could not."""

    tasks: tuple[Task, ...]
    left_out: tuple[str, ...]
    """A sentence for each tool or kind of request that no task covers, with the reason."""


def schema_tasks(harness: Harness, count: int, seed: int) -> SchemaTasks:
    """Make `count` tasks that between them load every skill and call every tool with every kind of arguments.

    Each tool is called with the fewest arguments, with the most, with every enum value and with some at random. The
    tasks' requests vary in whatever conditions may ask for: language, campaign, dialogue, comments, viewers. Starts an
    event loop of its own. Raises AugmentError where the harness accepts no reply at all.
    """
    return asyncio.run(_made(harness, count, seed))


async def _made(harness: Harness, count: int, seed: int) -> SchemaTasks:
    loop = AgentLoop(harness, LIMITS)
    calls, left_out = await _calls(loop, Random(f"schema:{seed}"))
    tasks: list[Task] = []
    refused: dict[Language, str] = {}
    for index in range(count):
        draft = _draft(harness, index, calls[index::count], count)
        answered = await _answered(loop, draft)
        if isinstance(answered, Task):
            tasks.append(answered)
        else:
            refused[draft.request.language] = answered
    left_out += [f"requests in {language}: {why}" for language, why in refused.items()]
    if not tasks:
        raise AugmentError(f"harness: no task can be made of it ({'; '.join(left_out)}); mend its hooks")
    return SchemaTasks(tuple(tasks), tuple(left_out))


async def _calls(loop: AgentLoop, random: Random) -> tuple[list[Call], list[str]]:
    """The calls that the harness lets through, in no order, and a sentence for each tool with others."""
    calls: list[Call] = []
    left_out = []
    for tool in loop.harness.tools:
        if tool.implementation == LOAD_SKILL:
            continue
        found, missed = samples(tool.parameters)
        outcomes = [await _let_through(loop, tool, written) for written in found]
        own = [outcome for outcome in outcomes if not isinstance(outcome, str)]
        calls += own
        reasons = dict.fromkeys((*missed, *(outcome for outcome in outcomes if isinstance(outcome, str))))
        left_out += [f"{'some calls' if own else 'every call'} of tool {tool.name}: {why}" for why in reasons]
    random.shuffle(calls)
    return calls, left_out


async def _let_through(loop: AgentLoop, tool: Tool, written: JsonObject) -> Call | str:
    """The call with canonical arguments; or why it is none: a hook refuses them."""
    call = tool.implementation, to_canonical(tool, written)
    episode = await play(loop, _draft(loop.harness, 0, [call], 1))
    if not any(event.kind == "tool" for event in episode.events):
        return f"{json.dumps(written, ensure_ascii=False)[:80]} is refused ({_refused(episode)})"
    return call


def _draft(harness: Harness, index: int, calls: Sequence[Call], count: int) -> Task:
    """Task `index` of `count`, but for its reply. Every skill comes up in some task, every task has a reply skill."""
    reply, strategies = ([skill.key for skill in harness.skills if skill.kind is kind] for kind in SkillKind)
    skills = reply[index::count] or [reply[index % len(reply)]]
    script = Answer(tuple(skills), tuple(strategies[index::count]), tuple(calls), "")
    return Task(f"schema-{index:03d}", _request(harness, index, calls), script, SchemaRoom())


def _request(harness: Harness, index: int, calls: Sequence[Call]) -> Request:
    conditions = [*(hook.when for hook in harness.hooks), *(section.when for section in harness.prompt.sections)]
    speaks_chinese = "zh" in harness.fallback_reply or any(when.get("language") == "zh" for when in conditions)
    languages: list[Language] = ["en", "zh"] if speaks_chinese else ["en"]
    language = languages[index % len(languages)]
    campaign, dialogue, several, crowded = (bool(index // len(languages) >> bit & 1) for bit in range(4))
    most = max((int(when["viewers_over"]) for when in conditions if "viewers_over" in when), default=0)
    links = sorted({1, 2, 3} | set(_links(calls)))
    return Request(
        request_id=f"schema-{index:03d}",
        room_id="schema",
        comments=_COMMENTS[language] if several else _COMMENTS[language][:1],
        on_screen_link=links[0],
        links=tuple((link, f"{_TITLES[language]} {link}") for link in links),
        language=language,
        dialogue=(Utterance("viewer", _COMMENTS[language][1]),) if dialogue else (),
        campaign=("Spring", "春季")[language == "zh"] if campaign else "",
        audience={"viewers": most + 1 if crowded else 0},
    )


def _links(calls: Sequence[Call]) -> Iterator[int]:
    """Link numbers that calls name, so that the room has them."""
    for _, arguments in calls:
        named: Any = arguments.get("link_ids", arguments.get("link_id"))
        yield from (link for link in (named if isinstance(named, list) else [named]) if isinstance(link, int))


async def _answered(loop: AgentLoop, draft: Task) -> Task | str:
    """The task with the first reply that the harness accepts as it is, or why it accepts none."""
    script, refusals = draft.script, []
    values = tuple(str(answer(*call)["value"]) for call in script.calls[:_SPOKEN])
    for wording in _REPLIES[draft.request.language]:
        if values or "{}" not in wording:
            reply = wording.replace("{}", ", ".join(values))
            right = Answer(script.skills, script.strategies, script.calls, reply)
            task = replace(draft, script=right, judge=_Stated(values))
            episode = await play(loop, task)
            refusals.append(_refused(episode))
            if episode.stop_reason is StopReason.REPLIED and episode.reply == reply and not refusals[-1]:
                return task
    return f"none of the replies tried is accepted ({refusals[0]})"


def _refused(episode: Trajectory) -> str:
    events = (event for event in episode.events if event.kind in ("hook", "error"))
    return next((f"{event.kind} {event.name}: {event.detail}" for event in events), "")


@dataclass(frozen=True)
class _Stated:
    """Judges which of the found numbers a reply states."""

    values: tuple[str, ...]

    def __call__(self, trajectory: Trajectory) -> object:
        return tuple(value for value in self.values if value in trajectory.reply)
