"""Episodes as the tokens that the model really read and wrote, for training on its own samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from components.harness.types import Conversation
from components.policy.batching import BatchingPolicy
from components.policy.decoding import Written
from components.policy.renderer import render_continuation


@dataclass(frozen=True)
class EpisodeTokens:
    """One episode. The lists but the first and the last have one entry a token of `completion_ids`."""

    prompt_ids: list[int]
    """What the model read before it wrote its first message."""
    completion_ids: list[int] = field(default_factory=list)
    """All that came after: what the model wrote, and between its messages what the environment added."""
    logprobs: list[float] = field(default_factory=list)
    """Of each token under the model that wrote it (see `Written`); 0.0 where the environment did."""
    written: list[int] = field(default_factory=list)
    """1 where the model wrote, 0 where the environment did."""
    turns: list[tuple[int, int]] = field(default_factory=list)
    """Start and end, in `completion_ids`, of what the model wrote for each of its messages."""


class RecordingPolicy(BatchingPolicy):
    """Keeps the tokens of every episode exactly as they were sampled.

    Text that is parsed, rendered and encoded again need not give the same tokens. So the prompt of each turn is the last
    prompt, what the model wrote after it, and the rendered rest: the end of a turn that was cut off, the results of tools,
    messages of hooks and the opening of the next turn.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """As `BatchingPolicy`."""
        super().__init__(*arguments, **options)
        self._episodes: dict[str, EpisodeTokens] = {}

    def record(self, episode_id: str) -> EpisodeTokens:
        """The episode so far; without completion if its first prompt was too long. Raises KeyError if it never came here."""
        return self._episodes[episode_id]

    def _prompt(self, conversation: Conversation) -> list[int]:
        turn = sum(message.role == "assistant" for message in conversation.messages)
        if turn == 0:
            prompt = super()._prompt(conversation)
            self._episodes[conversation.episode_id] = EpisodeTokens(prompt)
            return prompt
        episode = self._episodes[conversation.episode_id]
        if len(episode.turns) != turn:
            raise ValueError(
                f"{conversation.episode_id}: {turn} messages of the model, of which {len(episode.turns)} came from here"
            )
        before = episode.prompt_ids + episode.completion_ids
        cut_off = episode.completion_ids[-1:] != [self._stop]
        return [*before, *([self._stop] if cut_off else []), *render_continuation(self._tokenizer, conversation)]

    def _keep(self, conversation: Conversation, prompt: list[int], written: Written) -> None:
        episode = self._episodes[conversation.episode_id]
        added = prompt[len(episode.prompt_ids) + len(episode.completion_ids) :]
        for tokens, logprobs, by_model in ((added, [0.0] * len(added), 0), (written.tokens, written.logprobs, 1)):
            start = len(episode.completion_ids)
            episode.completion_ids.extend(tokens)
            episode.logprobs.extend(logprobs)
            episode.written.extend([by_model] * len(tokens))
        episode.turns.append((start, len(episode.completion_ids)))
