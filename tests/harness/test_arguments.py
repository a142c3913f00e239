"""Arguments survive the way to a variant's names and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.harness.arguments import from_canonical, to_canonical
from components.harness.types import Tool

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
    assert to_canonical(NESTED, {"query": 3}) == {}


@pytest.mark.parametrize("written", ["--5", "five", "", "9" * 5000])
def test_text_that_is_no_integer_stays_as_it_is(written: str) -> None:
    assert to_canonical(NESTED, {"query": {"link": written}}) == {"link_id": written}


def test_argument_without_a_place_is_an_error() -> None:
    with pytest.raises(KeyError, match="no parameter for colour"):
        from_canonical(PLAIN, {"colour": "red"})
