"""Slips that a base harness refuses, so that a variant whose hook was silenced or loosened is noticed.

A probe is a task in which the expert slips and then goes on rightly: it says something else first, or in place of its reply,
or the room or the viewer is odd. How the slip is answered, and how the episode then ends, must be the same under a variant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from components.augment.tasks import Call, Task
from components.harness import AgentLoop
from components.harness.arguments import from_canonical
from components.harness.types import (
    Completion,
    Conversation,
    Harness,
    JsonObject,
    Message,
    Policy,
    Room,
    ToolCall,
    Trajectory,
)
from components.policy.expert import ExpertPolicy

Move = str | tuple[Call, ...]
"""A reply, or calls made at once."""


@dataclass(frozen=True)
class Probe:
    """A task with a slip in it."""

    hook: str
    """Name of the base harness's hook that refuses it."""
    task: Task
    slip: str
    """What is wrong, in a few words."""
    early: tuple[Move, ...] = ()
    """Done before anything that the script says."""
    late: tuple[str, ...] = ()
    """Said, one after the other, where the script's reply belongs."""
    odd: JsonObject | None = None
    """What the room answers to the first call."""


async def play_probe(loop: AgentLoop, probe: Probe) -> Trajectory:
    """The episode of the expert that slips."""
    task = probe.task
    policy = _Slipping(loop.harness, probe)
    room = task.room if probe.odd is None else _OddRoom(task.room, probe.odd)
    return await loop.run(task.request, room, policy, task.task_id)


class _Slipping:
    """The expert, but for the moves of a probe."""

    name = "slipping expert"

    def __init__(self, harness: Harness, probe: Probe) -> None:
        self._expert: Policy = ExpertPolicy(harness, probe.task.script)
        self._early = [_message(harness, move) for move in probe.early]
        self._late = probe.late

    async def complete(self, conversation: Conversation) -> Completion:
        """The next early move; after them the expert's next message, or a late move in place of its reply."""
        own = [place for place, message in enumerate(conversation.messages) if message.role == "assistant"]
        if len(own) < len(self._early):
            return Completion(self._early[len(own)])
        if self._early:
            # The expert goes by the conversation, and knows nothing of what was done before its first message.
            resumed = own[len(self._early)] if len(own) > len(self._early) else len(conversation.messages)
            messages = (*conversation.messages[: own[0]], *conversation.messages[resumed:])
            conversation = replace(conversation, messages=messages)
        completion = await self._expert.complete(conversation)
        said = sum(message.role == "assistant" and not message.tool_calls for message in conversation.messages)
        if completion.message.tool_calls or said >= len(self._late):
            return completion
        return Completion(Message("assistant", self._late[said]))


def _message(harness: Harness, move: Move) -> Message:
    if isinstance(move, str):
        return Message("assistant", move)
    tools = {tool.implementation: tool for tool in harness.tools}
    calls = ((tools[implementation], arguments) for implementation, arguments in move)
    return Message("assistant", "", tuple(ToolCall("", tool.name, from_canonical(tool, arguments)) for tool, arguments in calls))


class _OddRoom:
    """A room whose first answer is odd."""

    def __init__(self, room: Room, first: JsonObject) -> None:
        self._room = room
        self._first: JsonObject | None = first

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        """The odd answer once, then the room's own."""
        odd, self._first = self._first, None
        return await self._room.call(implementation, arguments) if odd is None else odd
