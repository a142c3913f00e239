"""An RL step of this project against one of TRL's own environment support, on the same tasks with the same model.

Both sides get the same system prompt, request, tools (names, descriptions, parameters), number of episodes and length of a
turn, and an episode is cut off after as many turns. TRL builds its schemas from annotations and has no skills to disclose,
no hooks and no variants; its episodes end where a turn makes no call. So beside the time of a step (median) stand the tokens
read and written in it. Each side runs in a process of its own, so that peak memory is its own; on a busy machine the CPU
time is the figure to trust. A tiny model with random weights by default: it writes noise, so that nearly every
episode of either side is one turn, cut off at its length.

    python -m benchmarks.rl_step [--model DIRECTORY] [--steps 3] [--groups 2] [--group-size 4] [--tokens 32]
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.sides import run_sides

HARNESS = Path(__file__).parents[1] / "harness"
SEED = 1
TYPES: dict[str, type] = {"integer": int, "string": str, "array": list[int], "object": dict}
SIDES = ("this project", "TRL environment_factory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="model directory; by default a tiny one is made")
    parser.add_argument("--side", choices=SIDES, help="run this side only and print its figures as JSON")
    for name, default in (("steps", 3), ("groups", 2), ("group-size", 4), ("tokens", 32)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    if options.side:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(options, Path(folder))))
        return
    figures = run_sides("benchmarks.rl_step", SIDES)
    ours, theirs = figures.values()
    print("| side | a step, s | CPU s | prompt tokens a step | tokens written a step | peak memory, GiB |")
    print("|---|---|---|---|---|---|")
    for side, found in figures.items():
        print(f"| {side} | {found['step']:.2f} | {found['cpu']:.2f} ", end="")
        print(f"| {found['prompts']:.0f} | {found['written']:.0f} | {found['memory']:.2f} |")
    ratios = {name: ours[name] / theirs[name] for name in ("step", "cpu", "memory")}
    print("this project to TRL: step {step:.2f}, CPU time {cpu:.2f}, peak memory {memory:.2f}".format(**ratios))


def measure(options: argparse.Namespace, folder: Path) -> dict[str, float]:
    """Seconds and tokens of a step, medians over all steps but the first, and the process's peak memory."""
    import torch
    from transformers import TrainerCallback

    from components.liveroom import Catalogue, generate
    from components.policy import prepare_base
    from components.training.progress import peak_memory_gib

    model = options.model or folder / "tiny"
    if not options.model:
        torch.set_num_threads(1)
        prepare_base("tiny", model, SEED, [path.read_text() for path in sorted(HARNESS.rglob("*.md"))])
    world = generate(SEED, train_rooms=6, eval_rooms=3, comments_per_room=8)
    catalogue = Catalogue.create(folder / "catalogue.sqlite", world.items, world.rooms, world.coupons)
    cases = [case for case in world.cases if case.split == "train"][: options.groups * (options.steps + 1)]
    trainer = (ours if options.side == SIDES[0] else theirs)(options, model, folder, catalogue, cases)
    steps: list[tuple[float, float, float, float]] = []

    class Clock(TrainerCallback):  # type: ignore[misc]
        def on_step_begin(self, *_: Any, **__: Any) -> None:
            self.started = time.perf_counter(), time.process_time()

        def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **_: Any) -> None:
            if "completions/mean_length" in logs:
                wall, cpu = time.perf_counter() - self.started[0], time.process_time() - self.started[1]
                written = logs["completions/mean_length"] * options.groups * options.group_size
                steps.append((wall, cpu, logs["num_tokens"], written))

    # First of all, so that it sees what TRL logs before anyone renames it.
    trainer.callback_handler.callbacks.insert(0, Clock())
    trainer.train()
    # The first step pays for what is only done once.
    wall, cpu, seen, written = zip(*steps[1:], strict=True)
    return {
        "step": median(wall),
        "cpu": median(cpu),
        "prompts": (seen[-1] - steps[0][2]) / len(seen) - median(written),
        "written": median(written),
        "memory": peak_memory_gib(),
    }


def ours(options: argparse.Namespace, model: Path, folder: Path, catalogue: Any, cases: list[Any]) -> Any:
    from components.data.types import ORIGINAL
    from components.harness import load_harness
    from components.harness.types import Limits
    from components.judge import FactMatcher
    from components.policy.base_models import load_tokenizer
    from components.policy.precision import measure_precision
    from components.training.params import RlParams, ThinkingPenalty
    from components.training.rl import Episodes, RlTask
    from components.training.rl.simulator import Simulator
    from components.training.rl.stage import build_trainer

    episodes = Episodes(Limits(turns=4, retries=0), {}, options.tokens, options.groups * options.group_size)
    penalty = ThinkingPenalty(free=32, scale=32, weight=0.1)
    params = RlParams(
        max_steps=options.steps + 1,
        learning_rate=1e-6,
        batch_size=options.group_size,
        tasks_per_step=options.groups,
        group_size=options.group_size,
        tasks=len(cases),
        hsa_share=0,
        fault_share=0,
        thinking_in_tool_calls=penalty,
        thinking_in_reply=penalty,
    )
    simulator = Simulator({ORIGINAL: load_harness(HARNESS)}, catalogue, FactMatcher(), faults={}, limits=episodes.limits)
    tasks = [RlTask(case.case_id, case, ORIGINAL, faults=False) for case in cases]
    return build_trainer(
        model, load_tokenizer(model), simulator, tasks, folder / "checkpoints", folder / "log.jsonl", params, SEED, episodes,
        measure_precision(), "transformers", lambda _: None,
    )  # fmt: skip


def theirs(options: argparse.Namespace, model: Path, folder: Path, catalogue: Any, cases: list[Any]) -> Any:
    import torch
    import trl
    from datasets import Dataset
    from transformers import AutoModelForCausalLM
    from trl import GRPOConfig, GRPOTrainer

    from components.harness import load_harness
    from components.harness.render import request_prompt, system_prompt
    from components.policy.base_models import load_tokenizer
    from components.policy.precision import measure_precision
    from components.training.params import OptimiserParams
    from components.training.running import trainer_arguments

    harness = load_harness(HARNESS)
    precision = measure_precision()
    tokenizer = load_tokenizer(model)
    # TRL reads calls of the templates that it knows; Qwen3's writes them as ours does.
    tokenizer.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    rows = [
        {
            "prompt": [
                {"role": "system", "content": system_prompt(harness, case.request)},
                {"role": "user", "content": request_prompt(case.request)},
            ],
            "case_id": case.case_id,
        }
        for case in cases
    ]
    params = OptimiserParams(max_steps=options.steps + 1, learning_rate=1e-6, batch_size=options.group_size)
    parts = options.groups
    arguments = GRPOConfig(
        **trainer_arguments(params, folder, SEED, precision) | {"gradient_accumulation_steps": parts, "save_strategy": "no"},
        steps_per_generation=parts,
        num_generations=options.group_size,
        max_completion_length=options.tokens,
        max_tool_calling_iterations=3,
        importance_sampling_level="sequence",
        loss_type="grpo",
        beta=0.0,
        remove_unused_columns=False,
    )
    return GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32),
        reward_funcs=lambda completions, **_: [float(len(str(one))) for one in completions],
        args=arguments,
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        environment_factory=environment(harness, catalogue, {case.case_id: case for case in cases}),
    )


def environment(harness: Any, catalogue: Any, cases: dict[str, Any]) -> type:
    """The harness's tools as the methods of a class, which is what TRL makes tools of."""
    from components.harness.arguments import to_canonical
    from components.harness.types import ToolError
    from components.liveroom import CatalogueRoom

    def reset(self: Any, case_id: str, **_: Any) -> None:
        self._room = CatalogueRoom(catalogue, cases[case_id].request)

    def method(tool: Any) -> Any:
        def call(self: Any, **arguments: Any) -> str:
            try:
                return json.dumps(asyncio.run(self._room.call(tool.implementation, to_canonical(tool, arguments))))
            except ToolError as error:
                return json.dumps({"error": str(error)})

        properties, required = tool.parameters.get("properties", {}), tool.parameters.get("required", [])
        hints = {name: TYPES[schema["type"]] for name, schema in properties.items()}
        parameters = [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                annotation=hints[name],
                default=inspect.Parameter.empty if name in required else None,
            )
            for name in sorted(hints, key=lambda name: name not in required)
        ]
        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        described = "".join(f"\n    {name}: {name}." for name in hints)
        call.__signature__ = inspect.Signature([own, *parameters], return_annotation=str)  # type: ignore[attr-defined]
        call.__annotations__ = {**hints, "return": str}
        call.__name__, call.__doc__ = tool.name, tool.description + (f"\n\nArgs:{described}" if hints else "")
        return call

    return type("LiveRoom", (), {"reset": reset, **{tool.name: method(tool) for tool in harness.tools}})


if __name__ == "__main__":
    main()
