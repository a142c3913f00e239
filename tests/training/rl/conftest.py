"""A tiny model with random weights, and the same after it has learnt to greet viewers, with thoughts of any length."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from components.harness import AgentLoop
from components.harness.messages import to_openai
from components.liveroom import CatalogueRoom
from components.policy import prepare_base
from components.policy.base_models import load_tokenizer
from components.policy.renderer import render_row
from tests.training.rl.world import CASES, CHAT, Scripted, catalogue, play_expert

CHATS = [case for case in CASES if case.intent == "chit_chat"][:2]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("models") / "tiny"
    prepare_base("tiny", directory, seed=1, text=[message.content for case in CASES for message in play_expert(case).messages])
    return directory


@pytest.fixture(scope="session")
def taught(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("models") / "taught"
    teach(tiny, directory)
    return directory


def teach(tiny: Path, directory: Path, steps: int = 120) -> None:
    """Learn to answer with a thought of up to eight words and one reply."""
    import torch
    from transformers import AutoModelForCausalLM

    tokenizer, random = load_tokenizer(tiny), Random(1)
    model = AutoModelForCausalLM.from_pretrained(tiny)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    loop = AgentLoop(CHAT)
    for step in range(steps):
        case = CHATS[step % len(CHATS)]
        said = f"<think>{' hm' * random.randint(0, 8)}</think>Welcome, glad you are here!"
        room = CatalogueRoom(catalogue(), case.request)
        trajectory = asyncio.run(loop.run(case.request, room, Scripted(said), "e"))
        example = render_row(tokenizer, to_openai(trajectory.messages), [])
        ids, mask = torch.tensor([example.input_ids]), torch.tensor([example.assistant_masks])
        model(input_ids=ids, labels=ids.masked_fill(mask == 0, -100)).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(directory)
    tokenizer.save_pretrained(directory)
