"""Hook retries are cut out of real episodes, and nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from components.data.retries import cut_retries, has_retry
from components.harness import AgentLoop, load_harness
from components.harness.types import Completion, Conversation, Harness, JsonObject, Message, Request, ToolCall, Trajectory

REQUEST = Request("r1", "room", ("How much is link 2?",), 1, ((1, "Linen Shirt"), (2, "Oak Bowl")))


class Script:
    """A policy that says its lines."""

    name = "script"

    def __init__(self, lines: Sequence[Message]) -> None:
        self._lines = iter(lines)

    async def complete(self, conversation: Conversation) -> Completion:
        return Completion(next(self._lines))


class Shelf:
    """A room with one price."""

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        return {"price": "49.00"}


def says(text: str) -> Message:
    return Message(role="assistant", content=text)


def calls(*named: tuple[str, JsonObject]) -> Message:
    return Message(role="assistant", content="", tool_calls=tuple(ToolCall("", name, arguments) for name, arguments in named))


LOAD = ("load_skill", {"skill": "price-qa"})
LOOK = ("price_lookup", {"link_id": 2})
BAD_LOOK = ("price_lookup", {"link_id": "the second"})
GOOD = says("The Oak Bowl is 49.00 yuan.")


@pytest.fixture(scope="module")
def harness() -> Harness:
    return load_harness(Path(__file__).parents[2] / "harness")


def episode(harness: Harness, *lines: Message) -> Trajectory:
    trajectory = asyncio.run(AgentLoop(harness).run(REQUEST, Shelf(), Script(lines), "r1@original"))
    assert trajectory.stop_reason == "replied"
    return trajectory


def shape(messages: Sequence[Message]) -> list[tuple[str, str, list[tuple[str, JsonObject]]]]:
    """What is said and called, without the identities of calls."""
    return [(m.role, m.content, [(call.name, call.arguments) for call in m.tool_calls]) for m in messages]


def test_an_episode_without_a_retry_stays_as_it_is(harness: Harness) -> None:
    trajectory = episode(harness, calls(LOAD), calls(LOOK), GOOD)
    assert not has_retry(trajectory)
    assert cut_retries(trajectory) == trajectory.messages


def test_a_refused_reply_goes_with_the_message_of_the_hook(harness: Harness) -> None:
    clean = episode(harness, calls(LOAD), calls(LOOK), GOOD)
    retried = episode(harness, calls(LOAD), calls(LOOK), says("It is 77.00 yuan, **buy**!"), GOOD)
    assert has_retry(retried)
    assert shape(cut_retries(retried)) == shape(clean.messages)


def test_two_refusals_in_a_row_both_go(harness: Harness) -> None:
    clean = episode(harness, calls(LOAD), calls(LOOK), GOOD)
    retried = episode(harness, says("Hello there."), calls(LOAD), calls(LOOK), says("It is 77.00 yuan."), GOOD)
    assert shape(cut_retries(retried)) == shape(clean.messages)


def test_a_refused_call_goes_with_its_result(harness: Harness) -> None:
    clean = episode(harness, calls(LOAD), calls(LOOK), GOOD)
    retried = episode(harness, calls(LOAD), calls(BAD_LOOK), calls(LOOK), GOOD)
    assert has_retry(retried)
    assert shape(cut_retries(retried)) == shape(clean.messages)


def test_of_several_calls_in_a_turn_only_the_refused_one_goes(harness: Harness) -> None:
    clean = episode(harness, calls(LOAD), calls(LOOK), GOOD)
    retried = episode(harness, calls(BAD_LOOK, LOAD), calls(LOOK), GOOD)
    messages = cut_retries(retried)
    assert shape(messages) == shape(clean.messages)
    called = [call.call_id for message in messages for call in message.tool_calls]
    assert [message.call_id for message in messages if message.role == "tool"] == called


def test_errors_that_no_hook_raised_stay(harness: Harness) -> None:
    trajectory = episode(harness, calls(("no_such_tool", {})), calls(LOAD), calls(LOOK), GOOD)
    assert cut_retries(trajectory) == trajectory.messages


class EmptyAtFirst:
    """A room whose first answer says nothing."""

    def __init__(self) -> None:
        self.asked = 0

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        self.asked += 1
        return {} if self.asked == 1 else {"price": "49.00"}


def test_a_refused_result_of_a_tool_stays_for_it_teaches_recovery(harness: Harness) -> None:
    lines = calls(LOAD), calls(LOOK), calls(LOOK), GOOD
    trajectory = asyncio.run(AgentLoop(harness).run(REQUEST, EmptyAtFirst(), Script(lines), "r1@original"))
    assert any(event.kind == "hook" for event in trajectory.events)
    assert not has_retry(trajectory)
    assert cut_retries(trajectory) == trajectory.messages


def thinks(thought: str, message: Message) -> Message:
    return replace(message, content=f"<think>{thought}</think>\n{message.content}".strip())


def test_a_thought_about_what_is_cut_goes_too_and_all_others_stay(harness: Harness) -> None:
    load, look = thinks("A price.", calls(LOAD)), thinks("Look it up.", calls(LOOK))
    clean = episode(harness, load, look, GOOD)
    wrong, mended = thinks("Say it.", says("It is **49.00** yuan.")), thinks("Refused: mend it.", GOOD)
    assert shape(cut_retries(episode(harness, load, look, wrong, mended))) == shape(clean.messages)


def test_of_two_refusals_no_thought_is_left_either(harness: Harness) -> None:
    load, look = thinks("A price.", calls(LOAD)), thinks("Look it up.", calls(LOOK))
    wrong, again = thinks("Say it.", says("It is **49.00** yuan.")), thinks("Refused!", says("It is **49** yuan."))
    retried = episode(harness, load, look, wrong, again, thinks("Refused again!", GOOD))
    assert shape(cut_retries(retried)) == shape(episode(harness, load, look, GOOD).messages)


def test_the_thought_after_a_refused_call_goes_with_it(harness: Harness) -> None:
    load, bad = thinks("A price.", calls(LOAD)), thinks("Look it up.", calls(BAD_LOOK))
    retried = episode(harness, load, bad, thinks("Wrong arguments: mend.", calls(LOOK)), thinks("Say it.", GOOD))
    clean = episode(harness, load, calls(LOOK), thinks("Say it.", GOOD))
    assert shape(cut_retries(retried)) == shape(clean.messages)
