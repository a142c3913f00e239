"""One request through the loop: skills disclosed, calls answered, limits kept, always a named stop reason."""

from __future__ import annotations

import asyncio
import gc
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.harness import AgentLoop, load_harness, to_dict, trajectory_from_dict
from components.harness.messages import parse_assistant
from components.harness.types import Completion, Conversation, JsonObject, Limits, Message, StopReason, Tool, ToolCall, ToolError
from tests.harness.episodes import HARNESS, PRICE, REPLY, REQUEST, SKILL, OneRoom, Script, call, run, told

BASE = load_harness(Path(__file__).parents[2] / "harness")


def test_typical_episode_loads_a_skill_calls_a_tool_and_replies() -> None:
    trajectory = run(SKILL, PRICE, REPLY, harness=BASE)
    assert trajectory.stop_reason is StopReason.REPLIED and trajectory.reply == REPLY
    assert [(e.kind, e.name, e.arguments) for e in trajectory.events] == [
        ("skill", "price-qa", {"covers": ["price-qa"]}),
        ("tool", "price_lookup", {"link_id": 3}),
    ]
    assert (trajectory.prompt_tokens, trajectory.completion_tokens) == (30, 15)


def test_skill_body_is_disclosed_only_by_loading() -> None:
    policy = Script(SKILL, PRICE, REPLY)
    asyncio.run(AgentLoop(HARNESS).run(REQUEST, OneRoom(), policy, "e1"))
    body = HARNESS.skills[0].body
    assert body not in str(policy.seen[0].messages)
    assert json.loads(policy.seen[1].messages[-1].content) == {"skill": "price-qa", "instructions": body}


def test_files_of_a_skill_are_listed_and_read_one_by_one() -> None:
    trajectory = run(
        call("load_skill", skill="size_qa"),
        call("load_skill", skill="size_qa", file="references/sizes.md"),
        call("load_skill", skill="size_qa", file="assets/sizes.png"),
        "M fits 165 cm.",
    )
    assert told(trajectory)[:2] == [
        {"skill": "size_qa", "instructions": "Read the table.", "files": ["references/sizes.md"]},
        {"skill": "size_qa", "file": "references/sizes.md", "content": "M fits 165 cm."},
    ]
    assert "files: references/sizes.md" in told(trajectory)[2]["error"]
    assert [(e.kind, e.name, e.arguments) for e in trajectory.events] == [
        ("skill", "size_qa", {"covers": ["size_qa"]}),
        ("skill", "size_qa", {"covers": [], "file": "references/sizes.md"}),
        ("error", "unknown_file", {}),
    ]


def test_loading_records_which_base_skills_a_skill_stands_for() -> None:
    merged = replace(HARNESS.skills[0], name="both", key="price-qa+size_qa", covers=("price-qa", "size_qa"))
    trajectory = run(call("load_skill", skill="both"), REPLY, harness=replace(HARNESS, skills=(merged,)))
    assert [(e.name, e.arguments) for e in trajectory.events] == [("price-qa+size_qa", {"covers": ["price-qa", "size_qa"]})]


def test_several_calls_in_one_turn_are_answered_in_their_order() -> None:
    trajectory = run(SKILL + PRICE, REPLY)
    assert trajectory.stop_reason is StopReason.REPLIED
    assert [m.name for m in trajectory.messages if m.role == "tool"] == ["load_skill", "price_lookup"]
    ids = [c.call_id for m in trajectory.messages for c in m.tool_calls]
    assert ids == [m.call_id for m in trajectory.messages if m.role == "tool"] and len(set(ids)) == 2


def test_calls_of_one_turn_run_at_the_same_time() -> None:
    class Meeting:
        """Answers a call only once another one is waiting too."""

        def __init__(self) -> None:
            self.barrier = asyncio.Barrier(2)

        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            await self.barrier.wait()
            return {"by": implementation}

    trajectory = run(PRICE + call("stock_lookup", link_id=3), REPLY, room=Meeting())
    assert told(trajectory) == [{"by": "price_lookup"}, {"by": "stock_lookup"}]


def test_model_recovers_from_its_mistakes() -> None:
    trajectory = run(
        call("price_lookup", link_id="three"),
        call("cost", link_id=3),
        call("load_skill", skill="x"),
        SKILL,
        call("price_lookup", link_id=3, option={"size": "no such"}),
        "<tool_call>{",
        PRICE,
        REPLY,
        limits=Limits(turns=8),
        harness=BASE,
        room=NoSuchSize(),
    )
    assert trajectory.stop_reason is StopReason.REPLIED
    errors = [e.name for e in trajectory.events if e.kind == "error"]
    assert errors == ["bad_arguments", "unknown_tool", "unknown_skill", "tool_error", "malformed_call"]
    assert "sizes: S, M" in str(trajectory.messages)


class NoSuchSize(OneRoom):
    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        if "size" in arguments:
            raise ToolError("no such size; sizes: S, M")
        return await super().call(implementation, arguments)


def test_answers_follow_their_calls_and_malformed_ones_come_last() -> None:
    trajectory = run("<tool_call>{</tool_call>" + PRICE, REPLY)
    answers = [m for m in trajectory.messages if m.role == "tool"]
    assert [m.name for m in answers] == ["price_lookup", ""]
    assert "expected <tool_call>" in answers[1].content


def test_call_that_breaks_off_at_the_length_limit_is_malformed() -> None:
    cut = Completion(Message("assistant", 'I look. <tool_call>{"name": "price'), finish_reason="length")
    trajectory = run(cut, PRICE, REPLY)
    assert [e.name for e in trajectory.events] == ["malformed_call", "price_lookup"]
    assert trajectory.stop_reason is StopReason.REPLIED


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        (Completion(Message("assistant", "The Shirt is 4"), finish_reason="length"), "the reply was cut off"),
        ("", "the reply is empty"),
        ("<think>49 or 59?", "the reply is empty"),
    ],
)
def test_half_a_reply_is_never_spoken(output: Completion | str, fault: str) -> None:
    trajectory = run(output, REPLY)
    assert trajectory.reply == REPLY
    assert [(e.name, e.detail) for e in trajectory.events] == [("whole_reply", fault)]
    assert run(output).stop_reason is StopReason.RETRY_LIMIT


def test_call_that_no_record_can_hold_is_malformed() -> None:
    deep: Any = 3
    for _ in range(40):
        deep = [deep]
    calls = tuple(
        ToolCall(str(n), "price_lookup", {"link_id": value}) for n, value in enumerate((3, deep, float("nan"), "\ud800"))
    )
    trajectory = run(Completion(Message("assistant", "\ud800", calls)), REPLY)
    assert [e.name for e in trajectory.events] == ["malformed_call"] * 3 + ["price_lookup"]
    assert trajectory_from_dict(json.loads(json.dumps(to_dict(trajectory)).encode())) == trajectory


def test_limits_end_in_the_fallback_reply_of_the_room() -> None:
    assert run(PRICE, limits=Limits(turns=3)).stop_reason is StopReason.TURN_LIMIT
    chinese = run("", limits=Limits(retries=1), request=replace(REQUEST, language="zh"))
    assert (chinese.stop_reason, chinese.reply) == (StopReason.RETRY_LIMIT, "请稍等。")
    one_language = replace(HARNESS, fallback_reply={"en": "One moment."})
    assert run("", request=replace(REQUEST, language="zh"), harness=one_language).reply == "One moment."


def test_tokens_are_bounded_before_calls_run() -> None:
    trajectory = run(SKILL, PRICE, REPLY, limits=Limits(tokens=9))
    assert trajectory.stop_reason is StopReason.TOKEN_LIMIT and trajectory.reply == "One moment please."
    assert [e.kind for e in trajectory.events] == ["skill"]
    assert run(SKILL, PRICE, REPLY, limits=Limits(tokens=15)).stop_reason is StopReason.REPLIED


def test_failing_policy_ends_its_own_episode() -> None:
    trajectory = run(SKILL, "!")
    assert trajectory.stop_reason is StopReason.POLICY_ERROR
    assert trajectory.events[-1].detail == "server away"


class Stuck:
    """A room and a policy that never answer, and know how many wait for them."""

    name = "stuck"

    def __init__(self) -> None:
        self.waiting = 0
        self.reached = asyncio.Event()

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        await self._wait()
        return {}

    async def complete(self, conversation: Conversation) -> Completion:
        await self._wait()
        return Completion(Message("assistant", "never"))

    async def _wait(self) -> None:
        self.waiting += 1
        self.reached.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.waiting -= 1


def test_slow_tool_goes_back_to_the_model_as_an_error() -> None:
    room = Stuck()
    trajectory = run(PRICE + PRICE, REPLY, room=room, limits=Limits(tool_seconds=0.01))
    assert trajectory.stop_reason is StopReason.REPLIED
    assert [(e.name, e.arguments) for e in trajectory.events] == [("tool_timeout", {"link_id": 3})] * 2
    assert all("timed out" in answer["error"] for answer in told(trajectory)) and room.waiting == 0


@pytest.mark.parametrize("where", ["policy", "room"])
def test_slow_request_ends_at_its_time_limit_and_leaves_nothing_running(where: str) -> None:
    async def episode() -> None:
        stuck = Stuck()
        policy = stuck if where == "policy" else Script(PRICE + PRICE)
        loop = AgentLoop(HARNESS, Limits(request_seconds=0.01))
        trajectory = await loop.run(REQUEST, stuck, policy, "e1")
        assert (trajectory.stop_reason, trajectory.reply) == (StopReason.TIME_LIMIT, "One moment please.")
        assert stuck.waiting == 0 and asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(episode())


@pytest.mark.parametrize("where", ["policy", "room"])
def test_cancelled_episode_leaves_nothing_running(where: str) -> None:
    async def episode() -> None:
        stuck = Stuck()
        policy = stuck if where == "policy" else Script(PRICE + PRICE + PRICE)
        task = asyncio.create_task(AgentLoop(HARNESS).run(REQUEST, stuck, policy, "e1"))
        await stuck.reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert stuck.waiting == 0 and asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(episode())


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (ZeroDivisionError("a defect"), "ZeroDivisionError"),
        (None, "NoneType is no JSON object"),
        ([1], "list is no JSON object"),
        ({"at": {1, 2}}, "set is not JSON"),
        ({1: "a"}, "a name that is no text"),
        ({"a": "\ud800"}, "a character that is half of a pair"),
    ],
)
@pytest.mark.parametrize("calls", [PRICE, PRICE + call("stock_lookup", link_id=3)])
def test_broken_tool_goes_back_to_the_model_as_an_error(answer: Any, why: str, calls: str) -> None:
    class Broken(OneRoom):
        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            if implementation == "stock_lookup":
                return await super().call(implementation, arguments)
            if isinstance(answer, Exception):
                raise answer
            return answer  # type: ignore[no-any-return]

    trajectory = run(calls, REPLY, room=Broken())
    assert trajectory.stop_reason is StopReason.REPLIED
    assert [e.name for e in trajectory.events] == ["tool_failed", "stock_lookup"][: calls.count("<tool_call>")]
    assert why in told(trajectory)[0]["error"] and "Traceback" not in str(trajectory.messages)
    assert trajectory_from_dict(json.loads(json.dumps(to_dict(trajectory)).encode())) == trajectory


@pytest.mark.parametrize("calls", [PRICE, PRICE + PRICE])
def test_what_is_no_error_of_a_tool_is_raised(calls: str) -> None:
    class Leaving(OneRoom):
        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run(calls, REPLY, room=Leaving())


def test_calls_of_one_turn_are_bounded() -> None:
    trajectory = run(PRICE * 3, REPLY, limits=Limits(calls=2))
    assert [e.name for e in trajectory.events] == ["price_lookup", "price_lookup", "too_many_calls"]
    assert "at most 2 calls" in told(trajectory)[2]["error"] and trajectory.stop_reason is StopReason.REPLIED


def test_what_was_done_is_recorded_where_time_ends_the_turn() -> None:
    class Half(Stuck):
        async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
            return {"price": "49.00"} if implementation == "price_lookup" else await super().call(implementation, arguments)

    calls = SKILL + call("stock_lookup", link_id=3) + PRICE
    trajectory = run(calls, room=Half(), limits=Limits(request_seconds=0.01))
    assert trajectory.stop_reason is StopReason.TIME_LIMIT
    assert [(e.kind, e.name, e.result) for e in trajectory.events] == [
        ("skill", "price-qa", {}),
        ("tool", "price_lookup", {"price": "49.00"}),
    ]


def test_files_are_listed_only_where_they_can_be_read() -> None:
    schema = {"type": "object", "properties": {"skill": {"type": "string"}}, "required": ["skill"]}
    harness = replace(HARNESS, tools=(replace(HARNESS.tools[0], parameters=schema), *HARNESS.tools[1:]))
    assert told(run(call("load_skill", skill="size_qa"), REPLY, harness=harness)) == [
        {"skill": "size_qa", "instructions": "Read the table."}
    ]
    renamed = {"type": "object", "properties": {"skill": {"type": "string"}, "path": {"type": "string"}}}
    tool = replace(HARNESS.tools[0], parameters=renamed, argument_paths={"file": "path"})
    harness = replace(HARNESS, tools=(tool, *HARNESS.tools[1:]))
    assert "files" in told(run(call("load_skill", skill="size_qa"), REPLY, harness=harness))[0]


def test_renamed_and_nested_tool_reaches_its_implementation() -> None:
    schema = {"type": "object", "properties": {"query": {"type": "object", "properties": {"link": {"type": "string"}}}}}
    tool = Tool("cost", "", schema, "price_lookup", {"link_id": "query.link"}, {"link_id": "integer"})
    harness = replace(HARNESS, tools=(HARNESS.tools[0], tool))
    trajectory = run(call("cost", query={"link": "3"}), REPLY, harness=harness)
    assert [(e.name, e.arguments) for e in trajectory.events] == [("price_lookup", {"link_id": 3})]


def test_record_reads_back_as_written() -> None:
    trajectory = run(SKILL, PRICE, "<tool_call>{", "It is 48 yuan.", REPLY, harness=BASE)
    assert trajectory_from_dict(json.loads(json.dumps(to_dict(trajectory)))) == trajectory


def test_a_thousand_episodes_at_once_stay_small() -> None:
    class Together:
        """Answers the third turn only once all episodes have come there."""

        name = "together"

        def __init__(self) -> None:
            self.barrier = asyncio.Barrier(1000)

        async def complete(self, conversation: Conversation) -> Completion:
            texts = {2: SKILL, 4: PRICE}
            if (text := texts.get(len(conversation.messages))) is None:
                await self.barrier.wait()
                text = REPLY
            return Completion(parse_assistant(text))

    async def crowd() -> int:
        loop, policy, room = AgentLoop(BASE), Together(), OneRoom()
        gc.collect()
        tracemalloc.start()
        done = await asyncio.gather(*(loop.run(REQUEST, room, policy, str(number)) for number in range(1000)))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert {one.stop_reason for one in done} == {StopReason.REPLIED}
        return peak

    assert asyncio.run(crowd()) < 64 * 2**20
