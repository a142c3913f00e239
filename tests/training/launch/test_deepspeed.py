"""DeepSpeed for real, two processes over gloo: the same training as one process with the same global batch, once and whole."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from components.files import read_jsonl, write_jsonl
from components.policy import check_model
from tests.policy.conversations import row
from tests.training.conftest import TRAJECTORIES
from tests.training.launch.sft_worker import train

TIMES = ("tokens_per_second", "memory_gib")


def curve(directory: Path) -> list[dict[str, Any]]:
    return [{name: value for name, value in step.items() if name not in TIMES} for step in read_jsonl(directory / "log.jsonl")]


def weights(directory: Path) -> dict[str, Any]:
    return dict(load_file(directory / "model" / "model.safetensors"))


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trajectories without system prompt and tools: what is tried here does not depend on how long they are."""
    path = tmp_path_factory.mktemp("dataset") / "rows.jsonl"
    write_jsonl(path, [row(one[1:]) | {"tools": []} for one in TRAJECTORIES])
    return path


@pytest.fixture(scope="module")
def alone(tiny: Path, short: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One process that does the work of two."""
    directory = tmp_path_factory.mktemp("alone")
    train(tiny, short, directory, gradient_accumulation=4)
    return directory


@pytest.fixture(scope="module", params=["zero2", "zero3"])
def spread(request: pytest.FixtureRequest, tiny: Path, short: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two processes leave: one training without a break, one that stopped after step 1 of 3 and went on."""
    directory = tmp_path_factory.mktemp(request.param)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = [tiny, short, directory, request.param, port]
    run = subprocess.run(
        [sys.executable, "-m", "tests.training.launch.sft_worker", *map(str, arguments)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-4000:]
    # The main process alone speaks.
    assert run.stdout.count("step 1/3") == 2 and run.stdout.count("sft: going on from checkpoint-1") == 1
    return directory


def test_two_processes_learn_what_one_does(alone: Path, spread: Path) -> None:
    expected, found = weights(alone), weights(spread / "straight")
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].dtype == value.dtype
        np.testing.assert_allclose(found[name], value, atol=2e-5, rtol=1e-3, err_msg=name)
    for one, other in zip(curve(alone), curve(spread / "straight"), strict=True):
        assert one.keys() == other.keys()
        assert other["loss"] == pytest.approx(one["loss"], rel=1e-4)
        assert (other["step"], other["tokens"]) == (one["step"], one["tokens"])


def test_what_was_stopped_goes_on_to_the_same_curve_and_the_same_weights(spread: Path) -> None:
    assert curve(spread / "stopped") == curve(spread / "straight")
    expected, found = weights(spread / "straight"), weights(spread / "stopped")
    assert all(np.array_equal(found[name], value) for name, value in expected.items())


def test_the_model_is_whole_and_nothing_else_is_left(spread: Path, tiny: Path) -> None:
    for run in ("straight", "stopped"):
        check_model(spread / run / "model")
        assert sorted(path.name for path in (spread / run).iterdir()) == ["log.jsonl", "model"]
        assert {path.name for path in (spread / run / "model").iterdir()} == {path.name for path in tiny.iterdir()} | {
            "training.json"
        }
