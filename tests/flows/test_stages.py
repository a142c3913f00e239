"""Stages by their command line: what they refuse, what is worth another try, what they agree on."""

from __future__ import annotations

import shutil
import socket
import sys
from pathlib import Path

import pytest

from components.files import read_jsonl
from flows import dvc
from flows.params import activate, resolve
from flows.paths import RunPaths
from flows.stages.__main__ import main
from flows.stages.inputs import teacher_limits

ROOT = Path(__file__).parents[2]
SFT_ARMS = "fixed_sft, fixed_sft-2, fixed_sft-3, hsa_sft, hsa_sft-2, hsa_sft-3"
SMALL = """rooms: {train_rooms: 1, eval_rooms: 1, comments_per_room: 17}
variants: {train: 1, heldout: 1}
collect: {variants_per_case: 1}
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with parameters, a profile `small` and the harness, made the current one."""
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(ROOT / "harness", tmp_path / "harness")
    (tmp_path / "infra" / "profiles").mkdir(parents=True)
    (tmp_path / "infra" / "profiles" / "small.yaml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["stages", *arguments])
    return main()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["sft"],
            f"error: --arm: stage sft expects one of {SFT_ARMS}, found none; pass one of them\n",
        ),
        (
            ["sft", "--arm", "base"],
            f"error: --arm: stage sft expects one of {SFT_ARMS}, found base; pass one of them\n",
        ),
        (["rooms", "--arm", "base"], "error: --arm: stage rooms has no arms, found base; leave it out\n"),
    ],
)
def test_the_wrong_arm_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert run(monkeypatch, *arguments) == dvc.BAD_INPUT
    assert capsys.readouterr().err == expected


def test_a_teacher_whose_server_is_away_fails_the_stage_for_another_try_and_leaves_nothing(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        teacher = f"{{base_url: '{url}', model: teacher}}"
        profile = checkout / "infra" / "profiles" / "small.yaml"
        profile.write_text(SMALL.replace("collect: {", f"collect: {{teacher: {teacher}, "))
        activate("small")
        assert [run(monkeypatch, stage) for stage in ("rooms", "variants")] == [0, 0]
        capsys.readouterr()
        assert run(monkeypatch, "collect") == dvc.TRY_AGAIN
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: the teacher failed in 34 of 34 episodes, first: http://127.0.0.1:")
    assert not RunPaths.of("small").trajectories.exists()


def test_a_model_in_several_files_is_evaluated(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import AutoModelForCausalLM

    quick = "model: {source: tiny}\nloop: {turns: 1}\ngeneration: {max_new_tokens: 2}\n"
    quick += "evaluation: {t1_cases: 1, t2_cases: 1, t3_cases: 1, t4_prompts: 1}\n"
    (checkout / "infra" / "profiles" / "small.yaml").write_text(SMALL + quick)
    activate("small")
    assert [run(monkeypatch, stage) for stage in ("rooms", "variants", "base")] == [0, 0, 0]
    paths = RunPaths.of("small")
    whole = paths.model("base") / "model.safetensors"
    model = AutoModelForCausalLM.from_pretrained(paths.model("base"))
    whole.unlink()
    model.save_pretrained(paths.model("base"), max_shard_size="300KB")
    assert not whole.exists()
    assert run(monkeypatch, "evaluate", "--arm", "base") == 0
    assert [row["suite"] for row in read_jsonl(paths.evaluation("base"))] == ["T1", "T2", "T3", "T4"]


@pytest.mark.parametrize(("turns", "expected"), [(2, 6), (6, 6), (9, 9)])
def test_the_teacher_has_turns_enough_whatever_the_student_has(checkout: Path, turns: int, expected: int) -> None:
    profile = checkout / "infra" / "profiles" / "small.yaml"
    profile.write_text(f"{SMALL}loop: {{turns: {turns}, retries: 1}}\n")
    limits = teacher_limits(resolve("small"))
    assert (limits.turns, limits.retries) == (expected, 1)
