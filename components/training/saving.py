"""The end of a stage: weights, tokenizer, template and record become one model directory, or none.

Loaded with torch, on use.
"""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoConfig
from transformers.integrations import is_deepspeed_zero3_enabled

from components.files import write_json
from components.harness.types import JsonObject
from components.policy.base_models import new_directory

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase, Trainer

RECORD_FILE = "training.json"
"""Kept with the model: what it was trained on and how."""


def save(
    trainer: Trainer,
    model_dir: Path,
    tokenizer: PreTrainedTokenizerBase,
    output_dir: Path,
    checkpoint_dir: Path,
    record: JsonObject,
) -> None:
    """Put the trained model at `output_dir`, in the number format of its base at `model_dir`, and remove the checkpoints.

    All processes of a run must call it: weights that are spread over them are gathered, an adapter is merged; the main
    process writes.
    """
    accelerator = trainer.accelerator
    model = accelerator.unwrap_model(trainer.model)
    if hasattr(model, "peft_config"):
        _merge(model)
        model = model.unload()
    weights = accelerator.get_state_dict(trainer.model_wrapped)
    if accelerator.is_main_process:
        config = AutoConfig.from_pretrained(model_dir)
        with new_directory(output_dir) as new:
            converted = _converted(weights, config.dtype)
            # Gathered weights no longer share memory, by which `save_pretrained` knows what is tied.
            untied = {name: weight for name, weight in converted.items() if name not in model.all_tied_weights_keys}
            model.save_pretrained(new, state_dict=untied)
            config.save_pretrained(new)
            tokenizer.save_pretrained(new)
            write_json(new / RECORD_FILE, record)
        shutil.rmtree(checkpoint_dir)
    accelerator.wait_for_everyone()


def _merge(model: Any) -> None:
    """Add the adapter to the weights, layer by layer: no process holds more than a layer that isn't its own."""
    from peft.tuners.tuners_utils import BaseTunerLayer

    for module in model.modules():
        if isinstance(module, BaseTunerLayer):
            with _gathered(module):
                module.merge()


def _gathered(module: torch.nn.Module) -> AbstractContextManager[None]:
    if not is_deepspeed_zero3_enabled():
        return nullcontext()
    from deepspeed.runtime.zero import GatheredParameters

    return GatheredParameters(list(module.parameters()), modifier_rank=0)  # type: ignore[no-any-return]


def _converted(weights: dict[str, torch.Tensor], dtype: torch.dtype) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix("base_model.model."): weight.to(dtype) if weight.is_floating_point() else weight
        for name, weight in weights.items()
    }
