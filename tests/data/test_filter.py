"""Only good trajectories are taught, once, nearly always without their hook retries, and the counts add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from components.data import CollectedTrajectory, Filtered, filter_collected
from components.data.filter import REASONS
from components.harness.types import Event, Message, StopReason, Trajectory
from tests.data.world import World


def run(world: World, collected: list[CollectedTrajectory], share: float = 0.0, seed: int = 0) -> Filtered:
    return filter_collected(collected, world.train_cases, world.catalogue, keep_retry_share=share, seed=seed)


def with_reply(trajectory: Trajectory, reply: str) -> Trajectory:
    messages = (*trajectory.messages[:-1], replace(trajectory.messages[-1], content=reply))
    return replace(trajectory, reply=reply, messages=messages)


def with_retry(one: CollectedTrajectory) -> CollectedTrajectory:
    """The same episode, had a hook refused a first reply."""
    trajectory = one.trajectory
    turn = sum(message.role == "assistant" for message in trajectory.messages) - 1
    attempt = (Message("assistant", "**Buy now!**"), Message("user", "Write plain words to be spoken."))
    messages = (*trajectory.messages[:-1], *attempt, trajectory.messages[-1])
    events = (*trajectory.events, Event("hook", turn, "spoken_words", {"action": "retry"}, detail="the reply holds '*'"))
    return replace(one, trajectory=replace(trajectory, messages=messages, events=events))


def test_all_that_the_expert_did_is_kept(collected: list[CollectedTrajectory], filtered: Filtered) -> None:
    assert filtered.counts["kept"] + filtered.counts["duplicate"] == len(collected)
    assert filtered.counts["kept"] > 0.9 * len(collected)


def test_a_wrong_reply_is_dropped_as_not_accurate(world: World, collected: list[CollectedTrajectory]) -> None:
    wrong = replace(collected[0], trajectory=with_reply(collected[0].trajectory, "It is 123456.78 yuan, guaranteed."))
    result = run(world, [wrong, *collected[1:3]])
    assert result.counts["not_accurate"] == 1
    assert wrong.episode_id not in {one.episode_id for one in result.kept}


def test_an_empty_phrase_is_dropped_as_not_effective(world: World, collected: list[CollectedTrajectory]) -> None:
    [asked] = [case for case in world.train_cases if case.intent == "price"][:1]
    [one] = [one for one in collected if one.case_id == asked.case_id and one.variant_id == "original"]
    result = run(world, [replace(one, trajectory=with_reply(one.trajectory, "Well then."))])
    assert result.counts["not_effective"] == 1
    assert result.kept == ()


def test_an_episode_without_a_reply_is_dropped(world: World, collected: list[CollectedTrajectory]) -> None:
    stuck = replace(collected[0], trajectory=replace(collected[0].trajectory, stop_reason=StopReason.TURN_LIMIT))
    assert run(world, [stuck]).counts["not_replied"] == 1


def test_what_looks_the_same_is_taught_once(world: World, collected: list[CollectedTrajectory]) -> None:
    twin = replace(collected[0], variant_id="twin")
    result = run(world, [collected[0], twin])
    assert result.kept == (collected[0],)
    assert result.counts["duplicate"] == 1


def test_retries_are_cut_down_to_the_clean_episode(world: World, collected: list[CollectedTrajectory]) -> None:
    result = run(world, [with_retry(collected[0])])
    assert result.kept[0].trajectory.messages == collected[0].trajectory.messages
    assert result.counts["retry_cut"] == 1
    assert result.counts["retry_kept"] == 0


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_a_seeded_share_keeps_its_retries_whole(world: World, filtered: Filtered, share: float) -> None:
    retried = [with_retry(one) for one in filtered.kept[:8]]
    result = run(world, retried, share, seed=1)
    whole = [one for one in result.kept if one in retried]
    assert len(whole) == result.counts["retry_kept"] == round(share * 8)
    assert result.counts["retry_cut"] == 8 - len(whole)
    assert result == run(world, retried, share, seed=1)


def test_every_trajectory_is_counted_once(world: World, collected: list[CollectedTrajectory]) -> None:
    mixed = [*collected[:6], *collected[:2]]
    result = run(world, mixed)
    assert sum(result.counts[reason] for reason in REASONS) == len(mixed)
