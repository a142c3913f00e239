"""Supervised tuning on trajectories: the model learns to write what the assistant wrote, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from components.errors import UserError
from components.files import hash_directory, hash_file, write_json
from components.harness.types import JsonObject
from components.policy.base_models import check_model, load_tokenizer, new_directory
from components.policy.precision import Precision, measure_precision
from components.training.checkpoints import claim
from components.training.params import SftParams
from components.training.rows import Rows, load_rows

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase
    from trl import SFTTrainer

RECORD_FILE = "training.json"
"""Kept with the model: what it was trained on and how."""


@dataclass(frozen=True)
class SftSummary:
    """What a run did."""

    rows: int
    dropped_rows: int
    """Too long for `max_length`."""
    steps: int
    tokens: int
    """Tokens read, padding not counted."""
    final_loss: float
    tokens_per_second: float
    """Mean over the steps, padding not counted."""
    precision: Precision


def train_sft(
    model_dir: Path,
    dataset_path: Path,
    output_dir: Path,
    checkpoint_dir: Path,
    log_path: Path,
    params: SftParams,
    seed: int,
    announce: Callable[[str], None] = print,
) -> SftSummary:
    """Tune the model in `model_dir` on the rows of `dataset_path` and put the new model directory at `output_dir`.

    A run that was killed goes on from its last checkpoint in `checkpoint_dir` to the same weights as one that wasn't;
    the checkpoints are removed once the model stands. `log_path` gets a row a step. The model is saved in the number
    format of the base model. Raises UserError for a base model that isn't whole, rows that can't be used (see
    `load_rows`) and a loss that is no longer a number.
    """
    check_model(model_dir)
    tokenizer = load_tokenizer(model_dir)
    rows = load_rows(dataset_path, tokenizer, params.max_length, params.max_dropped_share)
    announce(
        f"sft: {len(rows.kept)} rows, {rows.tokens} tokens of which {rows.trained_tokens} are learnt; "
        f"{rows.dropped} rows longer than {params.max_length} tokens left out"
    )
    precision = measure_precision()
    announce(f"sft: {precision}")
    identity = {
        "stage": "sft",
        "base": hash_directory(model_dir),
        "dataset": hash_file(dataset_path),
        "params": params.model_dump(mode="json"),
        "seed": seed,
        "dtype": precision.dtype,
        "versions": {name: version(name) for name in ("torch", "transformers", "trl")},
    }
    checkpoint = claim(checkpoint_dir, identity)
    if checkpoint:
        announce(f"sft: going on from {checkpoint.name}")

    trainer = build_trainer(model_dir, tokenizer, rows, checkpoint_dir, log_path, params, seed, precision, announce)
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)

    history = [row for row in trainer.state.log_history if "loss" in row]
    summary = SftSummary(
        rows=len(rows.kept),
        dropped_rows=rows.dropped,
        steps=trainer.state.global_step,
        tokens=trainer.state.num_input_tokens_seen,
        final_loss=history[-1]["loss"],
        tokens_per_second=sum(row["tokens_per_second"] for row in history) / len(history),
        precision=precision,
    )
    record = identity | {
        "rows": summary.rows,
        "dropped_rows": summary.dropped_rows,
        "steps": summary.steps,
        "final_loss": summary.final_loss,
    }
    _save(trainer, model_dir, tokenizer, output_dir, record)
    shutil.rmtree(checkpoint_dir)
    return summary


def build_trainer(
    model_dir: Path,
    tokenizer: PreTrainedTokenizerBase,
    rows: Rows,
    checkpoint_dir: Path,
    log_path: Path,
    params: SftParams,
    seed: int,
    precision: Precision,
    announce: Callable[[str], None],
) -> SFTTrainer:
    """TRL's trainer over rows that our renderer has made into tokens: it accepts them as they are and masks the rest."""
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, PrinterCallback, set_seed
    from trl import SFTConfig, SFTTrainer

    from components.training.progress import Progress

    set_seed(seed)
    # The weights stay in float32 while they are trained; bfloat16, where faster, is for the products (autocast).
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=torch.float32)
    if params.max_length > model.config.max_position_embeddings:
        raise UserError(
            f"max_length: expected at most {model.config.max_position_embeddings}, the context of {model_dir}, "
            f"found {params.max_length}"
        )
    arguments = SFTConfig(
        output_dir=str(checkpoint_dir),
        num_train_epochs=params.epochs or 1.0,
        max_steps=params.max_steps or -1,
        learning_rate=params.learning_rate,
        per_device_train_batch_size=params.batch_size,
        gradient_accumulation_steps=params.gradient_accumulation,
        gradient_checkpointing=params.gradient_checkpointing,
        warmup_steps=params.warmup_ratio,
        weight_decay=params.weight_decay,
        lr_scheduler_type=params.scheduler,
        max_length=params.max_length,
        save_steps=params.save_steps,
        # The last but one stays until the last is whole.
        save_total_limit=2,
        seed=seed,
        use_cpu=precision.device == "cpu",
        bf16=precision.dtype == "bfloat16",
        dataloader_pin_memory=precision.device != "cpu",
        logging_steps=1,
        logging_nan_inf_filter=False,
        include_num_input_tokens_seen="non_padding",
        disable_tqdm=True,
        report_to="none",
    )
    trainer = SFTTrainer(
        model=model,
        args=arguments,
        train_dataset=Dataset.from_list([vars(row) for row in rows.kept]),
        processing_class=tokenizer,
        peft_config=_lora(params),
        callbacks=[Progress(log_path, announce)],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _lora(params: SftParams) -> Any:
    if params.lora is None:
        return None
    from peft import LoraConfig

    targets = params.lora.targets if isinstance(params.lora.targets, str) else list(params.lora.targets)
    return LoraConfig(r=params.lora.rank, lora_alpha=params.lora.alpha, target_modules=targets, task_type="CAUSAL_LM")


def _save(trainer: SFTTrainer, model_dir: Path, tokenizer: PreTrainedTokenizerBase, output_dir: Path, record: JsonObject) -> None:
    """Weights in the base model's number format, tokenizer, template and record, moved into place as one directory."""
    from transformers import AutoConfig

    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "merge_and_unload"):
        model = model.merge_and_unload()
    with new_directory(output_dir) as new:
        model.to(AutoConfig.from_pretrained(model_dir).dtype).save_pretrained(new)
        tokenizer.save_pretrained(new)
        write_json(new / RECORD_FILE, record)
