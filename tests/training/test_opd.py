"""On-policy distillation: the loss is the divergence it is said to be, the student nears its teacher, a run resumes exactly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM
from trl import DistillationTrainer

from components.data.general import general_prompts
from components.errors import UserError
from components.files import hash_directory, read_json, read_jsonl, write_jsonl
from components.harness.types import Conversation, Message
from components.policy import LocalPolicy, check_model, prepare_base
from components.policy.base_models import load_tokenizer
from components.policy.precision import Precision
from components.policy.renderer import render_prompt
from components.training import opd
from components.training.opd import OpdSummary, build_trainer, draw_prompts, train_opd
from components.training.params import LoraParams, OpdParams, PromptFile

SEED = 8
PARAMS = OpdParams(
    count=10,
    max_prompt_length=400,
    max_completion_length=6,
    max_steps=6,
    learning_rate=3e-3,
    batch_size=2,
    gradient_accumulation=2,
    save_steps=2,
    scheduler="constant",
)
TIMES = ("tokens_per_second", "memory_gib", "step_time")
TEXT = [prompt.prompt for prompt in general_prompts(1, 60)]
FLOAT32 = Precision("float32", "cpu", 1, 1)


def sharp(directory: Path, seed: int) -> Path:
    """A tiny model that is as sure of itself as a trained one, and whose answers end early as often as not.

    Random weights alone give every token the same chance, the end of a turn no more than another.
    """
    prepare_base("tiny", directory, seed, TEXT)
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.mul_(8)
    model.generation_config.eos_token_id = [model.config.eos_token_id, *range(300, 400)]
    model.save_pretrained(directory)
    return directory


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sharp(tmp_path_factory.mktemp("models") / "student", seed=1)


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sharp(tmp_path_factory.mktemp("models") / "teacher", seed=2)


def train(
    student: Path, teacher: Path, directory: Path, announce: Callable[[str], None] = [].append, **changes: Any
) -> OpdSummary:
    """Outputs in `directory`: model, checkpoints, log.jsonl."""
    return train_opd(
        student,
        teacher,
        directory / "model",
        directory / "checkpoints",
        directory / "log.jsonl",
        PARAMS.model_copy(update=changes),
        SEED,
        announce,
    )


def trainer_of(student: Path, teacher: Path, directory: Path, **changes: Any) -> DistillationTrainer:
    params, tokenizer = PARAMS.model_copy(update=changes), load_tokenizer(student)
    prompts, _ = draw_prompts(params, tokenizer, SEED)
    log = directory / "log.jsonl"
    return build_trainer(student, teacher, tokenizer, prompts, directory, log, params, SEED, FLOAT32, print)


def curve(directory: Path) -> list[dict[str, Any]]:
    return [{name: value for name, value in step.items() if name not in TIMES} for step in read_jsonl(directory / "log.jsonl")]


@pytest.fixture(scope="module")
def straight(student: Path, teacher: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six steps without a break: two passes and a half over ten prompts, four a step."""
    directory = tmp_path_factory.mktemp("straight")
    train(student, teacher, directory)
    return directory


def log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


def divergence(student: np.ndarray, teacher: np.ndarray, beta: float) -> np.ndarray:
    """Generalised Jensen-Shannon divergence of logits (arXiv 2306.13649, equation 1 and its limits), nats a token."""
    log_s, log_t = log_softmax(student), log_softmax(teacher)
    s, t = np.exp(log_s), np.exp(log_t)
    if beta == 1:
        return np.asarray((s * (log_s - log_t)).sum(axis=-1))
    if beta == 0:
        return np.asarray((t * (log_t - log_s)).sum(axis=-1))
    log_m = np.log((1 - beta) * s + beta * t)
    return np.asarray(beta * (t * (log_t - log_m)).sum(axis=-1) + (1 - beta) * (s * (log_s - log_m)).sum(axis=-1))


def gradient(student: np.ndarray, teacher: np.ndarray, beta: float) -> np.ndarray:
    """Of `divergence` by the student's logits, worked out by hand."""
    log_s, log_t = log_softmax(student), log_softmax(teacher)
    s, t = np.exp(log_s), np.exp(log_t)
    if beta == 0:
        return np.asarray(s - t)
    log_m = log_t if beta == 1 else np.log((1 - beta) * s + beta * t)
    weight = 1 if beta == 1 else 1 - beta
    return np.asarray(weight * s * (log_s - log_m - (s * (log_s - log_m)).sum(axis=-1, keepdims=True)))


BETAS = pytest.mark.parametrize(("beta", "temperature"), [(1.0, 1.0), (0.0, 1.0), (0.5, 1.0), (0.3, 1.0), (1.0, 0.7)])


@BETAS
def test_the_gradient_worked_out_by_hand_is_that_of_the_divergence(beta: float, temperature: float) -> None:
    random = np.random.default_rng(3)
    student, teacher = random.normal(size=(2, 4, 9)) / temperature
    step, found = 1e-6, np.zeros_like(student)
    for index in np.ndindex(student.shape):
        moved = np.zeros_like(student)
        moved[index] = step
        found[index] = (divergence(student + moved, teacher, beta) - divergence(student - moved, teacher, beta)).sum() / (
            2 * step
        )
    assert gradient(student, teacher, beta) == pytest.approx(found, abs=1e-8)


@BETAS
def test_loss_and_gradient_of_the_trainer_are_those_worked_out_by_hand(
    beta: float, temperature: float, student: Path, teacher: Path, tmp_path: Path
) -> None:
    trainer = trainer_of(student, teacher, tmp_path, beta=beta, temperature=temperature)
    trainer.model.train()
    samples = trainer._prepare_inputs([trainer.train_dataset[row] for row in range(4)])
    # Tokens of all processes together: here, of one more than this.
    samples["num_items_in_batch"] = torch.tensor(19.0)
    loss = trainer.compute_loss(trainer.model, samples)
    loss.backward()

    ids = torch.cat([samples["prompt_ids"], samples["completion_ids"]], dim=1)
    mask = torch.cat([samples["prompt_mask"], samples["completion_mask"]], dim=1)
    written = samples["completion_mask"].numpy().astype(bool)
    assert not written.all(), "answers of unlike length, for what stands after an end must not count"
    first = samples["prompt_ids"].shape[1] - 1
    ours, theirs = (AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32) for path in (student, teacher))
    logits = ours(input_ids=ids, attention_mask=mask).logits[:, first:-1]
    s = logits.detach().double().numpy() / temperature
    t = theirs(input_ids=ids, attention_mask=mask).logits[:, first:-1].detach().double().numpy() / temperature
    assert loss.item() == pytest.approx(divergence(s, t, beta)[written].sum() / 19, rel=1e-5)

    by_hand = gradient(s, t, beta) / temperature / 19 * written[..., None]
    logits.backward(torch.from_numpy(by_hand).float())
    found = dict(trainer.model.named_parameters())
    for name, weight in ours.named_parameters():
        torch.testing.assert_close(found[name].grad, weight.grad, rtol=1e-3, atol=1e-7)


def test_a_student_that_is_its_teacher_has_nothing_to_learn(student: Path, tmp_path: Path) -> None:
    assert train(student, student, tmp_path, max_steps=1).first_loss == pytest.approx(0, abs=1e-6)


def test_the_student_nears_its_teacher_and_the_model_is_whole(straight: Path, student: Path, teacher: Path) -> None:
    losses = [step["loss"] for step in curve(straight)]
    assert losses[-1] < 0.9 * losses[0]
    assert all(step["completions_mean_length"] <= PARAMS.max_completion_length for step in curve(straight))
    check_model(straight / "model")
    for name in ("chat_template.jinja", "tokenizer.json"):
        assert (straight / "model" / name).read_bytes() == (student / name).read_bytes()
    record = read_json(straight / "model" / "training.json")
    assert (record["stage"], record["base"], record["teacher"]) == ("opd", hash_directory(student), hash_directory(teacher))
    assert (record["rows"], record["dropped_rows"], record["steps"], record["seed"]) == (10, 0, 6, SEED)
    assert OpdParams(**record["params"]) == PARAMS


class Stopped(Exception):
    """Stands for a run that was killed."""


@pytest.mark.parametrize("step", [1, 4])
def test_a_killed_run_goes_on_to_the_same_curve_and_the_same_weights(
    step: int, straight: Path, student: Path, teacher: Path, tmp_path: Path
) -> None:
    def stop(line: str) -> None:
        if line.startswith(f"step {step + 1}/"):
            raise Stopped

    with pytest.raises(Stopped):
        train(student, teacher, tmp_path, stop)
    assert not (tmp_path / "model").exists()
    said: list[str] = []
    train(student, teacher, tmp_path, said.append)
    assert [line.split()[1] for line in said if line.startswith("step")] == [f"{n}/6" for n in range(step // 2 * 2 + 1, 7)]
    assert curve(tmp_path) == curve(straight)
    assert hash_directory(tmp_path / "model") == hash_directory(straight / "model")
    assert not (tmp_path / "checkpoints").exists()


def test_four_at_once_are_two_and_two_accumulated(student: Path, teacher: Path, tmp_path: Path) -> None:
    """Answers of unlike length: each token counts the same, wherever it stands."""
    steps = []
    for batch_size, accumulation in ((4, 1), (2, 2)):
        directory = tmp_path / str(batch_size)
        train(
            student,
            teacher,
            directory,
            batch_size=batch_size,
            gradient_accumulation=accumulation,
            max_steps=1,
            max_completion_length=12,
        )
        (step,) = curve(directory)
        assert step["completions_min_length"] < step["completions_max_length"]
        steps.append((step["loss"], step["grad_norm"], step["tokens"]))
    assert steps[0] == pytest.approx(steps[1], rel=1e-4)


def test_every_prompt_is_asked_once_a_pass(student: Path, teacher: Path, tmp_path: Path) -> None:
    asked = [row["prompt"][0]["content"] for row in trainer_of(student, teacher, tmp_path).train_dataset]
    assert len(asked) == 24
    assert set(asked[:10]) == set(asked[10:20]) and len(set(asked[:10])) == 10
    assert asked[:10] != asked[10:20] and set(asked[20:]) < set(asked[:10])


def test_epochs_are_rounded_up_to_whole_steps(student: Path, teacher: Path, tmp_path: Path) -> None:
    assert trainer_of(student, teacher, tmp_path, max_steps=None, epochs=1.0).args.max_steps == 3


def test_the_trainer_asks_with_the_tokens_that_a_policy_is_asked_with(student: Path, teacher: Path, tmp_path: Path) -> None:
    trainer, tokenizer = trainer_of(student, teacher, tmp_path), load_tokenizer(student)
    chats = [row["prompt"] for row in trainer.train_dataset]
    tokens, _, _ = trainer._tokenize_prompts(chats)
    assert tokens == [render_prompt(tokenizer, Conversation("e", (Message("user", chat[0]["content"]),), ())) for chat in chats]


def test_the_production_architecture_is_distilled_by_low_rank_training(tmp_path: Path) -> None:
    prepare_base("tiny-moe", tmp_path / "student", seed=1, text=TEXT)
    prepare_base("tiny-moe", tmp_path / "teacher", seed=2, text=TEXT)
    targets = ("q_proj", "v_proj")
    train(tmp_path / "student", tmp_path / "teacher", tmp_path, max_steps=2, lora=LoraParams(rank=4, alpha=8, targets=targets))
    check_model(tmp_path / "model")
    asked = Conversation("e", (Message("user", TEXT[0]),), ())
    policy = LocalPolicy(tmp_path / "model", max_new_tokens=2, announce=[].append)
    assert asyncio.run(policy.complete(asked)).completion_tokens > 0


def test_prompts_of_a_file_are_drawn_by_the_seed_and_long_ones_left_out(student: Path, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(student)
    path = tmp_path / "prompts.jsonl"
    write_jsonl(path, [{"prompt": text} for text in ["long " * 500, *TEXT[:5]]])
    params = PARAMS.model_copy(update={"prompts": PromptFile(path=str(path), column="prompt"), "max_prompt_length": 300})
    kept, dropped = draw_prompts(params, tokenizer, SEED)
    assert (sorted(kept), dropped) == (sorted(TEXT[:5]), 1)
    fewer = params.model_copy(update={"count": 3, "max_prompt_length": 4000})
    assert draw_prompts(fewer, tokenizer, 1) == draw_prompts(fewer, tokenizer, 1) != draw_prompts(fewer, tokenizer, 2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"max_prompt_length": 5}, r"max_prompt_length: 5 tokens leave none of 10 prompts; raise it \(shortest prompt: \d+\)"),
        ({"max_completion_length": 3900}, r"max_prompt_length \+ max_completion_length: expected at most 4096, .* found 4300"),
        ({"prompts": PromptFile(path="missing.jsonl")}, r"missing\.jsonl: not found"),
    ],
)
def test_sizes_and_prompts_that_cannot_be_used_are_refused(
    changes: dict[str, Any], words: str, student: Path, teacher: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=words):
        train(student, teacher, tmp_path / "run", **changes)
    assert not (tmp_path / "run").exists()


def test_a_teacher_with_another_vocabulary_is_refused(student: Path, tmp_path: Path) -> None:
    prepare_base("tiny", tmp_path / "other", seed=1, text=TEXT[:20])
    with pytest.raises(UserError, match=r"other: expected the vocabulary of .*student, found another; give the base model"):
        train(student, tmp_path / "other", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_teacher_with_another_template_is_refused(student: Path, teacher: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for path in teacher.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    template = other / "chat_template.jinja"
    template.write_text(template.read_text() + "{# changed #}")
    with pytest.raises(UserError, match=r"other: expected the chat template of .*student, found another"):
        train(student, other, tmp_path / "run")


def test_vllm_that_is_not_installed_is_named(
    student: Path, teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opd, "find_spec", lambda _: None)
    with pytest.raises(UserError, match=r"launch\.generator: vllm: package not found; install vllm or set it to transformers"):
        train_opd(student, teacher, tmp_path / "m", tmp_path / "c", tmp_path / "l", PARAMS, SEED, [].append, "vllm")
