"""A transformers model in this process: conversations that wait at the same time are answered as one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from components.harness.messages import parse_assistant
from components.harness.types import Completion, Conversation, PolicyError
from components.policy.base_models import check_model, load_tokenizer
from components.policy.precision import measure_precision
from components.policy.renderer import TURN_END, render_prompt

SETTLE_TICKS = 20
"""Turns of the event loop without a newcomer after which a batch closes. Counted, not timed: every run forms the same batches."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    conversation: Conversation
    prompt: list[int]
    answer: asyncio.Future[list[int]]


class LocalPolicy:
    """Greedy answers of a model directory. First come, first served; a batch holds conversations of one harness.

    The float results of a batch depend, in the last bits, on who shares it; so batches are formed only from the order of
    arrival, never from time. Give all conversations of an evaluation to it at once.
    """

    def __init__(
        self,
        model_dir: Path,
        max_new_tokens: int = 160,
        batch_size: int = 16,
        name: str = "",
        announce: Callable[[str], None] = print,
    ) -> None:
        """Load the model. Raises UserError if the directory isn't a whole model."""
        import torch
        from transformers import AutoModelForCausalLM

        from components.policy.decode import PrefixDecoder

        check_model(model_dir)
        self.name = name or model_dir.name
        self.precision = measure_precision()
        announce(f"policy {self.name}: {self.precision}")
        self._tokenizer = load_tokenizer(model_dir)
        model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=getattr(torch, self.precision.dtype))
        model = model.to(self.precision.device).eval()
        self._context: int = model.config.max_position_embeddings
        self._stop: int = self._tokenizer.convert_tokens_to_ids(TURN_END)
        self._decoder = PrefixDecoder(model, self._stop, max_new_tokens)
        self._max_new_tokens, self._batch_size = max_new_tokens, batch_size
        self._waiting: list[_Waiting] = []
        self._server: asyncio.Task[None] | None = None

    async def complete(self, conversation: Conversation) -> Completion:
        """Write the next message. Raises PolicyError if the prompt leaves no room for an answer."""
        prompt = render_prompt(self._tokenizer, conversation)
        if len(prompt) + self._max_new_tokens > self._context:
            raise PolicyError(f"context full: {len(prompt)} tokens + {self._max_new_tokens} to write, of {self._context}")
        waiting = _Waiting(conversation, prompt, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._server is None or self._server.done():
            self._server = asyncio.create_task(self._serve())
        tokens = await waiting.answer
        stopped = tokens[-1] == self._stop
        text = self._tokenizer.decode(tokens[:-1] if stopped else tokens, skip_special_tokens=True)
        return Completion(parse_assistant(text), len(prompt), len(tokens), "stop" if stopped else "length")

    async def _serve(self) -> None:
        """Answer batch after batch until nobody waits. An error of the model goes to everyone in its batch."""
        while self._waiting:
            await self._settle()
            batch = self._next_batch()
            if not batch:
                continue
            try:
                answers = await asyncio.to_thread(self._decoder.decode, [waiting.prompt for waiting in batch])
            except Exception as error:
                for waiting in batch:
                    if not waiting.answer.done():
                        waiting.answer.set_exception(error)
                continue
            for waiting, answer in zip(batch, answers, strict=True):
                if not waiting.answer.done():
                    waiting.answer.set_result(answer)

    async def _settle(self) -> None:
        seen = -1
        while len(self._waiting) != seen:
            seen = len(self._waiting)
            for _ in range(SETTLE_TICKS):
                await asyncio.sleep(0)

    def _next_batch(self) -> list[_Waiting]:
        """The first who waits and, in order, those who share its system message and tools. Callers that gave up are dropped."""
        self._waiting = [waiting for waiting in self._waiting if not waiting.answer.done()]
        batch = [waiting for waiting in self._waiting if _same_harness(waiting, self._waiting[0])][: self._batch_size]
        self._waiting = [waiting for waiting in self._waiting if waiting not in batch]
        return batch


def _same_harness(one: _Waiting, other: _Waiting) -> bool:
    return one.conversation.messages[0] == other.conversation.messages[0] and one.conversation.tools == other.conversation.tools
