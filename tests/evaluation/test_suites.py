"""The suites hold what they are asked to hold, the same for everyone, and never training data."""

from collections import Counter

import pytest

from components.evaluation.suites import build_suites
from components.evaluation.types import EvaluationError, Suite


def build(world, **changes):
    options = {
        "heldout_variants": world.heldout_variants,
        "eval_cases": world.eval_cases,
        "t1_cases": 16,
        "t2_cases": 12,
        "seed": 7,
    }
    return build_suites(world.base, **(options | changes))


def test_t2_asks_the_questions_of_t1_under_every_heldout_variant_in_turn(world):
    suites = build(world)
    t1, t2 = ([c for c in suites if c.suite is suite] for suite in Suite)
    assert [c.case for c in t2] == [c.case for c in t1][:12]
    assert [c.variant_id for c in t2[:3]] == [v.variant_id for v in world.heldout_variants]
    assert set(Counter(c.variant_id for c in t2).values()) == {4}
    assert all(c.harness == world.base and c.variant_id == "original" and not c.dimensions for c in t1)
    assert all(c.harness != world.base and c.dimensions for c in t2)


def test_same_seed_gives_the_same_suites_and_another_seed_others(world):
    assert build(world) == build(world)
    assert build(world) != build(world, seed=8)


def test_every_case_is_asked_once_a_suite(world):
    suites = build(world, t1_cases=len(world.eval_cases))
    assert max(Counter((c.suite, c.case.case_id) for c in suites).values()) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"t1_cases": 1000}, "1000 T1"),
        ({"heldout_variants": []}, "T2 needs held-out variants"),
    ],
)
def test_suites_that_cannot_be_filled_are_refused(world, changes, words):
    with pytest.raises(EvaluationError, match=words):
        build(world, **changes)


def test_training_cases_and_training_variants_are_refused(world):
    with pytest.raises(EvaluationError, match="expected eval"):
        build(world, eval_cases=world.cases)
    with pytest.raises(EvaluationError, match="expected heldout"):
        build(world, heldout_variants=world.train_variants)
