"""The arms and dvc.yaml say the same, and a run's goals draw in no more than they need."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from flows.arms import ARMS, CANDIDATE, REPEATS, RETRAINED, repeats, seed_of, split, start_of, trained_by
from flows.plan import needed_for

STAGES = yaml.safe_load((Path(__file__).parents[2] / "dvc.yaml").read_text())["stages"]


@pytest.mark.parametrize("stage", ["sft", "opd", "rl"])
def test_every_arm_and_repeat_has_its_stage(stage: str) -> None:
    assert list(STAGES[stage]["foreach"]) == trained_by(stage)


@pytest.mark.parametrize("stage", ["opd", "rl"])
def test_a_stage_goes_on_from_the_same_repeat_of_the_arm_before(stage: str) -> None:
    assert {name: item["start"] for name, item in STAGES[stage]["foreach"].items()} == {
        name: start_of(name) for name in trained_by(stage)
    }


def test_every_arm_is_evaluated() -> None:
    assert STAGES["evaluate"]["matrix"]["arm"] == ["base", *(name for arm in ARMS for name in repeats(arm))]


def test_repeats_differ_in_the_seed_of_training() -> None:
    names = repeats(CANDIDATE)
    assert names == ["rl_hsa", "rl_hsa-2", "rl_hsa-3"] and len(names) == REPEATS
    assert [split(name) for name in names] == [("rl_hsa", 1), ("rl_hsa", 2), ("rl_hsa", 3)]
    assert len({seed_of(name, 7) for name in names}) == REPEATS and seed_of("rl_hsa", 7) == 7
    assert repeats("base") == ["base"]


def test_the_base_model_is_where_every_chain_begins() -> None:
    for arm in ARMS:
        for name in repeats(arm):
            chain = [name]
            while chain[-1] != "base":
                chain.append(start_of(chain[-1]))
            assert len(chain) == {"sft": 2, "opd": 3, "rl": 4}[ARMS[arm].stage]


def test_a_retraining_reports_the_arms_that_it_says() -> None:
    evaluated = {dep.rsplit("/", 1)[1] for dep in STAGES["report"]["deps"] if "/evaluation/" in dep}
    assert evaluated == {f"{arm}.jsonl" for arm in (*RETRAINED, "champion")} | {"draft_head.json"}


def test_goals_draw_in_what_they_need_and_nothing_else() -> None:
    stages: dict[str, set[str]] = {"rooms": set(), "sft@a": {"rooms"}, "sft@b": {"rooms"}, "report": {"sft@a"}}
    assert list(needed_for(["report", "no such goal"], stages)) == ["rooms", "sft@a", "report"]
