"""SFT tokens a second of this project's packs against plain TRL without packing: same model, same rows, same optimiser step.

The rows are the expert's episodes under the base harness; a step trains all of them. Tokens are those of the rows: what
they share is counted in every row, on both sides. Each side runs in a process of its own, so that peak memory is its own.
Time is CPU time of one thread where there is no GPU, so that others at work on the machine don't count.

    python -m benchmarks.sft_speed [--model DIRECTORY | smollm2 | tiny] [--steps 3] [--rows 8] [--batch 2]

`--batch`: rows a forward pass of TRL's, padded to the longest; the packs go through the model as one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.sides import run_sides

HARNESS = Path(__file__).parents[1] / "harness"
SEED = 1
SIDES = ("this project", "plain TRL")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="tiny", help="smollm2, tiny or a model directory")
    parser.add_argument("--side", choices=SIDES, help="run this side only and print its figures as JSON")
    for name, default in (("steps", 3), ("rows", 8), ("batch", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    if options.side:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(options, Path(folder))))
        return
    figures = run_sides("benchmarks.sft_speed", SIDES)
    ours, theirs = figures.values()
    print("| side | tokens a second (median) | loss of the first step | peak memory, GiB |\n| --- | --- | --- | --- |")
    for side, found in figures.items():
        print(f"| {side} | {found['rate']:.0f} | {found['loss']:.4f} | {found['memory']:.2f} |")
    print(f"\nthis project to plain TRL: {ours['rate'] / theirs['rate']:.2f} times the tokens a second, ", end="")
    print(f"{ours['memory'] / theirs['memory']:.2f} of the peak memory")


def measure(options: argparse.Namespace, folder: Path) -> dict[str, float]:
    """Tokens a second, the median over all steps but the first, the loss of the first, and the process's peak memory."""
    import torch
    from transformers import TrainerCallback

    from components.data.collect import collect
    from components.data.datasets import to_row
    from components.files import write_jsonl
    from components.harness import load_harness
    from components.liveroom import Catalogue, generate
    from components.policy import prepare_base
    from components.policy.base_models import load_tokenizer
    from components.training.progress import peak_memory_gib
    from components.training.rows import load_rows

    clock = time.perf_counter if torch.cuda.is_available() else time.process_time
    if not torch.cuda.is_available():
        torch.set_num_threads(1)
    world = generate(SEED, train_rooms=6, eval_rooms=3, comments_per_room=8)
    catalogue = Catalogue.create(folder / "catalogue.sqlite", world.items, world.rooms, world.coupons)
    cases = [case for case in world.cases if case.split == "train"][: options.rows]
    collected = asyncio.run(collect(load_harness(HARNESS), [], cases, catalogue, variants_per_case=0, seed=SEED, concurrency=8))
    write_jsonl(folder / "rows.jsonl", [to_row(one) for one in collected])
    prepare_base(options.model, folder / "base", SEED, [path.read_text() for path in sorted(HARNESS.rglob("*.md"))])
    rows = load_rows(folder / "rows.jsonl", load_tokenizer(folder / "base"), 8192, 0)
    trainer = (ours if options.side == SIDES[0] else theirs)(options, folder, rows)
    seconds: list[float] = []

    class Clock(TrainerCallback):  # type: ignore[misc]
        def on_step_begin(self, *_: Any, **__: Any) -> None:
            self.started = clock()

        def on_step_end(self, *_: Any, **__: Any) -> None:
            if torch.cuda.is_available():
                torch.cuda.synchronize()
            seconds.append(clock() - self.started)

    trainer.add_callback(Clock())
    trainer.train()
    # The first step pays for what is only done once.
    return {
        "rate": median(rows.tokens / one for one in seconds[1:] or seconds),
        "loss": trainer.state.log_history[0]["loss"],
        "memory": peak_memory_gib(),
    }


def ours(options: argparse.Namespace, folder: Path, rows: Any) -> Any:
    from components.policy.base_models import load_tokenizer
    from components.policy.precision import measure_precision
    from components.training import SftParams
    from components.training.sft import build_trainer

    params = SftParams(
        max_steps=options.steps,
        learning_rate=1e-5,
        batch_size=1,
        packing="shared_prefix",
        pack_rows=options.rows,
        max_length=4096,
    )
    return build_trainer(
        folder / "base", load_tokenizer(folder / "base"), rows, folder / "checkpoints", folder / "log.jsonl", params, SEED,
        measure_precision(), lambda _: None,
    )  # fmt: skip


def theirs(options: argparse.Namespace, folder: Path, rows: Any) -> Any:
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM
    from trl import SFTConfig, SFTTrainer

    from components.policy.base_models import load_tokenizer
    from components.policy.precision import measure_precision
    from components.training.params import OptimiserParams
    from components.training.running import trainer_arguments

    params = OptimiserParams(
        max_steps=options.steps,
        learning_rate=1e-5,
        batch_size=options.batch,
        gradient_accumulation=-(-len(rows.kept) // options.batch),
    )
    return SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(folder / "base", dtype=torch.float32),
        args=SFTConfig(**trainer_arguments(params, folder / "checkpoints", SEED, measure_precision()), max_length=8192),
        train_dataset=Dataset.from_list([vars(row) for row in rows.kept]),
        processing_class=load_tokenizer(folder / "base"),
    )


if __name__ == "__main__":
    main()
