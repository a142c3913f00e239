"""The four suites for one arm, or for the released model where there is one."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from components.data.general import general_prompts
from components.evaluation.general import evaluate_general
from components.evaluation.runner import evaluate
from components.evaluation.suites import build_suites
from components.evaluation.summary import summarise
from components.evaluation.types import Row
from components.files import hash_directory, hash_file, read_json, write_json, write_jsonl
from components.liveroom.catalogue import Catalogue
from components.policy.local import LocalPolicy
from flows.params import Params
from flows.paths import CHAMPION, RunPaths
from flows.stages.inputs import read_cases, read_harness, read_variants, student_limits


def run(params: Params, paths: RunPaths, arm: str) -> None:
    """Write `evaluation/<arm>.jsonl` (one row a case) and `evaluation/<arm>.json` (the summary)."""
    model = paths.model(arm)
    if arm == "champion":
        champion = read_json(CHAMPION)
        if champion["release"] is None:
            print("no release yet: the base model stands in for the champion")
            write_jsonl(paths.evaluation(arm), [])
            write_json(paths.summary(arm), {})
            return
        model = Path(champion["model"])
    rows = asyncio.run(_rows(params, paths, arm, model))
    write_jsonl(paths.evaluation(arm), rows)
    write_json(paths.summary(arm), summarise(rows, params.seed))


async def _rows(params: Params, paths: RunPaths, arm: str, model: Path) -> list[Row]:
    """The rows of T1 to T3, then those of T4. Each half is kept as it grows, so that a killed evaluation goes on."""
    sizes, generation = params.evaluation, params.generation
    policy = LocalPolicy(model, generation.max_new_tokens, generation.batch_size, name=arm)
    weights = f"{hash_directory(model)} {generation}"
    work = paths.unfinished(arm)
    episodes = await evaluate(
        arm,
        lambda case: policy,
        build_suites(
            read_harness(),
            read_variants(paths, "heldout"),
            read_cases(paths, "eval"),
            sizes.t1_cases,
            sizes.t2_cases,
            sizes.t3_cases,
            params.seed,
        ),
        Catalogue.open(paths.catalogue),
        student_limits(params),
        work / "episodes.jsonl",
        fingerprint=f"{weights} {hash_file(paths.catalogue)}",
        concurrency=generation.batch_size,
        clock=time.monotonic,
        progress=_print_progress,
    )
    general = await evaluate_general(
        arm,
        policy,
        general_prompts(params.seed, sizes.t4_prompts, "eval"),
        work / "general.jsonl",
        fingerprint=weights,
        concurrency=generation.batch_size,
        progress=_print_progress,
    )
    return [*episodes, *general]


def _print_progress(done: int, total: int) -> None:
    print(f"{done}/{total} cases", end="\n" if done == total else "\r", file=sys.stderr, flush=True)
