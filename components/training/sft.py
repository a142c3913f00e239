"""Supervised tuning on trajectories: the model learns to write what the assistant wrote, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from components.errors import UserError
from components.files import hash_file
from components.policy.base_models import check_model, load_tokenizer
from components.policy.precision import Precision
from components.training.params import SftParams
from components.training.rows import Rows, load_rows

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from components.training.row_trainer import RowTrainer


@dataclass(frozen=True)
class SftSummary:
    """What a run did."""

    rows: int
    dropped_rows: int
    """Too long for `max_length`."""
    packing: Literal["shared_prefix", "none"]
    """What was done, which is `none` for a model that can't share prefixes."""
    packs: int
    """As many as rows, without packing."""
    steps: int
    tokens: int
    """Tokens that went through the model: padding not counted, what a pack shares counted once."""
    final_loss: float
    tokens_per_second: float
    """Mean over the steps, counted like `tokens`."""
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
    `load_rows`), a loss that is no longer a number or rises (see `Progress`), and where memory runs out.
    """
    from components.training import running, saving
    from components.training.progress import steps

    check_model(model_dir)
    tokenizer = load_tokenizer(model_dir)
    rows = load_rows(dataset_path, tokenizer, params.max_length, params.max_dropped_share)
    announce(
        f"sft: {len(rows.kept)} rows, {rows.tokens} tokens of which {rows.trained_tokens} are learnt; "
        f"{rows.dropped} rows longer than {params.max_length} tokens left out"
    )
    precision = running.agree_on_precision()
    announce(f"sft: {precision}")
    identity = running.identity("sft", model_dir, params, seed, precision, dataset=hash_file(dataset_path))
    trainer = build_trainer(model_dir, tokenizer, rows, checkpoint_dir, log_path, params, seed, precision, announce)
    running.run(trainer, identity, checkpoint_dir, announce)

    history = steps(trainer)
    summary = SftSummary(
        rows=len(rows.kept),
        dropped_rows=rows.dropped,
        packing=trainer.packing,
        packs=len(trainer.train_dataset),
        steps=trainer.state.global_step,
        tokens=trainer.state.num_input_tokens_seen,
        final_loss=history[-1]["loss"],
        tokens_per_second=fmean(row["tokens_per_second"] for row in history),
        precision=precision,
    )
    recorded = ("rows", "dropped_rows", "packing", "packs", "steps", "final_loss")
    record = identity | {name: getattr(summary, name) for name in recorded}
    saving.save(trainer, model_dir, tokenizer, output_dir, checkpoint_dir, record)
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
) -> RowTrainer:
    """The trainer over rows that our renderer has made into tokens, packed where the parameters and the model allow it."""
    import torch
    from transformers import AutoModelForCausalLM, set_seed
    from trl import SFTConfig

    from components.training.progress import Progress
    from components.training.row_trainer import RowTrainer
    from components.training.running import lora_config, trainer_arguments

    set_seed(seed)
    # Before the model: under ZeRO-3 it is what spreads the weights over the processes as they are read.
    arguments = SFTConfig(
        **trainer_arguments(params, checkpoint_dir, seed, precision),
        max_length=params.max_length,
        include_num_input_tokens_seen="non_padding",
    )
    # The weights stay in float32 while they are trained; bfloat16, where faster, is for the products (autocast).
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=torch.float32)
    context = model.config.get_text_config().max_position_embeddings
    if params.max_length > context:
        raise UserError(f"max_length: expected at most {context}, the context of {model_dir}, found {params.max_length}")
    return RowTrainer(
        model, tokenizer, rows, params, arguments, lora_config(params), Progress(log_path, announce, params.divergence), announce
    )
