"""Values made from schemas are valid, and between them show all that a schema allows; spoilt ones are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from components.augment.samples import samples, spoilt, without_empty
from components.harness.types import JsonObject
from tests.augment.harnesses import schemas, sentences

quick = settings(max_examples=60, deadline=None, derandomize=True)


def with_value(schema: Any, **rest: object) -> JsonObject:
    return {"type": "object", "properties": {"value": schema, "other": {"type": "integer"}}, "required": ["value"], **rest}


def made(schema: JsonObject) -> list[JsonObject]:
    found, missed = samples(schema)
    assert not missed
    return found


@quick
@given(schema=schemas(sentences, depth=2))
def test_every_sample_is_valid_and_no_two_are_the_same(schema: JsonObject) -> None:
    found, validator = made(schema), Draft202012Validator(schema)
    assert found and all(map(validator.is_valid, found))
    assert len({json.dumps(sample) for sample in found}) == len(found)
    assert found == made(schema)


@quick
@given(schema=schemas(sentences, depth=2), which=st.integers(0, 9))
def test_what_is_spoilt_is_refused_and_one_change_away(schema: JsonObject, which: int) -> None:
    valid = made(schema)
    for arguments, rule in list(spoilt(schema, valid))[which : which + 1]:
        (error,) = Draft202012Validator(schema).iter_errors(arguments)
        assert error.validator == rule


def test_every_optional_argument_is_left_out_and_given_alone_and_with_the_others() -> None:
    schema = {"type": "object", "properties": {name: {"type": "boolean"} for name in "abc"}, "required": ["a"]}
    assert {frozenset(sample) for sample in made(schema)} == {frozenset(names) for names in ("a", "ab", "ac", "abc")}


def test_every_value_of_every_enum_occurs_at_any_depth() -> None:
    parts: JsonObject = {
        "colour": {"enum": ["red", "blue", "green"]},
        "deep": {"type": "object", "properties": {"n": {"type": "integer", "enum": [1, 2, 3, 4, 5]}}},
        "many": {"type": "array", "items": {"enum": ["x", "y", "z", "w"]}},
        "either": {"oneOf": [{"const": 0}, {"type": "object", "properties": {"v": {"enum": ["p", "q"]}}, "required": ["v"]}]},
    }
    found = made({"type": "object", "properties": parts})
    assert {sample["colour"] for sample in found if "colour" in sample} == {"red", "blue", "green"}
    assert {sample["deep"]["n"] for sample in found if "n" in sample.get("deep", {})} == {1, 2, 3, 4, 5}
    assert {value for sample in found for value in sample.get("many", [])} == {"x", "y", "z", "w"}
    assert {json.dumps(sample["either"]) for sample in found if "either" in sample} == {"0", '{"v": "p"}', '{"v": "q"}'}


def test_numbers_go_to_both_ends_of_their_range() -> None:
    numbers = [sample["value"] for sample in made(with_value({"type": "integer", "minimum": 2, "maximum": 9}))]
    assert {2, 9} <= set(numbers)
    assert all(type(number) is int for number in numbers)


def test_no_two_arguments_get_the_same_value() -> None:
    """Else two that are exchanged would not be noticed."""
    kinds = [{"type": "integer"}, {"type": "integer"}, {"type": "string"}, {"type": "string"}]
    names = [f"p{number}" for number in range(4)]
    schema = {"type": "object", "properties": dict(zip(names, kinds, strict=True)), "required": names}
    assert all(len(set(sample.values())) == 4 for sample in made(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^[a-f0-9]{24}$"},
        {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
        {"type": "string", "minLength": 30, "maxLength": 32},
        {"type": "string", "format": "date-time"},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.1},
        {"type": "integer", "multipleOf": 7, "minimum": 10, "maximum": 22},
        {"$ref": "#/$defs/node"},
        {"allOf": [{"type": "object", "properties": {"a": {"type": "integer"}}}, {"required": ["a"]}]},
        {"type": "array", "prefixItems": [{"type": "integer"}, {"const": "x"}], "minItems": 2, "items": False},
        {"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True},
        {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        {"type": ["string", "null"]},
        {"type": "object", "required": ["free"], "additionalProperties": {"type": "number"}},
    ],
)
def test_what_published_schemas_hold_can_be_made(schema: JsonObject) -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}}, "required": ["n"]}
    assert made(with_value(schema, **{"$defs": {"node": node}}))


def test_a_choice_between_arguments_is_made_each_way() -> None:
    parts = {"x": {"type": "integer"}, "y": {"type": "integer"}}
    schema = {"type": "object", "properties": parts, "oneOf": [{"required": ["x"]}, {"required": ["y"]}]}
    assert {frozenset(sample) for sample in made(schema)} == {frozenset("x"), frozenset("y")}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(?:qz){3}k$"},
        {"$ref": "https://example.com/schema"},
        {"type": "object", "properties": {"again": {"$ref": "#/properties/value"}}, "required": ["again"]},
        {"not": {}},
        False,
    ],
)
def test_what_cannot_be_made_is_said_and_the_rest_is_made(schema: Any) -> None:
    found, missed = samples(with_value(schema))
    assert found == []
    assert any(sentence.startswith("$.value") for sentence in missed)
    found, missed = samples(with_value(schema, required=[]))
    assert [set(sample) for sample in found if sample] == [{"other"}] * 3
    assert any(sentence.startswith("$.value") for sentence in missed)


def test_every_rule_of_a_schema_is_broken_but_for_enums() -> None:
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9},
            "ids": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
            "code": {"type": "string", "pattern": "^a+$", "maxLength": 50},
            "topic": {"enum": ["p", "q"]},
        },
        "required": ["n"],
        "additionalProperties": False,
    }
    rules = {rule for _, rule in spoilt(schema, made(schema))}
    assert rules == {"type", "maxItems", "maxLength", "maximum", "minItems", "minimum", "pattern", "required"}


def test_objects_that_hold_nothing_say_nothing() -> None:
    assert without_empty({"a": {}, "b": {"c": {}, "d": 1}, "e": []}) == {"b": {"d": 1}, "e": []}
