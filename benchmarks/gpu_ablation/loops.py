"""The three stages as plain torch loops over the project's own rows, rollouts and advantages. Loaded with torch, on use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from random import Random
from statistics import fmean
from typing import Any, TypeVar

import torch
from torch import Tensor

from benchmarks.gpu_ablation.learn import Batch, Step
from benchmarks.gpu_ablation.losses import imitation, policy_gradient, reverse_kl, scored_logits
from components.policy.decoding import Decoder
from components.policy.recording import RecordingPolicy
from components.policy.renderer import RenderedRow
from components.training.packing import pack
from components.training.params import OpdParams, RlParams, SftParams
from components.training.rl.advantages import segment_advantages, spread
from components.training.rl.metrics import summarise
from components.training.rl.rewards import REWARDS, excess
from components.training.rl.simulator import Rollout, Simulator
from components.training.rl.tasks import RlTask

T = TypeVar("T")
OPD_ROWS = 16
"""Samples that go through student and teacher at once."""


def in_passes(items: Sequence[T], seed: int) -> Iterator[T]:
    """All items, again and again, each pass in an order of its own."""
    return (item for number in count() for item in Random(f"{seed}:{number}").sample(items, len(items)))


def sft(model: Any, rows: Sequence[RenderedRow], params: SftParams, scale: int, seed: int) -> tuple[Batch, int]:
    """Stage 1 on `rows` in packs, and how many steps a pass over them has."""
    packs = pack([row.input_ids for row in rows], params.pack_rows, seed)
    endless, size = in_passes(packs, seed), params.batch_size * scale

    def batch() -> tuple[Iterator[Tensor], Step]:
        chosen = [[rows[index] for index in indices] for indices in islice(endless, size)]
        learnt = sum(sum(row.assistant_masks) for one in chosen for row in one)
        parts = (
            imitation(*scored_logits(model, [row.input_ids for row in one], [_written(row.assistant_masks) for row in one]))
            / learnt
            for one in chosen
        )
        return parts, Step(sum(map(len, chosen)), sum(len(row.input_ids) for one in chosen for row in one))

    return batch, max(1, len(packs) // size)


def opd(
    model: Any,
    teacher: Any,
    prompts: Sequence[list[int]],
    params: OpdParams,
    scale: int,
    seed: int,
    writer: Callable[[], Decoder],
) -> Batch:
    """Stage 2 on samples of the model as it is; `writer` gives who samples."""
    endless, steps = in_passes(prompts, seed), count()

    def batch() -> tuple[Iterator[Tensor], Step]:
        chosen, step = list(islice(endless, params.batch_size * scale)), next(steps)
        written = writer().decode(chosen, [f"{seed}:{step}:{row}" for row in range(len(chosen))])
        tokens = sum(len(one.tokens) for one in written)
        samples = [(prompt, [*prompt, *one.tokens]) for prompt, one in zip(chosen, written, strict=True)]

        def part(some: Sequence[tuple[list[int], list[int]]]) -> Tensor:
            rows, scored = [row for _, row in some], [range(len(prompt), len(row)) for prompt, row in some]
            with torch.no_grad():
                theirs, _ = scored_logits(teacher, rows, scored)
            return reverse_kl(scored_logits(model, rows, scored)[0], theirs, params.temperature) / tokens

        parts = (part(samples[start : start + OPD_ROWS]) for start in range(0, len(samples), OPD_ROWS))
        return parts, Step(len(samples), tokens)

    return batch


def rl(
    model: Any,
    simulator: Simulator,
    tasks: Sequence[RlTask],
    params: RlParams,
    scale: int,
    seed: int,
    policy: Callable[[str], RecordingPolicy],
    read: Callable[[list[int]], str],
    length: Callable[[str], int],
) -> Batch:
    """Stage 3 on episodes of the model as it is; `policy` gives who plays, by its seed; `read`, `length` see `Simulator.run`."""
    endless, steps = in_passes(tasks, seed), count()

    def batch() -> tuple[Iterator[Tensor], Step]:
        step = next(steps)
        chosen = [task for task in islice(endless, params.tasks_per_step * scale) for _ in range(params.group_size)]
        player = policy(f"{seed}:{step}")
        rollouts = asyncio.run(_play(simulator, chosen, f"{seed}:{step}", player, read, length))
        advantages = episode_advantages(rollouts, params)
        groups = [slice(start, start + params.group_size) for start in range(0, len(rollouts), params.group_size)]
        parts = (group_loss(model, rollouts[own], advantages[own], params.temperature) / len(rollouts) for own in groups)
        outcomes = [rollout.outcome for rollout in rollouts]
        rewards = [outcome.scores.mean for outcome in outcomes if outcome.scores.mean is not None]
        reward = {"reward": fmean(rewards)} if rewards else {}
        written = sum(sum(one.tokens.written) for one in rollouts)
        return parts, Step(len(groups), written, reward | summarise(outcomes, params.group_size))

    return batch


async def _play(
    simulator: Simulator, tasks: Sequence[RlTask], seed: str, policy: RecordingPolicy, read: Any, length: Any
) -> list[Rollout]:
    episodes = [
        simulator.run(task, f"{row}:{task.task_id}", f"{seed}:{task.task_id}", policy, read, length)
        for row, task in enumerate(tasks)
    ]
    return await asyncio.gather(*episodes)


def episode_advantages(rollouts: Sequence[Rollout], params: RlParams) -> list[Tensor]:
    """Of each token of each episode's completion; 0 where the environment wrote."""
    thinking = (params.thinking_in_tool_calls, params.thinking_in_reply)
    rewards = [[_number(getattr(one.outcome.scores, name)) for name in REWARDS] for one in rollouts]
    over = [[_number(excess(*pair)) for pair in zip(one.outcome.thinking, thinking, strict=True)] for one in rollouts]
    counted = [getattr(params.rewards, name) for name in REWARDS]
    weights = torch.tensor([[one.tool_calls, one.reply] for one in counted])
    found = segment_advantages(
        torch.tensor(rewards), torch.tensor(over), weights, torch.tensor([one.weight for one in thinking]), params.group_size
    )
    segments = [torch.tensor([one.segments], dtype=torch.long) for one in rollouts]
    return [spread(own[None], segment)[0] for own, segment in zip(found, segments, strict=True)]


def group_loss(model: Any, rollouts: Sequence[Rollout], advantages: Sequence[Tensor], temperature: float) -> Tensor:
    """Of the episodes of a group, summed; one in which the model wrote nothing adds nothing."""
    played = [(one.tokens, own) for one, own in zip(rollouts, advantages, strict=True) if any(one.tokens.written)]
    if not played:
        return torch.zeros((), requires_grad=True)
    rows = [[*tokens.prompt_ids, *tokens.completion_ids] for tokens, _ in played]
    scored = [[len(tokens.prompt_ids) + place for place in _written(tokens.written)] for tokens, _ in played]
    own = [advantage[_written(tokens.written)] for tokens, advantage in played]
    return policy_gradient(*scored_logits(model, rows, scored), own, temperature)


def _written(mask: Sequence[int]) -> list[int]:
    return [place for place, by_model in enumerate(mask) if by_model]


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
