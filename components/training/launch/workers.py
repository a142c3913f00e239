"""What a process is told by the launcher that started it, and what it must do before it trains."""

from __future__ import annotations

import os
import sys
from typing import Any, Literal


def is_worker() -> bool:
    """Whether this process is one of those that a launcher started."""
    return "LOCAL_RANK" in os.environ


def under_deepspeed() -> bool:
    """Whether the launcher asked for DeepSpeed."""
    return os.environ.get("ACCELERATE_USE_DEEPSPEED") == "true"


def join() -> None:
    """Meet the other workers of the run. The main process alone speaks on standard output."""
    if os.environ["RANK"] != "0":
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    import torch
    from accelerate import PartialState

    if torch.cuda.is_available():
        PartialState()
    elif under_deepspeed():
        _join_deepspeed_on_cpu()
    else:
        PartialState(cpu=True, backend="gloo")


def device_arguments(device: Literal["cpu", "cuda"]) -> dict[str, Any]:
    """Of the arguments of a trainer, those that bring it to the device on which the workers have met."""
    on_cpu = device == "cpu"
    return {
        # accelerate takes a process that insists on the CPU for one without DeepSpeed.
        "use_cpu": on_cpu and not under_deepspeed(),
        "ddp_backend": "gloo" if on_cpu and is_worker() else None,
        "dataloader_pin_memory": not on_cpu,
    }


def _join_deepspeed_on_cpu() -> None:
    """Without GPUs, accelerate knows neither device nor backend of DeepSpeed by itself."""
    import deepspeed.ops
    from accelerate import PartialState

    # It would compile a kernel for this, for minutes and where there is a compiler; gloo does the same.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    os.environ["ACCELERATE_TORCH_DEVICE"] = "cpu"
    PartialState(backend="gloo")
