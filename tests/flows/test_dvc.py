"""What DVC is asked and what it answers, with the real command on a small pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.errors import UserError
from flows import dvc

LOG = Path(".hat/logs/stage.log")


def reproduce(stage: str) -> tuple[dvc.StageResult, list[str]]:
    lines: list[str] = []
    return dvc.reproduce(stage, LOG, {}, lines.append), lines


def test_a_stage_runs_once_then_stands_and_comes_back_from_the_cache(tiny_checkout: Path) -> None:
    needs = dvc.stages()
    assert list(needs) == ["dataset", "rl@rl_hsa", "evaluate", "report"]
    assert needs["evaluate"] == {"rl@rl_hsa"}
    assert dvc.stale(needs) == list(needs)

    result, lines = reproduce("dataset")
    assert (result.stage, result.state) == ("dataset", "ran")
    assert "the knob says good" in lines and "the knob says good" in LOG.read_text()
    assert dvc.stale(needs) == ["rl@rl_hsa", "evaluate", "report"]
    assert list(dvc.outputs("dataset")) == ["runs/smoke/dataset"]
    assert dvc.parameters("dataset")

    assert reproduce("dataset")[0].state == "unchanged"

    Path("runs/smoke/dataset/manifest.json").unlink()
    assert reproduce("dataset")[0].state == "restored"
    assert Path("runs/smoke/dataset/manifest.json").exists()


def test_bad_input_is_told_from_a_failure(tiny_checkout: Path) -> None:
    Path("knob.txt").write_text("bad\n")
    with pytest.raises(UserError, match=r"^knob\.txt:1: bad: expected good; turn it$"):
        reproduce("dataset")
    Path("knob.txt").write_text("broken\n")
    with pytest.raises(
        dvc.StageFailed, match=r"^dataset: RuntimeError: something broke \(exit code 1; .*stage\.log\)$"
    ) as failure:
        reproduce("dataset")
    assert failure.value.code == 1
    assert "Traceback" in LOG.read_text()


def test_a_pipeline_that_cannot_be_read_is_bad_input(tiny_checkout: Path) -> None:
    Path("dvc.yaml").write_text("stages: [\n")
    with pytest.raises(UserError, match=r"dvc\.yaml"):
        dvc.stages()
