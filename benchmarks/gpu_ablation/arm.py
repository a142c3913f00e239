"""One arm: its model is trained from that of the arm before it, and asked. Loaded with torch, on use."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM
from transformers.utils.logging import disable_progress_bar

from benchmarks.gpu_ablation import loops
from benchmarks.gpu_ablation.answers import AnyHarness, AnyHarnessRecording, answer, rounds
from benchmarks.gpu_ablation.learn import learn
from benchmarks.gpu_ablation.pace import Pace
from benchmarks.gpu_ablation.rows import read_prompts
from components.errors import UserError
from components.evaluation.suites import build_suites
from components.files import read_json, read_jsonl, write_json, write_jsonl
from components.harness.types import Conversation, JsonObject, Message
from components.judge.fact_matcher import FactMatcher
from components.liveroom.catalogue import Catalogue
from components.liveroom.truth import calls
from components.policy.base_models import load_tokenizer
from components.policy.batching import BatchingPolicy
from components.policy.decoding import Decoder, make_decoder
from components.policy.recording import RecordingPolicy
from components.policy.renderer import TURN_END, render_prompt
from components.training import shared_prefix
from components.training.rl import draw_tasks
from components.training.rl.simulator import Simulator
from components.training.rl.tasks import scaled
from components.training.rows import load_rows
from flows.arms import ARMS
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harness, read_harnesses, read_variants, student_limits

PASSES = 3
"""Over the training rows, at the most."""


@dataclass(frozen=True)
class Plan:
    """What a run does, for every arm."""

    packed: Path
    out: Path
    device: str
    dtype: str
    """Of the products: float32 or bfloat16. Weights stay in float32 while they are trained."""
    scale: int
    """Every batch is so many times that of the parameters."""
    steps: int
    """Of a stage and rounds of an evaluation, at the most."""
    seconds: dict[str, float]
    """Stage, or `evaluate` → its time in every arm."""
    deadline: float
    """By `time.monotonic`: nothing is begun after it."""

    def pace(self, name: str, stage: str, steps: int, announce: Callable[[str], None]) -> Pace:
        """The limits of a stage."""
        return Pace(name, min(self.seconds[stage], self.deadline - time.monotonic()), min(steps, self.steps), announce)


class Worker:
    """The model of an arm, and the copy of it, in the format of the products, that writes."""

    def __init__(self, plan: Plan, start: str) -> None:
        """Load the model that the arm `start` left. Raises UserError for one whose layers do not attend to all before them."""
        paths = RunPaths(plan.out)
        self.plan, self.params = plan, Params.model_validate(read_json(plan.packed / "params.json"))
        self.tokenizer = load_tokenizer(paths.model("base"))
        self.model = load(paths.model(start), "float32", plan.device)
        self.copy = load(paths.model(start), plan.dtype, plan.device)
        self.stop: int = self.tokenizer.convert_tokens_to_ids(TURN_END)
        if not shared_prefix.supports(self.model):
            raise UserError(
                f"--model: {self.model.config.model_type}: expected full attention in every layer; take another model"
            )
        shared_prefix.enable(self.model)

    def writer(self, max_new_tokens: int, temperature: float | None = None) -> Decoder:
        """Writes as the model is now, until its weights change."""
        with torch.no_grad():
            for mine, theirs in zip(self.copy.parameters(), self.model.parameters(), strict=True):
                mine.copy_(theirs)
        return make_decoder(self.copy, self.stop, max_new_tokens, temperature)

    def policy(self, kind: type[BatchingPolicy], name: str, seed: str = "", temperature: float | None = None) -> Any:
        """The model as it is now, as a policy that decodes as many answers at once as a round asks for."""
        generation = self.params.generation
        return kind(
            self.tokenizer,
            self.writer(generation.max_new_tokens, temperature),
            context=self.model.config.get_text_config().max_position_embeddings,
            max_new_tokens=generation.max_new_tokens,
            batch_size=generation.batch_size * self.plan.scale,
            name=name,
            seed=seed,
        )


def load(directory: Path, dtype: str, device: str) -> Any:
    """The model in `directory`, with weights of this format."""
    return AutoModelForCausalLM.from_pretrained(directory, dtype=getattr(torch, dtype)).to(device).eval()


def run_arm(plan: Plan, arm: str) -> JsonObject:
    """Train where the arm is trained, save, answer; returns what was done, which `arms/<arm>.json` holds too."""
    began, paths = time.monotonic(), RunPaths(plan.out)
    disable_progress_bar()
    recipe = ARMS.get(arm)
    worker = Worker(plan, recipe.start if recipe else "base")
    record: JsonObject = {"arm": arm, "stage": recipe.stage if recipe else None}
    if recipe:
        rows, pool = {"sft": _sft, "opd": _opd, "rl": _rl}[recipe.stage](worker, arm)
        write_jsonl(paths.training_log(arm), rows)
        worker.model.save_pretrained(paths.model(arm))
        sums = {name: sum(row[name] for row in rows) for name in ("seconds", "tokens", "drawn")}
        record |= {"steps": len(rows), "training_seconds": sums["seconds"], "tokens": sums["tokens"]}
        record["drawn"] = min(sums["drawn"], pool)
        ends = [("first", rows[0]), ("last", rows[-1])] if rows else []
        record |= {f"{name}_{end}": row[name] for end, row in ends for name in ("loss", "reward") if name in row}
    record["rounds"] = _answer(worker, arm)
    record["seconds"] = time.monotonic() - began
    write_json(plan.out / "arms" / f"{arm}.json", record)
    return record


# Each stage returns a row a step, and how many different rows, prompts or tasks there are to draw from.


def _sft(worker: Worker, arm: str) -> tuple[list[JsonObject], int]:
    plan, params = worker.plan, worker.params.sft
    path = RunPaths(plan.packed).dataset / f"{arm}.jsonl"
    rows = load_rows(path, worker.tokenizer, params.max_length, params.max_dropped_share).kept
    batch, steps = loops.sft(worker.model, rows, params, plan.scale, worker.params.seed)
    return learn(worker.model, params, plan.pace(arm, "sft", PASSES * steps, print), plan.dtype, batch), len(rows)


def _opd(worker: Worker, arm: str) -> tuple[list[JsonObject], int]:
    plan, params = worker.plan, worker.params.opd
    teacher = load(RunPaths(plan.out).model("base"), plan.dtype, plan.device).requires_grad_(False)
    shared_prefix.enable(teacher)
    said = [(Message("user", row["prompt"]),) for row in read_jsonl(plan.packed / "prompts" / "train.jsonl")]
    rendered = [render_prompt(worker.tokenizer, Conversation("", messages, ())) for messages in said]
    prompts = [prompt for prompt in rendered if len(prompt) <= params.max_prompt_length]
    batch = loops.opd(
        worker.model,
        teacher,
        prompts,
        params,
        plan.scale,
        worker.params.seed,
        lambda: worker.writer(params.max_completion_length, params.temperature),
    )
    return learn(worker.model, params, plan.pace(arm, "opd", plan.steps, print), plan.dtype, batch), len(prompts)


def _rl(worker: Worker, arm: str) -> tuple[list[JsonObject], int]:
    plan, packed, params = worker.plan, RunPaths(worker.plan.packed), worker.params
    share = params.rl.hsa_share if ARMS[arm].augmented else 0.0
    rl = params.rl.model_copy(update={"hsa_share": share, "tasks": params.rl.tasks * plan.scale})
    tasks = draw_tasks(read_cases(packed, "train"), read_variants(packed, "train"), rl, params.seed)
    simulator = Simulator(
        read_harnesses(packed, "train"),
        Catalogue.open(packed.catalogue),
        FactMatcher(),
        faults=scaled(params.faults.model_dump(), rl.fault_rate),
        limits=student_limits(params),
    )
    kind = AnyHarnessRecording if plan.device == "cuda" else RecordingPolicy
    batch = loops.rl(
        worker.model,
        simulator,
        tasks,
        rl,
        plan.scale,
        params.seed,
        lambda seed: worker.policy(kind, arm, seed, rl.temperature),
        lambda tokens: worker.tokenizer.decode(tokens[:-1] if tokens[-1:] == [worker.stop] else tokens),
        lambda text: len(worker.tokenizer.encode(text, add_special_tokens=False)),
    )
    return learn(worker.model, rl, plan.pace(arm, "rl", plan.steps, print), plan.dtype, batch), len(tasks)


def _answer(worker: Worker, arm: str) -> int:
    plan, packed, params = worker.plan, RunPaths(worker.plan.packed), worker.params
    cases = read_cases(packed, "eval")
    suites = build_suites(
        read_harness(),
        read_variants(packed, "heldout"),
        cases,
        len(cases),
        len(cases),
        sum(bool(calls(case.asks)) for case in cases),
        params.seed,
    )
    prompts = read_prompts(plan.packed / "prompts" / "eval.jsonl")
    asked = rounds(suites, prompts, params.generation.batch_size * plan.scale)
    policy = worker.policy(AnyHarness if plan.device == "cuda" else BatchingPolicy, arm)
    pace = plan.pace(f"{arm}, evaluation", "evaluate", len(asked), print)
    return answer(arm, policy, asked, Catalogue.open(packed.catalogue), student_limits(params), plan.out / "rows" / arm, pace)
