"""The small world that tests of evaluation run in, and who answers in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from components.augment.types import Variant
from components.evaluation.runner import evaluate
from components.evaluation.types import EvalCase, Row
from components.harness.types import Completion, Conversation, Harness, Limits, Message, Policy
from components.liveroom.catalogue import Catalogue
from components.liveroom.truth import truth
from components.liveroom.types import Case
from components.policy.expert import ExpertPolicy

SEED = 7


@dataclass(frozen=True)
class World:
    """What an evaluation is given."""

    base: Harness
    cases: list[Case]
    catalogue: Catalogue
    train_variants: list[Variant]
    heldout_variants: list[Variant]
    suites: list[EvalCase]

    @property
    def eval_cases(self) -> list[Case]:
        return [case for case in self.cases if case.split == "eval"]

    def expert(self, case: EvalCase) -> Policy:
        return ExpertPolicy(case.harness, truth(case.case, self.catalogue))

    def evaluate(self, out_path: Path, policy_for: Callable[[EvalCase], Policy], **changes: Any) -> list[Row]:
        """Evaluate over the world's suites with a clock that ticks once a call."""
        ticks = count()
        options = {
            "fingerprint": "weights",
            "concurrency": 4,
            "clock": lambda: float(next(ticks)),
            "cases": self.suites,
        } | changes
        return asyncio.run(evaluate("arm", policy_for, options.pop("cases"), self.catalogue, Limits(), out_path, **options))


class Parrot:
    """Says one sentence whatever it is asked; the hooks send it back until it may not try again."""

    name = "parrot"

    async def complete(self, conversation: Conversation) -> Completion:
        return Completion(Message(role="assistant", content="It is 1.00 yuan."), prompt_tokens=100, completion_tokens=7)


class Hasty:
    """Says the right reply before loading any skill; sent back, does as the expert does and says it again."""

    name = "hasty"

    def __init__(self, expert: Policy, reply: str) -> None:
        self._expert, self._reply = expert, reply

    async def complete(self, conversation: Conversation) -> Completion:
        if len(conversation.messages) == 2:
            return Completion(Message(role="assistant", content=self._reply))
        without_haste = (*conversation.messages[:2], *conversation.messages[4:])
        return await self._expert.complete(replace(conversation, messages=without_haste))


class Assertive:
    """Does as the expert does until it replies, and then states a price that no tool gave."""

    name = "assertive"

    def __init__(self, expert: Policy) -> None:
        self._expert = expert

    async def complete(self, conversation: Conversation) -> Completion:
        completion = await self._expert.complete(conversation)
        if completion.message.tool_calls:
            return completion
        return Completion(Message(role="assistant", content="It is 0.07 yuan today."))


class Thoughtful:
    """Does as another policy does, with a thought before each message."""

    name = "thoughtful"

    def __init__(self, policy: Policy, thought: str = "What does the viewer want?") -> None:
        self._policy, self._thought = policy, thought

    async def complete(self, conversation: Conversation) -> Completion:
        completion = await self._policy.complete(conversation)
        content = f"<think>{self._thought}</think>{completion.message.content}"
        return replace(completion, message=replace(completion.message, content=content))


class Watched:
    """A policy that passes everything on and remembers which conversations were open at the same time."""

    def __init__(self, policy: Policy, open_now: list[Conversation], seen: list[list[Conversation]]) -> None:
        self.name = policy.name
        self._policy, self._open, self._seen = policy, open_now, seen

    async def complete(self, conversation: Conversation) -> Completion:
        self._open.append(conversation)
        self._seen.append(list(self._open))
        await asyncio.sleep(0)
        try:
            return await self._policy.complete(conversation)
        finally:
            self._open.remove(conversation)
