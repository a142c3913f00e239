"""The words of general prompts: what is asked, and how an answer is scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from components.harness.types import JsonObject

Family = Literal["train", "eval"]
"""Prompts of one family share neither topics, nor keywords, nor phrasing with the other's."""


@dataclass(frozen=True)
class GeneralPrompt:
    """A request with instructions that a program can check, in the vocabulary of IFEval (arXiv 2311.07911)."""

    prompt_id: str
    prompt: str
    """What the user says: the request and all instructions."""
    instruction_ids: tuple[str, ...]
    """IFEval's names of the instructions, e.g. `punctuation:no_comma`."""
    kwargs: tuple[JsonObject, ...]
    """Arguments of each instruction, e.g. {"num_bullets": 3}."""
    topic: str = ""
    """What a generated prompt is about; empty for prompts from elsewhere."""


@dataclass(frozen=True)
class GeneralScore:
    """Strict verdicts on one response."""

    prompt: bool
    """Every instruction was followed."""
    instructions: tuple[bool, ...]
    """One for each instruction of the prompt, in its order."""
