"""The expert: right under any names and schemas, and through every fault that a second try mends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
    Skill,
    StopReason,
    Tool,
    ToolCall,
    ToolError,
    Trajectory,
)
from components.judge import check
from components.liveroom import Catalogue, CatalogueRoom, Fault, FaultyRoom, World, generate, truth
from components.policy.expert import TRIES, ExpertPolicy
from tests.liveroom.shop import COUPONS, ITEMS, REQUEST, ROOMS

BASE = load_harness(Path(__file__).parents[2] / "harness")
PRICE: tuple[str, JsonObject] = ("price_lookup", {"link_id": 1, "colour": "White", "size": "S"})
STOCK: tuple[str, JsonObject] = ("stock_lookup", {"link_id": 3})


@dataclass(frozen=True)
class Plan:
    """A script written by hand."""

    skills: tuple[str, ...] = ("price-qa", "logistics-qa")
    strategies: tuple[str, ...] = ("split-comments",)
    calls: tuple[tuple[str, JsonObject], ...] = (PRICE, STOCK)
    reply: str = "The Willow Lamp is 46.05 yuan after the coupon, and the Harbor Mug is sold out."
    unavailable: str = "Sorry, I cannot look that up right now."


def bare(harness: Harness) -> Harness:
    """The harness without hooks: what the expert says is what is spoken."""
    return replace(harness, hooks=())


def renamed(harness: Harness) -> Harness:
    """Other skill names, other tool names, arguments nested and, where they are scalars, as strings."""

    def change(tool: Tool) -> Tool:
        properties = tool.parameters.get("properties", {})
        inner = {
            f"the_{name}": {"type": "string"} if schema.get("type") == "integer" else schema
            for name, schema in properties.items()
        }
        types = {name: "integer" for name, schema in properties.items() if schema.get("type") == "integer"}
        parameters = {"type": "object", "properties": {"of": {"type": "object", "properties": inner}} if inner else {}}
        shown = {name: name for name, schema in properties.items() if "properties" not in schema} | tool.argument_paths
        paths = {name: f"of.the_{path}" for name, path in shown.items()}
        return replace(tool, name=f"do_{tool.name}", parameters=parameters, argument_paths=paths, argument_types=types)

    skills = tuple(replace(skill, name=f"module-{index}") for index, skill in enumerate(harness.skills))
    return replace(harness, skills=skills, tools=tuple(change(tool) for tool in harness.tools))


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return Catalogue.create(tmp_path_factory.mktemp("shop") / "c.sqlite", ITEMS, ROOMS, COUPONS)


def shop(catalogue: Catalogue, *faults: Fault) -> FaultyRoom:
    async def no_wait(seconds: float) -> None:
        pass

    return FaultyRoom(CatalogueRoom(catalogue, REQUEST), dict.fromkeys(faults, 1.0), "1:e", sleep=no_wait)


def run(harness: Harness, room: object, plan: Plan, limits: Limits | None = None) -> Trajectory:
    loop = AgentLoop(harness, limits)
    return asyncio.run(loop.run(REQUEST, room, ExpertPolicy(harness, plan), "e"))  # type: ignore[arg-type]


def turns(trajectory: Trajectory) -> list[list[str]]:
    """Names of the calls of each assistant message."""
    return [[call.name for call in message.tool_calls] for message in trajectory.messages if message.role == "assistant"]


@pytest.mark.parametrize("harness", [bare(BASE), bare(renamed(BASE))], ids=["base harness", "renamed harness"])
def test_it_loads_strategies_and_skills_then_calls_then_replies(harness: Harness, catalogue: Catalogue) -> None:
    trajectory = run(harness, shop(catalogue), Plan())
    assert next(event.name for event in trajectory.events if event.kind == "skill") == "split-comments"
    assert {event.name for event in trajectory.events if event.kind == "skill"} == {"split-comments", "price-qa", "logistics-qa"}
    assert [(event.name, event.arguments) for event in trajectory.events if event.kind == "tool"] == [PRICE, STOCK]
    assert [event.turn for event in trajectory.events] == [0, 0, 0, 1, 1]
    assert (trajectory.reply, trajectory.stop_reason) == (Plan().reply, StopReason.REPLIED)


@pytest.mark.parametrize("fault", [Fault.TIME_OUT, Fault.MALFORMED, Fault.EMPTY, Fault.STALE, Fault.SLOW])
@pytest.mark.parametrize("harness", [bare(BASE), bare(renamed(BASE))], ids=["base harness", "renamed harness"])
def test_it_asks_again_after_a_fault_that_passes(harness: Harness, fault: Fault, catalogue: Catalogue) -> None:
    trajectory = run(harness, shop(catalogue, fault), Plan())
    asked = turns(trajectory)[1:-1]
    assert asked == asked[:1] * (1 if fault is Fault.SLOW else 2)
    assert trajectory.events[-1].result["units"] == 0 and "as_of_minutes_ago" not in trajectory.events[-1].result
    assert trajectory.reply == Plan().reply


@pytest.mark.parametrize("harness", [bare(BASE), bare(renamed(BASE))], ids=["base harness", "renamed harness"])
def test_it_does_not_ask_again_where_it_may_not(harness: Harness, catalogue: Catalogue) -> None:
    trajectory = run(harness, shop(catalogue, Fault.PERMISSION_DENIED), Plan())
    assert len(turns(trajectory)) == 3
    assert trajectory.reply == Plan().unavailable


@dataclass
class Scripted:
    """A room whose stock tool gives these outcomes in turn, and the last one for ever."""

    outcomes: list[JsonObject | str]
    asked: list[str] = field(default_factory=list)

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        self.asked.append(implementation)
        if implementation != "stock_lookup":
            return {"link_id": 1, "price_after_coupon": "46.05"}
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, str):
            raise ToolError(outcome)
        return outcome


GOOD: JsonObject = {"link_id": 3, "in_stock": False, "units": 0}


@pytest.mark.parametrize(
    ("outcomes", "tries", "answered"),
    [
        ([GOOD], 1, True),
        (["timed out", GOOD], 2, True),
        (["timed out", {}, GOOD], 3, True),
        ([{**GOOD, "as_of_minutes_ago": 90}, {"data": '{"link_id": 3, "in_st'}, GOOD], 3, True),
        (["timed out"], 3, False),
        ([{}], 3, False),
        (["timed out", "permission denied: not here"], 2, False),
        ([{"text": "{as it is written}", "units": 0}], 1, True),
        ([{"answer": "two for one"}], 1, True),
    ],
    ids=["good", "once", "twice", "stale and cut", "never", "always empty", "denied at last", "braces", "one field"],
)
def test_only_what_was_not_answered_is_asked_again_and_not_for_ever(
    outcomes: list[JsonObject | str], tries: int, answered: bool
) -> None:
    room = Scripted(list(outcomes))
    trajectory = run(bare(BASE), room, Plan())
    assert room.asked == ["price_lookup", *["stock_lookup"] * tries]
    assert tries <= TRIES
    assert trajectory.reply == (Plan().reply if answered else Plan().unavailable)


def test_a_hook_message_makes_it_say_the_reply_again(catalogue: Catalogue) -> None:
    strict = Hook("terse", HookPoint.REPLY_FORMAT, "reply_length", HookAction.RETRY, "Shorter: {reason}.", {"max_words": 1})
    trajectory = run(replace(BASE, hooks=(strict,)), shop(catalogue), Plan(), Limits(turns=6, retries=1))
    spoken = [m.content for m in trajectory.messages if m.role == "assistant" and not m.tool_calls]
    assert spoken == [Plan().reply] * 2
    assert trajectory.stop_reason is StopReason.RETRY_LIMIT


def split(skill: Skill) -> tuple[Skill, ...]:
    return tuple(replace(skill, name=f"{skill.name}-{n}", key=f"{skill.key}/{n}", covers=(skill.key,), files=()) for n in (1, 2))


def loaded(harness: Harness, plan: Plan) -> list[str]:
    """Names of the skills that the expert asks for in its first turn."""
    start = Conversation("e", (Message("system", ""), Message("user", "")), harness.tools)
    message = asyncio.run(ExpertPolicy(harness, plan).complete(start)).message
    return [call.arguments["skill"] for call in message.tool_calls]


def test_it_loads_all_parts_of_a_split_skill_and_a_merged_one_once() -> None:
    others = tuple(skill for skill in BASE.skills if skill.key not in ("price-qa", "logistics-qa"))
    price, logistics = (next(s for s in BASE.skills if s.key == key) for key in ("price-qa", "logistics-qa"))
    parts = replace(BASE, skills=(*others, *split(price), logistics))
    assert loaded(parts, Plan(strategies=())) == ["price-qa-1", "price-qa-2", "logistics-qa"]
    merged = replace(price, name="both", key="price-qa+logistics-qa", covers=("price-qa", "logistics-qa"))
    distractor = replace(price, name="weather", key="distractor/weather", covers=())
    assert loaded(replace(BASE, skills=(distractor, *others, merged)), Plan(strategies=())) == ["both"]


def test_it_does_without_a_strategy_but_not_without_a_reply_skill_a_tool_or_a_parameter() -> None:
    def without(key: str) -> Harness:
        return replace(BASE, skills=tuple(skill for skill in BASE.skills if skill.key != key))

    assert set(loaded(without("split-comments"), Plan())) == {"price-qa", "logistics-qa"}
    no_tool = replace(BASE, tools=tuple(tool for tool in BASE.tools if tool.implementation != "stock_lookup"))
    lost: dict[str, Callable[[], Harness]] = {
        "price-qa": lambda: without("price-qa"),
        "stock_lookup": lambda: no_tool,
        "flavour": lambda: BASE,
    }
    for missing, harness in lost.items():
        calls = (("stock_lookup", {"link_id": 1, "flavour": "mint"}),) if missing == "flavour" else Plan().calls
        with pytest.raises(KeyError, match=missing):
            ExpertPolicy(harness(), Plan(calls=calls))


def test_a_skill_whose_body_begins_with_a_brace_is_loaded_once(catalogue: Catalogue) -> None:
    odd = tuple(replace(skill, body="{not JSON") for skill in BASE.skills)
    assert run(replace(bare(BASE), skills=odd), shop(catalogue), Plan()).reply == Plan().reply


def test_the_same_conversation_gets_the_same_message_whoever_came_before() -> None:
    policy = ExpertPolicy(BASE, Plan())
    start = Conversation("e", (Message("system", ""), Message("user", "")), BASE.tools)
    first = asyncio.run(policy.complete(start)).message
    calls = tuple(replace(call, call_id=f"c{n}") for n, call in enumerate(first.tool_calls))
    results = tuple(Message("tool", json.dumps({"skill": "s", "instructions": "b"}), call_id=call.call_id) for call in calls)
    later = replace(start, messages=(*start.messages, replace(first, tool_calls=calls), *results))
    second = asyncio.run(policy.complete(later)).message
    assert second == asyncio.run(ExpertPolicy(BASE, Plan()).complete(later)).message
    assert asyncio.run(policy.complete(start)).message == first
    assert all(isinstance(call, ToolCall) and call.name != LOAD_SKILL for call in second.tool_calls)


@pytest.fixture(scope="module")
def world() -> World:
    return generate(seed=5, train_rooms=6, eval_rooms=6, comments_per_room=17, languages=("en", "zh"))


@pytest.mark.parametrize("fault", list(Fault))
def test_no_fault_makes_it_say_anything_wrong(fault: Fault, world: World, tmp_path: Path) -> None:
    catalogue = Catalogue.create(tmp_path / "c.sqlite", world.items, world.rooms, world.coupons)
    loop = AgentLoop(BASE)

    async def no_wait(seconds: float) -> None:
        pass

    for case in world.cases[::5]:
        right = truth(case, catalogue)
        room = FaultyRoom(CatalogueRoom(catalogue, case.request), {fault: 1.0}, case.case_id, sleep=no_wait)
        trajectory = asyncio.run(loop.run(case.request, room, ExpertPolicy(BASE, right), case.case_id))
        denied = fault is Fault.PERMISSION_DENIED and right.calls
        assert trajectory.stop_reason is StopReason.REPLIED
        assert trajectory.reply == (right.unavailable if denied else right.reply), case


@pytest.mark.parametrize("harness", [BASE, renamed(BASE)], ids=["base harness", "renamed harness"])
def test_the_expert_answers_every_case_rightly(harness: Harness, world: World, tmp_path: Path) -> None:
    catalogue = Catalogue.create(tmp_path / "c.sqlite", world.items, world.rooms, world.coupons)
    loop = AgentLoop(harness)
    for case in world.cases:
        right = truth(case, catalogue)
        room = CatalogueRoom(catalogue, case.request)
        trajectory = asyncio.run(loop.run(case.request, room, ExpertPolicy(harness, right), case.case_id))
        assert not [event for event in trajectory.events if event.kind in ("error", "hook")], case
        assert trajectory.stop_reason is StopReason.REPLIED
        verdict = check(case, right, trajectory)
        assert (verdict.accuracy, verdict.effectiveness) == (1.0, 1.0), (case, trajectory.reply, verdict)
