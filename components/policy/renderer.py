"""The one renderer: the chat template kept with every model turns a conversation into tokens, to train and to serve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from components.errors import UserError
from components.harness.messages import to_openai, tools_to_openai
from components.harness.types import Conversation, JsonObject

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

TEMPLATE_FILE = "chat_template.jinja"
TURN_START, TURN_END = "<|im_start|>", "<|im_end|>"


@dataclass(frozen=True)
class RenderedRow:
    """One trajectory as a training example; both lists have one entry a token."""

    input_ids: list[int]
    assistant_masks: list[int]
    """1 where the model writes (the end of its turn included), 0 elsewhere."""


def install_template(tokenizer: PreTrainedTokenizerBase) -> None:
    """Give the tokenizer the project's template. Raises UserError if it lacks the ChatML tokens."""
    missing = [token for token in (TURN_START, TURN_END) if token not in tokenizer.get_vocab()]
    if missing:
        raise UserError(
            f"{tokenizer.name_or_path}: no token {missing[0]} in the vocabulary; choose a base model that uses ChatML"
        )
    tokenizer.chat_template = Path(__file__).with_name(TEMPLATE_FILE).read_text()


def render_prompt(tokenizer: PreTrainedTokenizerBase, conversation: Conversation) -> list[int]:
    """Token ids up to the point where the assistant starts to write its next message."""
    encoding = tokenizer.apply_chat_template(
        to_openai(conversation.messages),
        tools=tools_to_openai(conversation.tools),
        add_generation_prompt=True,
        return_dict=True,
    )
    return list(encoding["input_ids"])


def render_row(tokenizer: PreTrainedTokenizerBase, messages: Sequence[JsonObject], tools: Sequence[JsonObject]) -> RenderedRow:
    """A whole trajectory (OpenAI chat messages, arguments as objects) with the mask of what the model writes."""
    encoding = tokenizer.apply_chat_template(
        list(messages), tools=list(tools), return_dict=True, return_assistant_tokens_mask=True
    )
    return RenderedRow(list(encoding["input_ids"]), list(encoding["assistant_masks"]))
