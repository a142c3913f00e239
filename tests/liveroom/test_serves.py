"""What the room cannot serve is refused before anything runs, by the name of the tool or skill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.harness import load_harness
from components.harness.types import Harness, HarnessError, SkillFile, SkillKind, Tool
from components.liveroom.serves import check_room_serves

BASE = load_harness(Path(__file__).parents[2] / "harness")


def schema(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


NUMBER, TEXT = {"type": "integer"}, {"type": "string"}
BY_OPTION = {"link_id": NUMBER, "colour": TEXT, "size": TEXT}
NESTED = schema(query={"type": "object", "properties": {"link": TEXT, "tint": TEXT, "cut": TEXT}})


def with_tool(changed: str = "price_lookup", **changes: Any) -> Harness:
    """The base harness with one tool changed."""
    tools = (replace(tool, **changes) if tool.implementation == changed else tool for tool in BASE.tools)
    return replace(BASE, tools=tuple(tools))


def with_skill(*others: dict[str, Any]) -> Harness:
    """The base harness with changed copies of price-qa in its place."""
    price = next(skill for skill in BASE.skills if skill.key == "price-qa")
    rest = tuple(skill for skill in BASE.skills if skill is not price)
    return replace(BASE, skills=(*rest, *(replace(price, **other) for other in others)))


def without(implementation: str) -> Harness:
    return replace(BASE, tools=tuple(tool for tool in BASE.tools if tool.implementation != implementation))


@pytest.mark.parametrize(
    "harness",
    [
        pytest.param(BASE, id="base"),
        pytest.param(
            with_tool(
                name="cost",
                parameters=NESTED,
                argument_paths={"link_id": "query.link", "colour": "query.tint", "size": "query.cut"},
                argument_types={"link_id": "integer"},
            ),
            id="renamed and nested",
        ),
        pytest.param(
            with_tool("order_quote", parameters=schema("link_id", "quantity", quantity=NUMBER, **BY_OPTION)), id="order"
        ),
        pytest.param(with_skill({"name": "prices"}), id="renamed skill"),
        pytest.param(
            with_skill(*({"name": f"p-{n}", "key": f"price-qa/{n}", "covers": ("price-qa",)} for n in (1, 2))), id="split skill"
        ),
        pytest.param(
            replace(BASE, tools=(*BASE.tools, Tool("weather", "Rain or not.", schema(town=TEXT), "distractor.weather"))),
            id="distractor",
        ),
        pytest.param(
            with_tool("load_skill", parameters=schema("skill", skill=TEXT, file=TEXT)),
            id="with files",
        ),
    ],
)
def test_room_serves_the_base_harness_and_changed_ones(harness: Harness) -> None:
    check_room_serves(harness, "harness")


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (
            lambda: with_tool(implementation="pricelookup"),
            "harness/tools.yaml: price_lookup.implementation: pricelookup is no tool of the room; expected one of load_skill, ",
        ),
        (
            lambda: with_tool(parameters=schema(link=NUMBER, colour=TEXT, size=TEXT)),
            "parameters: link is no argument of price_lookup; expected link_id, colour, size; rename it or set "
            "argument_paths: {link_id: link}",
        ),
        (
            lambda: with_tool(parameters=schema(flavour=TEXT, **BY_OPTION)),
            "parameters: flavour is no argument of price_lookup; expected link_id, colour, size; remove it",
        ),
        (
            lambda: with_tool("room_state", parameters=schema(link_id=NUMBER)),
            "parameters: link_id is no argument of room_state; expected none; remove it",
        ),
        (lambda: with_tool(parameters=schema()), "price_lookup.parameters: expected a parameter for link_id; add it"),
        (
            lambda: with_tool(parameters=schema(link_id=NUMBER, colour=TEXT)),
            "price_lookup.parameters: expected a parameter for size; add it",
        ),
        (
            lambda: with_tool(parameters=schema(**{**BY_OPTION, "link_id": TEXT})),
            "price_lookup.argument_types: expected {link_id: integer}",
        ),
        (
            lambda: with_tool(parameters=schema(**{**BY_OPTION, "link_id": {"type": "integer", "minimum": 2}})),
            "price_lookup.parameters: refuses the call {'link_id': 1} (1 is less than the minimum of 2)",
        ),
        (
            lambda: with_tool(parameters=schema("link_id", "colour", **BY_OPTION)),
            "price_lookup.parameters: refuses the call {'link_id': 1} ('colour' is a required property)",
        ),
        (
            lambda: with_tool(parameters=schema(**{**BY_OPTION, "size": {"enum": ["S", "M", "XL"]}})),
            "price_lookup.parameters: refuses the call {'link_id': 1, 'colour': 'lilac mist', 'size': '大号'}",
        ),
        (
            lambda: with_tool("faq_lookup", parameters=schema(topic={"type": "string", "enum": ["payment", "invoice"]})),
            "faq_lookup.parameters: refuses the call {'topic': 'gift_wrap'}",
        ),
        (
            lambda: with_tool("order_quote", parameters=schema(quantity={"type": "integer", "maximum": 5}, **BY_OPTION)),
            "12 is greater than the maximum of 5",
        ),
        (
            lambda: with_tool("load_skill", parameters=schema(skill={"type": "string", "enum": ["price-qa"]})),
            "load_skill.parameters: refuses the call",
        ),
        (
            lambda: replace(
                with_tool("load_skill", parameters=schema(skill=TEXT, file={"type": "string", "maxLength": 3})),
                skills=with_skill({"files": (SkillFile("references/a.md", "A."),)}).skills,
            ),
            "load_skill.parameters: refuses the call {'skill': 'price-qa', 'file': 'references/a.md'}",
        ),
        (lambda: without("price_lookup"), "no tool with implementation price_lookup; cases of intent price need it; add it"),
        (
            lambda: with_skill({"key": "price"}),
            "harness/skills: no reply skill with key price-qa; cases of intent price need it; rename with metadata.key",
        ),
        (lambda: with_skill({"kind": SkillKind.STRATEGY}), "no reply skill with key price-qa"),
        (lambda: with_skill({"covers": ()}), "no reply skill with key price-qa"),
    ],
)
def test_what_the_room_cannot_serve_is_named(make: Callable[[], Harness], expected: str) -> None:
    with pytest.raises(HarnessError) as error:
        check_room_serves(make(), "harness")
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
