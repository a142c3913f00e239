"""Stage 3: reinforcement learning over whole episodes, under the original harness alone or under augmented ones too."""

from __future__ import annotations

from components.training.rl import Episodes, draw_tasks, train_rl
from flows.arms import ARMS, seed_of, split, start_of
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harnesses, read_variants, student_limits


def run(params: Params, paths: RunPaths, arm: str) -> None:
    """Write `models/<arm>/`, the curve `training/<arm>.jsonl` and sample episodes. An interrupted training is resumed."""
    seed, generation = seed_of(arm, params.seed), params.generation
    rl = params.rl if ARMS[split(arm)[0]].augmented else params.rl.model_copy(update={"hsa_share": 0.0})
    train_rl(
        paths.model(start_of(arm)),
        draw_tasks(read_cases(paths, "train"), read_variants(paths, "train"), rl, seed),
        read_harnesses(paths, "train"),
        paths.catalogue,
        paths.model(arm),
        paths.checkpoints(arm),
        paths.training_log(arm),
        rl,
        seed,
        Episodes(student_limits(params), params.faults.model_dump(), generation.max_new_tokens, generation.batch_size),
        generator=params.launch.generator,
    )
