"""The one renderer: the chat template kept with every model turns a conversation into tokens, to train and to serve.

Text becomes tokens in pieces, cut where the model starts and stops writing. So what it wrote one token after the other is
what it would read and learn: no token reaches across its border, whichever way the tokens are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

from components.errors import UserError
from components.harness.call_syntax import CallReader, qwen_reader, read_hermes
from components.harness.messages import split_thought, to_openai, tools_to_openai
from components.harness.types import Conversation, JsonObject, Tool

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

TEMPLATE_FILE = "chat_template.jinja"
TURN_START, TURN_END = "<|im_start|>", "<|im_end|>"
_ASSISTANT = f"{TURN_START}assistant\n"
_QWEN_TOKENS = ("<think>", "</think>", "<tool_call>", "</tool_call>")
_QWEN_CALL = "<function="
_QWEN_TEMPLATE = "trl/chat_templates/qwen3_6_training.jinja"
"""In the package TRL: Qwen's own template, with `generation` tags and every turn's thought kept."""


@dataclass(frozen=True)
class RenderedRow:
    """One trajectory as a training example; both lists have one entry a token."""

    input_ids: list[int]
    assistant_masks: list[int]
    """1 where the model writes (the end of its turn included), 0 elsewhere."""


def install_template(tokenizer: PreTrainedTokenizerBase) -> None:
    """Give the tokenizer the template that its model is trained and served with.

    It is the project's own (ChatML with Hermes tool calls), except for a model whose own template writes calls as Qwen3.5
    and Qwen3.6 do: that one keeps its syntax. Raises UserError for a vocabulary without the tokens that are needed.
    """
    vocabulary = tokenizer.get_vocab()
    missing = [token for token in (TURN_START, TURN_END) if token not in vocabulary]
    if missing:
        raise UserError(
            f"{tokenizer.name_or_path}: no token {missing[0]} in the vocabulary; choose a base model that uses ChatML"
        )
    if _writes_qwen(tokenizer) and all(token in vocabulary for token in _QWEN_TOKENS):
        tokenizer.chat_template = qwen_template()
    else:
        tokenizer.chat_template = Path(__file__).with_name(TEMPLATE_FILE).read_text()


def qwen_template() -> str:
    """The template of Qwen3.6 that a model is trained with. Raises UserError where the package that holds it is not there."""
    try:
        return Path(str(distribution("trl").locate_file(_QWEN_TEMPLATE))).read_text(encoding="utf-8")
    except (PackageNotFoundError, FileNotFoundError):
        raise UserError(f"{_QWEN_TEMPLATE}: not found; expected in the package trl; install its locked version") from None


def render_prompt(tokenizer: PreTrainedTokenizerBase, conversation: Conversation) -> list[int]:
    """Token ids up to the point where the assistant starts to write its next message."""
    return [token for piece in _rendered(tokenizer, conversation) for token in _encode(tokenizer, piece.text)]


def render_continuation(tokenizer: PreTrainedTokenizerBase, conversation: Conversation) -> list[int]:
    """Token ids from the end of the assistant's last turn up to the point where its next message starts."""
    return _encode(tokenizer, _rendered(tokenizer, conversation)[-1].text)


def render_row(tokenizer: PreTrainedTokenizerBase, messages: Sequence[JsonObject], tools: Sequence[JsonObject]) -> RenderedRow:
    """A whole trajectory (OpenAI chat messages, arguments as objects) with the mask of what the model writes."""
    row = RenderedRow([], [])
    for piece in _pieces(tokenizer, messages, tools, add_generation_prompt=False):
        tokens = _encode(tokenizer, piece.text)
        row.input_ids.extend(tokens)
        row.assistant_masks.extend([int(piece.by_model)] * len(tokens))
    return row


def opening(tokenizer: PreTrainedTokenizerBase) -> str:
    """What the template writes of an assistant's message before the model does: the start of a thought, or nothing."""
    return _opening(str(tokenizer.chat_template))


def call_reader(tokenizer: PreTrainedTokenizerBase, tools: Sequence[Tool]) -> CallReader:
    """Reads tool calls in the syntax of the tokenizer's template."""
    return qwen_reader(tools) if _writes_qwen(tokenizer) else read_hermes


@dataclass(frozen=True)
class _Piece:
    text: str
    by_model: bool


def _rendered(tokenizer: PreTrainedTokenizerBase, conversation: Conversation) -> list[_Piece]:
    messages, tools = to_openai(conversation.messages), tools_to_openai(conversation.tools)
    return list(_pieces(tokenizer, messages, tools, add_generation_prompt=True))


def _pieces(
    tokenizer: PreTrainedTokenizerBase, messages: Iterable[JsonObject], tools: Iterable[JsonObject], add_generation_prompt: bool
) -> Iterator[_Piece]:
    """The rendered conversation, cut where the model starts and stops writing; the first and the last are not the model's."""
    messages, tools = list(messages), list(tools)
    if _writes_qwen(tokenizer):
        messages, tools = list(map(_for_qwen, messages)), list(map(_in_order, tools))
    template = str(tokenizer.chat_template)
    text, spans = _render(template, messages, tools, add_generation_prompt)
    given, done = len(_opening(template)), 0
    for start, end in spans:
        start, end = start + given, text.rindex(TURN_END, start, end) + len(TURN_END)
        yield _Piece(text[done:start], by_model=False)
        yield _Piece(text[start:end], by_model=True)
        done = end
    yield _Piece(text[done:], by_model=False)


def _render(
    template: str, messages: list[JsonObject], tools: list[JsonObject], add_generation_prompt: bool
) -> tuple[str, list[tuple[int, int]]]:
    """The text, and from where to where the template's `generation` tags reach."""
    from transformers.utils.chat_template_utils import render_jinja_template

    texts, spans = render_jinja_template(
        [messages],
        tools=tools,
        chat_template=template,
        return_assistant_tokens_mask=True,
        add_generation_prompt=add_generation_prompt,
    )
    return texts[0], spans[0]


@lru_cache
def _opening(template: str) -> str:
    text, _ = _render(template, [{"role": "user", "content": "Hello"}], [], add_generation_prompt=True)
    return text.rpartition(_ASSISTANT)[2]


def _encode(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _writes_qwen(tokenizer: PreTrainedTokenizerBase) -> bool:
    return _QWEN_CALL in str(tokenizer.chat_template)


def _for_qwen(message: JsonObject) -> JsonObject:
    """What the project's template does itself: keys sorted, and no words that could become control tokens."""
    message = _plain(message)
    if message["role"] == "assistant":
        thought, spoken = split_thought(message["content"] or "")
        message |= {"reasoning_content": thought, "content": spoken}
    return message


def _plain(value: Any) -> Any:
    match value:
        case str():
            return value.replace("<|", "< |")
        case dict():
            return {_plain(key): _plain(value[key]) for key in sorted(value)}
        case list() | tuple():
            return [_plain(part) for part in value]
    return value


def _in_order(tool: JsonObject) -> JsonObject:
    """As Qwen's models know tools: these keys first, in this order; the schema's sorted."""
    function = {key: _plain(tool["function"][key]) for key in ("name", "description", "parameters")}
    return {"type": "function", "function": function}
