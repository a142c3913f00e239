"""The stage: it learns what is rewarded, resumes exactly, tells what happened, and refuses what does not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from components.data.types import ORIGINAL
from components.errors import UserError
from components.files import hash_directory, read_json, read_jsonl
from components.judge import FactMatcher
from components.policy import check_model
from components.policy.params import ServerParams
from components.training.params import ThinkingPenalty
from components.training.rl import Episodes, RlSummary, RlTask, draw_tasks, train_rl
from components.training.rl.stage import in_order
from tests.training.rl.conftest import CHATS
from tests.training.rl.world import CASES, CATALOGUE_PATH, CHAT, EPISODES, HARNESSES, PARAMS, VARIANTS, catalogue

SEED = 3
TASKS = [RlTask(f"t{number}", case, ORIGINAL, faults=False) for number, case in enumerate(CHATS)]
TIMES = ("tokens_per_second", "memory_gib", "step_time")


def train(model: Path, folder: Path, said: list[str] | None = None, **changes: Any) -> RlSummary:
    """Outputs in `folder`: model, checkpoints, log.jsonl."""
    catalogue()
    options = {name: changes.pop(name) for name in ("episodes", "final_judge") if name in changes}
    tasks, harnesses = changes.pop("tasks_of", TASKS), changes.pop("harnesses", {ORIGINAL: CHAT})
    return train_rl(
        model,
        tasks,
        harnesses,
        CATALOGUE_PATH,
        folder / "model",
        folder / "checkpoints",
        folder / "log.jsonl",
        PARAMS.model_copy(update=changes),
        SEED,
        **{"episodes": EPISODES, **options},
        announce=(said if said is not None else []).append,
    )


def curve(folder: Path) -> list[dict[str, Any]]:
    return [{name: value for name, value in step.items() if name not in TIMES} for step in read_jsonl(folder / "log.jsonl")]


@pytest.fixture(scope="module")
def straight(taught: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("straight")
    train(taught, folder, max_steps=3)
    return folder


def test_a_broken_run_goes_on_to_the_same_curve_and_the_same_weights(straight: Path, taught: Path, tmp_path: Path) -> None:
    class Said(list[str]):
        def append(self, line: str) -> None:
            if line.startswith("step 2/"):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(taught, tmp_path, Said(), max_steps=3)
    assert not (tmp_path / "model").exists()
    said: list[str] = []
    train(taught, tmp_path, said, max_steps=3)
    assert "rl: going on from checkpoint-1" in said
    assert curve(tmp_path) == curve(straight)
    assert hash_directory(tmp_path / "model") == hash_directory(straight / "model")
    assert not (tmp_path / "checkpoints").exists()


def test_the_model_is_whole_and_its_record_says_how_it_came_to_be(straight: Path, taught: Path) -> None:
    check_model(straight / "model")
    record = read_json(straight / "model" / "training.json")
    assert (record["stage"], record["base"], record["steps"], record["judge"]) == (
        "rl",
        hash_directory(taught),
        3,
        FactMatcher.name,
    )
    assert record["episodes"] == 3 * 8


def test_each_checkpoint_leaves_sample_episodes(straight: Path) -> None:
    samples = read_jsonl(straight / "log_samples.jsonl")
    assert [row["step"] for row in samples] == [1] * 4 + [2] * 4 + [3] * 4
    assert {row["task_id"] for row in samples[:2]} == {"t0", "t1"}
    assert samples[0]["trajectory"]["messages"][0]["role"] == "system" and "accuracy" in samples[0]["scores"]


def test_it_learns_to_think_less(taught: Path, tmp_path: Path) -> None:
    short = ThinkingPenalty(free=0, scale=4, weight=1.0, most=10)
    summary = train(
        taught, tmp_path, max_steps=8, learning_rate=2e-3, group_size=16, batch_size=32, thinking_in_reply=short, save_steps=8
    )
    rows = curve(tmp_path)
    thinking = [row["thinking_reply"] for row in rows]
    assert fmean(thinking[-2:]) < 0.75 * fmean(thinking[:2])
    assert summary.last_reward >= summary.first_reward - 0.1 and rows[-1]["stop_replied"] > 0.8
    assert (summary.steps, summary.episodes, summary.shared_prefix) == (8, 8 * 32, True)


def test_every_task_comes_once_before_one_comes_again() -> None:
    tasks = [replace(TASKS[0], task_id=f"t{number}") for number in range(5)]
    order = in_order(tasks, PARAMS.model_copy(update={"max_steps": 6}), SEED)
    assert len(order) == 12 and set(order[:5]) == set(order[5:10]) == {task.task_id for task in tasks}
    assert order[:5] != order[5:10]
    assert in_order(tasks, PARAMS.model_copy(update={"max_steps": None, "epochs": 2.0}), SEED) == order[:10]


def test_episodes_with_tools_variants_and_faults_go_through_and_are_told_of(tiny: Path, tmp_path: Path) -> None:
    tasks = draw_tasks(CASES, VARIANTS, PARAMS.model_copy(update={"hsa_share": 0.5, "tasks": 4}), SEED)
    short = Episodes(replace(EPISODES.limits, turns=2), EPISODES.faults, 8, 16)
    train(tiny, tmp_path, max_steps=2, tasks_of=tasks, harnesses=HARNESSES, episodes=short, beta=0.1, tasks=4)
    rows = curve(tmp_path)
    told = set().union(*rows)
    assert {"reward_faults", "reward_variants", "reward_original", "groups_without_signal", "kl"} <= told
    assert {f"rewards_{name}_mean" for name in ("accuracy", "effectiveness", "tool_rationality", "skill_selection")} <= told
    assert rows[0]["kl"] == pytest.approx(0, abs=1e-6)


def test_samples_are_sent_to_the_active_mlflow_run(taught: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mlflow

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    experiment = mlflow.create_experiment("rl", artifact_location=(tmp_path / "artifacts").as_uri())
    with mlflow.start_run(experiment_id=experiment) as run:
        monkeypatch.setenv("MLFLOW_RUN_ID", run.info.run_id)
        train(taught, tmp_path, max_steps=1, samples_logged=2)
    text = mlflow.artifacts.load_text(f"{run.info.artifact_uri}/samples/step-000001.md")
    assert "## t0" in text and "## t1" in text and "**assistant**" in text and "tool_rationality" in text


def test_low_rank_training_ends_in_an_ordinary_model(taught: Path, tmp_path: Path) -> None:
    lora = type(PARAMS)(**PARAMS.model_dump() | {"lora": {"rank": 2, "alpha": 4, "targets": ["q_proj", "v_proj"]}}).lora
    train(taught, tmp_path, max_steps=1, lora=lora)
    check_model(tmp_path / "model")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"final_judge": FactMatcher.name}, "expected two different judges"),
        ({"reward_judge": ServerParams(base_url="http://x/v1", model="a/Judge"), "final_judge": "judge"}, "two different judges"),
        ({"batch_size": 3}, r"rl\.batch_size: .* = 8 episodes; expected batch_size x processes \(3 x 1\) to divide them"),
        ({"gradient_accumulation": 5}, "gradient_accumulation left at 1"),
        ({"tasks_per_step": 4, "batch_size": 16}, r"rl\.tasks_per_step: expected at most the 2 tasks"),
        ({"tasks_of": [replace(TASKS[0], variant_id="train-9")]}, "the variant train-9, which is not among the harnesses"),
        ({"tasks_of": [replace(TASKS[0], faults=True)], "episodes": replace(EPISODES, faults={})}, "faults: all rates are 0"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_written(
    taught: Path, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        train(taught, tmp_path / "run", **changes)
    assert not (tmp_path / "run").exists()
