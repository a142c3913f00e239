"""The proof holds for what the sampler makes, and catches every change that breaks the task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from components.augment import AugmentError, NameMap, Prover, Task, Variant, build, prove, sample_variants, schema_tasks
from components.harness.types import Harness, HookPoint
from tests.augment.planted import PLANTED, Planted, new_hook

NAMES = (
    *("skill_identifiers/opaque", "skill_content/other_wording", "skill_content/distractors", "tool_schemas/other_names"),
    *("tool_schemas/nested", "prompt_structure/json_or_plain", "hook_behaviour/other_wording", "hook_behaviour/extra_check"),
)


@pytest.fixture(scope="module")
def variant(base: Harness) -> Variant:
    """Changed in every dimension, so that a planted break must be found among honest changes."""
    return Variant("heldout-000-abcdef", "heldout", NAMES, 1, build(base, NAMES, 1))


def test_a_variant_changed_in_every_dimension_keeps_the_task(prover: Prover, variant: Variant) -> None:
    assert len(variant.dimensions) == 5
    assert prover.prove(variant).problems == ()


@pytest.mark.parametrize("family", ["train", "heldout"])
def test_sampled_variants_keep_the_task(base: Harness, prover: Prover, family: Any) -> None:
    for sampled in sample_variants(base, 10, family, 11, 0.8):
        proof = prover.prove(sampled)
        assert proof.holds, proof.problems
        assert (proof.variant_id, proof.tasks, proof.reason) == (sampled.variant_id, len(prover.tasks), "")


def test_nothing_is_proved_without_tasks(base: Harness, variant: Variant) -> None:
    with pytest.raises(AugmentError, match="no tasks"):
        prove(base, variant, [])


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_planted_break_is_caught(prover: Prover, variant: Variant, planted: Planted) -> None:
    broken = planted.plant(variant.harness)
    assert broken != variant.harness
    proof = prover.prove(replace(variant, harness=broken))
    assert not proof.holds
    assert any(planted.caught in problem for problem in proof.problems), proof.problems


def test_a_right_answer_that_a_hook_refuses_is_found_without_being_played(base: Harness, answers: Sequence[Task]) -> None:
    made = schema_tasks(base, 4, 1).tasks
    (right,) = answers[:1]
    strict = new_hook(HookPoint.COMPLIANCE, "forbidden_phrases", phrases=[right.script.reply])(base)
    problem = f"hook planted refuses the right reply {right.script.reply!r}"
    assert problem in Prover(base, made, answers=answers).prove(Variant("v", "train", (), 0, strict)).problems
    assert problem not in Prover(base, made).prove(Variant("v", "train", (), 0, strict)).problems


def test_every_hook_of_the_base_harness_refuses_some_slip(prover: Prover) -> None:
    assert prover.unprobed == ()


def test_a_base_harness_that_forbids_its_own_answer_proves_nothing(base: Harness, tasks: Sequence[Task]) -> None:
    mute = new_hook(HookPoint.FACTUAL_RISK, "forbidden_phrases", phrases=["yuan"])(base)
    with pytest.raises(AugmentError, match="the base harness itself gives no reply"):
        Prover(mute, tasks)


def test_verdicts_are_compared_where_a_judge_is_given(base: Harness, tasks: Sequence[Task], variant: Variant) -> None:
    judged = [replace(task, judge=lambda trajectory: trajectory.harness_version) for task in tasks[:3]]
    problems = prove(base, variant, judged).problems
    assert problems == tuple(f"task {task.task_id}: the verdicts differ" for task in judged)


def test_names_map_both_ways(base: Harness, variant: Variant) -> None:
    there = NameMap.between(base, variant.harness)
    back = there.reversed()
    for name, (new,) in there.skills.items():
        assert back.skills[new] == (name,)
    assert {back.tools[new] for new in there.tools.values()} == {tool.name for tool in base.tools}
    new = there.arguments("price_lookup", {"link_id": 3})
    assert new != {"link_id": 3}
    assert back.arguments(there.tools["price_lookup"], new) == {"link_id": 3}
