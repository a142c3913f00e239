"""What every stage does alike around its trainer: arguments, identity, resume, and advice where memory ran out.

Loaded with torch, on use.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accelerate import PartialState
from accelerate.utils import broadcast_object_list

from components.errors import UserError
from components.files import hash_directory
from components.harness.types import JsonObject
from components.policy.precision import Precision, measure_precision
from components.training.checkpoints import claim
from components.training.launch.workers import device_arguments
from components.training.params import OptimiserParams

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import Trainer


def agree_on_precision() -> Precision:
    """The number format that the main process measures to be faster; all processes of a run use it."""
    precision: list[Any] = [measure_precision()]
    if PartialState().num_processes > 1:
        broadcast_object_list(precision)
    return precision[0]  # type: ignore[no-any-return]


def identity(
    stage: str, model_dir: Path, params: OptimiserParams, seed: int, precision: Precision, **data: str | None
) -> JsonObject:
    """All that decides the outcome of a run; `data` names what it learns from (hashes of files, versions)."""
    return {
        "stage": stage,
        "base": hash_directory(model_dir),
        "params": params.model_dump(mode="json"),
        "seed": seed,
        "dtype": precision.dtype,
        "versions": {name: version(name) for name in ("torch", "transformers", "trl")},
        **data,
    }


def trainer_arguments(params: OptimiserParams, checkpoint_dir: Path, seed: int, precision: Precision) -> dict[str, Any]:
    """The arguments that TRL's trainers share: keyword arguments of any of its configurations."""
    return {
        "output_dir": str(checkpoint_dir),
        "num_train_epochs": params.epochs or 1.0,
        "max_steps": params.max_steps or -1,
        "learning_rate": params.learning_rate,
        "per_device_train_batch_size": params.batch_size,
        "gradient_accumulation_steps": params.gradient_accumulation,
        "gradient_checkpointing": params.gradient_checkpointing,
        "warmup_steps": params.warmup_ratio,
        "weight_decay": params.weight_decay,
        "max_grad_norm": params.max_grad_norm,
        "lr_scheduler_type": params.scheduler,
        "save_steps": params.save_steps,
        # The last but one stays until the last is whole.
        "save_total_limit": 2,
        "seed": seed,
        **device_arguments(precision.device),
        "bf16": precision.dtype == "bfloat16",
        "logging_steps": 1,
        "logging_nan_inf_filter": False,
        "disable_tqdm": True,
        "report_to": "none",
    }


def lora_config(params: OptimiserParams) -> LoraConfig | None:
    """PEFT's form of `params.lora`."""
    if params.lora is None:
        return None
    from peft import LoraConfig

    targets = params.lora.targets if isinstance(params.lora.targets, str) else list(params.lora.targets)
    return LoraConfig(r=params.lora.rank, lora_alpha=params.lora.alpha, target_modules=targets, task_type="CAUSAL_LM")


def run(trainer: Trainer, identity: JsonObject, checkpoint_dir: Path, announce: Callable[[str], None]) -> None:
    """Train to the end, going on from the last whole checkpoint of the same run (see `claim`).

    Raises UserError where memory runs out, naming what to change.
    """
    with trainer.accelerator.main_process_first():
        checkpoint = claim(checkpoint_dir, identity | {"processes": trainer.accelerator.num_processes})
    if checkpoint:
        announce(f"{identity['stage']}: going on from {checkpoint.name}")
    try:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        raise UserError(f"{identity['stage']}: out of memory at step {trainer.state.global_step}; {_advice(trainer)}") from error


def _is_out_of_memory(error: Exception) -> bool:
    # On a CPU, and deep in CUDA, torch has no error class of its own for it.
    return isinstance(error, MemoryError) or any(words in str(error) for words in ("out of memory", "DefaultCPUAllocator"))


def _advice(trainer: Trainer) -> str:
    arguments = trainer.args
    rows = {"batch_size": arguments.per_device_train_batch_size, "pack_rows": getattr(trainer, "pack_rows", 1)}
    for name, size in rows.items():
        if size > 1:
            accumulation = -(-size * arguments.gradient_accumulation_steps // (size // 2))
            return f"lower {name} to {size // 2} and raise gradient_accumulation to {accumulation} (the same optimiser step)"
    if not arguments.gradient_checkpointing:
        return "set gradient_checkpointing to true"
    if not hasattr(trainer.model, "peft_config"):
        return "set lora to {rank: 16, alpha: 32}, or spread the model over more devices (launch.deepspeed: zero3)"
    return "set launch.offload to all (with launch.deepspeed: zero3), or lower the lengths"
