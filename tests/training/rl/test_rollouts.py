"""Rollouts: the tokens that were really written, each in its segment; a broken episode is a value."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from components.harness.types import Trajectory
from components.judge import FactMatcher, RewardVerdict
from components.liveroom import Case, Intent
from components.liveroom.types import Truth
from components.policy.base_models import load_tokenizer
from components.policy.decoding import Written
from components.policy.recording import RecordingPolicy
from components.training.rl import RlTask
from components.training.rl.rewards import UNSCORABLE, thinking_tokens
from components.training.rl.rollouts import Rollouts
from components.training.rl.simulator import Rollout, Simulator
from tests.training.rl.world import EPISODES, HARNESSES, case_of, catalogue, right

PRICE = case_of(lambda case: case.intent is Intent.PRICE and not case.request.dialogue)
((_, NEEDED),) = right(PRICE).calls
OPTION = {name: value for name, value in NEEDED.items() if name != "link_id"}
LOOKUP = {"name": "price_lookup", "arguments": {"link_id": NEEDED["link_id"], "option": OPTION}}
TASK = RlTask("t", PRICE, "original", faults=False)
TURNS = (
    '<think>price of it</think><tool_call>{"name": "load_skill", "arguments": {"skill": "price-qa"}}</tool_call>',
    f"<tool_call>{json.dumps(LOOKUP)}</tool_call>",
    "It costs nothing at all, best price in the world!",
    f"<think>sorry</think>{right(PRICE).reply}",
)


class Dictated:
    """Writes these texts turn by turn, whoever asks."""

    def __init__(self, tokenizer: Any, *texts: str) -> None:
        self._rows = [[*tokenizer.encode(text, add_special_tokens=False), tokenizer.eos_token_id] for text in texts]
        self.seeds: list[str] = []

    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        self.seeds += seeds
        rows = [self._rows[min(int(seed.rpartition(":")[2]), len(self._rows) - 1)] for seed in seeds]
        return [Written(row, [-0.5] * len(row)) for row in rows]


class Broken(FactMatcher):
    """Fails on some episodes."""

    def __init__(self, fails: Callable[[Trajectory], bool], error: Exception) -> None:
        self._fails, self._error = fails, error

    async def judge(self, case: Case, truth: Truth, trajectory: Trajectory) -> RewardVerdict:
        if self._fails(trajectory):
            raise self._error
        return await super().judge(case, truth, trajectory)


def simulator(judge: FactMatcher | None = None, **faults: float) -> Simulator:
    return Simulator(HARNESSES, catalogue(), judge or FactMatcher(), faults=faults, limits=EPISODES.limits)


def rolled(tiny: Path, count: int = 1, judge: FactMatcher | None = None, said: list[str] | None = None) -> list[Rollout]:
    """What `Rollouts` makes of as many episodes of the task, with a dictated decoder in place of the model's."""
    tokenizer = load_tokenizer(tiny)
    rollouts = Rollouts(
        simulator(judge),
        {"t": TASK},
        tokenizer,
        context=4096,
        max_new_tokens=64,
        batch_size=8,
        temperature=1.0,
        seed=3,
        announce=(said if said is not None else []).append,
    )
    policy = RecordingPolicy(
        tokenizer, Dictated(tokenizer, *TURNS), context=4096, max_new_tokens=64, batch_size=8, name="dictated"
    )
    return asyncio.run(rollouts._run([TASK] * count, 7, 0, policy))


def test_every_token_is_in_the_segment_of_its_turn(tiny: Path) -> None:
    tokenizer = load_tokenizer(tiny)
    (rollout,) = rolled(tiny)
    tokens, segments = rollout.tokens, rollout.segments
    assert rollout.outcome.stop_reason == "replied"
    assert [int(segment > 0) for segment in segments] == tokens.written
    for (start, end), text, segment in zip(tokens.turns, TURNS, (1, 1, 2, 2), strict=True):
        assert tokenizer.decode(tokens.completion_ids[start : end - 1]) == text
        assert set(segments[start:end]) == {segment}
    between = [
        tokenizer.decode(tokens.completion_ids[end:start])
        for (_, end), (start, _) in zip(tokens.turns, tokens.turns[1:], strict=False)
    ]
    assert "price_after_coupon" in between[1] and set(segments[tokens.turns[1][1] : tokens.turns[2][0]]) == {0}


def test_its_scores_and_its_reasoning_are_those_of_the_episode(tiny: Path) -> None:
    (rollout,) = rolled(tiny)
    scores, thinking = rollout.outcome.scores, rollout.outcome.thinking
    assert (scores.accuracy, scores.effectiveness, scores.tool_rationality, scores.skill_selection) == (1, 1, 1, 1)
    assert [tokens > 0 for tokens in thinking[0]] == [True, False] and [tokens > 0 for tokens in thinking[1]] == [False, True]
    tokenizer = load_tokenizer(tiny)
    assert rollout.trajectory is not None
    last = rollout.trajectory.messages[-1]
    assert thinking[1][1] == thinking_tokens(TURNS[3], last, lambda text: len(tokenizer.encode(text)))


def test_one_broken_episode_is_a_value_and_learnt_from_by_nobody(tiny: Path) -> None:
    said: list[str] = []
    judge = Broken(lambda trajectory: trajectory.episode_id.startswith("1:"), KeyError("lost"))
    rollouts = rolled(tiny, 3, judge, said)
    assert [rollout.outcome.stop_reason for rollout in rollouts] == ["replied", "broken", "replied"]
    assert rollouts[1].outcome.scores == UNSCORABLE
    assert not any(rollouts[1].tokens.written) and "KeyError" in said[0]


def test_where_every_episode_breaks_the_run_breaks(tiny: Path) -> None:
    with pytest.raises(KeyError, match="lost"):
        rolled(tiny, 2, Broken(lambda _: True, KeyError("lost")))


def test_a_machine_that_fails_is_no_matter_of_one_episode(tiny: Path) -> None:
    with pytest.raises(MemoryError):
        rolled(tiny, 3, Broken(lambda trajectory: trajectory.episode_id.startswith("1:"), MemoryError()))


def test_a_group_meets_the_same_faults_and_samples_differently(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = load_tokenizer(tiny)
    faulty = RlTask("t", PRICE, "original", faults=True)
    decoder = Dictated(tokenizer, *TURNS[:2], right(PRICE).unavailable)
    policy = RecordingPolicy(tokenizer, decoder, context=4096, max_new_tokens=64, batch_size=8, name="dictated")
    met: list[object] = []
    inner = simulator(time_out=0.25, malformed=0.25, empty=0.25, stale=0.25)
    original = inner.run

    async def run(task: RlTask, episode_id: str, faults_seed: str, *others: Any) -> Rollout:
        met.append(faults_seed)
        return await original(task, episode_id, faults_seed, *others)

    monkeypatch.setattr(inner, "run", run)
    rollouts = Rollouts(
        inner, {"t": faulty}, tokenizer, context=4096, max_new_tokens=64, batch_size=8, temperature=1.0, seed=3, announce=print
    )
    found = asyncio.run(rollouts._run([faulty] * 4, 7, 8, policy))
    assert len(set(met)) == 1 and len(set(decoder.seeds)) == len(decoder.seeds) == 12
    results = [[event for event in rollout.trajectory.events if event.kind == "error"] for rollout in found if rollout.trajectory]
    assert results[0] and all(result == results[0] for result in results)
    assert all(rollout.outcome.scores.recovered for rollout in found)


def test_a_prompt_that_is_too_long_is_not_scored(tiny: Path) -> None:
    tokenizer = load_tokenizer(tiny)
    policy = RecordingPolicy(tokenizer, Dictated(tokenizer, "x"), context=64, max_new_tokens=64, batch_size=8, name="dictated")
    count = len
    rollout = asyncio.run(simulator().run(TASK, "e", "f", policy, tokenizer.decode, count))
    assert (rollout.outcome.stop_reason, rollout.outcome.scores, rollout.segments) == ("policy_error", UNSCORABLE, [])


def test_trl_gets_at_least_a_token_for_every_episode(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = load_tokenizer(tiny)
    rollouts = Rollouts(
        simulator(Broken(lambda trajectory: trajectory.episode_id.startswith("5:"), KeyError("lost"))),
        {"t": TASK},
        tokenizer,
        context=4096,
        max_new_tokens=64,
        batch_size=8,
        temperature=1.0,
        seed=3,
        announce=print,
    )
    generation = SimpleNamespace(generate=None)
    trainer = SimpleNamespace(
        state=SimpleNamespace(global_step=2),
        accelerator=SimpleNamespace(process_index=2),
        use_vllm=True,
        vllm_generation=generation,
    )
    dictated = Dictated(tokenizer, *TURNS)
    monkeypatch.setattr("components.training.rl.rollouts.VllmDecoder", lambda _: dictated)
    output = rollouts(["t", "t"], trainer)
    assert output["env_mask"][1] == [0] and len(output["completion_ids"][1]) == len(output["logprobs"][1]) == 1
    assert [len(output[name][0]) for name in ("completion_ids", "logprobs", "env_mask")] == [
        len(output["rollout"][0].segments)
    ] * 3
    assert {seed.split(":")[2] for seed in dictated.seeds} == {"4", "5"}, "rows are counted over all processes"
