"""Stage 1: supervised tuning of the base model on the trajectories of an arm."""

from __future__ import annotations

from components.training.sft import train_sft
from flows.arms import seed_of, split
from flows.params import Params
from flows.paths import RunPaths


def run(params: Params, paths: RunPaths, arm: str) -> None:
    """Write `models/<arm>/` and the training curve `training/<arm>.jsonl`. An interrupted training is resumed."""
    train_sft(
        paths.model("base"),
        paths.dataset / f"{split(arm)[0]}.jsonl",
        paths.model(arm),
        paths.checkpoints(arm),
        paths.training_log(arm),
        params.sft,
        seed_of(arm, params.seed),
    )
