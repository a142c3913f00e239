"""A decoder as a policy: conversations that wait at the same time are answered as one batch."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from components.harness.messages import parse_assistant
from components.harness.types import Completion, Conversation, PolicyError
from components.policy.decoding import Decoder, Written
from components.policy.renderer import TURN_END, call_reader, opening, render_prompt

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SETTLE_TICKS = 20
"""Turns of the event loop without a newcomer after which a batch closes. Counted, not timed: every run forms the same batches."""


@dataclass(frozen=True, eq=False)
class _Waiting:
    conversation: Conversation
    prompt: list[int]
    seed: str
    answer: asyncio.Future[Written]


class BatchingPolicy:
    """Answers of a decoder. First come, first served; a batch holds conversations of one harness.

    The float results of a batch depend, in the last bits, on who shares it; so batches are formed only from the order of
    arrival, never from time. Give all conversations of an evaluation to it at once.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        decoder: Decoder,
        *,
        context: int,
        max_new_tokens: int,
        batch_size: int,
        name: str,
        seed: str = "",
    ) -> None:
        """`context` is the tokens that the model can hold, what it writes included.

        What is sampled for a message depends on `seed`, the episode and the turn, and on nothing else.
        """
        self.name = name
        self._tokenizer, self._decoder, self._seed = tokenizer, decoder, seed
        self._context, self._max_new_tokens, self._batch_size = context, max_new_tokens, batch_size
        self._stop: int = tokenizer.convert_tokens_to_ids(TURN_END)
        self._waiting: list[_Waiting] = []
        self._server: asyncio.Task[None] | None = None

    async def complete(self, conversation: Conversation) -> Completion:
        """Write the next message. Raises PolicyError if the prompt leaves no room for an answer."""
        prompt = self._prompt(conversation)
        if len(prompt) + self._max_new_tokens > self._context:
            raise PolicyError(f"context full: {len(prompt)} tokens + {self._max_new_tokens} to write, of {self._context}")
        turn = sum(message.role == "assistant" for message in conversation.messages)
        seed = f"{self._seed}:{conversation.episode_id}:{turn}"
        waiting = _Waiting(conversation, prompt, seed, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._server is None or self._server.done():
            self._server = asyncio.create_task(self._serve())
        written = await waiting.answer
        self._keep(conversation, prompt, written)
        tokens = written.tokens
        stopped = tokens[-1:] == [self._stop]
        # A thought that the prompt opened is part of the message: unclosed, it must not pass for speech.
        text = opening(self._tokenizer) + self._tokenizer.decode(tokens[:-1] if stopped else tokens, skip_special_tokens=True)
        message = parse_assistant(text, call_reader(self._tokenizer, conversation.tools))
        return Completion(message, len(prompt), len(tokens), "stop" if stopped else "length")

    def _prompt(self, conversation: Conversation) -> list[int]:
        return render_prompt(self._tokenizer, conversation)

    def _keep(self, conversation: Conversation, prompt: list[int], written: Written) -> None:
        """Called with what was written after `prompt`; a subclass may remember it."""

    async def _serve(self) -> None:
        """Answer batch after batch until nobody waits. An error of the model goes to everyone in its batch."""
        while self._waiting:
            await self._settle()
            batch = self._next_batch()
            if not batch:
                continue
            prompts, seeds = [waiting.prompt for waiting in batch], [waiting.seed for waiting in batch]
            try:
                answers = await asyncio.to_thread(self._decoder.decode, prompts, seeds)
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
    # General prompts open with the user's message: they have no harness, and so the same.
    first, second = (
        [message for message in waiting.conversation.messages[:1] if message.role == "system"] for waiting in (one, other)
    )
    return first == second and one.conversation.tools == other.conversation.tools
