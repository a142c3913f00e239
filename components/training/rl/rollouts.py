"""From TRL's prompts to rollouts: episodes run at once on the model as it is now. Loaded with torch, on use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from trl.models import unwrap_model_for_generation

from components.policy.decoding import Decoder, Written, make_decoder
from components.policy.recording import RecordingPolicy
from components.policy.renderer import TURN_END, opening
from components.training.rl.simulator import Rollout, Simulator, broken
from components.training.rl.tasks import RlTask

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase
    from trl import GRPOTrainer


class Rollouts:
    """TRL's `rollout_func`: a prompt is the id of a task, repeated once for each episode of its group.

    What is sampled depends on the seed, the step and the row only, so that a resumed run samples what the other did.
    """

    def __init__(
        self,
        simulator: Simulator,
        tasks: Mapping[str, RlTask],
        tokenizer: PreTrainedTokenizerBase,
        *,
        context: int,
        max_new_tokens: int,
        batch_size: int,
        temperature: float,
        seed: int,
        announce: Callable[[str], None],
    ) -> None:
        """`context`, `max_new_tokens` (of a turn) and `batch_size` (episodes that decode together): see `BatchingPolicy`."""
        self._simulator, self._tasks, self._tokenizer = simulator, tasks, tokenizer
        self._limits = {"context": context, "max_new_tokens": max_new_tokens, "batch_size": batch_size}
        self._temperature, self._seed, self._announce = temperature, seed, announce
        self._stop: int = tokenizer.convert_tokens_to_ids(TURN_END)

    def __call__(self, prompts: list[str], trainer: GRPOTrainer) -> dict[str, list[Any]]:
        """Episodes of this process's prompts, in their order: tokens for TRL, and each `Rollout`."""
        step, first = trainer.state.global_step, trainer.accelerator.process_index * len(prompts)
        with self._decoder(trainer) as decoder:
            policy = RecordingPolicy(self._tokenizer, decoder, **self._limits, name=f"step {step}", seed=f"{self._seed}:{step}")
            rollouts = asyncio.run(self._run([self._tasks[prompt] for prompt in prompts], step, first, policy))
        return {
            "prompt_ids": [rollout.tokens.prompt_ids for rollout in rollouts],
            # TRL wants a token at least; one that the environment wrote is not learnt from.
            "completion_ids": [rollout.tokens.completion_ids or [self._stop] for rollout in rollouts],
            "logprobs": [rollout.tokens.logprobs or [0.0] for rollout in rollouts],
            "env_mask": [rollout.tokens.written or [0] for rollout in rollouts],
            "rollout": rollouts,
        }

    async def _run(self, tasks: Sequence[RlTask], step: int, first: int, policy: RecordingPolicy) -> list[Rollout]:
        episodes = [
            self._simulator.run(
                task, f"{row}:{task.task_id}", f"{self._seed}:{step}:{task.task_id}", policy, self._read, self._count
            )
            for row, task in enumerate(tasks, first)
        ]
        results = await asyncio.gather(*episodes, return_exceptions=True)
        rollouts = []
        for task, result in zip(tasks, results, strict=True):
            if isinstance(result, Exception) and not isinstance(result, RuntimeError | MemoryError):
                result = broken(task, result, self._stop)
                self._announce(f"rl: step {step}: {result}")
            # The machine or the model failed, which is no matter of one episode.
            if isinstance(result, BaseException):
                raise result
            rollouts.append(result)
        if all(rollout.error for rollout in rollouts):
            raise next(result for result in results if isinstance(result, BaseException))
        return rollouts

    @contextmanager
    def _decoder(self, trainer: GRPOTrainer) -> Iterator[Decoder]:
        """Whoever writes: vLLM, whose weights TRL has just brought up to date, or the live model, gathered where it is spread."""
        if trainer.use_vllm:
            yield VllmDecoder(trainer.vllm_generation)
            return
        with (
            unwrap_model_for_generation(
                trainer.model_wrapped,
                trainer.accelerator,
                gather_deepspeed3_params=trainer.args.ds3_gather_for_generation,
                gradient_checkpointing_kwargs=trainer.args.gradient_checkpointing_kwargs,
            ) as model,
            torch.no_grad(),
        ):
            model.eval()
            try:
                decoder = make_decoder(model, self._stop, self._limits["max_new_tokens"], self._temperature, self._announce)
                yield _AutocastDecoder(decoder, trainer.accelerator.autocast)
            finally:
                model.train()

    def _read(self, tokens: list[int]) -> str:
        text: str = self._tokenizer.decode(tokens[:-1] if tokens[-1:] == [self._stop] else tokens)
        return opening(self._tokenizer) + text

    def _count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False))


class _AutocastDecoder:
    """Decodes in the number format of training. Autocast belongs to a thread, and batches are decoded in one of their own."""

    def __init__(self, decoder: Decoder, autocast: Callable[[], Any]) -> None:
        self._inner, self._autocast = decoder, autocast

    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        with self._autocast():
            return self._inner.decode(prompts, seeds)


class VllmDecoder:
    """TRL's vLLM engine in this process (GPU only). It samples from a seed of its own: a resumed run is another sample."""

    def __init__(self, generation: Any) -> None:
        """`generation` is the trainer's `vllm_generation`, in mode `colocate`."""
        self._generation = generation

    def decode(self, prompts: list[list[int]], seeds: Sequence[str]) -> list[Written]:
        _, tokens, logprobs, _ = self._generation.generate(prompts=prompts, images=None, num_generations=1)
        return [Written(list(row), [one[0] for one in scored]) for row, scored in zip(tokens, logprobs, strict=True)]
