"""The teacher answers every case under the original harness and under its share of the variants."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from components.data import ORIGINAL, CollectedTrajectory, collect, filter_collected
from components.data.collect import choose_variants
from components.data.leaks import check_leaks
from components.data.retries import cut_retries, has_retry
from components.errors import UserError
from components.harness import harness_version
from components.harness.messages import strip_reasoning, to_openai, tools_to_openai
from components.harness.types import Completion, Conversation, JsonObject, Message, StopReason
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


def gather(world: World, slip_share: float, thinking_wordiness: float | None = None) -> list[CollectedTrajectory]:
    return asyncio.run(
        collect(
            world.base,
            world.train_variants,
            world.train_cases,
            world.catalogue,
            variants_per_case=2,
            seed=SEED,
            concurrency=4,
            thinking_wordiness=thinking_wordiness,
            slip_share=slip_share,
        )
    )


def silent(messages: Sequence[Message]) -> list[tuple[str, str, list[tuple[str, JsonObject]]]]:
    """Messages without thoughts and without the identities of calls."""
    return [(m.role, strip_reasoning(m.content), [(one.name, one.arguments) for one in m.tool_calls]) for m in messages]


def test_a_slip_is_refused_in_the_asked_share_of_episodes_and_cutting_it_leaves_the_clean_episode(
    world: World, collected: list[CollectedTrajectory]
) -> None:
    slipped = gather(world, slip_share=1.0, thinking_wordiness=0.5)
    assert all(has_retry(one.trajectory) and one.trajectory.stop_reason is StopReason.REPLIED for one in slipped)
    for one, clean in zip(slipped, collected, strict=True):
        assert silent(cut_retries(one.trajectory)) == silent(clean.trajectory.messages)
        assert one.trajectory.reply == clean.trajectory.reply
    some = gather(world, slip_share=0.3)
    share = sum(has_retry(one.trajectory) for one in some) / len(some)
    assert 0.1 < share < 0.5
    assert [one for one in some if not has_retry(one.trajectory)] == [
        clean for one, clean in zip(some, collected, strict=True) if not has_retry(one.trajectory)
    ]
    refused = {event.name for one in slipped for event in one.trajectory.events if event.kind == "hook"}
    assert len(refused) >= 4


def test_thoughts_pass_the_judge_the_filter_and_the_leak_check(world: World, collected: list[CollectedTrajectory]) -> None:
    thinking = gather(world, thinking_wordiness=1.0, slip_share=0.3)
    for one, clean in zip(thinking, collected, strict=True):
        written = [message.content for message in one.trajectory.messages if message.role == "assistant"]
        assert all(content.startswith("<think>") and len(content) > 20 for content in written)
        assert "<think>" not in one.trajectory.reply and one.trajectory.reply == clean.trajectory.reply
    kept = filter_collected(thinking, world.train_cases, world.catalogue, keep_retry_share=0.2, seed=SEED)
    assert kept.counts["kept"] == len(thinking)
    rows = [
        {
            "id": one.episode_id,
            "case_id": one.case_id,
            "variant_id": one.variant_id,
            "messages": to_openai(one.trajectory.messages),
            "tools": tools_to_openai(one.trajectory.tools),
        }
        for one in kept.kept
    ]
    check_leaks(world.base, world.train_cases, world.eval_cases, world.train_variants, world.heldout_variants, rows)
