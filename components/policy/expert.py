"""The scripted expert: a policy that has the right answer at hand and says it under any harness."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

from components.harness.arguments import from_canonical
from components.harness.records import covered
from components.harness.types import LOAD_SKILL, Completion, Conversation, Harness, JsonObject, Message, SkillKind, ToolCall
from components.liveroom.spoken import is_chinese
from components.policy.thinking import Moment, Subject, Thinking

TRIES = 3
"""How often a call is made at the most: transient faults are gone by then."""


class Script(Protocol):
    """What the expert knows of one case, in canonical terms; `components.liveroom.types.Truth` is one."""

    @property
    def skills(self) -> tuple[str, ...]:
        """Keys of the reply skills to load."""

    @property
    def strategies(self) -> tuple[str, ...]:
        """Keys of strategy skills that help; a harness may lack them."""

    @property
    def calls(self) -> tuple[tuple[str, JsonObject], ...]:
        """(tool implementation, canonical arguments)."""

    @property
    def reply(self) -> str:
        """What to say when every call was answered."""

    @property
    def unavailable(self) -> str:
        """What to say when one was not."""


class ExpertPolicy:
    """Answers one case: loads the right skills, calls the right tools, says the right reply.

    What it knows in canonical terms it writes in the names and schemas of the harness it is given. Where it stands in
    its plan shows in the conversation, so a hook's message or a tool's fault makes it go on, never stop: a call that was
    not answered well is made again, unless it is forbidden.
    """

    name = "expert"

    def __init__(self, harness: Harness, script: Script, *, thinking: Thinking | None = None, slip: str | None = None) -> None:
        """`thinking`: it thinks aloud before every turn. `slip`: what it says, once, in place of its first reply.

        Raises KeyError where the harness has no skill, tool or parameter that the script asks for.
        """
        tools = {tool.implementation: tool for tool in harness.tools}
        names = _skill_names(harness, script)
        loads = [(LOAD_SKILL, {"skill": name}) for name in names]
        self._steps = [
            [(tools[key].name, from_canonical(tools[key], arguments)) for key, arguments in step]
            for step in (loads, script.calls)
        ]
        self._script, self._thinking, self._slip = script, thinking, slip
        self._subject = Subject(
            language="zh" if any(map(is_chinese, script.unavailable)) else "en",
            wanted=script.skills,
            calls=tuple(arguments for _, arguments in script.calls),
            skills=tuple(names),
            listed=len(harness.skills),
        )

    async def complete(self, conversation: Conversation) -> Completion:
        """The first step's calls that want an answer, or the next step's; after the last the reply, as often as asked."""
        answers = {message.call_id: message.content for message in conversation.messages if message.role == "tool"}
        made = [call for message in conversation.messages for call in message.tool_calls]
        gave_up = False
        for first, step in zip((True, False), self._steps, strict=True):
            pending, again = [], False
            for name, arguments in step:
                tries = [answers.get(call.call_id, "") for call in made if (call.name, call.arguments) == (name, arguments)]
                if tries and _is_answer(tries[-1]):
                    continue
                if len(tries) < TRIES and not (tries and _is_forbidden(tries[-1])):
                    pending.append(ToolCall("", name, arguments))
                    again = again or bool(tries)
                else:
                    gave_up = True
            if pending:
                moment: Moment = "call_again" if again else "load" if first else "call"
                thought = self._think(conversation, moment, [call.name for call in pending])
                return Completion(Message(role="assistant", content=thought.rstrip(), tool_calls=tuple(pending)))
        return Completion(Message(role="assistant", content=self._reply(conversation, gave_up)))

    def _reply(self, conversation: Conversation, gave_up: bool) -> str:
        replies = [one for one in conversation.messages if one.role == "assistant" and not one.tool_calls]
        moment: Moment = "reply" if self._script.calls else "reply_without_facts"
        if gave_up:
            moment = "reply_unavailable"
        if replies:
            moment = "reply_again"
        said = self._script.unavailable if gave_up else self._script.reply
        if self._slip is not None and not replies:
            said = self._slip
        return self._think(conversation, moment) + said

    def _think(self, conversation: Conversation, moment: Moment, tools: Sequence[str] = ()) -> str:
        if self._thinking is None:
            return ""
        turn = sum(message.role == "assistant" for message in conversation.messages)
        return f"<think>{self._thinking.thought(self._subject, moment, turn, tools)}</think>\n"


def _skill_names(harness: Harness, script: Script) -> list[str]:
    """Names of all skills that cover a wanted key, strategies first. Raises KeyError for a reply skill that nothing covers."""
    wanted = {*script.strategies, *script.skills}
    found = [skill for skill in harness.skills if wanted.intersection(covered(skill))]
    for key in script.skills:
        if not any(key in covered(skill) for skill in found):
            raise KeyError(f"no skill covers {key}")
    return [skill.name for skill in sorted(found, key=lambda skill: skill.kind is SkillKind.REPLY)]


def _is_answer(text: str) -> bool:
    """Whether a tool's result can be relied on: it says something, is whole and of now, and is no error."""
    result = _read(text)
    if not isinstance(result, dict) or not result or "error" in result or "as_of_minutes_ago" in result:
        return False
    match list(result.values()):
        case [str(only)] if only.startswith("{"):
            return _read(only) is not None
    return True


def _is_forbidden(text: str) -> bool:
    result = _read(text)
    return isinstance(result, dict) and "permission denied" in str(result.get("error", "")).casefold()


def _read(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return value
