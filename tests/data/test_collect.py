"""The teacher answers every case under the original harness and under its share of the variants."""

from __future__ import annotations

import asyncio

import pytest

from components.data import ORIGINAL, CollectedTrajectory, collect
from components.data.collect import choose_variants
from components.errors import UserError
from components.harness import harness_version
from components.harness.types import Completion, Conversation, Message
from tests.data.world import SEED, World


def test_every_case_is_answered_under_the_original_and_two_variants(world: World, collected: list[CollectedTrajectory]) -> None:
    assert [one.case_id for one in collected] == [case.case_id for case in world.train_cases for _ in range(3)]
    for start in range(0, len(collected), 3):
        original, *augmented = (one.variant_id for one in collected[start : start + 3])
        assert original == ORIGINAL
        assert len({*augmented} - {ORIGINAL}) == 2


def test_identities_tell_case_and_variant(collected: list[CollectedTrajectory]) -> None:
    assert all(one.episode_id == f"{one.case_id}@{one.variant_id}" for one in collected)
    assert len({one.episode_id for one in collected}) == len(collected)


def test_every_trajectory_carries_the_version_of_its_harness(world: World, collected: list[CollectedTrajectory]) -> None:
    versions = {variant.variant_id: harness_version(variant.harness) for variant in world.train_variants}
    versions[ORIGINAL] = harness_version(world.base)
    assert all(one.trajectory.harness_version == versions[one.variant_id] for one in collected)


def test_the_expert_always_replies(collected: list[CollectedTrajectory]) -> None:
    assert {one.trajectory.stop_reason for one in collected} == {"replied"}


def test_concurrency_changes_nothing(world: World, collected: list[CollectedTrajectory]) -> None:
    again = collect(
        world.base,
        world.train_variants,
        world.train_cases,
        world.catalogue,
        variants_per_case=2,
        seed=SEED,
        concurrency=1,
    )
    assert asyncio.run(again) == collected


def test_variants_spread_over_the_cases() -> None:
    ids = [f"v{number}" for number in range(5)]
    chosen = [tuple(choose_variants(f"c{number}", ids, 2, SEED)) for number in range(60)]
    assert {variant for pair in chosen for variant in pair} == set(ids)
    assert all(list(pair) == sorted(pair) for pair in chosen)
    assert choose_variants("c1", ids, 2, SEED) == choose_variants("c1", ids, 2, SEED)


def test_more_variants_than_there_are_is_refused() -> None:
    with pytest.raises(UserError, match="variants_per_case: 3 is more than the 2 train variants"):
        choose_variants("c1", ["v1", "v2"], 3, SEED)


def test_another_teacher_answers_in_the_expert_s_place(world: World) -> None:
    class Silent:
        name = "silent"

        async def complete(self, conversation: Conversation) -> Completion:
            return Completion(Message("assistant", "Hello."))

    collected = asyncio.run(
        collect(
            world.base,
            world.train_variants,
            world.train_cases[:2],
            world.catalogue,
            variants_per_case=1,
            seed=SEED,
            concurrency=4,
            teacher_for=lambda harness, truth: Silent(),
        )
    )
    assert {one.trajectory.policy for one in collected} == {"silent"}
    assert "replied" not in {one.trajectory.stop_reason for one in collected}
