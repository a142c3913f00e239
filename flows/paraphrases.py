"""Paraphrases from a language model, where one is configured: asked for once, kept where the proof holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from components.augment import Bank, Prover, Task, Variant
from components.augment.meaning import Phrasings
from components.augment.paraphrase import collect
from components.errors import Unavailable
from components.harness.types import Conversation, Harness, Message, PolicyError
from components.policy import ServerPolicy
from components.policy.params import ServerParams


def collect_bank(server: ServerParams, base: Harness, tasks: Sequence[Task]) -> Bank:
    """Ask the server to say each text of `base` in other words. Raises Unavailable where it does not answer."""
    policy = ServerPolicy(server.base_url, server.model, server.api_key_env)

    def holds(harness: Harness, phrasings: Phrasings) -> bool:
        return Prover(base, tasks, phrasings).prove(Variant("paraphrase", "train", (), 0, harness)).holds

    with asyncio.Runner() as runner:

        def complete(prompt: str) -> str:
            conversation = Conversation("paraphrase", (Message("user", prompt),), ())
            try:
                return runner.run(policy.complete(conversation)).message.content
            except PolicyError as error:
                words = " ".join(str(error).split())
                raise Unavailable(f"variants.paraphrases: the server did not answer ({words}); see to it") from None

        return collect(base, complete, holds)
