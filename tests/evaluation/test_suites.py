"""The suites hold what they are asked to hold, the same for everyone, and never training data."""

from collections import Counter

import pytest

from components.evaluation.suites import T3_FAULTS, build_suites
from components.evaluation.types import EvaluationError, Suite
from components.liveroom.faults import Fault
from components.liveroom.truth import calls


def build(world, **changes):
    options = {
        "heldout_variants": world.heldout_variants,
        "eval_cases": world.eval_cases,
        "t1_cases": 16,
        "t2_cases": 12,
        "t3_cases": 10,
        "seed": 7,
    }
    return build_suites(world.base, **(options | changes))


def test_t2_asks_the_questions_of_t1_under_every_heldout_variant_in_turn(world):
    suites = build(world)
    t1, t2 = ([c for c in suites if c.suite is suite] for suite in (Suite.T1, Suite.T2))
    assert [c.case for c in t2] == [c.case for c in t1][:12]
    assert [c.variant_id for c in t2[:3]] == [v.variant_id for v in world.heldout_variants]
    assert set(Counter(c.variant_id for c in t2).values()) == {4}
    assert all(c.harness == world.base and c.variant_id == "original" and not c.dimensions for c in t1)
    assert all(c.harness != world.base and c.dimensions for c in t2)


def test_t3_asks_the_questions_of_t1_that_need_a_look_up_under_the_base_harness_with_every_fault_in_turn(world):
    suites = build(world)
    t1, t3 = ([c for c in suites if c.suite is suite] for suite in (Suite.T1, Suite.T3))
    with_look_up = [c.case for c in t1 if calls(c.case.asks)]
    assert [c.case for c in t3][: len(with_look_up)] == with_look_up[:10]
    assert all(calls(c.case.asks) and c.harness == world.base and c.variant_id == "original" for c in t3)
    assert [c.fault for c in t3] == list(T3_FAULTS) * 2
    assert set(T3_FAULTS) == set(Fault) - {Fault.SLOW}
    assert all(c.fault is None for c in suites if c.suite is not Suite.T3)


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
        ({"t3_cases": 32}, "evaluation cases need a tool"),
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
