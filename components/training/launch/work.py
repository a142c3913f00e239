"""What each training stage asks of the machine, in numbers: rows, lengths, steps, who else is in memory, what is sampled."""

from __future__ import annotations

import math
from dataclasses import dataclass

from components.training.params import DraftParams, LaunchParams, OpdParams, OptimiserParams, RlParams, SftParams


@dataclass(frozen=True)
class Samples:
    """What one process writes for one optimiser step."""

    rows: int
    at_once: int
    """Rows that decode together."""
    tokens: int
    """Written for a row, if each takes all it may."""
    context: int
    """Tokens of a row at its end."""


@dataclass(frozen=True)
class Work:
    """One stage at one size. Rows are counted at the length that they may have: what fits then fits always."""

    stage: str
    optimiser: OptimiserParams
    length: int
    """Tokens of a row."""
    scored: int
    """Tokens of a row whose distribution over the vocabulary is needed."""
    passes: int
    """Forward and backward passes of a process in an optimiser step, each over `optimiser.batch_size` rows."""
    steps: int
    """Optimiser steps."""
    readers: int = 0
    """Further whole models that are only read: a teacher, a reference."""
    forwards: int = 0
    """Further forward passes over each row: by the readers, or to score what was sampled."""
    samples: Samples | None = None
    drafted: int = 0
    """Tokens that a draft head looks ahead."""
    frozen: bool = False
    """Whether only the draft head is trained."""


def all_work(
    launch: LaunchParams,
    sft: SftParams,
    opd: OpdParams,
    rl: RlParams,
    draft: DraftParams,
    *,
    sft_rows: int,
    turns: int,
    turn_tokens: int,
    decode_batch: int,
) -> list[Work]:
    """The four stages. An episode of RL is as long as a row of SFT may be: both are trajectories of one loop.

    sft_rows      rows of the training set
    turns         turns of an episode, each of at most `turn_tokens` tokens
    decode_batch  episodes that decode together
    """
    processes = launch.nodes * launch.processes_per_node
    own_rows = sft.batch_size * sft.gradient_accumulation
    opd_rows = opd.batch_size * opd.gradient_accumulation
    opd_length = opd.max_prompt_length + opd.max_completion_length
    episodes = math.ceil(rl.tasks_per_step * rl.group_size / processes)
    rl_scored = min(turns * turn_tokens, sft.max_length)
    return [
        Work(
            "sft",
            sft,
            length=sft.max_length * (sft.pack_rows if sft.packing == "shared_prefix" else 1),
            scored=sft.max_length,
            passes=sft.gradient_accumulation,
            steps=sft.max_steps or math.ceil((sft.epochs or 1) * sft_rows / (own_rows * processes)),
        ),
        Work(
            "opd",
            opd,
            length=opd_length,
            scored=opd.max_completion_length,
            passes=opd.gradient_accumulation,
            steps=opd.max_steps or math.ceil((opd.epochs or 1) * opd.count / (opd_rows * processes)),
            readers=1,
            forwards=1,
            samples=Samples(opd_rows, opd_rows, opd.max_completion_length, opd_length),
        ),
        Work(
            "rl",
            rl,
            length=sft.max_length,
            scored=rl_scored,
            passes=math.ceil(episodes / rl.batch_size),
            steps=rl.max_steps or math.ceil((rl.epochs or 1) * rl.tasks / rl.tasks_per_step),
            readers=1 if rl.beta and rl.lora is None else 0,
            forwards=(1 if launch.generator == "vllm" else 0) + (1 if rl.beta else 0),
            samples=Samples(episodes, min(episodes, decode_batch), rl_scored, sft.max_length),
        ),
        Work(
            "draft",
            draft,
            length=sft.max_length,
            scored=rl_scored,
            passes=draft.gradient_accumulation,
            steps=draft.max_steps
            or math.ceil((draft.epochs or 1) * draft.rollouts / (draft.batch_size * draft.gradient_accumulation * processes)),
            drafted=draft.tokens,
            frozen=not draft.train_main,
        ),
    ]
