"""A small world of tasks, and a model that has learnt to speak of it, that the tests of RL share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from components.augment.sampler import sample_variants
from components.augment.types import Variant
from components.data.types import ORIGINAL
from components.harness import AgentLoop, load_harness
from components.harness.types import (
    Completion,
    Conversation,
    Harness,
    Limits,
    Message,
    PromptPipeline,
    PromptSection,
    ToolCall,
    Trajectory,
)
from components.liveroom import Case, Catalogue, CatalogueRoom, FaultyRoom, generate, truth
from components.liveroom.types import Intent, Truth
from components.policy.expert import ExpertPolicy
from components.training.params import RlParams, ThinkingPenalty
from components.training.rl import Episodes

_BASE = load_harness(Path(__file__).parents[3] / "harness")
_SKILLS = ("small-talk", "price-qa", "logistics-qa", "resolve-link", "recover-tools")
_TOOLS = ("load_skill", "price_lookup", "stock_lookup", "room_state")
HARNESS: Harness = replace(
    _BASE,
    skills=tuple(skill for skill in _BASE.skills if skill.key in _SKILLS),
    tools=tuple(tool for tool in _BASE.tools if tool.implementation in _TOOLS),
)
"""The base harness cut down to what these tasks need: short prompts, quick tests."""
CHAT = Harness(
    skills=(),
    tools=(),
    hooks=(),
    prompt=PromptPipeline((PromptSection("role", "Role", "text", "You are the host."),)),
    fallback_reply={"en": "One moment."},
)
"""No tools, no skills, no hooks: an episode is one reply."""
VARIANTS: list[Variant] = sample_variants(HARNESS, 3, "train", seed=5, strength=0.5)
HARNESSES = {ORIGINAL: HARNESS, **{variant.variant_id: variant.harness for variant in VARIANTS}}
WORLD = generate(11, train_rooms=6, eval_rooms=3, comments_per_room=8)
CASES: list[Case] = [
    case for case in WORLD.cases if case.split == "train" and case.intent in (Intent.CHIT_CHAT, Intent.PRICE, Intent.STOCK)
]
EPISODES = Episodes(Limits(turns=5), {"time_out": 0.02, "malformed": 0.02, "empty": 0.02, "stale": 0.02}, 24, 16)
PENALTY = ThinkingPenalty(free=8, scale=16, weight=0.3)
PARAMS = RlParams(
    max_steps=2,
    learning_rate=1e-3,
    batch_size=4,
    save_steps=1,
    scheduler="constant",
    tasks_per_step=2,
    group_size=4,
    tasks=8,
    hsa_share=0.5,
    fault_share=0.5,
    thinking_in_tool_calls=PENALTY,
    thinking_in_reply=PENALTY,
)

_FOLDER = TemporaryDirectory(prefix="hat-rl-")
"""Goes with the process."""
CATALOGUE_PATH = Path(_FOLDER.name) / "catalogue.sqlite"


@cache
def catalogue() -> Catalogue:
    return Catalogue.create(CATALOGUE_PATH, WORLD.items, WORLD.rooms, WORLD.coupons)


def right(case: Case) -> Truth:
    return truth(case, catalogue())


Turn = tuple[str, list[tuple[str, dict[str, object]]]]
"""What a scripted model writes: text, and calls by name and arguments."""


class Scripted:
    """Writes its turns in order, whatever it is told."""

    name = "scripted"

    def __init__(self, *turns: Turn | str) -> None:
        self._turns = [(turn, []) if isinstance(turn, str) else turn for turn in turns]

    async def complete(self, conversation: Conversation) -> Completion:
        number = sum(message.role == "assistant" for message in conversation.messages)
        text, calls = self._turns[min(number, len(self._turns) - 1)]
        return Completion(Message("assistant", text, tuple(ToolCall("", name, arguments) for name, arguments in calls)))


def play(case: Case, *turns: Turn | str, faults: dict[str, float] | None = None, harness: Harness = HARNESS) -> Trajectory:
    """The episode of a scripted model."""
    room = FaultyRoom(CatalogueRoom(catalogue(), case.request), faults or {}, "s")
    return asyncio.run(AgentLoop(harness, EPISODES.limits).run(case.request, room, Scripted(*turns), "e"))


def play_expert(case: Case, harness: Harness = HARNESS, faults: dict[str, float] | None = None) -> Trajectory:
    """The expert's episode."""
    room = FaultyRoom(CatalogueRoom(catalogue(), case.request), faults or {}, "s")
    policy = ExpertPolicy(harness, right(case))
    return asyncio.run(AgentLoop(harness, EPISODES.limits).run(case.request, room, policy, "e"))


def case_of(fits: Callable[[Case], bool]) -> Case:
    return next(case for case in CASES if fits(case))
