"""The agent loop: one request through one harness, whoever answers and wherever the tools run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from components.harness.episode import Episode
from components.harness.hooks.running import EpisodeEnded
from components.harness.messages import strip_reasoning
from components.harness.prepared import PreparedHarness
from components.harness.render import fallback_for
from components.harness.tool_calls import answer_calls
from components.harness.types import (
    Conversation,
    Harness,
    HookAction,
    Limits,
    Message,
    Policy,
    PolicyError,
    Request,
    Room,
    StopReason,
    Trajectory,
)


class AgentLoop:
    """Runs episodes of one harness. Holds no state between them, so many may run at once."""

    def __init__(self, harness: Harness, limits: Limits | None = None, clock: Callable[[], float] | None = None) -> None:
        """`clock` returns seconds; without one, latencies are 0 and a run is a pure function of its inputs."""
        self.harness = harness
        self.limits = limits or Limits()
        self._clock = clock or (lambda: 0.0)
        self._prepared = PreparedHarness(harness)

    async def run(self, request: Request, room: Room, policy: Policy, episode_id: str) -> Trajectory:
        """Run one episode to a named stop reason; whichever it is, a reply is spoken.

        Whatever a tool raises goes back to the model; of a policy only `PolicyError` ends the episode, anything else is
        raised. Cancelling leaves no tool running.
        """
        started = self._clock()
        episode = Episode(self._prepared, request, room)
        reply, stop_reason = await self._within_time(episode, policy, episode_id)
        return Trajectory(
            episode_id=episode_id,
            request=request,
            harness_version=self._prepared.version,
            policy=policy.name,
            messages=tuple(episode.messages),
            tools=self.harness.tools,
            events=tuple(episode.events),
            reply=reply if reply.strip() else fallback_for(self.harness, request.language),
            stop_reason=stop_reason,
            prompt_tokens=episode.prompt_tokens,
            completion_tokens=episode.completion_tokens,
            latency_s=self._clock() - started,
        )

    async def _within_time(self, episode: Episode, policy: Policy, episode_id: str) -> tuple[str, StopReason]:
        try:
            async with asyncio.timeout(self.limits.request_seconds) as allowed:
                return await self._converse(episode, policy, episode_id), StopReason.REPLIED
        except EpisodeEnded as ended:
            return ended.reply, ended.stop_reason
        except TimeoutError:
            if not allowed.expired():
                raise
            return "", StopReason.TIME_LIMIT

    async def _converse(self, episode: Episode, policy: Policy, episode_id: str) -> str:
        """The accepted reply. Raises EpisodeEnded where there is none."""
        episode.check_input()
        for episode.turn in range(self.limits.turns):
            try:
                completion = await policy.complete(Conversation(episode_id, tuple(episode.messages), self.harness.tools))
            except PolicyError as error:
                episode.record("error", "policy_error", str(error))
                raise EpisodeEnded(StopReason.POLICY_ERROR) from error
            message = episode.add_completion(completion)
            if self.limits.tokens is not None and episode.completion_tokens > self.limits.tokens:
                raise EpisodeEnded(StopReason.TOKEN_LIMIT)
            if message.tool_calls or message.malformed_calls:
                await answer_calls(message, episode, self.limits)
            elif reply := self._accepted(message, completion.finish_reason == "length", episode):
                return reply
        raise EpisodeEnded(StopReason.TURN_LIMIT)

    def _accepted(self, message: Message, cut_off: bool, episode: Episode) -> str | None:
        """The proposed reply as the hooks leave it, or None where the model was told to try again. Raises EpisodeEnded."""
        reply = strip_reasoning(message.content)
        if cut_off or not reply:
            # What no harness may switch off: half a sentence, or none, is never spoken.
            fault = "the reply was cut off" if cut_off else "the reply is empty"
            episode.record("hook", "whole_reply", fault, {"action": HookAction.RETRY.value})
            text = f"Answer aloud in one or two short sentences: {fault}."
        else:
            checked, refusal = episode.check(episode.hooks.of_reply, reply=reply)
            if refusal is None:
                return checked.reply
            reply, text = checked.reply, refusal
        episode.refuse(reply, text)
        if len(episode.refused) > self.limits.retries:
            raise EpisodeEnded(StopReason.RETRY_LIMIT)
        return None
