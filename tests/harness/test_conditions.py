"""When hooks and prompt sections are in force."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.harness.conditions import check_condition, every_kind_of_request, holds
from components.harness.types import Condition, Request, Utterance
from tests.harness.episodes import REQUEST

FULL = replace(
    REQUEST,
    language="zh",
    campaign="Spring",
    dialogue=(Utterance("viewer", "hi"),),
    comments=("a", "b"),
    audience={"viewers": 500},
)


@pytest.mark.parametrize(
    ("condition", "holds_of"),
    [
        ({}, (REQUEST, FULL)),
        ({"language": "en"}, (REQUEST,)),
        ({"language": "zh"}, (FULL,)),
        ({"campaign": True}, (FULL,)),
        ({"campaign": False}, (REQUEST,)),
        ({"dialogue": True}, (FULL,)),
        ({"comments": "several"}, (FULL,)),
        ({"comments": "one"}, (REQUEST,)),
        ({"viewers_over": 499}, (FULL,)),
        ({"viewers_over": 500}, ()),
        ({"viewers_over": 0}, (FULL,)),
        ({"language": "zh", "campaign": False}, ()),
    ],
)
def test_condition_holds_where_all_its_entries_do(condition: Condition, holds_of: tuple[Request, ...]) -> None:
    assert tuple(request for request in (REQUEST, FULL) if holds(condition, request)) == holds_of
    assert check_condition(condition) is None


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        ({"langauge": "en"}, "langauge: unknown condition; expected some of language, campaign"),
        ({"language": "de"}, "language: expected en or zh, found 'de'"),
        ({"campaign": "yes"}, "campaign: expected true or false, found 'yes'"),
        ({"campaign": 1}, "campaign: expected true or false, found 1"),
        ({"comments": 2}, "comments: expected one or several, found 2"),
        ({"viewers_over": True}, "viewers_over: expected a whole number from 0, found True"),
    ],
)
def test_wrong_condition_is_named(condition: Condition, fault: str) -> None:
    assert str(check_condition(condition)).startswith(fault)


def test_every_pair_of_a_value_and_its_opposite_is_met_by_some_request() -> None:
    requests = list(every_kind_of_request())
    for key, values in {
        "language": ("en", "zh"),
        "campaign": (True, False),
        "dialogue": (True, False),
        "comments": ("one", "several"),
    }.items():
        for value in values:
            assert any(holds({key: value}, request) for request in requests)
    assert {holds({"viewers_over": 10**6}, request) for request in requests} == {True, False}
