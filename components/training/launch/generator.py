"""Who writes the samples of OPD and RL, as arguments of TRL's trainers."""

from __future__ import annotations

from typing import Any, Literal

VLLM_SHARE = 0.75
"""Of a GPU's memory, which vLLM takes while samples are written. It sleeps while the model is trained, and gives it back."""


def generator_arguments(generator: Literal["transformers", "vllm"], context: int) -> dict[str, Any]:
    """`vllm` in the training process, a whole model on each GPU, for rows of at most `context` tokens; else this process."""
    if generator == "transformers":
        return {"use_vllm": False}
    return {
        "use_vllm": True,
        "vllm_mode": "colocate",
        "vllm_gpu_memory_utilization": VLLM_SHARE,
        "vllm_enable_sleep_mode": True,
        "vllm_max_model_length": context,
    }
