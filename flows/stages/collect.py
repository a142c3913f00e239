"""The teacher answers each training case under the original harness and under some train variants."""

from __future__ import annotations

import asyncio
from typing import Literal

from components.data import collect, collected_to_dict
from components.data.collect import TeacherFor
from components.files import write_jsonl
from components.harness import load_harness
from components.harness.types import Limits
from components.liveroom.catalogue import Catalogue
from components.policy import ServerPolicy
from components.policy.expert import ExpertPolicy
from flows.params import Params, ServerParams
from flows.paths import HARNESS, RunPaths
from flows.stages.inputs import read_cases, read_variants


def run(params: Params, paths: RunPaths) -> None:
    """Write `trajectories/collected.jsonl`."""
    # The expert never needs more turns than skill, tools, reply; a short limit of the student's is not the teacher's.
    limits = Limits(turns=max(params.loop.turns, Limits().turns), retries=params.loop.retries)
    collected = asyncio.run(
        collect(
            load_harness(HARNESS),
            read_variants(paths, "train"),
            read_cases(paths, "train"),
            Catalogue.open(paths.catalogue),
            variants_per_case=params.collect.variants_per_case,
            seed=params.seed,
            concurrency=params.collect.concurrency,
            limits=limits,
            teacher_for=_teacher_for(params.collect.teacher),
        )
    )
    write_jsonl(paths.trajectories, map(collected_to_dict, collected))
    print(f"{len(collected)} trajectories")


def _teacher_for(teacher: Literal["expert"] | ServerParams) -> TeacherFor:
    if teacher == "expert":
        return ExpertPolicy
    server = ServerPolicy(teacher.base_url, teacher.model, teacher.api_key_env)
    return lambda harness, truth: server
