"""How much an arm thinks: words of reasoning of every turn, told apart by what the turn is for.

Words, because arms of different models have different tokenizers; a Chinese character counts as one.
"""

from __future__ import annotations

from components.evaluation.types import SEGMENTS
from components.harness.hooks.text import word_count
from components.harness.messages import strip_reasoning
from components.harness.types import Message, Trajectory


def thinking(trajectory: Trajectory) -> dict[str, list[int]]:
    """Segment → words of reasoning in each of its turns, in order."""
    words: dict[str, list[int]] = {segment: [] for segment in SEGMENTS}
    for message in trajectory.messages:
        if message.role == "assistant":
            words["tool_calls" if message.tool_calls or message.malformed_calls else "reply"].append(_thought(message))
    return words


def _thought(message: Message) -> int:
    """Words between `<think>` and `</think>`, closed or not; what was said is what stays without them."""
    written = message.content.replace("<think>", " ").replace("</think>", " ")
    return word_count(written) - word_count(strip_reasoning(message.content))
