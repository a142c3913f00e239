"""What a draft head learns from: episodes of the trained model, token by token as it wrote them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from components.harness import AgentLoop
from components.harness.types import Harness, Limits
from components.judge.reward import RewardJudge
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import FaultyRoom
from components.liveroom.room import CatalogueRoom
from components.liveroom.truth import truth
from components.liveroom.types import Case
from components.policy.base_models import check_model, load_tokenizer
from components.policy.decoding import make_decoder
from components.policy.recording import RecordingPolicy
from components.policy.renderer import TURN_END


@dataclass(frozen=True)
class Rollout:
    """One episode of the model; both lists have one entry a token."""

    episode_id: str
    tokens: list[int]
    """First prompt, what the model wrote, what the environment added."""
    written: list[int]
    """1 where the model wrote, 0 elsewhere."""
    reward: float | None = None
    """From 0 to 1: mean of accuracy and effectiveness; None where nobody judged."""


async def collect_rollouts(
    model_dir: Path,
    cases: Sequence[Case],
    harnesses: Sequence[Harness],
    catalogue: Catalogue,
    *,
    limits: Limits,
    max_new_tokens: int,
    batch_size: int,
    seed: int,
    temperature: float | None = None,
    faults: Mapping[str, float] | None = None,
    judge: RewardJudge | None = None,
    announce: Callable[[str], None] = print,
) -> list[Rollout]:
    """Run the model in `model_dir` through the agent loop: case i under harness i mod n. One rollout a case, in order.

    `temperature` None is greedy, as the model is served. `faults`: the rates at which tools fail. With a `judge` each
    rollout has a reward, where it could give one. An episode that wrote nothing (its prompt was too long) is left out.
    Where several processes run the stage, each plays its share, and all return the same.
    """
    import torch
    from accelerate import PartialState
    from accelerate.utils import gather_object
    from transformers import AutoModelForCausalLM

    from components.training.running import agree_on_precision

    check_model(model_dir)
    precision, workers = agree_on_precision(), PartialState()
    announce(f"draft: rollouts in {precision}")
    tokenizer = load_tokenizer(model_dir)
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=getattr(torch, precision.dtype)).to(workers.device).eval()
    stop = tokenizer.convert_tokens_to_ids(TURN_END)
    policy = RecordingPolicy(
        tokenizer,
        make_decoder(model, stop, max_new_tokens, temperature, announce),
        context=model.config.get_text_config().max_position_embeddings,
        max_new_tokens=max_new_tokens,
        batch_size=batch_size,
        name=model_dir.name,
        seed=str(seed),
    )
    loops = [AgentLoop(harness, limits) for harness in harnesses]
    gate = asyncio.Semaphore(batch_size)

    async def play(index: int) -> Rollout:
        case = cases[index]
        episode_id = f"draft/{case.case_id}/{index}"
        async with gate:
            room = FaultyRoom(CatalogueRoom(catalogue, case.request), faults or {}, f"{seed}:{episode_id}")
            trajectory = await loops[index % len(loops)].run(case.request, room, policy, episode_id)
            verdict = await judge.judge(case, truth(case, catalogue), trajectory) if judge else None
        record = policy.record(episode_id)
        reward = None
        if verdict and verdict.accuracy is not None and verdict.effectiveness is not None:
            reward = (verdict.accuracy + verdict.effectiveness) / 2
        return Rollout(
            episode_id,
            record.prompt_ids + record.completion_ids,
            [0] * len(record.prompt_ids) + record.written,
            reward,
        )

    # Those of one harness one after the other: a batch shares its prompt.
    order = sorted(range(len(cases)), key=lambda index: index % len(loops))[workers.process_index :: workers.num_processes]
    played = dict(gather_object(list(zip(order, await asyncio.gather(*map(play, order)), strict=True))))
    rollouts = [played[index] for index in range(len(cases))]
    whole = [rollout for rollout in rollouts if any(rollout.written)]
    written = sum(sum(rollout.written) for rollout in whole)
    announce(f"draft: {len(whole)} rollouts, {written} tokens written; {len(rollouts) - len(whole)} wrote nothing")
    return whole
