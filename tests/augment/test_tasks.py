"""Tasks of the catalogue, and tasks for harnesses that no room here serves."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest

from components.augment import AugmentError, SchemaRoom, Task, schema_tasks
from components.augment.tasks import play
from components.harness import AgentLoop
from components.harness.conditions import every_kind_of_request, holds
from components.harness.types import LOAD_SKILL, Condition, Harness, Hook, HookAction, HookPoint, StopReason, Tool
from components.liveroom.types import Intent
from tests.augment.worlds import FOREIGN


def test_there_is_a_catalogue_task_of_every_intent_and_language(room: tuple[object, list[object]], tasks: list[Task]) -> None:
    assert len(room[1]) == 2 * len(Intent)
    assert {task.task_id for task in tasks} >= {case.case_id for case in room[1]}  # type: ignore[attr-defined]


def test_schema_tasks_between_them_use_every_skill_tool_and_enum_value(base: Harness) -> None:
    made = schema_tasks(base, 16, 1)
    assert (len(made.tasks), made.left_out) == (16, ())
    skills = {key for task in made.tasks for key in (*task.script.skills, *task.script.strategies)}
    assert skills == {skill.key for skill in base.skills}
    calls = [call for task in made.tasks for call in task.script.calls]
    assert {key for key, _ in calls} == {tool.implementation for tool in base.tools} - {LOAD_SKILL}
    (topics,) = (tool.parameters["properties"]["topic"]["enum"] for tool in base.tools if tool.implementation == "faq_lookup")
    assert {arguments["topic"] for key, arguments in calls if key == "faq_lookup"} == set(topics)
    given = Counter(frozenset(arguments) for key, arguments in calls if key == "price_lookup")
    assert {frozenset({"link_id"}), frozenset({"link_id", "colour", "size"})} <= set(given)


def test_schema_tasks_meet_every_condition_and_its_contrary(base: Harness) -> None:
    conditions: list[Condition] = [
        {"language": "zh"},
        {"campaign": True},
        {"dialogue": True},
        {"comments": "several"},
        {"viewers_over": 0},
    ]
    requests = [task.request for task in schema_tasks(base, 32, 1).tasks]
    kinds = [
        {tuple(holds(when, request) for when in conditions) for request in some} for some in (requests, every_kind_of_request())
    ]
    assert kinds[0] == kinds[1]


def test_every_schema_task_ends_in_its_own_reply(base: Harness) -> None:
    for harness in (base, FOREIGN):
        loop = AgentLoop(harness)
        for task in schema_tasks(harness, 6, 2).tasks:
            episode = asyncio.run(play(loop, task))
            assert (episode.stop_reason, episode.reply) == (StopReason.REPLIED, task.script.reply)
            assert sum(event.kind == "tool" for event in episode.events) == len(task.script.calls)


def test_a_reply_says_what_the_tools_found() -> None:
    (task,) = schema_tasks(FOREIGN, 1, 0).tasks
    found = [asyncio.run(SchemaRoom().call(*call))["value"] for call in task.script.calls]
    assert found and all(str(value) in task.script.reply for value in found[:3])


def test_another_argument_or_implementation_gets_another_answer() -> None:
    room = SchemaRoom()
    asked = [("a", {"n": 1}), ("a", {"n": 2}), ("b", {"n": 1}), ("a", {"n": 1, "m": None}), ("a", {"n": "1"})]
    answers = [json.dumps(asyncio.run(room.call(*call))) for call in asked]
    assert len(set(answers)) == len(asked)
    assert answers[0] == json.dumps(asyncio.run(room.call("a", {"n": 1})))


def test_a_tool_that_cannot_be_called_is_named_with_the_reason() -> None:
    schema = {"type": "object", "properties": {"code": {"type": "string", "pattern": "^(?:qz){3}k$"}}, "required": ["code"]}
    harness = replace(FOREIGN, tools=(*FOREIGN.tools, Tool("odd", "Odd.", schema, "odd")))
    made = schema_tasks(harness, 2, 0)
    (sentence,) = made.left_out
    assert sentence.startswith("every call of tool odd: $.code: nothing that was tried fits ")
    assert "odd" not in {key for task in made.tasks for key, _ in task.script.calls}


def test_arguments_that_no_property_names_reach_the_implementation() -> None:
    schema = {"type": "object", "properties": {}, "required": ["free"]}
    harness = replace(FOREIGN, tools=(*FOREIGN.tools, Tool("odd", "Odd.", schema, "odd")))
    made = schema_tasks(harness, 2, 0)
    assert made.left_out == ()
    assert {"free"} == {name for task in made.tasks for key, given in task.script.calls if key == "odd" for name in given}


def test_a_harness_that_accepts_no_reply_is_refused() -> None:
    deaf = Hook("deaf", HookPoint.INPUT, "comment_length", HookAction.BLOCK, "Too long.", {"max_characters": 1})
    with pytest.raises(AugmentError, match=r"no task can be made of it .*hook deaf"):
        schema_tasks(replace(FOREIGN, hooks=(deaf,)), 2, 0)


def test_a_tool_list_larger_than_a_turn_of_production_has_tasks_too() -> None:
    loader, tracker = FOREIGN.tools
    many = tuple(replace(tracker, name=f"track_{i}", implementation=f"carriers.track_{i}") for i in range(60))
    made = schema_tasks(replace(FOREIGN, tools=(loader, *many)), 2, 1)
    assert made.left_out == ()
    assert len({name for task in made.tasks for name, _ in task.script.calls}) == 60
