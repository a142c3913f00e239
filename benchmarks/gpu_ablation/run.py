"""All arms within a time: first what starts from the base model, then what starts from those. Loaded with torch, on use."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain
from math import ceil
from multiprocessing import get_context
from pathlib import Path

import torch
import transformers

from benchmarks.gpu_ablation.arm import Plan, run_arm
from benchmarks.gpu_ablation.rows import plain_table
from benchmarks.gpu_ablation.scale import choose_scale
from components.errors import UserError
from components.files import read_json, write_atomic, write_json
from components.harness.types import JsonObject
from components.policy.base_models import prepare_base
from components.policy.precision import Precision, measure_precision
from flows.arms import ARMS
from flows.paths import RunPaths

WAVES = {
    "sft": ["base", *(arm for arm, recipe in ARMS.items() if recipe.stage == "sft")],
    "opd": [arm for arm, recipe in ARMS.items() if recipe.stage == "opd"],
    "rl": [arm for arm, recipe in ARMS.items() if recipe.stage == "rl"],
}
"""Stage → arms that can run at the same time, in the order in which they need each other."""
WEIGHTS = {"sft": 1.5, "opd": 1.0, "rl": 3.5, "evaluate": 2.0}
"""Parts of the time."""
SPENT = 0.85
"""Share of the time that is planned; the rest is for loading, saving, and steps that end late."""


def run(
    packed: Path,
    out: Path,
    minutes: float,
    model: Path | None,
    scale: int | None,
    workers: int | None,
    steps: int,
    announce: Callable[[str], None] = print,
) -> None:
    """Train and ask every arm and fill the new folder `out`; see `answers` for what is there if it is stopped.

    model    folder of the base model, where it is not in `packed`.
    scale    None: the largest at which a few steps fit, by the measured rates of the base model (see `scale`).
    workers  arms that run at once; None: three on a GPU, else one.
    steps    of each stage, at the most.
    Raises UserError for folders that cannot be used and for another version of transformers than `packed` was made with.
    """
    began = time.monotonic()
    wanted = read_json(packed / "pack.json")["transformers"]
    if transformers.__version__ != wanted:
        raise UserError(
            f"transformers: expected {wanted}, found {transformers.__version__}; pack again with --carry transformers"
        )
    if out.exists() and any(path.name != "packages" for path in out.iterdir()):
        raise UserError(f"{out}: expected a new folder; name another or remove it")
    precision = measure_precision()
    workers = workers or (3 if precision.device == "cuda" else 1)
    announce(f"{precision}; {workers} at once")
    prepare_base(str(model or RunPaths(packed).model("base")), RunPaths(out).model("base"), seed=0)
    seconds = shares(minutes * 60 * SPENT, workers)
    plan = Plan(packed, out, precision.device, precision.dtype, scale or 1, steps, seconds, began + minutes * 60)
    if scale is None:
        plan = choose_scale(plan, announce)
    facts = {"hardware": hardware(precision, workers), "minutes": minutes, "scale": plan.scale, "planned_seconds": seconds}
    write_json(out / "run.json", facts)
    announce(f"scale {plan.scale}; an arm's seconds: " + ", ".join(f"{name} {one:.0f}" for name, one in seconds.items()))
    with _mapper(workers) as at_once:
        for record in chain.from_iterable(at_once(partial(run_arm, plan), wave) for wave in WAVES.values()):
            announce(f"{record['arm']}: {record.get('steps', 0)} steps, {record['rounds']} rounds, {record['seconds']:.0f} s")
            write_atomic(out / "table.md", plain_table(out))
    write_json(out / "run.json", facts | {"seconds": time.monotonic() - began})
    announce(plain_table(out))
    announce(f"done in {time.monotonic() - began:.0f} s of {minutes * 60:.0f}")


def shares(seconds: float, workers: int) -> dict[str, float]:
    """Seconds of an arm for its stage and for its evaluation, so that all waves together take `seconds`."""
    trained = {stage: ceil(sum(arm in ARMS for arm in wave) / workers) for stage, wave in WAVES.items()}
    asked = sum(ceil(len(wave) / workers) for wave in WAVES.values())
    parts = sum(WEIGHTS[stage] * times for stage, times in trained.items()) + WEIGHTS["evaluate"] * asked
    return {name: weight * seconds / parts for name, weight in WEIGHTS.items()}


@contextmanager
def _mapper(workers: int) -> Iterator[Callable[..., Iterator[JsonObject]]]:
    """`map`, in this process or in so many others, which live until the end: they load torch once."""
    if workers == 1:
        yield map
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield pool.map


def hardware(precision: Precision, workers: int) -> str:
    """The machine and what ran on it, in words."""
    name = torch.cuda.get_device_name() if precision.device == "cuda" else "no GPU"
    return f"{name}, {torch.get_num_threads()} threads, {workers} processes, torch {torch.__version__}, {precision}"
