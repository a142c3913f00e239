"""Models small enough to train and run in a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.policy import prepare_base
from components.policy.base_models import load_tokenizer
from components.policy.renderer import render_row
from tests.policy.conversations import row, trajectory

TEXT = [message.content for message in trajectory()] * 3


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """So small a model spends more time on handing work to threads than on the work."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights."""
    directory = tmp_path_factory.mktemp("models") / "tiny"
    prepare_base("tiny", directory, seed=1, text=TEXT)
    return directory


@pytest.fixture(scope="session")
def trained(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after a few steps on a handful of trajectories: it writes sentences and ends its turns."""
    import torch
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(tiny)
    model = AutoModelForCausalLM.from_pretrained(tiny)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    rows = [render_row(tokenizer, example["messages"], []) for example in (row(trajectory(link)) for link in (2, 3, 4))]
    for step in range(60):
        example = rows[step % len(rows)]
        ids, mask = torch.tensor([example.input_ids]), torch.tensor([example.assistant_masks])
        model(input_ids=ids, labels=ids.masked_fill(mask == 0, -100)).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    directory = tmp_path_factory.mktemp("models") / "trained"
    model.save_pretrained(directory)
    tokenizer.save_pretrained(directory)
    return directory
