"""One request through the loop: skills disclosed, calls answered, hooks enforced, always a named stop reason."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from components.harness import AgentLoop, load_harness, to_dict, trajectory_from_dict
from components.harness.messages import parse_assistant
from components.harness.types import (
    Completion,
    Conversation,
    HookAction,
    JsonObject,
    Limits,
    PolicyError,
    Request,
    StopReason,
    ToolError,
    Trajectory,
)

HARNESS = load_harness(Path(__file__).parents[2] / "harness")
REQUEST = Request("r1", "room1", ("how much is link 3?",), 1, ((1, "Kettle"), (3, "Shirt")))


class OneRoom:
    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        if arguments.get("link_id") != 3:
            raise ToolError("no item at that link; links here: 1, 3")
        return {"title": "Shirt", "price_after_coupon": "49.00"}


class Script:
    """A policy that writes given texts in turn, the last one for ever."""

    name = "script"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.seen: list[Conversation] = []

    async def complete(self, conversation: Conversation) -> Completion:
        self.seen.append(conversation)
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        if text == "!":
            raise PolicyError("server away")
        return Completion(parse_assistant(text), prompt_tokens=10, completion_tokens=5)


def call(name: str, **arguments: Any) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


SKILL = call("load_skill", skill="price_qa")
PRICE = call("price_lookup", link_id=3)
REPLY = "The Shirt is 49.00 yuan after the coupon."


def run(*texts: str, limits: Limits | None = None, harness: Any = HARNESS) -> Trajectory:
    return asyncio.run(AgentLoop(harness, limits).run(REQUEST, OneRoom(), Script(*texts), "e1"))


def last_tool_message(trajectory: Trajectory) -> JsonObject:
    content: JsonObject = json.loads([m for m in trajectory.messages if m.role == "tool"][-1].content)
    return content


def test_typical_episode_loads_a_skill_calls_a_tool_and_replies() -> None:
    trajectory = run(SKILL, PRICE, REPLY)
    assert trajectory.stop_reason is StopReason.REPLIED and trajectory.reply == REPLY
    assert [(e.kind, e.name, e.arguments) for e in trajectory.events] == [
        ("skill", "price_qa", {}),
        ("tool", "price_lookup", {"link_id": 3}),
    ]
    assert (trajectory.prompt_tokens, trajectory.completion_tokens) == (30, 15)


def test_skill_body_is_disclosed_only_by_loading() -> None:
    body = next(s.body for s in HARNESS.skills if s.key == "price_qa")
    policy = Script(SKILL, PRICE, REPLY)
    asyncio.run(AgentLoop(HARNESS).run(REQUEST, OneRoom(), policy, "e1"))
    assert body not in str(policy.seen[0].messages)
    assert json.loads(policy.seen[1].messages[-1].content) == {"skill": "price_qa", "instructions": body}


def test_several_calls_in_one_turn_are_answered_in_their_order() -> None:
    trajectory = run(SKILL + PRICE, REPLY)
    assert trajectory.stop_reason is StopReason.REPLIED
    assert [m.name for m in trajectory.messages if m.role == "tool"] == ["load_skill", "price_lookup"]
    ids = [c.call_id for m in trajectory.messages for c in m.tool_calls]
    assert ids == [m.call_id for m in trajectory.messages if m.role == "tool"] and len(set(ids)) == 2


def test_model_recovers_from_its_mistakes() -> None:
    trajectory = run(
        call("price_lookup", link_id="three"),
        call("cost", link_id=3),
        call("load_skill", skill="x"),
        SKILL,
        call("price_lookup", link_id=9),
        "<tool_call>{",
        PRICE,
        REPLY,
        limits=Limits(turns=8),
    )
    assert trajectory.stop_reason is StopReason.REPLIED
    errors = [e.name for e in trajectory.events if e.kind == "error"]
    assert errors == ["bad_arguments", "unknown_tool", "unknown_skill", "tool_error", "malformed_call"]
    assert "links here: 1, 3" in str(trajectory.messages)


def test_reply_without_a_skill_is_sent_back() -> None:
    trajectory = run(PRICE, REPLY, SKILL, REPLY)
    assert trajectory.stop_reason is StopReason.REPLIED
    assert [e.name for e in trajectory.events if e.kind == "hook"] == ["skill_first"]
    assert any(m.role == "user" and m.content.startswith("Load a reply skill") for m in trajectory.messages)


def test_number_that_no_tool_returned_is_sent_back() -> None:
    trajectory = run(SKILL, PRICE, "The Shirt is 48.00 yuan.", REPLY)
    assert [e.name for e in trajectory.events if e.kind == "hook"] == ["numbers_from_tools"]
    assert trajectory.reply == REPLY


def test_numbers_may_be_written_in_other_ways() -> None:
    assert run(SKILL, PRICE, "Link 3, the Shirt, is 49 yuan.").stop_reason is StopReason.REPLIED


def test_limits_end_in_the_fallback_reply() -> None:
    assert run(PRICE, limits=Limits(turns=3)).stop_reason is StopReason.TURN_LIMIT
    stubborn = run(REPLY, limits=Limits(retries=1))
    assert stubborn.stop_reason is StopReason.RETRY_LIMIT and stubborn.reply == HARNESS.fallback_reply


def test_failing_policy_ends_its_own_episode() -> None:
    trajectory = run(SKILL, "!")
    assert trajectory.stop_reason is StopReason.POLICY_ERROR
    assert trajectory.events[-1].detail == "server away"


def test_blocking_hook_ends_at_once() -> None:
    hooks = tuple(replace(h, action=HookAction.BLOCK) for h in HARNESS.hooks)
    assert run(REPLY, harness=replace(HARNESS, hooks=hooks)).stop_reason is StopReason.BLOCKED
    empty = replace(REQUEST, comments=(" ",))
    trajectory = asyncio.run(AgentLoop(HARNESS).run(empty, OneRoom(), Script(REPLY), "e"))
    assert trajectory.stop_reason is StopReason.BLOCKED and len(trajectory.messages) == 2


def test_record_reads_back_as_written() -> None:
    trajectory = run(SKILL, PRICE, "<tool_call>{", REPLY)
    assert trajectory_from_dict(json.loads(json.dumps(to_dict(trajectory)))) == trajectory


texts = st.one_of(
    st.text(), st.sampled_from([SKILL, PRICE, REPLY, "<tool_call>", call("price_lookup"), call("load_skill", skill=3), "<think>"])
)


@settings(max_examples=200, deadline=None)
@given(st.lists(texts, min_size=1, max_size=6))
def test_whatever_a_model_writes_the_episode_ends_in_a_named_reason(outputs: list[str]) -> None:
    trajectory = run(*outputs)
    assert trajectory.stop_reason in StopReason
    assert trajectory.reply
