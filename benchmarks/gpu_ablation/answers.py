"""Every arm answers the same cases, round by round for as long as there is time. Loaded with torch, on use.

A round has equally many cases of T1, T2 and T3 and prompts of T4, together as many as decode at once. Rows are on disk as they
come; what arms are compared on is the rounds that all of them finished (`rows`).
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.gpu_ablation.pace import Pace
from benchmarks.gpu_ablation.rows import EPISODES, GENERAL
from components.data.general.types import GeneralPrompt
from components.evaluation.runner import evaluate
from components.evaluation.types import EvalCase, Suite
from components.files import write_jsonl
from components.harness.types import Conversation, JsonObject, Limits, Message, Policy
from components.liveroom.catalogue import Catalogue
from components.policy.batching import BatchingPolicy
from components.policy.recording import RecordingPolicy

SUITES = 4


class AnyHarness(BatchingPolicy):
    """Decodes conversations of several harnesses together: a GPU reads the little that they share for each of them at once."""

    def _next_batch(self) -> list[Any]:
        waiting = [one for one in self._waiting if not one.answer.done()]
        batch, self._waiting = waiting[: self._batch_size], waiting[self._batch_size :]
        return batch


class AnyHarnessRecording(AnyHarness, RecordingPolicy):
    """The same for rollouts."""


@dataclass(frozen=True)
class Round:
    """What is asked at once."""

    cases: list[EvalCase]
    prompts: list[GeneralPrompt]


def rounds(cases: Sequence[EvalCase], prompts: Sequence[GeneralPrompt], at_once: int) -> list[Round]:
    """All cases and prompts in their order, `at_once` in a round; suites that are smaller end earlier."""
    width = max(1, at_once // SUITES)
    suites = [[case for case in cases if case.suite is suite] for suite in (Suite.T1, Suite.T2, Suite.T3)]
    starts = range(0, max(len(prompts), *map(len, suites)), width)
    return [
        Round([case for suite in suites for case in suite[start : start + width]], list(prompts[start : start + width]))
        for start in starts
    ]


def answer(
    arm: str, policy: Policy, asked: Sequence[Round], catalogue: Catalogue, limits: Limits, folder: Path, pace: Pace
) -> int:
    """Put the rows of T1 to T3 and the answers of T4, a folder a round, into `folder`; returns how many rounds there are."""
    done = 0
    for _, one in zip(pace, asked, strict=False):
        asyncio.run(_answer(arm, policy, one, catalogue, limits, folder / f"{done}"))
        done += 1
    return done


async def _answer(arm: str, policy: Policy, asked: Round, catalogue: Catalogue, limits: Limits, folder: Path) -> None:
    harnesses: dict[str, list[EvalCase]] = defaultdict(list)
    for case in asked.cases:
        harnesses[case.variant_id].append(case)
    groups = [
        evaluate(
            arm,
            lambda case: policy,
            cases,
            catalogue,
            limits,
            folder / f"{EPISODES}-{variant_id}.jsonl",
            fingerprint=arm,
            concurrency=len(cases),
            clock=time.monotonic,
        )
        for variant_id, cases in harnesses.items()
    ]
    said, _ = await asyncio.gather(asyncio.gather(*(_say(policy, prompt) for prompt in asked.prompts)), asyncio.gather(*groups))
    # The checkers of T4 need packages that a bare machine lacks; `table` asks them.
    write_jsonl(folder / GENERAL, said)


async def _say(policy: Policy, prompt: GeneralPrompt) -> JsonObject:
    completion = await policy.complete(Conversation(f"T4/{prompt.prompt_id}", (Message("user", prompt.prompt),), ()))
    return {
        "prompt_id": prompt.prompt_id,
        "response": completion.message.content,
        "completion_tokens": completion.completion_tokens,
        "finish_reason": completion.finish_reason,
    }
