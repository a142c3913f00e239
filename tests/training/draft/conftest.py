"""A model that has learnt a few songs by heart, and its rollouts: it can be predicted, so a head can learn to."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from components.policy import prepare_base
from components.policy.base_models import load_tokenizer
from components.training.draft import Rollout
from tests.policy.conftest import TEXT

LENGTH = 16
KEYS = 8
"""Songs; each begins with a token of its own."""


def songs() -> list[list[int]]:
    """Token sequences in which the same tokens follow in other orders, so that the context tells how it goes on."""
    random = Random(5)
    return [[40 + key, *(random.randrange(60, 90) for _ in range(LENGTH - 1))] for key in range(KEYS)]


def learn_songs(start: Path, directory: Path, seed: int) -> Path:
    """Tune the model in `start` on the songs, with other weights for another seed."""
    import torch
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(start)
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_pretrained(start)
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.05)
    ids = torch.tensor([[*song, tokenizer.eos_token_id] for song in songs()])
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for _ in range(120):
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(directory)
    tokenizer.save_pretrained(directory)
    return directory


@pytest.fixture(scope="session")
def singer(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learn_songs(tiny, tmp_path_factory.mktemp("models") / "singer", seed=1)


@pytest.fixture(scope="session")
def moe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights in the production model's architecture."""
    directory = tmp_path_factory.mktemp("models") / "moe"
    prepare_base("tiny-moe", directory, seed=2, text=TEXT)
    return directory


@pytest.fixture(scope="session")
def rollouts(singer: Path) -> list[Rollout]:
    """What the singer makes of the first three tokens of each song."""
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(singer).eval()
    prompts = torch.tensor([song[:3] for song in songs()])
    written = model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=LENGTH, do_sample=False).tolist()
    stop = model.generation_config.eos_token_id
    rows = [row[: row.index(stop, 3) + 1] if stop in row[3:] else row for row in written]
    return [Rollout(f"song-{key}", row, [0] * 3 + [1] * (len(row) - 3), key % 2) for key, row in enumerate(rows)]
