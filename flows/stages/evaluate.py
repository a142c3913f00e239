"""T1 and T2 for one arm, or for the released model where there is one."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from components.evaluation.runner import evaluate
from components.evaluation.suites import build_suites
from components.evaluation.summary import summarise
from components.files import hash_directory, hash_file, read_json, write_json, write_jsonl
from components.harness.types import Limits
from components.liveroom.catalogue import Catalogue
from components.policy.local import LocalPolicy
from flows.params import Params
from flows.paths import CHAMPION, RunPaths
from flows.stages.inputs import read_cases, read_harness, read_variants


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
    sizes, generation = params.evaluation, params.generation
    cases = build_suites(
        read_harness(),
        read_variants(paths, "heldout"),
        read_cases(paths, "eval"),
        sizes.t1_cases,
        sizes.t2_cases,
        params.seed,
    )
    policy = LocalPolicy(model, generation.max_new_tokens, generation.batch_size, name=arm)
    rows = asyncio.run(
        evaluate(
            arm,
            lambda case: policy,
            cases,
            Catalogue.open(paths.catalogue),
            Limits(params.loop.turns, params.loop.retries),
            paths.evaluation(arm),
            fingerprint=f"{hash_directory(model)} {hash_file(paths.catalogue)} {generation}",
            concurrency=generation.batch_size,
            clock=time.monotonic,
            progress=_print_progress,
        )
    )
    write_json(paths.summary(arm), summarise(rows, params.seed))


def _print_progress(done: int, total: int) -> None:
    print(f"{done}/{total} cases", end="\n" if done == total else "\r", file=sys.stderr, flush=True)
