"""The scripted expert: a policy that has the right answer at hand and says it under any harness."""

from __future__ import annotations

from collections.abc import Iterable

from components.harness.arguments import from_canonical
from components.harness.types import (
    LOAD_SKILL,
    Completion,
    Conversation,
    Harness,
    JsonObject,
    Message,
    ToolCall,
)
from components.liveroom.types import Truth


class ExpertPolicy:
    """Answers one case: loads the right skill, calls the right tools, says the right reply.

    What it knows in canonical terms it writes in the names and schemas of the harness it is given. Where it stands
    in its plan shows in the conversation, so a hook's message or a tool's error makes it go on, never stop.
    """

    name = "expert"

    def __init__(self, harness: Harness, truth: Truth) -> None:
        """Raises KeyError where the harness has no skill or tool that the truth asks for."""
        skills = {skill.key: skill.name for skill in harness.skills}
        self._tools = {tool.implementation: tool for tool in harness.tools}
        turns = [[(LOAD_SKILL, {"skill": skills[truth.skill]})], truth.calls]
        self._plan = [self._calls(turn) for turn in turns if turn]
        self._reply = truth.reply

    async def complete(self, conversation: Conversation) -> Completion:
        """The next message of the plan; after its end the reply, as often as it is asked."""
        turn = sum(message.role == "assistant" for message in conversation.messages)
        if turn < len(self._plan):
            return Completion(Message(role="assistant", content="", tool_calls=self._plan[turn]))
        return Completion(Message(role="assistant", content=self._reply))

    def _calls(self, planned: Iterable[tuple[str, JsonObject]]) -> tuple[ToolCall, ...]:
        """Canonical calls in the harness's own names; the loop gives each its identity."""
        tools = ((self._tools[implementation], arguments) for implementation, arguments in planned)
        return tuple(ToolCall("", tool.name, from_canonical(tool, arguments)) for tool, arguments in tools)
