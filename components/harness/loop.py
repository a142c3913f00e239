"""The agent loop: one request through one harness, whoever answers and wherever the tools run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from components.harness.arguments import to_canonical
from components.harness.hooks import CHECKS, REPLY_POINTS, HookContext, message_of
from components.harness.messages import strip_reasoning
from components.harness.records import harness_version
from components.harness.render import request_prompt, system_prompt
from components.harness.types import (
    LOAD_SKILL,
    Completion,
    Conversation,
    Event,
    EventKind,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    Limits,
    Message,
    Policy,
    PolicyError,
    Request,
    Room,
    Skill,
    StopReason,
    Tool,
    ToolCall,
    ToolError,
    Trajectory,
)


class AgentLoop:
    """Runs episodes of one harness. Holds no state between them, so many may run at once."""

    def __init__(self, harness: Harness, limits: Limits | None = None, clock: Callable[[], float] | None = None) -> None:
        """`clock` returns seconds; without one, latencies are 0 and a run is a pure function of its inputs."""
        self.harness = harness
        self.limits = limits or Limits()
        self._clock = clock or (lambda: 0.0)
        self._version = harness_version(harness)
        self._system = Message(role="system", content=system_prompt(harness))

    async def run(self, request: Request, room: Room, policy: Policy, episode_id: str) -> Trajectory:
        """Run one episode to a named stop reason. Raises only what is neither a policy's nor a tool's own error."""
        started = self._clock()
        episode = _Episode(request, room, [self._system, Message(role="user", content=request_prompt(request))])
        reply, stop_reason = await self._run(episode, policy, episode_id)
        return Trajectory(
            episode_id=episode_id,
            request=request,
            harness_version=self._version,
            policy=policy.name,
            messages=tuple(episode.messages),
            tools=self.harness.tools,
            events=tuple(episode.events),
            reply=reply or self.harness.fallback_reply,
            stop_reason=stop_reason,
            prompt_tokens=episode.prompt_tokens,
            completion_tokens=episode.completion_tokens,
            latency_s=self._clock() - started,
        )

    async def _run(self, episode: _Episode, policy: Policy, episode_id: str) -> tuple[str, StopReason]:
        if self._first_failure((HookPoint.INPUT,), episode):
            return "", StopReason.BLOCKED
        retries = 0
        for episode.turn in range(self.limits.turns):
            conversation = Conversation(episode_id, tuple(episode.messages), self.harness.tools)
            try:
                completion = await policy.complete(conversation)
            except PolicyError as error:
                episode.record("error", "policy_error", detail=str(error))
                return "", StopReason.POLICY_ERROR
            message = episode.add_completion(completion)
            if message.tool_calls or message.malformed_calls:
                await self._answer_calls(message, episode)
                if episode.blocked:
                    return "", StopReason.BLOCKED
                continue
            reply = strip_reasoning(message.content)
            failure = self._first_failure(REPLY_POINTS, episode, reply)
            if failure is None:
                return reply, StopReason.REPLIED
            hook, text = failure
            if hook.action is HookAction.BLOCK:
                return "", StopReason.BLOCKED
            retries += 1
            if retries > self.limits.retries:
                return "", StopReason.RETRY_LIMIT
            episode.messages.append(Message(role="user", content=text))
        return "", StopReason.TURN_LIMIT

    async def _answer_calls(self, message: Message, episode: _Episode) -> None:
        """Run the calls of one turn together; their results follow in the order of the calls."""
        for reason in message.malformed_calls:
            episode.record("error", "malformed_call", detail=reason)
            episode.messages.append(Message(role="tool", content=_as_text({"error": reason})))
        outcomes = await asyncio.gather(*(self._call(call, episode) for call in message.tool_calls))
        for call, (event, result) in zip(message.tool_calls, outcomes, strict=True):
            episode.events.append(event)
            episode.messages.append(Message(role="tool", content=_as_text(result), call_id=call.call_id, name=call.name))

    async def _call(self, call: ToolCall, episode: _Episode) -> tuple[Event, JsonObject]:
        tool = next((t for t in self.harness.tools if t.name == call.name), None)
        if tool is None:
            return episode.error("unknown_tool", f"no tool named {call.name}; tools: {_names(self.harness.tools)}")
        failure = self._first_failure((HookPoint.TOOL_ARGUMENTS,), episode, call=(tool, call.arguments))
        if failure is not None:
            hook, text = failure
            episode.blocked = episode.blocked or hook.action is HookAction.BLOCK
            return episode.error("bad_arguments", text)
        arguments = to_canonical(tool, call.arguments)
        if tool.implementation == LOAD_SKILL:
            return self._load_skill(str(arguments.get("skill", "")), episode)
        try:
            result = await episode.room.call(tool.implementation, arguments)
        except ToolError as error:
            return episode.error("tool_error", str(error), arguments)
        return Event("tool", episode.turn, tool.implementation, arguments, result), result

    def _load_skill(self, name: str, episode: _Episode) -> tuple[Event, JsonObject]:
        skill = next((s for s in self.harness.skills if s.name == name), None)
        if skill is None:
            return episode.error("unknown_skill", f"no skill named {name}; skills: {_names(self.harness.skills)}")
        return Event("skill", episode.turn, skill.key), {"skill": skill.name, "instructions": skill.body}

    def _first_failure(
        self, points: Iterable[HookPoint], episode: _Episode, reply: str = "", call: tuple[Tool, JsonObject] | None = None
    ) -> tuple[Hook, str] | None:
        """The first hook at these points that fails, with the message for the model; the failure is recorded."""
        context = HookContext(self.harness, episode.request, tuple(episode.events), reply)
        if call is not None:
            context = replace(context, tool=call[0], arguments=call[1])
        for point in points:
            for hook in self.harness.hooks:
                if hook.point is point and (reason := CHECKS[hook.check](context, hook.parameters)) is not None:
                    episode.record("hook", hook.name, detail=reason)
                    return hook, message_of(hook, reason)
        return None


@dataclass
class _Episode:
    """What grows while one request is answered."""

    request: Request
    room: Room
    messages: list[Message]
    events: list[Event] = field(default_factory=list)
    turn: int = 0
    blocked: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add_completion(self, completion: Completion) -> Message:
        """Append the assistant's message, with an identity for every call that has none."""
        calls = tuple(
            call if call.call_id else replace(call, call_id=f"call_{self.turn}_{index}")
            for index, call in enumerate(completion.message.tool_calls)
        )
        message = replace(completion.message, tool_calls=calls)
        self.messages.append(message)
        self.prompt_tokens += completion.prompt_tokens
        self.completion_tokens += completion.completion_tokens
        return message

    def record(self, kind: EventKind, name: str, detail: str) -> None:
        self.events.append(Event(kind, self.turn, name, detail=detail))

    def error(self, name: str, detail: str, arguments: JsonObject | None = None) -> tuple[Event, JsonObject]:
        """An event of kind `error` and the result that tells the model of it."""
        return Event("error", self.turn, name, arguments or {}, detail=detail), {"error": detail}


def _as_text(result: JsonObject) -> str:
    return json.dumps(result, ensure_ascii=False)


def _names(named: Iterable[Tool] | Iterable[Skill]) -> str:
    return ", ".join(one.name for one in named)
