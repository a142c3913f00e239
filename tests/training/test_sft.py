"""Supervised tuning: it learns what the assistant writes, resumes exactly, and leaves a whole model or none."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import MistralConfig, MistralForCausalLM

from components.errors import UserError
from components.files import hash_directory, read_json, read_jsonl, write_jsonl
from components.harness.types import Conversation
from components.policy import LocalPolicy, check_model
from components.policy.base_models import load_tokenizer
from components.policy.precision import Precision
from components.policy.renderer import render_prompt
from components.training import SftParams, SftSummary, saving, train_sft
from components.training.row_trainer import RowTrainer
from components.training.rows import Rows, load_rows
from components.training.sft import build_trainer
from tests.policy.conversations import HARNESS, row, trajectory
from tests.training.conftest import TRAJECTORIES

SEED = 7
PARAMS = SftParams(
    max_steps=4,
    learning_rate=3e-3,
    batch_size=1,
    gradient_accumulation=2,
    packing="shared_prefix",
    pack_rows=2,
    max_length=4096,
    warmup_ratio=0.25,
    save_steps=2,
)
"""Of eight rows: four packs, two steps an epoch."""
TIMES = ("tokens_per_second", "memory_gib")


def train(model: Path, dataset: Path, directory: Path, said: list[str] | None = None, **changes: Any) -> SftSummary:
    """Outputs in `directory`: model, checkpoints, log.jsonl."""
    return train_sft(
        model,
        dataset,
        directory / "model",
        directory / "checkpoints",
        directory / "log.jsonl",
        PARAMS.model_copy(update=changes),
        SEED,
        announce=[].append if said is None else said.append,
    )


def trainer_of(rows: Rows, model: Path, directory: Path, said: list[str] | None = None, **changes: Any) -> RowTrainer:
    params = PARAMS.model_copy(update=changes)
    announce = [].append if said is None else said.append
    precision = Precision("float32", "cpu", 1, 1)
    return build_trainer(
        model, load_tokenizer(model), rows, directory, directory / "log.jsonl", params, SEED, precision, announce
    )


def gradients(trainer: RowTrainer, batches: Sequence[Sequence[int]]) -> tuple[float, dict[str, torch.Tensor]]:
    """Loss and gradients of one optimiser step over these batches of the trainer's items."""
    loaded = [trainer.data_collator([trainer.train_dataset[index] for index in batch]) for batch in batches]
    trained = trainer._get_num_items_in_batch(loaded, torch.device("cpu"))
    trainer.current_gradient_accumulation_steps = len(batches)
    trainer.model.zero_grad()
    loss = sum(float(trainer.training_step(trainer.model, batch, trained)) for batch in loaded)
    return loss, {name: parameter.grad.clone() for name, parameter in trainer.model.named_parameters()}


def curve(directory: Path) -> list[dict[str, Any]]:
    return [{name: value for name, value in step.items() if name not in TIMES} for step in read_jsonl(directory / "log.jsonl")]


@pytest.fixture(scope="module")
def straight(tiny: Path, dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four steps without a break."""
    directory = tmp_path_factory.mktemp("straight")
    train(tiny, dataset, directory)
    return directory


@pytest.fixture(scope="module")
def rows(tiny: Path, dataset: Path) -> Rows:
    return load_rows(dataset, load_tokenizer(tiny), PARAMS.max_length, 0)


def test_the_trainer_learns_exactly_the_tokens_that_the_model_will_write(tiny: Path, rows: Rows, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(tiny)
    trainer = trainer_of(rows, tiny, tmp_path, packing="none")
    for messages, batch in zip(TRAJECTORIES, trainer.train_dataset, strict=True):
        expected = [-100] * len(batch["input_ids"])
        for turn, message in enumerate(messages):
            if message.role == "assistant":
                start = len(render_prompt(tokenizer, Conversation("e", messages[:turn], HARNESS.tools)))
                end = batch["input_ids"].index(tokenizer.eos_token_id, start) + 1
                expected[start:end] = batch["input_ids"][start:end]
        assert batch["labels"] == expected


def test_a_killed_run_goes_on_to_the_same_curve_and_the_same_weights(
    straight: Path, tiny: Path, dataset: Path, tmp_path: Path
) -> None:
    arguments = [tiny, dataset, tmp_path / "model", tmp_path / "checkpoints", tmp_path / "log.jsonl"]
    killed = subprocess.run(
        [sys.executable, "-m", "tests.training.killed_run", *map(str, arguments)], capture_output=True, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not (tmp_path / "model").exists()
    # Where a workflow tool clears outputs before it runs a stage, the log is written again from the checkpoint.
    (tmp_path / "log.jsonl").unlink()

    said: list[str] = []
    summary = train(tiny, dataset, tmp_path, said)
    assert "sft: going on from checkpoint-2" in said
    assert [line.split()[1] for line in said if line.startswith("step")] == ["3/4", "4/4"]
    assert curve(tmp_path) == curve(straight)
    assert hash_directory(tmp_path / "model") == hash_directory(straight / "model")
    assert summary.steps == 4
    assert not (tmp_path / "checkpoints").exists()


def test_a_run_killed_after_its_last_step_only_has_the_model_to_write(
    tiny: Path, dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched, pytest.raises(OSError, match="disk full"):
        patched.setattr(saving, "new_directory", lambda _: (_ for _ in ()).throw(OSError("disk full")))
        train(tiny, dataset, tmp_path, max_steps=2)
    said: list[str] = []
    summary = train(tiny, dataset, tmp_path, said, max_steps=2)
    assert "sft: going on from checkpoint-2" in said and not any(line.startswith("step") for line in said)
    assert (summary.steps, len(curve(tmp_path))) == (2, 2)
    check_model(tmp_path / "model")


def test_the_model_learns_and_is_whole(straight: Path, tiny: Path) -> None:
    losses = [step["loss"] for step in curve(straight)]
    assert losses[-1] < losses[0]
    check_model(straight / "model")
    for name in ("chat_template.jinja", "tokenizer.json"):
        assert (straight / "model" / name).read_bytes() == (tiny / name).read_bytes()
    record = read_json(straight / "model" / "training.json")
    assert record["base"] == hash_directory(tiny)
    assert (record["rows"], record["dropped_rows"], record["steps"], record["seed"]) == (8, 0, 4, SEED)
    assert (record["packing"], record["packs"]) == ("shared_prefix", 4)
    assert SftParams(**record["params"]) == PARAMS


def test_the_loss_is_the_mean_cross_entropy_of_what_the_assistant_wrote(tiny: Path, rows: Rows, tmp_path: Path) -> None:
    trainer = trainer_of(rows, tiny, tmp_path, packing="none")
    found, _ = gradients(trainer, [[0], [1, 2]])
    losses = []
    for one in rows.kept[:3]:
        with torch.no_grad():
            logits = trainer.model(input_ids=torch.tensor([one.input_ids])).logits[0].double().numpy()
        for place, learnt in enumerate(one.assistant_masks):
            if learnt:
                scores = logits[place - 1]
                losses.append(np.log(np.exp(scores - scores.max()).sum()) + scores.max() - scores[one.input_ids[place]])
    assert len(losses) == sum(sum(one.assistant_masks) for one in rows.kept[:3])
    assert found == pytest.approx(np.mean(losses), rel=1e-5)


def test_packs_have_the_loss_and_the_gradients_of_their_rows(tiny: Path, rows: Rows, tmp_path: Path) -> None:
    plain = trainer_of(rows, tiny, tmp_path, packing="none")
    packed = trainer_of(rows, tiny, tmp_path, pack_rows=3)
    assert sorted(len(pack["input_ids"]) for pack in packed.train_dataset) == [2, 3, 3]
    # All rows, in the same optimiser step, however it is cut into batches: one of two packs and one of one.
    loss, expected = gradients(plain, [[0, 1, 2, 3], [4, 5, 6, 7]])
    found_loss, found = gradients(packed, [[0, 1], [2]])
    assert found_loss == pytest.approx(loss, rel=1e-5)
    for name, gradient in expected.items():
        assert torch.allclose(found[name], gradient, rtol=1e-4, atol=1e-5 * float(gradient.abs().max())), name


def test_a_model_that_cannot_share_prefixes_is_trained_row_by_row_and_it_is_said(
    tiny: Path, dataset: Path, tmp_path: Path
) -> None:
    sliding = MistralConfig(**read_json(tiny / "config.json") | {"model_type": "mistral", "sliding_window": 64})
    base = tmp_path / "base"
    load_tokenizer(tiny).save_pretrained(base)
    MistralForCausalLM(sliding).save_pretrained(base)
    said: list[str] = []
    summary = train(base, dataset, tmp_path, said, max_steps=1)
    assert (summary.packing, summary.packs) == ("none", 8)
    assert any(line.startswith("sft: packing none: not every layer") for line in said)
    assert read_json(tmp_path / "model" / "training.json")["packing"] == "none"


@pytest.mark.parametrize("packing", ["shared_prefix", "none"])
def test_the_original_harness_can_come_first(tiny: Path, rows: Rows, tmp_path: Path, packing: str) -> None:
    mixed = replace(rows, original=[number % 2 == 0 for number in range(8)])
    trainer = trainer_of(mixed, tiny, tmp_path, packing=packing, curriculum="original_first")
    of_tokens = {tuple(row.input_ids): original for row, original in zip(mixed.kept, mixed.original, strict=True)}
    seen = []
    for index in trainer._get_train_sampler():
        ids = trainer.train_dataset[index]["input_ids"]
        seen += [of_tokens[tuple(row)] for row in (ids if packing == "shared_prefix" else [ids])]
    assert seen == [True] * 4 + [False] * 4


def test_a_batch_of_four_is_four_accumulated_batches_of_one(tiny: Path, dataset: Path, tmp_path: Path) -> None:
    curves = []
    for batch_size, accumulation in ((4, 1), (1, 4)):
        directory = tmp_path / str(batch_size)
        train(tiny, dataset, directory, packing="none", batch_size=batch_size, gradient_accumulation=accumulation, max_steps=2)
        curves.append([(step["loss"], step["grad_norm"], step["tokens"]) for step in curve(directory)])
    assert curves[0] == [pytest.approx(step, rel=1e-4) for step in curves[1]]


def test_rows_left_out_are_announced(tiny: Path, dataset: Path, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_jsonl(path, [*read_jsonl(dataset), row(trajectory(reply="very " * 4000))])
    said: list[str] = []
    summary = train(tiny, path, tmp_path, said, max_steps=1, max_dropped_share=0.2)
    assert (summary.rows, summary.dropped_rows) == (8, 1)
    assert any("1 rows longer than 4096 tokens left out" in line for line in said)


def test_low_rank_training_ends_in_an_ordinary_model(tiny: Path, dataset: Path, tmp_path: Path) -> None:
    train(tiny, dataset, tmp_path, max_steps=1, lora=SftParams(**PARAMS.model_dump() | {"lora": {"rank": 4, "alpha": 8}}).lora)
    check_model(tmp_path / "model")
    assert not list((tmp_path / "model").glob("adapter*"))
    names = [set(json.loads(read_header(path / "model.safetensors"))) - {"__metadata__"} for path in (tiny, tmp_path / "model")]
    assert names[0] == names[1]
    answered = asyncio.run(
        LocalPolicy(tmp_path / "model", max_new_tokens=4).complete(Conversation("e", trajectory()[:2], HARNESS.tools))
    )
    assert answered.completion_tokens > 0


def read_header(path: Path) -> bytes:
    """The JSON that opens a safetensors file."""
    content = path.read_bytes()
    return content[8 : 8 + int.from_bytes(content[:8], "little")]


def test_a_loss_that_is_no_number_stops_the_run_and_leaves_no_model(tiny: Path, dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="expected a finite"):
        train(tiny, dataset, tmp_path, learning_rate=1e30, warmup_ratio=0.0)
    assert not (tmp_path / "model").exists()


def test_more_context_than_the_model_has_is_refused(tiny: Path, dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="max_length: expected at most 4096"):
        train(tiny, dataset, tmp_path, max_length=5000)


def test_a_truncated_base_model_is_refused_before_anything_is_written(tiny: Path, dataset: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for path in tiny.iterdir():
        (broken / path.name).write_bytes(path.read_bytes()[: -50 if path.suffix == ".safetensors" else None])
    with pytest.raises(UserError, match=r"model\.safetensors: expected whole safetensors"):
        train(broken, dataset, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_steps_are_sent_to_the_active_mlflow_run(
    tiny: Path, dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlflow

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    with mlflow.start_run() as run:
        monkeypatch.setenv("MLFLOW_RUN_ID", run.info.run_id)
        train(tiny, dataset, tmp_path, max_steps=2)
    history = mlflow.MlflowClient().get_metric_history(run.info.run_id, "loss")
    assert [(metric.step, metric.value) for metric in history] == [(step["step"], step["loss"]) for step in curve(tmp_path)]
