"""Training a head makes the main model accept it, leaves the main model as it was, and goes on where it was stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.errors import UserError
from components.files import hash_directory, hash_file, read_json, read_jsonl
from components.policy import check_model
from components.policy.speculative import Acceptance, SpeculativeDecoder
from components.training.draft import DraftSummary, Rollout, train_draft
from components.training.params import DraftParams, LoraParams
from tests.training.draft.conftest import LENGTH, learn_songs, songs
from tests.training.draft.test_head import load, random_head

SEED = 7
PARAMS = DraftParams(
    max_steps=4, learning_rate=3e-3, batch_size=2, gradient_accumulation=2, save_steps=2, rollouts=12, measured_cases=1
)
TIMES = ("tokens_per_second", "memory_gib")


def train(
    model: Path,
    rollouts: list[Rollout],
    directory: Path,
    announce: Callable[[str], None] = print,
    base: Path | None = None,
    **changes: Any,
) -> DraftSummary:
    """Outputs in `directory`: model, checkpoints, log.jsonl."""
    return train_draft(
        model,
        base or model,
        rollouts,
        directory / "model",
        directory / "checkpoints",
        directory / "log.jsonl",
        PARAMS.model_copy(update=changes),
        SEED,
        announce=announce,
    )


def curve(directory: Path) -> list[dict[str, Any]]:
    return [{name: value for name, value in step.items() if name not in TIMES} for step in read_jsonl(directory / "log.jsonl")]


def accepted(model: Path, head: Any) -> Acceptance:
    """Over the songs, of which the first four tokens are given: the beginnings of training gave three."""
    main = load(model)
    stop = main.generation_config.eos_token_id
    decoder = SpeculativeDecoder(main, head(main), stop, LENGTH, 3)
    written = decoder.decode([song[:4] for song in songs()], [""] * len(songs()))
    assert [one.tokens[:-1] for one in written] == [song[4:] for song in songs()], "the singer knows its songs"
    return decoder.acceptance


@pytest.fixture(scope="module")
def straight(singer: Path, rollouts: list[Rollout], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four steps without a break."""
    directory = tmp_path_factory.mktemp("straight")
    train(singer, rollouts, directory)
    return directory


@pytest.fixture(scope="module")
def learnt(singer: Path, rollouts: list[Rollout], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough steps for the songs."""
    directory = tmp_path_factory.mktemp("learnt")
    summary = train(
        singer, rollouts, directory, max_steps=50, learning_rate=1.5e-2, batch_size=4, gradient_accumulation=1, save_steps=50
    )
    assert min(summary.agreement) > 0.8
    return directory


def test_a_trained_head_is_accepted_a_grafted_one_hardly_and_one_of_another_model_not_at_all(
    singer: Path, learnt: Path, tiny: Path, tmp_path: Path
) -> None:
    from components.training.draft.files import load_head
    from components.training.draft.head import DraftHead

    other = learn_songs(tiny, tmp_path / "other", seed=2)
    grafted = accepted(singer, DraftHead)
    trained = accepted(singer, lambda main: load_head(main, learnt / "model"))
    foreign = accepted(other, lambda main: load_head(main, learnt / "model"))
    assert trained.rate > 0.7 and trained.mean_length > 3
    assert grafted.rate < 0.2
    # It knows the songs by heart, and yet not how this model tells where it is in them.
    assert foreign.rate < 0.2


def test_a_frozen_main_model_is_copied_byte_for_byte(singer: Path, straight: Path) -> None:
    check_model(straight / "model")
    assert hash_file(straight / "model" / "model.safetensors") == hash_file(singer / "model.safetensors")
    record = read_json(straight / "model" / "training.json")
    assert (record["stage"], record["start"], record["steps"], record["seed"]) == ("draft", "grafted", 4, SEED)
    assert record["base"] == hash_directory(singer)
    assert DraftParams(**record["params"]) == PARAMS
    losses = [step["loss"] for step in curve(straight)]
    assert losses[-1] < losses[0]
    assert all(0 <= step[f"agreement_{depth}"] <= 1 for step in curve(straight) for depth in (1, 2, 3))


@pytest.mark.parametrize("train_main", [False, True])
def test_a_stopped_run_goes_on_to_the_same_curve_and_the_same_weights(
    train_main: bool, singer: Path, rollouts: list[Rollout], tmp_path: Path
) -> None:
    def stop(line: str) -> None:
        if line.startswith("step 3/4"):
            raise KeyboardInterrupt

    train(singer, rollouts, tmp_path / "straight", train_main=train_main)
    with pytest.raises(KeyboardInterrupt):
        train(singer, rollouts, tmp_path / "stopped", stop, train_main=train_main)
    assert not (tmp_path / "stopped" / "model").exists()
    said: list[str] = []
    train(singer, rollouts, tmp_path / "stopped", said.append, train_main=train_main)
    assert "draft: going on from checkpoint-2" in said
    assert curve(tmp_path / "stopped") == curve(tmp_path / "straight")
    assert hash_directory(tmp_path / "stopped" / "model") == hash_directory(tmp_path / "straight" / "model")
    assert not (tmp_path / "stopped" / "checkpoints").exists()
    main_changed = hash_file(tmp_path / "stopped" / "model" / "model.safetensors") != hash_file(singer / "model.safetensors")
    assert main_changed == train_main
    check_model(tmp_path / "stopped" / "model")


def test_a_batch_of_four_is_four_accumulated_batches_of_one(singer: Path, rollouts: list[Rollout], tmp_path: Path) -> None:
    uneven = [
        replace(one, tokens=one.tokens[: 8 + index], written=one.written[: 8 + index]) for index, one in enumerate(rollouts)
    ]
    curves = []
    for batch_size, accumulation in ((4, 1), (1, 4)):
        directory = tmp_path / str(batch_size)
        train(singer, uneven, directory, batch_size=batch_size, gradient_accumulation=accumulation, max_steps=2)
        curves.append([(step["loss"], step["grad_norm"], step["tokens"], step["agreement_2"]) for step in curve(directory)])
    assert curves[0] == [pytest.approx(step, rel=1e-3) for step in curves[1]]


def test_a_base_models_own_head_is_where_training_starts(singer: Path, rollouts: list[Rollout], tmp_path: Path) -> None:
    from components.training.draft.files import add_head, copy_main, load_head

    base = tmp_path / "base"
    base.mkdir()
    copy_main(singer, base)
    own = random_head(load(singer)).state_dict()
    add_head(base, own)
    said: list[str] = []
    summary = train(singer, rollouts, tmp_path, said.append, base, learning_rate=1e-12, max_steps=1)
    assert summary.start == "own" and "draft: starting from the head of base" in said
    head = load_head(load(singer), tmp_path / "model").state_dict()
    assert max(float((head[name] - own[name]).abs().max()) for name in own) < 1e-6


def test_the_production_architecture_goes_through_training_and_decoding(moe: Path, tmp_path: Path) -> None:
    from components.training.draft.files import load_head

    rollouts = [Rollout(f"r{index}", list(range(10 + index, 40 + index)), [0] * 10 + [1] * 20) for index in range(4)]
    summary = train(moe, rollouts, tmp_path, max_steps=2)
    assert summary.steps == 2 and len(summary.agreement) == 3
    main = load(tmp_path / "model")
    decoder = SpeculativeDecoder(main, load_head(main, tmp_path / "model"), 0, 8, 2)
    assert len(decoder.decode([rollouts[0].tokens[:10]], [""])[0].tokens) > 0
    assert read_json(tmp_path / "model" / "config.json")["mtp_num_hidden_layers"] == 1


@pytest.mark.parametrize(
    ("change", "written", "message"),
    [
        ({"lora": LoraParams(rank=2, alpha=2)}, [0, 1, 1], r"draft\.lora: a draft head is trained in full"),
        ({"train_main": True}, [0, 1, 1], r"draft\.train_main: no rollout has a reward"),
        ({}, [1, 0, 1], "no rollout in which the model wrote two tokens in a row"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_anything_is_written(
    change: dict[str, Any], written: list[int], message: str, singer: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        train(singer, [Rollout("r", [41, 60, 61], written)], tmp_path / "run", **change)
    assert not (tmp_path / "run").exists()


def test_a_loss_that_is_no_number_stops_the_run_and_leaves_no_model(
    singer: Path, rollouts: list[Rollout], tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="expected a finite"):
        train(singer, rollouts, tmp_path, learning_rate=1e30)
    assert not (tmp_path / "model").exists()
