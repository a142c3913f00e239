"""The teacher answers each training case under the original harness and under some train variants."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from components.data import collect, collected_to_dict
from components.data.collect import TeacherFor
from components.errors import Unavailable
from components.files import write_jsonl
from components.harness.types import StopReason, Trajectory
from components.liveroom.catalogue import Catalogue
from components.policy import ServerPolicy
from components.policy.params import ServerParams
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harness, read_variants, teacher_limits


def run(params: Params, paths: RunPaths) -> None:
    """Write `trajectories/collected.jsonl`. Raises Unavailable, and writes nothing, where the teacher failed in any episode."""
    collected = asyncio.run(
        collect(
            read_harness(),
            read_variants(paths, "train"),
            read_cases(paths, "train"),
            Catalogue.open(paths.catalogue),
            variants_per_case=params.collect.variants_per_case,
            seed=params.seed,
            concurrency=params.collect.concurrency,
            limits=teacher_limits(params),
            faults=params.faults.model_dump(),
            teacher_for=_teacher_for(params.collect.teacher),
            thinking_wordiness=params.collect.thinking_wordiness,
            slip_share=params.collect.slip_share,
        )
    )
    _check_answered([one.trajectory for one in collected])
    write_jsonl(paths.trajectories, map(collected_to_dict, collected))
    print(f"{len(collected)} trajectories")


def _check_answered(trajectories: Sequence[Trajectory]) -> None:
    """DVC would keep what is left after a failure of the teacher's server, and train on it from then on."""
    failed = [one for one in trajectories if one.stop_reason is StopReason.POLICY_ERROR]
    if failed:
        detail = " ".join(failed[0].events[-1].detail.split())
        raise Unavailable(
            f"the teacher failed in {len(failed)} of {len(trajectories)} episodes, first: {detail}; see to its server"
        )


def _teacher_for(teacher: Literal["expert"] | ServerParams) -> TeacherFor | None:
    if teacher == "expert":
        return None
    server = ServerPolicy(teacher.base_url, teacher.model, teacher.api_key_env)
    return lambda harness, truth: server
