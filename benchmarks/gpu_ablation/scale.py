"""How large the batches of a run may be, by what the base model does here in a few seconds. Loaded with torch, on use."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice

from benchmarks.gpu_ablation import loops
from benchmarks.gpu_ablation.arm import Plan, Worker
from benchmarks.gpu_ablation.learn import autocast
from components.policy.renderer import RenderedRow
from components.training.rows import load_rows
from flows.paths import RunPaths

SCALES = (4, 2, 1)
STEPS = 4
"""Of SFT and of RL that must fit into their times, each at its longest."""
PROBE_TOKENS = 8


def choose_scale(plan: Plan, announce: Callable[[str], None]) -> Plan:
    """The plan at the largest of `SCALES` at which `STEPS` steps fit, else at the smallest."""
    worker = Worker(plan, "base")
    path, params = RunPaths(plan.packed).dataset / "hsa_sft.jsonl", worker.params
    rows = load_rows(path, worker.tokenizer, params.sft.max_length, params.sft.max_dropped_share).kept
    a_pack, rate = _learning(worker, rows)
    announce(f"base: {rate:.0f} tokens a second are learnt from")
    for scale in SCALES:
        a_step, rate = _playing(worker, rows, scale)
        learning = a_pack * params.sft.batch_size * scale
        announce(f"scale {scale}: SFT {learning:.1f} s a step; RL {a_step:.1f} s at most, {rate:.0f} tokens a second written")
        if STEPS * learning <= plan.seconds["sft"] and STEPS * a_step <= plan.seconds["rl"]:
            break
    return replace(plan, scale=scale)


def _learning(worker: Worker, rows: list[RenderedRow]) -> tuple[float, float]:
    """Seconds of a pack, forward and backward, and the tokens of its rows a second."""
    batch, _ = loops.sft(worker.model, rows, worker.params.sft, 1, worker.params.seed)
    for _ in range(2):  # The first pays for what is only done once.
        parts, step = batch()
        start = time.monotonic()
        next(autocast(worker.model, worker.plan.dtype, parts)).backward()
        worker.model.zero_grad()
        took = time.monotonic() - start
    return took, step.tokens / worker.params.sft.batch_size / took


def _playing(worker: Worker, rows: list[RenderedRow], scale: int) -> tuple[float, float]:
    """Seconds of an RL step in which every episode uses all turns to their ends, and tokens a second while it writes."""
    rl, generation = worker.params.rl, worker.params.generation
    prompts = [row.input_ids[: row.assistant_masks.index(1)] for row in rows]
    waiting = list(islice(cycle(prompts), rl.tasks_per_step * rl.group_size * scale))
    seconds = []
    for tokens in (1, 1, 1 + PROBE_TOKENS):
        start = time.monotonic()
        worker.writer(tokens, rl.temperature).decode(waiting, [str(place) for place in range(len(waiting))])
        seconds.append(time.monotonic() - start)
    a_token = max(seconds[2] - seconds[1], 0.0) / PROBE_TOKENS
    a_turn = seconds[1] + a_token * (generation.max_new_tokens - 1)
    return worker.params.loop.turns * a_turn, len(waiting) * generation.max_new_tokens / a_turn
