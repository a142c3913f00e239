"""A tiny model of the production model's own architecture and template goes through every stage, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from components.data.types import ORIGINAL
from components.files import read_json, read_jsonl, write_jsonl
from components.policy import check_model, prepare_base
from components.training.draft import collect_rollouts, train_draft
from components.training.opd import train_opd
from components.training.params import DraftParams, OpdParams, SftParams
from components.training.rl import RlTask, train_rl
from components.training.sft import train_sft
from tests.policy.conversations import row
from tests.training.conftest import TRAJECTORIES
from tests.training.rl import world

COMMON: dict[str, Any] = {"max_steps": 1, "learning_rate": 3e-3, "save_steps": 1}
STAGES = ("sft", "opd", "rl", "draft")
CHATS = [case for case in world.CASES if case.intent == "chit_chat"][:2]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the base model and what each stage made of the one before."""
    folder = tmp_path_factory.mktemp("models")
    base = folder / "base"
    prepare_base("tiny-moe", base, seed=2, text=[message.content for one in TRAJECTORIES for message in one])
    rows = folder / "rows.jsonl"
    write_jsonl(rows, [row(one[1:]) | {"tools": []} for one in TRAJECTORIES[:2]])

    def outputs(stage: str) -> tuple[Path, Path, Path]:
        return folder / stage, folder / "checkpoints" / stage, folder / "logs" / f"{stage}.jsonl"

    quiet: Callable[[str], None] = [].append
    train_sft(base, rows, *outputs("sft"), SftParams(**COMMON, batch_size=2, max_length=4096), 7, quiet)
    opd = OpdParams(**COMMON, batch_size=2, count=4, max_prompt_length=400, max_completion_length=6)
    train_opd(folder / "sft", base, *outputs("opd"), opd, 7, quiet)
    catalogue = world.catalogue()
    tasks = [RlTask(f"t{number}", case, ORIGINAL, faults=False) for number, case in enumerate(CHATS)]
    rl = world.PARAMS.model_copy(update=COMMON)
    train_rl(
        *(folder / "opd", tasks, {ORIGINAL: world.CHAT}, world.CATALOGUE_PATH),
        *outputs("rl"),
        *(rl, 3),
        episodes=world.EPISODES,
        announce=quiet,
    )
    rollouts = asyncio.run(
        collect_rollouts(
            *(folder / "rl", CHATS, [world.CHAT], catalogue),
            limits=world.EPISODES.limits,
            max_new_tokens=12,
            batch_size=2,
            seed=1,
            announce=quiet,
        )
    )
    draft = DraftParams(**COMMON, batch_size=2, rollouts=2, measured_cases=1)
    train_draft(folder / "rl", base, rollouts, *outputs("draft"), draft, 7, quiet)
    return folder


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_leaves_a_whole_model_of_the_same_kind(models: Path, stage: str) -> None:
    check_model(models / stage)
    for name in ("chat_template.jinja", "tokenizer.json"):
        assert (models / stage / name).read_bytes() == (models / "base" / name).read_bytes()
    kinds = [read_json(models / one / "config.json")["model_type"] for one in ("base", stage)]
    assert kinds[0] == kinds[1] and kinds[0].startswith("qwen3_5_moe")
    assert len(read_jsonl(models / "logs" / f"{stage}.jsonl")) == 1


def test_the_template_is_the_production_models_own(models: Path) -> None:
    assert "<function=" in (models / "base" / "chat_template.jinja").read_text()
