"""General prompts: each can be followed, no two instructions contradict, and nothing is taken from IFEval."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from if_verifiable.ifeval.instructions_registry import INSTRUCTION_CONFLICTS, INSTRUCTION_DICT

from components.data.general import Family, GeneralPrompt, answer, general_prompts, load_ifeval, score
from components.data.general.instructions import INSTRUCTIONS, OWN_CONFLICTS
from components.data.general.scoring import NEEDS_DATA
from components.data.general.words import COMMON, ENDINGS, KEYWORDS, OPENERS, SUBJECTS
from tests.data.general.runs import OFFICIAL_HASHES, repeated_runs, run_hashes, runs

FAMILIES: tuple[Family, ...] = get_args(Family)
OFFICIAL = Path(__file__).parents[4] / "shared" / "data" / "ifeval" / "input_data.jsonl"
seeds = st.integers(min_value=0, max_value=2**32)


@pytest.fixture(scope="module")
def many() -> dict[Family, list[GeneralPrompt]]:
    return {family: general_prompts(11, 1000, family) for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_prompt_can_be_followed(many: dict[Family, list[GeneralPrompt]], family: Family) -> None:
    for prompt in many[family][:250]:
        assert score(prompt, answer(prompt)).prompt, prompt


@settings(max_examples=4, deadline=None)
@given(seeds, st.sampled_from(FAMILIES))
def test_prompts_of_any_seed_can_be_followed(seed: int, family: Family) -> None:
    for prompt in general_prompts(seed, 25, family):
        assert score(prompt, answer(prompt)).prompt, prompt


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(0, 40), st.integers(0, 40), st.sampled_from(FAMILIES))
def test_a_seed_gives_the_same_prompts_and_a_smaller_count_the_first_of_them(
    seed: int, one: int, other: int, family: Family
) -> None:
    fewer, more = sorted((one, other))
    prompts = general_prompts(seed, more, family)
    assert general_prompts(seed, fewer, family) == prompts[:fewer]
    assert len({prompt.prompt for prompt in prompts}) == len({prompt.prompt_id for prompt in prompts}) == more


def test_seeds_give_different_prompts() -> None:
    first, second = ({prompt.prompt for prompt in general_prompts(seed, 50)} for seed in (1, 2))
    assert len(first & second) < 10


def test_an_answer_is_the_same_each_time_and_speaks_of_its_topic(many: dict[Family, list[GeneralPrompt]]) -> None:
    for prompt in many["train"][:40]:
        text = answer(prompt)
        assert text == answer(prompt)
        if "detectable_format:constrained_response" not in prompt.instruction_ids:
            assert prompt.topic in text.lower()


def test_only_what_the_prompt_asks_for_makes_an_answer_right(many: dict[Family, list[GeneralPrompt]]) -> None:
    """A plain text on the topic follows some prohibitions by chance; what has to be there, it lacks."""
    followed: Counter[str] = Counter()
    for prompt in many["train"]:
        followed.update(
            name
            for name, verdict in zip(
                prompt.instruction_ids, score(prompt, "Well, this depends on many small things.").instructions, strict=True
            )
            if verdict
        )
    assert set(followed) <= {
        "keywords:forbidden_words",
        "keywords:frequency",
        "keywords:letter_frequency",
        "length_constraints:number_words",
    }


def test_all_of_ifevals_instructions_are_used_but_those_that_need_a_download_or_another_language() -> None:
    assert set(INSTRUCTIONS) == set(INSTRUCTION_DICT) - NEEDS_DATA - {"language:response_language"}


@pytest.mark.parametrize("family", FAMILIES)
def test_each_instruction_comes_up_and_pairs_do_not_conflict(many: dict[Family, list[GeneralPrompt]], family: Family) -> None:
    seen = Counter(name for prompt in many[family] for name in prompt.instruction_ids)
    assert min(seen[name] for name in INSTRUCTIONS) >= 0.8 * 1000 / len(INSTRUCTIONS)
    assert Counter(len(prompt.instruction_ids) for prompt in many[family])[2] > 300
    for prompt in many[family]:
        for one, other in combinations(prompt.instruction_ids, 2):
            assert other not in INSTRUCTION_CONFLICTS[one] and one not in INSTRUCTION_CONFLICTS[other]
            assert frozenset({one, other}) not in OWN_CONFLICTS


def test_families_share_no_topic_keyword_or_wording(many: dict[Family, list[GeneralPrompt]]) -> None:
    for of_family in (*(s.topics for s in SUBJECTS), KEYWORDS, COMMON, OPENERS, ENDINGS):
        assert not set(of_family["train"]) & set(of_family["eval"])
    for of_family in (*(s.requests for s in SUBJECTS), *(s.questions for s in SUBJECTS)):
        assert not set(of_family["train"]) & set(of_family["eval"])
    for instruction in INSTRUCTIONS.values():
        assert not set(instruction.wordings["train"]) & set(instruction.wordings["eval"])
    train, held_out = ({run for prompt in many[family] for run in runs(prompt.prompt, 5)} for family in FAMILIES)
    assert not train & held_out


@pytest.mark.parametrize("family", FAMILIES)
def test_no_prompt_repeats_six_words_of_ifeval(many: dict[Family, list[GeneralPrompt]], family: Family) -> None:
    prompts = many[family] + general_prompts(12, 1000, family)
    assert repeated_runs([prompt.prompt for prompt in prompts], OFFICIAL_HASHES.read_bytes()) == set()


def test_six_repeated_words_are_found_whatever_stands_between_them() -> None:
    hashes = run_hashes(["Please write about rivers, and do it in verse!"])
    assert repeated_runs(["So: *rivers and do* it in verse."], hashes) == {"rivers and do it in verse"}
    assert repeated_runs(["rivers and do it in prose"], hashes) == set()


def test_the_hashes_are_those_of_the_official_prompts() -> None:
    if not OFFICIAL.is_file():
        pytest.skip(f"{OFFICIAL} is not there; the overlap itself was checked against {OFFICIAL_HASHES.name}")
    assert run_hashes(prompt.prompt for prompt in load_ifeval(OFFICIAL)) == OFFICIAL_HASHES.read_bytes()
