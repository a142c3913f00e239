"""Stage 2: the base model, as teacher, gives back the general ability that supervised tuning took."""

from __future__ import annotations

from components.training.opd import train_opd
from flows.arms import seed_of, start_of
from flows.params import Params
from flows.paths import RunPaths


def run(params: Params, paths: RunPaths, arm: str) -> None:
    """Write `models/<arm>/` and the training curve `training/<arm>.jsonl`. An interrupted training is resumed."""
    train_opd(
        paths.model(start_of(arm)),
        paths.model("base"),
        paths.model(arm),
        paths.checkpoints(arm),
        paths.training_log(arm),
        params.opd,
        seed_of(arm, params.seed),
        generator=params.launch.generator,
    )
