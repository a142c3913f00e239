"""Plans: what cannot fit is refused with a change that makes it fit, and more machine never makes a plan worse."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from components.training.launch.plan import StagePlan, plan_stage, smallest_change, too_much
from components.training.launch.shape import read_shape
from components.training.launch.work import Work, all_work
from components.training.params import DraftParams, HardwareParams, LaunchParams, OpdParams, RlParams, SftParams
from tests.training.launch.test_shape import PRODUCTION

SHAPE = read_shape(PRODUCTION)
H20 = HardwareParams(memory_gib=89, bf16_tflops=148, bandwidth_gbs=4000, interconnect_gbs=450, host_memory_gib=1000)
LAUNCH = LaunchParams(processes_per_node=8, deepspeed="zero3", offload="optimizer", generator="vllm")
COMMON: dict[str, Any] = {"max_steps": 10, "learning_rate": 1e-5, "gradient_checkpointing": True}
PENALTY = {"free": 8, "scale": 32, "weight": 0.5}
STAGES: dict[str, dict[str, Any]] = {
    "sft": COMMON | {"batch_size": 1, "max_length": 8192},
    "opd": COMMON | {"batch_size": 2, "count": 100, "max_prompt_length": 1024, "max_completion_length": 512},
    "rl": COMMON
    | {"batch_size": 1, "tasks_per_step": 16, "group_size": 4, "tasks": 64, "hsa_share": 0.5, "fault_share": 0.5}
    | {"thinking_in_tool_calls": PENALTY, "thinking_in_reply": PENALTY},
    "draft": COMMON | {"batch_size": 1, "rollouts": 100, "measured_cases": 1},
}
KINDS = {"sft": SftParams, "opd": OpdParams, "rl": RlParams, "draft": DraftParams}


def works(launch: LaunchParams = LAUNCH, stages: dict[str, dict[str, Any]] = STAGES) -> list[Work]:
    params: dict[str, Any] = {name: KINDS[name](**fields) for name, fields in stages.items()}
    return all_work(launch, **params, sft_rows=1000, turns=3, turn_tokens=512, decode_batch=64)


def plans(launch: LaunchParams, stages: dict[str, dict[str, Any]] = STAGES, hardware: HardwareParams = H20) -> list[StagePlan]:
    return [plan_stage(SHAPE, work, launch, hardware) for work in works(launch, stages)]


def applied(change: str, launch: LaunchParams) -> tuple[LaunchParams, dict[str, dict[str, Any]]]:
    """The parameters, once someone has set what the words say."""
    stages = {name: dict(fields) for name, fields in STAGES.items()}
    for section, field, value in re.findall(r"(\w+)\.(\w+): (\{.*?\}|\w+)", change):
        new = yaml.safe_load(value)
        if section == "launch":
            launch = LaunchParams.model_validate(launch.model_dump() | {field: new})
        else:
            stages[section][field] = new
    return launch, stages


def test_the_production_model_fits_on_eight_gpus() -> None:
    assert [too_much(plan, H20) for plan in plans(LAUNCH)] == [None] * 4


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        (LAUNCH.model_copy(update={"offload": "none"}), "launch.offload: optimizer"),
        (LaunchParams(processes_per_node=8, generator="vllm"), "launch.deepspeed: zero3, launch.offload: optimizer"),
        (
            LaunchParams(processes_per_node=8, deepspeed="zero2", generator="vllm"),
            "launch.deepspeed: zero3, launch.offload: optimizer",
        ),
    ],
)
def test_the_change_that_is_named_makes_it_fit(launch: LaunchParams, expected: str) -> None:
    assert any(too_much(plan, H20) for plan in plans(launch))
    change = smallest_change(SHAPE, works(launch), launch, H20)
    assert change == expected
    assert not any(too_much(plan, H20) for plan in plans(*applied(change, launch)))


@settings(max_examples=60, deadline=None)
@given(
    processes=st.sampled_from([1, 2, 4, 8]),
    kind=st.sampled_from([("none", "none"), ("zero2", "none"), ("zero2", "optimizer"), ("zero3", "none"), ("zero3", "all")]),
    memory=st.sampled_from([80, 89, 141, 192]),
    host=st.sampled_from([250, 500, 1000, 2000]),
    generator=st.sampled_from(["vllm", "transformers"]),
)
def test_whatever_is_asked_for_the_change_that_is_named_makes_it_fit(
    processes: int, kind: tuple[Any, Any], memory: int, host: int, generator: Any
) -> None:
    hardware = H20.model_copy(update={"memory_gib": memory, "host_memory_gib": host})
    launch = LaunchParams(processes_per_node=processes, deepspeed=kind[0], offload=kind[1], generator=generator)
    change = smallest_change(SHAPE, works(launch), launch, hardware)
    if change:
        assert not any(too_much(plan, hardware) for plan in plans(*applied(change, launch), hardware))
    assert (change == "") == (not any(too_much(plan, hardware) for plan in plans(launch, STAGES, hardware)))


def test_what_no_change_of_launch_can_mend_has_none() -> None:
    tiny = H20.model_copy(update={"memory_gib": 20})
    assert smallest_change(SHAPE, works(), LAUNCH, tiny) is None


@settings(max_examples=30, deadline=None)
@given(gpus=st.integers(1, 64), kind=st.sampled_from(["zero2", "zero3"]))
def test_more_gpus_never_need_more_memory_each(gpus: int, kind: Any) -> None:
    few, many = (plans(LaunchParams(processes_per_node=count, deepspeed=kind)) for count in (gpus, 2 * gpus))
    for one, other in zip(few, many, strict=True):
        assert other.memory.gpu_gib <= one.memory.gpu_gib + 1e-9


def test_time_follows_the_machine() -> None:
    faster = H20.model_copy(update={"bf16_tflops": 2 * H20.bf16_tflops})
    sft, fast = plans(LAUNCH)[0], plans(LAUNCH, hardware=faster)[0]
    (before,), (after,) = ([part.seconds for part in plan.step if part.what == "matrix products"] for plan in (sft, fast))
    assert before == 2 * after
    # By hand: 8192 tokens, 8 operations an active parameter (forward, again, backward), 20 % of 148 TFLOP/s; attention beside it.
    least = 8192 * 8 * SHAPE.active / (0.2 * 148e12)
    assert least < before < 1.2 * least
    assert sft.hours == pytest.approx(sft.work.steps * sum(part.seconds for part in sft.step) / 3600)
