"""Every arm that was evaluated, with its repeats, beside the paper's figures."""

from __future__ import annotations

from components.evaluation.ablation import write_ablation
from components.files import read_jsonl
from flows.arms import ARMS, repeats
from flows.params import Params
from flows.paths import RunPaths
from flows.run_facts import run_facts


def run(params: Params, paths: RunPaths) -> None:
    """Write `ablation/` (page, Markdown, JSON, figure) from all that was evaluated, naming what was not."""
    seeds = {
        arm: [read_jsonl(paths.evaluation(name)) for name in repeats(arm) if paths.evaluation(name).exists()]
        for arm in ("base", *ARMS)
    }
    write_ablation(paths.ablation, seeds, run_facts(params, paths))
