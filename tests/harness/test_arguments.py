"""Arguments survive the way to a variant's names and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.harness.arguments import fit_types, from_canonical, to_canonical
from components.harness.types import JsonObject, Tool

PLAIN = Tool("t", "", {"type": "object", "properties": {"link_id": {"type": "integer"}}}, "price_lookup")
NESTED = Tool(
    "t",
    "",
    {"type": "object", "properties": {"query": {"type": "object", "properties": {"link": {"type": "string"}}}}},
    "price_lookup",
    argument_paths={"link_id": "query.link"},
    argument_types={"link_id": "integer"},
)


def test_nested_string_becomes_the_canonical_integer() -> None:
    assert to_canonical(NESTED, {"query": {"link": "3"}}) == {"link_id": 3}
    assert from_canonical(NESTED, {"link_id": 3}) == {"query": {"link": "3"}}


@given(st.integers(), st.sampled_from([PLAIN, NESTED]))
def test_round_trip(link: int, tool: Tool) -> None:
    assert to_canonical(tool, from_canonical(tool, {"link_id": link})) == {"link_id": link}


def test_absent_arguments_stay_absent() -> None:
    assert to_canonical(NESTED, {}) == {}
    assert to_canonical(NESTED, {"query": {}}) == {}


@pytest.mark.parametrize("written", ["--5", "five", "", "9" * 5000])
def test_text_that_is_no_integer_stays_as_it_is(written: str) -> None:
    assert to_canonical(NESTED, {"query": {"link": written}}) == {"link_id": written}


def test_argument_without_a_place_is_an_error() -> None:
    with pytest.raises(KeyError, match="no parameter for colour"):
        from_canonical(PLAIN, {"colour": "red"})


def _tool(properties: dict[str, object], types: dict[str, str]) -> Tool:
    return Tool("t", "", {"type": "object", "properties": properties}, "t", argument_types=types)


def test_items_of_a_list_are_turned_one_by_one() -> None:
    tool = _tool({"link_ids": {"type": "array", "items": {"type": "string"}}}, {"link_ids": "integer"})
    assert from_canonical(tool, {"link_ids": [1, 3]}) == {"link_ids": ["1", "3"]}
    assert to_canonical(tool, {"link_ids": ["1", "3"]}) == {"link_ids": [1, 3]}


@pytest.mark.parametrize(
    ("schema", "json_type", "canonical", "written"),
    [
        ({"enum": ["1", "2"]}, "integer", 2, "2"),
        ({"type": "string"}, "boolean", True, "true"),
        ({"type": "string"}, "number", 2.5, "2.5"),
        ({"type": ["string", "null"]}, "string", None, None),
        ({}, "string", "x", "x"),
    ],
)
def test_scalar_goes_and_comes_in_the_types_of_both_sides(
    schema: object, json_type: str, canonical: object, written: object
) -> None:
    tool = _tool({"a": schema}, {"a": json_type})
    assert from_canonical(tool, {"a": canonical}) == {"a": written}
    assert to_canonical(tool, {"a": written}) == {"a": canonical}


def test_parameter_with_a_dot_in_its_name_is_one_parameter() -> None:
    tool = _tool({"user.name": {"type": "string"}}, {})
    assert to_canonical(tool, {"user.name": "Li"}) == {"user.name": "Li"}
    assert from_canonical(tool, {"user.name": "Li"}) == {"user.name": "Li"}


def test_types_are_fitted_only_where_nothing_is_lost() -> None:
    schema = {"properties": {"n": {"type": "integer"}, "q": {"type": "object", "properties": {"s": {"type": "string"}}}}}
    assert fit_types(schema, {"n": "3", "q": {"s": 4}, "other": "5"}) == {"n": 3, "q": {"s": "4"}, "other": "5"}
    assert fit_types(schema, {"n": "3.5", "q": 4}) == {"n": "3.5", "q": 4}


FREE = {"type": "object", "additionalProperties": {"type": "string"}}
INNER = {"type": ["object", "null"], "properties": {"a": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "written"),
    [
        ({"allOf": [{"properties": {"x": {"type": "string"}}}]}, {"x": "1"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"x": {"type": "string"}}}}}, {"x": "1"}),
        ({"patternProperties": {"^x": {"type": "string"}}}, {"x1": "1"}),
        (FREE, {"anything": "1", "more": "2"}),
        ({"properties": {"labels": FREE}}, {"labels": {"a": "1"}}),
        ({"properties": {"labels": {"type": "object"}}}, {"labels": {}}),
        ({"properties": {"f": INNER}}, {"f": {"a": 1}}),
        ({"properties": {"f": INNER}, "required": ["f"]}, {"f": None}),
        ({"properties": {"a": {}}, "anyOf": [{"required": ["b"]}]}, {"a": 1, "b": 2}),
    ],
)
def test_what_the_schema_does_not_spell_out_arrives_as_it_was_written(schema: JsonObject, written: JsonObject) -> None:
    tool = Tool("t", "", schema, "t")
    assert to_canonical(tool, written) == written
    assert from_canonical(tool, written) == written


def test_an_unknown_argument_keeps_its_name_and_is_taken_for_no_other() -> None:
    assert to_canonical(NESTED, {"query": {"link": "3", "odd": 1}, "more": 2}) == {"link_id": 3, "query": {"odd": 1}, "more": 2}
    assert to_canonical(NESTED, {"link_id": 5}) == {}
    assert to_canonical(NESTED, {"query": 3}) == {"query": 3}


def test_a_dot_in_a_canonical_name_leads_into_an_object() -> None:
    flat = replace(
        _tool({"carrier": {"type": "string"}}, {"filter.carrier": "string"}), argument_paths={"filter.carrier": "carrier"}
    )
    assert to_canonical(flat, {"carrier": "sea"}) == {"filter": {"carrier": "sea"}}
    assert from_canonical(flat, {"filter": {"carrier": "sea"}}) == {"carrier": "sea"}


def test_arguments_may_change_places() -> None:
    swapped = replace(_tool({"a": {}, "b": {}}, {}), argument_paths={"a": "b", "b": "a"})
    assert to_canonical(swapped, {"a": 1, "b": 2}) == {"a": 2, "b": 1}


@given(
    st.dictionaries(
        st.sampled_from("abc"), st.recursive(st.integers(), lambda part: st.dictionaries(st.sampled_from("xy"), part))
    )
)
def test_without_properties_everything_passes(written: JsonObject) -> None:
    kept = dict(written)
    assert to_canonical(Tool("t", "", {"type": "object"}, "t"), written) == kept == written
