"""Scoring: the official verdicts, and an error where a checker cannot run."""

from __future__ import annotations

from typing import Any

import pytest

from components.data.general import GeneralPrompt, check_scorable, score, scoring
from components.errors import UserError

KNOWN: list[tuple[str, dict[str, Any], str, str]] = [
    ("keywords:existence", {"keywords": ["drum", "pond"]}, "A pond. A Drum!", "A pond."),
    ("keywords:frequency", {"keyword": "pond", "frequency": 2, "relation": "at least"}, "Pond, pond.", "A pond."),
    ("keywords:frequency", {"keyword": "pond", "frequency": 2, "relation": "less than"}, "A pond.", "Pond, pond."),
    ("keywords:forbidden_words", {"forbidden_words": ["new"]}, "The news.", "New things."),
    ("keywords:letter_frequency", {"letter": "z", "let_frequency": 2, "let_relation": "less than"}, "Zoo.", "Zigzag."),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "One.\n***\nTwo.", "One.\n\nTwo."),
    ("length_constraints:number_words", {"num_words": 3, "relation": "at least"}, "One two three.", "One two."),
    ("length_constraints:number_words", {"num_words": 3, "relation": "less than"}, "One two.", "One two three."),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "often"},
        "One.\n\nOften two.",
        "Often one.\n\nTwo.",
    ),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[name] at [place]", "[name]"),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, "Yes.\nP.S. No.", "Yes. PS: no."),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "Two:\n- a\n* b", "- a\n- b\n- c"),
    ("detectable_format:constrained_response", {}, "My answer is maybe.", "Maybe."),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "It is *here*.", "It is here."),
    ("detectable_format:multiple_sections", {"section_spliter": "Section", "num_sections": 2}, "Section 1 a Section 2 b", "1. a"),
    ("detectable_format:json_format", {}, '```json\n{"a": 1}\n```', "{'a': 1}"),
    ("detectable_format:title", {}, "<<Ponds>>\nDeep.", "<Ponds>\nDeep."),
    ("combination:two_responses", {}, "One.\n******\nTwo.", "One.\n******\nOne."),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say it."}, "Say it. It.", "It. Say it."),
    ("startend:end_checker", {"end_phrase": "The end."}, "So. The end.", "The end. So."),
    ("change_case:english_capital", {}, "THE POND IS DEEP TODAY.", "The pond is deep today."),
    ("change_case:english_lowercase", {}, "the pond is very deep today.", "The pond is very deep today."),
    ("punctuation:no_comma", {}, "One and two.", "One, two."),
    ("startend:quotation", {}, '"All of it."', '"Some" of it.'),
]  # fmt: skip


def prompt(*instructions: tuple[str, dict[str, Any]]) -> GeneralPrompt:
    return GeneralPrompt("p", "Say it.", tuple(name for name, _ in instructions), tuple(kwargs for _, kwargs in instructions))


@pytest.mark.parametrize(("name", "kwargs", "right", "wrong"), KNOWN)
def test_each_checker_knows_right_from_wrong(name: str, kwargs: dict[str, Any], right: str, wrong: str) -> None:
    asked = prompt((name, kwargs))
    assert score(asked, right).prompt and not score(asked, wrong).prompt


def test_a_prompt_is_followed_where_all_its_instructions_are() -> None:
    asked = prompt(("punctuation:no_comma", {}), ("detectable_format:title", {}))
    assert score(asked, "<<A>> b").instructions == (True, True) and score(asked, "<<A>> b").prompt
    assert score(asked, "a b").instructions == (True, False) and not score(asked, "a b").prompt


@pytest.mark.parametrize("response", ["", " \n", "<think>never closed", "<think>only a thought</think>\n"])
def test_an_empty_response_follows_nothing(response: str) -> None:
    asked = prompt(("punctuation:no_comma", {}), ("keywords:forbidden_words", {"forbidden_words": ["new"]}))
    assert score(asked, response).instructions == (False, False)


def test_a_thought_is_not_judged() -> None:
    assert score(prompt(("punctuation:no_comma", {})), "<think>well, well</think>Yes.").prompt


def test_a_language_verdict_is_the_same_each_time() -> None:
    asked = prompt(("change_case:english_lowercase", {}))
    assert len({score(asked, "no no no, si si si.") for _ in range(10)}) == 1


@pytest.mark.parametrize("name", sorted(scoring.NEEDS_DATA))
def test_a_checker_that_would_need_a_download_is_an_error_and_not_a_wrong_answer(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nltk.data.path", [])
    with pytest.raises(
        UserError, match=f"prompt p: instruction {name}: its checker needs nltk's punkt_tab.*leave the prompt out"
    ):
        score(prompt((name, {})), "Yes.")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (prompt(("punctuation:no_colon", {})), "expected one of IFEval's"),
        (prompt(), "expected instructions"),
        (GeneralPrompt("p", "Say it.", ("punctuation:no_comma",), ()), "each with its arguments"),
    ],
)
def test_a_prompt_that_cannot_be_scored_is_named(asked: GeneralPrompt, words: str) -> None:
    with pytest.raises(UserError, match=f"prompt p: .*{words}"):
        check_scorable([asked])
