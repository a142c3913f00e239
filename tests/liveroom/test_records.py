from __future__ import annotations

import json
from typing import Any

import pytest

from components.errors import UserError
from components.harness.types import JsonObject, Utterance
from components.liveroom.generator import generate
from components.liveroom.records import case_from_dict, case_to_dict
from components.liveroom.types import Ask, Case, Intent
from tests.liveroom.shop import REQUEST

CASE = Case(
    case_id="r-01",
    split="train",
    intent=Intent.SEVERAL,
    request=REQUEST,
    asks=(Ask(Intent.COUPON, 1, size="S", quantity=3), Ask(Intent.COMPARISON, 1, 3)),
    phrasing="0123",
)


def test_cases_of_every_intent_and_language_survive_as_json() -> None:
    cases = generate(seed=3, train_rooms=4, eval_rooms=4, comments_per_room=17, languages=("en", "zh")).cases
    assert {case.intent for case in cases} == set(Intent)
    assert any(Utterance in map(type, case.request.dialogue) for case in cases)
    assert [case_from_dict(json.loads(json.dumps(case_to_dict(case)))) for case in cases] == list(cases)


def test_what_is_computed_is_not_recorded() -> None:
    assert CASE.links == {1, 3}
    assert "links" not in case_to_dict(CASE)
    assert case_from_dict(case_to_dict(CASE)).links == {1, 3}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"intent": "haggling"}, "case r-01: intent: input should be"),
        ({"split": "test"}, "case r-01: split: input should be 'train' or 'eval'"),
        ({"asks": []}, "case r-01: asks: tuple should have at least 1 item"),
        ({"asks": [{"intent": "price", "link": "one"}]}, "case r-01: asks.0.link: input should be a valid integer"),
        ({"request": {}}, "case r-01: request.request_id: field required"),
        ({"case_id": None}, "case None: case_id: input should be a valid string"),
    ],
)
def test_a_broken_case_names_itself_and_its_field(change: dict[str, Any], message: str) -> None:
    record: JsonObject = case_to_dict(CASE) | change
    with pytest.raises(UserError) as error:
        case_from_dict(record)
    assert str(error.value).startswith(message) and str(error.value).endswith("; rebuild the cases")
    assert "\n" not in str(error.value)
