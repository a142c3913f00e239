from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from components.harness import AgentLoop, load_harness
from components.harness.types import (
    LOAD_SKILL,
    Conversation,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    Limits,
    Message,
    StopReason,
    Tool,
    ToolError,
)
from components.judge import check
from components.liveroom import Case, Catalogue, CatalogueRoom, Truth, generate, truth
from components.policy.expert import ExpertPolicy


@pytest.fixture(scope="module")
def harness() -> Harness:
    return load_harness(Path("harness"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Catalogue, list[tuple[Case, Truth]]]:
    items, rooms, cases = generate(seed=5, train_rooms=6, eval_rooms=6, comments_per_room=16)
    catalogue = Catalogue.create(tmp_path_factory.mktemp("expert") / "c.sqlite", items, rooms)
    return catalogue, [(case, truth(case, catalogue)) for case in cases]


def renamed(harness: Harness) -> Harness:
    """Other skill names, other tool names, arguments nested and as strings."""

    def change(tool: Tool) -> Tool:
        argument = "skill" if tool.implementation == LOAD_SKILL else "link_id"
        inner = {"type": "object", "properties": {"which": {"type": "string"}}, "required": ["which"]}
        schema = {"type": "object", "properties": {"target": inner}, "required": ["target"]}
        types = {} if argument == "skill" else {argument: "integer"}
        paths = {argument: "target.which"}
        return replace(tool, name=f"do_{tool.name}", parameters=schema, argument_paths=paths, argument_types=types)

    skills = tuple(replace(skill, name=f"module {index}") for index, skill in enumerate(harness.skills))
    return replace(harness, skills=skills, tools=tuple(change(tool) for tool in harness.tools))


@pytest.mark.parametrize("variant", [False, True], ids=["base harness", "renamed harness"])
def test_the_expert_answers_every_case_rightly(
    variant: bool, harness: Harness, world: tuple[Catalogue, list[tuple[Case, Truth]]]
) -> None:
    catalogue, cases = world
    shown = renamed(harness) if variant else harness
    loop = AgentLoop(shown)

    async def run() -> None:
        for case, right in cases:
            room = CatalogueRoom(catalogue, case.request.room_id)
            trajectory = await loop.run(case.request, room, ExpertPolicy(shown, right), case.case_id)
            skill, *tools = trajectory.events
            assert (trajectory.stop_reason, trajectory.reply) == (StopReason.REPLIED, right.reply)
            assert (skill.kind, skill.name) == ("skill", right.skill)
            assert tuple((event.name, event.arguments) for event in tools) == right.calls
            assert all(event.kind == "tool" for event in tools)
            assert (check(case, right, trajectory).accuracy, check(case, right, trajectory).effectiveness) == (1, 1.0)

    asyncio.run(run())


def test_a_hook_message_makes_it_say_the_reply_again(harness: Harness, world: tuple[Catalogue, list[tuple[Case, Truth]]]) -> None:
    catalogue, cases = world
    strict = Hook("terse", HookPoint.REPLY_FORMAT, "reply_length", HookAction.RETRY, "Shorter: {reason}.", {"max_words": 1})
    hard = replace(harness, hooks=(*harness.hooks, strict))
    case, right = cases[0]
    room = CatalogueRoom(catalogue, case.request.room_id)
    trajectory = asyncio.run(AgentLoop(hard, Limits(turns=6, retries=1)).run(case.request, room, ExpertPolicy(hard, right), "e"))
    spoken = [m.content for m in trajectory.messages if m.role == "assistant" and not m.tool_calls]
    assert spoken == [right.reply, right.reply]
    assert trajectory.stop_reason is StopReason.RETRY_LIMIT


def test_a_tool_error_does_not_stop_it(harness: Harness, world: tuple[Catalogue, list[tuple[Case, Truth]]]) -> None:
    class BrokenRoom:
        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            raise ToolError("timed out")

    case, right = next(pair for pair in world[1] if pair[1].calls)
    policy = ExpertPolicy(harness, right)
    trajectory = asyncio.run(AgentLoop(harness).run(case.request, BrokenRoom(), policy, "e"))
    assert [event.name for event in trajectory.events if event.kind == "error"] == ["tool_error"]
    assert any(m.content == right.reply for m in trajectory.messages)


def test_the_same_conversation_gets_the_same_message(harness: Harness, world: tuple[Catalogue, list[tuple[Case, Truth]]]) -> None:
    policy = ExpertPolicy(harness, world[1][0][1])
    start = Conversation("e", (Message("system", ""), Message("user", "")), harness.tools)
    assert asyncio.run(policy.complete(start)) == asyncio.run(policy.complete(start))
