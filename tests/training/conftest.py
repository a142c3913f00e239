"""A base model and a dataset small enough to train in a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.files import write_jsonl
from components.policy import prepare_base
from tests.policy.conversations import row, trajectory

TRAJECTORIES = [trajectory(link, f"{link}9.00") for link in range(1, 9)]


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """So small a model spends more time on handing work to threads than on the work."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("models") / "tiny"
    prepare_base("tiny", directory, seed=1, text=[message.content for one in TRAJECTORIES for message in one])
    return directory


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dataset") / "rows.jsonl"
    write_jsonl(path, [row(one) for one in TRAJECTORIES])
    return path
