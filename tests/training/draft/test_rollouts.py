"""Rollouts are the model's own tokens through the agent loop; acceptance is measured in the same loop."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.harness.types import Limits, PromptFormat
from components.judge.reward import UNJUDGED, RewardVerdict
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.types import Case
from components.policy.base_models import load_tokenizer
from components.policy.decode import PrefixDecoder
from components.training.draft import Rollout, collect_rollouts, measure_acceptance
from tests.harness.episodes import HARNESS
from tests.training.draft.test_head import load, random_head

OTHER = replace(HARNESS, prompt=replace(HARNESS.prompt, format=PromptFormat.XML))
LIMITS = Limits(turns=2, retries=1)
WORDS = 8


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Case], Catalogue]:
    world = generate(7, train_rooms=3, eval_rooms=3, comments_per_room=8)
    path = tmp_path_factory.mktemp("world") / "catalogue.sqlite"
    return list(world.cases), Catalogue.create(path, world.items, world.rooms, world.coupons)


def silent(line: str) -> None:
    """Nobody listens."""


def collect(model: Path, world: tuple[list[Case], Catalogue], count: int = 4, **changes: Any) -> list[Rollout]:
    cases, catalogue = world
    options: dict[str, Any] = {
        "limits": LIMITS,
        "max_new_tokens": WORDS,
        "batch_size": 2,
        "seed": 3,
        "announce": silent,
    } | changes
    return asyncio.run(collect_rollouts(model, cases[:count], [HARNESS, OTHER], catalogue, **options))


class HalfJudge:
    """Calls the first case right and half effective, and can't judge any other."""

    name = "half judge"

    def __init__(self, first: str) -> None:
        self._first = first

    async def judge(self, case: Case, truth: Any, trajectory: Any) -> RewardVerdict:
        return RewardVerdict(1.0, 0.5) if case.case_id == self._first else UNJUDGED


def test_a_greedy_rollout_is_what_the_model_writes_after_each_of_its_own_prompts(
    tiny: Path, world: tuple[list[Case], Catalogue]
) -> None:
    rollouts = collect(tiny, world)
    assert [rollout.episode_id for rollout in rollouts] == [f"draft/{case.case_id}/{i}" for i, case in enumerate(world[0][:4])]
    decoder = PrefixDecoder(load(tiny), load_tokenizer(tiny).eos_token_id, WORDS)
    for rollout in rollouts:
        starts = [i for i, mask in enumerate(rollout.written) if mask and not rollout.written[i - 1]]
        assert len(starts) == 2, "two turns, both refused"
        for start in starts:
            written = decoder.decode([rollout.tokens[:start]], [""])[0].tokens
            assert rollout.tokens[start : start + len(written)] == written
            assert rollout.written[start : start + len(written) + 1] in ([1] * len(written) + [0], [1] * len(written))


def test_cases_take_turns_under_the_harnesses(tiny: Path, world: tuple[list[Case], Catalogue]) -> None:
    tokenizer, rollouts = load_tokenizer(tiny), collect(tiny, world)
    systems = [tokenizer.decode(rollout.tokens).split("<|im_end|>")[0] for rollout in rollouts]
    assert systems[0] == systems[2] != systems[1] == systems[3]


def test_sampled_rollouts_depend_on_the_seed_alone(tiny: Path, world: tuple[list[Case], Catalogue]) -> None:
    one, same, other = (collect(tiny, world, count=2, temperature=1.0, seed=seed) for seed in (3, 3, 4))
    assert one == same != other


def test_a_judge_gives_rewards_and_leaves_out_what_it_cannot_judge(tiny: Path, world: tuple[list[Case], Catalogue]) -> None:
    judge = HalfJudge(world[0][0].case_id)
    assert [rollout.reward for rollout in collect(tiny, world, count=2, judge=judge)] == [0.75, None]


def test_acceptance_is_measured_over_whole_episodes(tiny: Path, world: tuple[list[Case], Catalogue], tmp_path: Path) -> None:
    from components.training.draft.files import add_head, copy_main

    def measure(head: Path | None) -> Any:
        return asyncio.run(
            measure_acceptance(
                tiny, head, world[0][:2], [HARNESS], world[1], limits=LIMITS, max_new_tokens=WORDS, tokens=2, announce=silent
            )
        )

    copy_main(tiny, tmp_path)
    add_head(tmp_path, random_head(load(tiny)).state_dict())
    written = sum(sum(rollout.written) for rollout in collect(tiny, world, count=2))
    for counted in (measure(None), measure(tmp_path)):
        # Of each of the two turns of two episodes the prompt gives the first token, and the last may need no guess.
        assert counted.verifications <= counted.accepted + counted.verifications <= written
        assert counted.drafted <= 2 * counted.verifications
        assert counted.accepted + counted.verifications >= written - 8
