"""What the room cannot serve is refused before anything runs, by the name of the tool or skill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.harness import load_harness
from components.harness.types import Harness, HarnessError, SkillKind
from components.liveroom import check_room_serves

BASE = load_harness(Path(__file__).parents[2] / "harness")
AS_TEXT = {"type": "object", "properties": {"query": {"type": "object", "properties": {"link": {"type": "string"}}}}}


def with_tool(**changes: Any) -> Harness:
    """The base harness with another price_lookup."""
    return replace(BASE, tools=tuple(replace(t, **changes) if t.name == "price_lookup" else t for t in BASE.tools))


def with_skill(**changes: Any) -> Harness:
    """The base harness with another skill price_qa."""
    return replace(BASE, skills=tuple(replace(s, **changes) if s.key == "price_qa" else s for s in BASE.skills))


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def without(tool: str) -> Harness:
    return replace(BASE, tools=tuple(t for t in BASE.tools if t.name != tool))


@pytest.mark.parametrize(
    "harness",
    [
        BASE,
        with_tool(
            name="cost", parameters=AS_TEXT, argument_paths={"link_id": "query.link"}, argument_types={"link_id": "integer"}
        ),
        with_skill(name="prices"),
    ],
)
def test_room_serves_the_base_harness_and_renamed_ones(harness: Harness) -> None:
    check_room_serves(harness, "harness")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (
            lambda: with_tool(implementation="pricelookup"),
            "harness/tools.yaml: price_lookup.implementation: pricelookup is no tool of the room; expected one of load_skill, ",
        ),
        (
            lambda: with_tool(parameters=schema(link={"type": "integer"})),
            "parameters: link is no argument of price_lookup; expected link_id; rename it or set argument_paths: {link_id: link}",
        ),
        (lambda: with_tool(parameters=schema()), "price_lookup.parameters: expected a parameter for link_id"),
        (
            lambda: with_tool(parameters=schema(link_id={"type": "string"})),
            "price_lookup.argument_types: expected {link_id: integer}",
        ),
        (
            lambda: with_tool(parameters=schema(link_id={"type": "integer", "minimum": 2})),
            "price_lookup.parameters: refuses the call {'link_id': 1} (1 is less than the minimum of 2)",
        ),
        (
            lambda: without("price_lookup"),
            "no tool with implementation price_lookup; cases of intent price, purchase need it; add it",
        ),
        (
            lambda: with_skill(key="price"),
            "harness/skills: no reply skill with key price_qa; cases of intent price, purchase need it; rename with metadata.key",
        ),
        (lambda: with_skill(kind=SkillKind.STRATEGY), "no reply skill with key price_qa"),
    ],
)
def test_what_the_room_cannot_serve_is_named(make: Callable[[], Harness], expected: str) -> None:
    with pytest.raises(HarnessError) as error:
        check_room_serves(make(), "harness")
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
