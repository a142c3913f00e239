"""Training of the draft head on the model's own episodes, the main model frozen or learning along."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from components.errors import UserError
from components.policy.base_models import check_model, load_tokenizer
from components.policy.precision import Precision
from components.training.draft.rollouts import Rollout
from components.training.params import DraftParams

if TYPE_CHECKING:
    from transformers import PreTrainedModel, Trainer

    from components.training.draft.head import DraftHead


@dataclass(frozen=True)
class DraftSummary:
    """What a run did."""

    start: str
    """`own`: from the base model's head; `grafted`: it had none."""
    rollouts: int
    steps: int
    tokens: int
    """Tokens read, padding not counted."""
    final_loss: float
    agreement: tuple[float, ...]
    """In the last step, how often the head's k-th guess was the main model's choice, all guesses before it being right."""
    precision: Precision


def train_draft(
    model_dir: Path,
    base_dir: Path,
    rollouts: Sequence[Rollout],
    output_dir: Path,
    checkpoint_dir: Path,
    log_path: Path,
    params: DraftParams,
    seed: int,
    announce: Callable[[str], None] = print,
) -> DraftSummary:
    """Train a draft head for the model in `model_dir` on its own `rollouts`; put model and head, as one, at `output_dir`.

    The head starts as the one in `base_dir` (training drops a model's head, so the base model is where it still is), or is
    grafted on the model where that has none. It learns the main model's choices at each of `params.tokens` depths, on tokens
    that the model wrote. With `params.train_main` the main model learns along from the rollouts that
    have a reward, each token weighted by it; the head's loss never reaches it. A run that was killed goes on from its
    last checkpoint. Raises UserError for rollouts that can't be used and for what `run` and `Progress` stop.
    """
    from components.training.progress import steps
    from components.training.running import agree_on_precision, identity, run

    check_model(model_dir)
    usable = [rollout for rollout in rollouts if _has_guess(rollout.written)]
    _check(params, usable)
    precision = agree_on_precision()
    tokens = sum(len(rollout.tokens) for rollout in usable)
    announce(f"draft: {len(usable)} rollouts, {tokens} tokens of which the model wrote {sum(sum(r.written) for r in usable)}")
    announce(f"draft: {precision}")
    trainer, start = build_trainer(model_dir, base_dir, usable, checkpoint_dir, log_path, params, seed, precision, announce)
    data = hashlib.sha256(json.dumps([asdict(rollout) for rollout in usable]).encode()).hexdigest()
    who = identity("draft", model_dir, params, seed, precision, rollouts=data, start=start)
    run(trainer, who, checkpoint_dir, announce)

    last = steps(trainer)[-1]
    summary = DraftSummary(
        start=start,
        rollouts=len(usable),
        steps=trainer.state.global_step,
        tokens=trainer.state.num_input_tokens_seen,
        final_loss=last["loss"],
        agreement=tuple(last[f"agreement_{depth}"] for depth in range(1, params.tokens + 1) if f"agreement_{depth}" in last),
        precision=precision,
    )
    record = who | {name: getattr(summary, name) for name in ("steps", "final_loss", "agreement")}
    _save(trainer, model_dir, output_dir, checkpoint_dir, record)
    return summary


def build_trainer(
    model_dir: Path,
    base_dir: Path,
    rollouts: Sequence[Rollout],
    checkpoint_dir: Path,
    log_path: Path,
    params: DraftParams,
    seed: int,
    precision: Precision,
    announce: Callable[[str], None],
) -> tuple[Trainer, str]:
    """The trainer over head and main model, and where the head came from (`own` or `grafted`)."""
    import torch
    from transformers import AutoModelForCausalLM, PrinterCallback, TrainingArguments, set_seed

    from components.training.draft.losses import DraftTask
    from components.training.draft.trainer import DraftTrainer, Rows
    from components.training.progress import Progress
    from components.training.running import trainer_arguments

    set_seed(seed)
    # What is trained is kept in float32; a frozen main model is in the format that it will be served in.
    dtype = torch.float32 if params.train_main else getattr(torch, precision.dtype)
    main = AutoModelForCausalLM.from_pretrained(model_dir, dtype=dtype)
    head, start = _first_head(main, base_dir, announce)
    task = DraftTask(head.float(), main, params.tokens, params.main_weight if params.train_main else None)
    arguments = TrainingArguments(
        **trainer_arguments(params, checkpoint_dir, seed, precision),
        include_num_input_tokens_seen="non_padding",
        remove_unused_columns=False,
    )
    main.to(arguments.device)
    trainer = DraftTrainer(
        model=task,
        args=arguments,
        train_dataset=Rows(rollouts),
        data_collator=Rows.collate,
        callbacks=[Progress(log_path, announce, params.divergence)],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer, start


def _first_head(main: PreTrainedModel, base_dir: Path, announce: Callable[[str], None]) -> tuple[DraftHead, str]:
    from components.training.draft.files import has_head, load_head
    from components.training.draft.head import DraftHead

    if has_head(base_dir):
        announce(f"draft: starting from the head of {base_dir.name}")
        return load_head(main, base_dir), "own"
    announce(f"draft: {base_dir.name} has no head; grafting one on the last layer of the model")
    return DraftHead(main), "grafted"


def _has_guess(written: list[int]) -> bool:
    return any(one and other for one, other in pairwise(written))


def _check(params: DraftParams, rollouts: Sequence[Rollout]) -> None:
    if params.lora is not None:
        raise UserError("draft.lora: a draft head is trained in full; remove it")
    if not rollouts:
        raise UserError("draft: no rollout in which the model wrote two tokens in a row; expected episodes of a trained model")
    if params.train_main and not any(rollout.reward for rollout in rollouts):
        raise UserError("draft.train_main: no rollout has a reward above 0; give a judge to collect_rollouts, or set it to false")


def _save(trainer: Trainer, model_dir: Path, output_dir: Path, checkpoint_dir: Path, record: dict[str, Any]) -> None:
    """Main model, head, tokenizer and record as one directory; all processes of a run call it."""
    import shutil

    from transformers import AutoConfig

    from components.files import write_json
    from components.policy.base_models import new_directory
    from components.training.draft.files import add_head, copy_main
    from components.training.saving import RECORD_FILE

    accelerator = trainer.accelerator
    weights = accelerator.get_state_dict(trainer.model_wrapped)
    if accelerator.is_main_process:
        dtype = AutoConfig.from_pretrained(model_dir).dtype
        parts: dict[str, dict[str, Any]] = {"main": {}, "head": {}}
        for name, tensor in weights.items():
            part, _, rest = name.partition(".")
            parts[part][rest] = tensor.to(dtype)
        with new_directory(output_dir) as new:
            if parts["main"]:
                main = accelerator.unwrap_model(trainer.model).main
                main.save_pretrained(new, state_dict=parts["main"])
                AutoConfig.from_pretrained(model_dir).save_pretrained(new)
                load_tokenizer(model_dir).save_pretrained(new)
            else:
                copy_main(model_dir, new)
            add_head(new, parts["head"])
            write_json(new / RECORD_FILE, record)
        shutil.rmtree(checkpoint_dir)
    accelerator.wait_for_everyone()
