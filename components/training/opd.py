"""General on-policy distillation: on general prompts, the student learns to continue its own samples as the base model would.

Stage 2 of HAT (arXiv 2608.15763), by TRL's trainer for on-policy distillation (GKD, arXiv 2306.13649).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

from components.data.general import general_prompts, load_prompts
from components.errors import UserError
from components.files import hash_directory
from components.harness.types import Conversation, Message
from components.policy.base_models import check_model, load_tokenizer
from components.policy.precision import Precision
from components.policy.renderer import render_prompt
from components.training.params import OpdParams

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase
    from trl import DistillationTrainer

Generator = Literal["transformers", "vllm"]
"""Who writes the student's samples (see `LaunchParams`)."""


@dataclass(frozen=True)
class OpdSummary:
    """What a run did."""

    prompts: int
    dropped_prompts: int
    """Too long for `max_prompt_length`."""
    steps: int
    tokens: int
    """Of prompts and samples, padding not counted."""
    first_loss: float
    """Of the first step, before any weight had changed. With beta 1 a loss is the KL to the teacher, nats a token."""
    final_loss: float
    """Of the last step."""
    completion_length: float
    """Mean tokens of a sample, over all steps."""
    tokens_per_second: float
    """Mean over the steps, writing the samples included."""
    precision: Precision


def train_opd(
    model_dir: Path,
    teacher_dir: Path,
    output_dir: Path,
    checkpoint_dir: Path,
    log_path: Path,
    params: OpdParams,
    seed: int,
    announce: Callable[[str], None] = print,
    generator: Generator = "transformers",
) -> OpdSummary:
    """Distil the model in `teacher_dir` into the one in `model_dir` and put the new model directory at `output_dir`.

    The student samples an answer to each prompt; the divergence between its next-token distribution and the teacher's is
    minimised at every token of the answers. A run that was killed goes on from its last checkpoint in `checkpoint_dir`, with
    `transformers` as generator to the same weights as one that wasn't; the checkpoints are removed once the model stands.
    `log_path` gets a row a step. The model is saved in the number format of its base.

    Raises UserError for a model that isn't whole, a teacher with another vocabulary or template, prompts that can't be
    used, lengths beyond the context, a missing vLLM, and a loss that is no longer a number.
    """
    from components.training import running, saving
    from components.training.progress import steps

    for directory in (model_dir, teacher_dir):
        check_model(directory)
    tokenizer = load_tokenizer(model_dir)
    check_teacher(model_dir, teacher_dir)
    if generator == "vllm" and find_spec("vllm") is None:
        raise UserError("launch.generator: vllm: package not found; install vllm or set it to transformers")
    prompts, dropped = draw_prompts(params, tokenizer, seed)
    announce(f"opd: {len(prompts)} prompts; {dropped} longer than {params.max_prompt_length} tokens left out")
    precision = running.agree_on_precision()
    announce(f"opd: {precision}")
    identity = running.identity(
        "opd",
        model_dir,
        params,
        seed,
        precision,
        teacher=hash_directory(teacher_dir),
        prompts=hashlib.sha256(json.dumps(prompts).encode()).hexdigest(),
        generator=generator,
    )
    trainer = build_trainer(
        model_dir, teacher_dir, tokenizer, prompts, checkpoint_dir, log_path, params, seed, precision, announce, generator
    )
    running.run(trainer, identity, checkpoint_dir, announce)

    history = steps(trainer)
    summary = OpdSummary(
        prompts=len(prompts),
        dropped_prompts=dropped,
        steps=trainer.state.global_step,
        tokens=trainer.state.num_input_tokens_seen,
        first_loss=history[0]["loss"],
        final_loss=history[-1]["loss"],
        completion_length=sum(row["completions_mean_length"] for row in history) / len(history),
        tokens_per_second=sum(row["tokens_per_second"] for row in history) / len(history),
        precision=precision,
    )
    record = identity | {
        "rows": summary.prompts,
        "dropped_rows": summary.dropped_prompts,
        "steps": summary.steps,
        "final_loss": summary.final_loss,
    }
    saving.save(trainer, model_dir, tokenizer, output_dir, checkpoint_dir, record)
    return summary


def check_teacher(model_dir: Path, teacher_dir: Path) -> None:
    """Raise UserError unless a token, and a place in the conversation, mean the same to student and teacher."""
    student, teacher = load_tokenizer(model_dir), load_tokenizer(teacher_dir)
    for name, alike in (
        ("vocabulary", student.get_vocab() == teacher.get_vocab()),
        ("chat template", student.chat_template == teacher.chat_template),
    ):
        if not alike:
            raise UserError(
                f"{teacher_dir}: expected the {name} of {model_dir}, found another; give the base model that it was trained from"
            )


def draw_prompts(params: OpdParams, tokenizer: PreTrainedTokenizerBase, seed: int) -> tuple[list[str], int]:
    """General prompts of at most `max_prompt_length` tokens, and how many were longer. Raises UserError if all are."""
    if params.prompts == "generated":
        drawn = [prompt.prompt for prompt in general_prompts(seed, params.count)]
    else:
        found = load_prompts(Path(params.prompts.path), params.prompts.column)
        drawn = Random(seed).sample(found, min(params.count, len(found)))
    lengths = [len(render_prompt(tokenizer, Conversation("", (Message("user", prompt),), ()))) for prompt in drawn]
    kept = [prompt for prompt, length in zip(drawn, lengths, strict=True) if length <= params.max_prompt_length]
    if not kept:
        raise UserError(
            f"max_prompt_length: {params.max_prompt_length} tokens leave none of {len(drawn)} prompts; "
            f"raise it (shortest prompt: {min(lengths)})"
        )
    return kept, len(drawn) - len(kept)


def build_trainer(
    model_dir: Path,
    teacher_dir: Path,
    tokenizer: PreTrainedTokenizerBase,
    prompts: list[str],
    checkpoint_dir: Path,
    log_path: Path,
    params: OpdParams,
    seed: int,
    precision: Precision,
    announce: Callable[[str], None],
    generator: Generator = "transformers",
) -> DistillationTrainer:
    """TRL's trainer over plain chat prompts: a user's message, no system prompt, no tools."""
    import torch
    from accelerate import PartialState
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, PrinterCallback, set_seed
    from trl import DistillationConfig, DistillationTrainer

    from components.training.launch.generator import generator_arguments
    from components.training.progress import Progress
    from components.training.running import lora_config, trainer_arguments

    set_seed(seed)
    per_step = params.batch_size * params.gradient_accumulation * PartialState().num_processes
    total = params.max_steps or math.ceil((params.epochs or 1) * len(prompts) / per_step)
    length = params.max_prompt_length + params.max_completion_length
    # Before the models: under ZeRO-3 it is what spreads the weights over the processes as they are read.
    arguments = DistillationConfig(
        **trainer_arguments(params, checkpoint_dir, seed, precision) | {"max_steps": total},
        **generator_arguments(generator, length),
        beta=params.beta,
        temperature=params.temperature,
        max_completion_length=params.max_completion_length,
        shuffle_dataset=False,
    )
    # The student's weights stay in float32 while they are trained; the teacher's are only read.
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=torch.float32)
    teacher = AutoModelForCausalLM.from_pretrained(teacher_dir, dtype=getattr(torch, precision.dtype))
    context = model.config.get_text_config().max_position_embeddings
    if length > context:
        raise UserError(
            f"max_prompt_length + max_completion_length: expected at most {context}, the context of {model_dir}, found {length}"
        )
    trainer = DistillationTrainer(
        model=model,
        teacher_model=teacher,
        args=arguments,
        train_dataset=Dataset.from_list([{"prompt": _chat(prompt)} for prompt in _in_passes(prompts, total * per_step, seed)]),
        processing_class=tokenizer,
        peft_config=lora_config(params),
        callbacks=[Progress(log_path, announce, params.divergence)],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def _chat(prompt: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": prompt}]


def _in_passes(prompts: list[str], number: int, seed: int) -> list[str]:
    """`number` prompts, pass after pass, each in an order of its own.

    The whole run as one pass of the trainer: TRL's sampler draws the order of a later pass from what came before it in the
    process, so a run resumed there would see other prompts.
    """
    passes = (Random(f"{seed}:{index}").sample(prompts, len(prompts)) for index in count())
    return list(islice((prompt for one in passes for prompt in one), number))
