"""A few values for any JSON Schema that between them show all that it allows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

from jsonschema import Draft202012Validator

from components.augment.schemas import without
from components.harness.types import JsonObject

_DEPTH = 5
"""Levels of nesting after which what may be left out is left out."""
_LONGEST = 10
"""Items of an array that is made as long as it may be."""
_STEPS = 12
"""References and combinations followed in one place before they are taken for a circle."""
_FORMATS: Mapping[str, str] = {
    "date": "2024-05-17",
    "time": "09:30:00Z",
    "date-time": "2024-05-17T09:30:00Z",
    "duration": "P3D",
    "email": "viewer@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.7",
    "ipv6": "2001:db8::7",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "uuid": "3f2b8c1e-7a54-4d7e-9c1b-2f6a0d9e5b11",
    "regex": "^a$",
}
_WORDS = ("amber", "cedar", "indigo", "maple", "river", "saffron", "teal", "umber", "violet", "willow")
_CODES = (
    *_WORDS,
    *_FORMATS.values(),
    *("09:30", "17/05/2024", "2024-05", "+12025550142", "1.2.3", "12.50", "-3", "#a1b2c3", "en-US"),
    *("a_b", "a-b", "a/b", "@ab"),
    *(start + letter * length for length in range(1, 41) for letter in "1aA" for start in ("", "A", "a")),
)
"""What is tried where a text must match a pattern."""


class SchemaValues:
    """Makes values for the parts of one schema. Neighbours get different values, so that no two can be exchanged unseen."""

    def __init__(self, root: JsonObject) -> None:
        """`root` is what references within the schema start from."""
        self._root = root
        self._validator = Draft202012Validator(root)
        self._words, self._numbers = cycle(_WORDS), 0
        self.missed: list[str] = []
        """Why nothing could be made for a part, a sentence each."""

    def of(self, schema: Any, place: str = "$", depth: int = 0) -> list[Any]:
        """Valid values for a part of the schema; none where none was found, and then `missed` says why."""
        missed = len(self.missed)
        made = self._made(schema, place, depth)
        found = [value for value in made if self._validator.evolve(schema=schema).is_valid(value)]
        if not found and missed == len(self.missed):
            self.missed.append(f"{place}: nothing that was tried fits {str(schema)[:80]}")
        return [value for number, value in enumerate(found) if value not in found[:number]]

    def _made(self, schema: Any, place: str, depth: int) -> list[Any]:
        if depth > 2 * _DEPTH:
            return []
        for _ in range(_STEPS):
            if not isinstance(schema, dict):
                return ["anything"] if schema else []
            if isinstance(reference := schema.get("$ref"), str):
                schema = _merged(without(schema, "$ref"), _resolved(self._root, reference))
            elif parts := schema.get("allOf"):
                schema = without(schema, "allOf")
                for part in parts:
                    schema = _merged(schema, part)
            else:
                break
        for key in ("anyOf", "oneOf"):
            if branches := schema.get(key):
                rest = without(schema, key)
                return [value for part in branches for value in self.of(_merged(rest, part), place, depth + 1)]
        if "const" in schema or "enum" in schema:
            return [schema["const"]] if "const" in schema else list(schema["enum"])
        types = schema.get("type") or _guessed(schema)
        listed = [
            value for kind in ([types] if isinstance(types, str) else types) for value in self._typed(kind, schema, place, depth)
        ]
        return [*listed, *schema.get("examples", ()), *([schema["default"]] if "default" in schema else [])]

    def _typed(self, kind: str, schema: JsonObject, place: str, depth: int) -> list[Any]:
        match kind:
            case "object":
                return self._objects(schema, place, depth)
            case "array":
                return self._arrays(schema, place, depth)
            case "integer" | "number":
                return self._range(schema, kind)
            case "boolean":
                return [True, False]
            case "null":
                return [None]
        return self._texts(schema)

    def _objects(self, schema: JsonObject, place: str, depth: int) -> list[JsonObject]:
        """All with each value of each property in turn, the least, and all but one for each that may be left out."""
        required = schema.get("required", [])
        parts = {name: part for name, part in schema.get("properties", {}).items() if name in required or depth < _DEPTH}
        parts |= {name: schema.get("additionalProperties", True) for name in required if name not in parts}
        values = {name: self.of(part, f"{place}.{name}", depth + 1) for name, part in parts.items()}
        values = {name: found for name, found in values.items() if found}
        full = [
            {name: found[turn % len(found)] for name, found in values.items()}
            for turn in range(max(map(len, values.values()), default=1))
        ]
        lesser = [{name: value for name, value in full[0].items() if name != left_out} for left_out in values]
        return [*full, {name: value for name, value in full[0].items() if name in required}, *lesser]

    def _arrays(self, schema: JsonObject, place: str, depth: int) -> list[list[Any]]:
        """The shortest, and longer ones that hold every value of an item."""
        prefix, items = schema.get("prefixItems", []), schema.get("items", True)
        first = [(self.of(part, f"{place}[{number}]", depth + 1) or [None])[0] for number, part in enumerate(prefix)]
        least = max(schema.get("minItems", 0) - len(first), 0)
        most = max(schema.get("maxItems", len(first) + least + 2) - len(first), 0)
        if items is False or not most or not (values := self.of(items, f"{place}[]", depth + 1)):
            return [first]
        size = max(least, min(most, 3))
        longer = [list(islice(cycle(values[start:] + values[:start]), size)) for start in range(0, len(values), size)]
        # One item, where that is neither the least nor the most; and the most, where somebody may have counted them.
        ends = [values[: max(least, 1)], *([list(islice(cycle(values), most))] if most <= _LONGEST else [])]
        return [[*first, *rest] for rest in (values[:least], *longer, *ends)]

    def _range(self, schema: JsonObject, kind: str) -> list[int | float]:
        """Both ends and a value between; without bounds small numbers that no other part has."""
        step = schema.get("multipleOf", 1 if kind == "integer" else 0.25)
        lows = [schema[key] for key in ("minimum", "exclusiveMinimum") if key in schema]
        highs = [schema[key] for key in ("maximum", "exclusiveMaximum") if key in schema]
        self._numbers += 3
        low = max(lows) if lows else min(highs) - 3 * step if highs else self._numbers - 2
        high = min(highs) if highs else low + 2 * step
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        counts = [first, last, (first + last) // 2]
        # Where the range is narrower than a step, its middle is all there is.
        return [int(n * step) if kind == "integer" else n * step for n in counts] + (
            [(low + high) / 2] if kind == "number" else []
        )

    def _texts(self, schema: JsonObject) -> list[str]:
        if "pattern" in schema:
            matches = self._validator.evolve(schema=schema).is_valid
            return list(islice(filter(matches, _CODES), 2))
        if text := _FORMATS.get(schema.get("format", "")):
            return [text]
        texts = [next(self._words), next(self._words)]
        return [text.ljust(schema.get("minLength", 0), "a")[: schema.get("maxLength")] for text in texts]


def _guessed(schema: JsonObject) -> str:
    return "object" if "properties" in schema else "array" if "items" in schema or "prefixItems" in schema else "string"


def _resolved(root: JsonObject, reference: str) -> Any:
    """What a reference within the schema points at (RFC 6901); False, which nothing fits, where it leads out of it."""
    place: Any = root
    for part in reference.removeprefix("#").split("/")[1:] if reference.startswith("#") else ("",):
        name = part.replace("~1", "/").replace("~0", "~")
        place = place[int(name)] if isinstance(place, list) else place.get(name, False) if isinstance(place, dict) else False
    return place


def _merged(one: JsonObject, other: Any) -> Any:
    """A schema that asks for what both ask for, as far as properties, required names and single keywords go."""
    if not isinstance(other, dict):
        return one if other else False
    both = {**one, **other}
    if "properties" in one and "properties" in other:
        both["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        both["required"] = [*one["required"], *(name for name in other["required"] if name not in one["required"])]
    return both
