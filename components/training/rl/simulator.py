"""The simulator: an episode of the agent loop in a sandboxed room, its tokens, and what it earned."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.harness import AgentLoop
from components.harness.types import Harness, Limits, StopReason, Trajectory
from components.judge.reward import NOTHING, RewardJudge
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import FaultyRoom
from components.liveroom.room import CatalogueRoom
from components.liveroom.truth import truth
from components.liveroom.types import Truth
from components.policy.recording import EpisodeTokens, RecordingPolicy
from components.training.rl.rewards import UNSCORABLE, Scores, is_call, score, thinking_tokens
from components.training.rl.tasks import RlTask

TOOL_CALLS, REPLY = 1, 2
"""What a token belongs to; 0 is what the environment wrote."""


@dataclass(frozen=True)
class Outcome:
    """What is counted of an episode."""

    task: RlTask
    scores: Scores
    stop_reason: str
    """Of the trajectory; `broken` where the simulator failed."""
    thinking: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Tokens of reasoning of each tool-call turn, and of each turn that proposed a reply."""


@dataclass(frozen=True, repr=False)
class Rollout:
    """An episode sampled for training."""

    outcome: Outcome
    tokens: EpisodeTokens
    segments: list[int]
    """Of each token of the completion: 0 environment, 1 tool-call turn, 2 reply."""
    trajectory: Trajectory | None = None
    """None where the simulator failed."""
    error: str = ""

    def __repr__(self) -> str:
        return f"Rollout({self.outcome.task.task_id}, {self.outcome.stop_reason}{self.error and f': {self.error}'})"


class Simulator:
    """Runs tasks through the one agent loop. Holds no state between episodes, so many may run at once."""

    def __init__(
        self,
        harnesses: Mapping[str, Harness],
        catalogue: Catalogue,
        judge: RewardJudge,
        *,
        faults: Mapping[str, float],
        limits: Limits,
    ) -> None:
        """`harnesses`: `original` and variants by id. `faults`: rates at which tools fail, in tasks that have faults."""
        self._loops = {variant_id: AgentLoop(harness, limits) for variant_id, harness in harnesses.items()}
        self._catalogue, self._judge, self._faults = catalogue, judge, faults
        self._truths: dict[str, Truth] = {}

    async def run(
        self,
        task: RlTask,
        episode_id: str,
        faults_seed: str,
        policy: RecordingPolicy,
        read: Callable[[list[int]], str],
        count: Callable[[str], int],
    ) -> Rollout:
        """One episode. Raises what the simulator itself raises, never for what the model wrote.

        faults_seed  the same for all episodes of a group, so that they meet the same faults.
        read, count  tokens as text, and the tokens of a text.
        """
        case = task.case
        room = FaultyRoom(
            CatalogueRoom(self._catalogue, case.request), self._faults if task.faults else {}, faults_seed, _at_once
        )
        trajectory = await self._loops[task.variant_id].run(case.request, room, policy, episode_id)
        if case.case_id not in self._truths:
            self._truths[case.case_id] = truth(case, self._catalogue)
        right = self._truths[case.case_id]
        replied = trajectory.stop_reason is StopReason.REPLIED
        verdict = await self._judge.judge(case, right, trajectory) if replied else NOTHING
        tokens = policy.record(episode_id)
        written = [message for message in trajectory.messages if message.role == "assistant"]
        segments = [0] * len(tokens.completion_ids)
        thinking: tuple[list[int], list[int]] = ([], [])
        for message, (start, end) in zip(written, tokens.turns, strict=True):
            segment = TOOL_CALLS if is_call(message) else REPLY
            segments[start:end] = [segment] * (end - start)
            thinking[segment - 1].append(thinking_tokens(read(tokens.completion_ids[start:end]), message, count))
        outcome = Outcome(
            task, score(right, trajectory, verdict), trajectory.stop_reason, (tuple(thinking[0]), tuple(thinking[1]))
        )
        return Rollout(outcome, tokens, segments, trajectory)


def broken(task: RlTask, error: Exception, filler: int) -> Rollout:
    """An episode that the simulator could not run: no reward can be scored, and none of its tokens is learnt from."""
    return Rollout(Outcome(task, UNSCORABLE, "broken"), EpisodeTokens([filler]), [], error=f"{type(error).__name__}: {error}")


async def _at_once(seconds: float) -> None:
    """Slow tools answer at once: nobody waits in training."""
    await asyncio.sleep(0)
