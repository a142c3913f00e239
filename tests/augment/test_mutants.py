"""Every small change of a tool's parameters that a task could stumble over is caught, in harnesses of one's own and of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.augment import Prover, Variant, schema_tasks
from components.harness import load_harness
from components.harness.importing import harness_around
from components.harness.types import Harness, JsonObject, Tool

TEXT: JsonObject = {"type": "string"}
PUBLISHED: tuple[Tool, ...] = tuple(
    Tool(name, f"Does {name}.", {"type": "object", **parameters}, name)
    for name, parameters in {
        "set_properties": {
            "properties": {
                "level": {"type": "string", "enum": ["repository", "organization"]},
                "items": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": 5,
                    "items": {
                        "type": "object",
                        "properties": {"name": TEXT, "kind": {"enum": ["a", "b"]}},
                        "required": ["name"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["level", "items"],
        },
        "list_runs": {
            "properties": {
                "filter": {
                    "type": "object",
                    "properties": {
                        "status": {"type": "string", "enum": ["queued", "running", "done"]},
                        "run": {"type": "integer", "minimum": 1},
                    },
                },
                "per_page": {"type": "number", "minimum": 1, "maximum": 100},
                "sha": {"type": "string", "pattern": "^[0-9a-f]{40}$"},
            },
            "required": ["per_page"],
        },
        "think": {"properties": {"thought": {"$ref": "#/$defs/words"}}, "required": ["thought"], "$defs": {"words": TEXT}},
        "move": {
            "properties": {"x": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9}, "y": {"type": "boolean"}},
            "oneOf": [{"required": ["x"]}, {"required": ["y"]}],
        },
    }.items()
)
OTHER = {"string": "integer", "integer": "boolean", "number": "boolean", "boolean": "integer", "array": "string"}
NARROWER = {"minimum": 1, "maximum": -1, "minItems": 1, "maxItems": -1}
DROPPED = ("minimum", "maximum", "minItems", "maxItems", "pattern", "exclusiveMinimum", "exclusiveMaximum")


def nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], JsonObject]]:
    """Every schema within a schema."""
    if isinstance(value, dict):
        if path[-1:] not in (("properties",), ("$defs",)):
            yield path, value
        for key, part in value.items():
            yield from nodes(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from nodes(part, (*path, number))


def edits(node: JsonObject) -> Iterator[tuple[str, Callable[[JsonObject], Any]]]:
    for number, value in enumerate(node.get("enum", [])):
        yield f"without the value {value}", lambda n, number=number: n["enum"].pop(number)
    if node.get("type") in OTHER:
        yield "of another type", lambda n: n.update(type=OTHER[n["type"]])
    for name in node.get("required", []):
        yield f"{name} not required", lambda n, name=name: n["required"].remove(name)
    for name in node.get("properties", {}):
        yield f"without {name}", lambda n, name=name: n["properties"].pop(name)
    for key in node.keys() & set(DROPPED):
        yield f"without {key}", lambda n, key=key: n.pop(key)
    for key in node.keys() & NARROWER.keys():
        yield f"with a narrower {key}", lambda n, key=key: n.update({key: n[key] + NARROWER[key]})


def mutants(harness: Harness) -> Iterator[tuple[str, Harness]]:
    for tool in harness.tools:
        for path, node in nodes(tool.parameters):
            for what, edit in edits(node):
                parameters = deepcopy(tool.parameters)
                place = parameters
                for key in path:
                    place = place[key]
                edit(place)
                mutant = replace(tool, parameters=parameters)
                tools = tuple(mutant if other is tool else other for other in harness.tools)
                yield f"{tool.name} {path} {what}", replace(harness, tools=tools)


@pytest.mark.parametrize("where", ["base", "published"])
def test_every_mutant_is_caught(where: str) -> None:
    harness = load_harness(Path(__file__).parents[2] / "harness") if where == "base" else harness_around(PUBLISHED, ())
    made = schema_tasks(harness, 8, 1)
    assert made.left_out == ()
    prover = Prover(harness, made.tasks)
    assert prover.prove(Variant("same", "train", (), 0, harness)).holds
    found = list(mutants(harness))
    assert len(found) > 50
    missed = [what for what, mutant in found if prover.prove(Variant("mutant", "train", (), 0, mutant)).holds]
    assert missed == []
