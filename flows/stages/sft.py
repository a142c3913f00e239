"""Train one arm: supervised tuning of the base model on the arm's trajectories."""

from __future__ import annotations

from components.training.sft import train_sft
from flows.params import Params
from flows.paths import STATE, RunPaths


def run(params: Params, paths: RunPaths, arm: str) -> None:
    """Write `models/<arm>/` and the training curve `training/<arm>.jsonl`. An interrupted training is resumed."""
    train_sft(
        paths.model("base"),
        paths.dataset / f"{arm}.jsonl",
        paths.model(arm),
        STATE / "checkpoints" / params.profile / arm,
        paths.training_log(arm),
        params.sft,
        params.seed,
    )
