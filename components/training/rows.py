"""The training rows of a dataset file, as tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from components.data.types import ORIGINAL
from components.errors import UserError
from components.files import read_jsonl
from components.policy.renderer import RenderedRow, render_row

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class Rows:
    """Rows that fit, in the order of the file, and how many did not."""

    kept: list[RenderedRow]
    original: list[bool]
    """Whether each of them ran under the original harness."""
    dropped: int
    longest: int
    """Tokens of the longest row of the file, kept or not."""

    @property
    def tokens(self) -> int:
        """Tokens of all kept rows."""
        return sum(len(row.input_ids) for row in self.kept)

    @property
    def trained_tokens(self) -> int:
        """Those of them that the model learns to write."""
        return sum(sum(row.assistant_masks) for row in self.kept)


def load_rows(path: Path, tokenizer: PreTrainedTokenizerBase, max_length: int, max_dropped_share: float) -> Rows:
    """Render every row of a dataset (see `components.data`) and leave out those longer than `max_length` tokens.

    Raises UserError naming the line of a row that can't be rendered or holds no assistant message, for a file without
    rows, and if more than `max_dropped_share` of the rows are too long.
    """
    rendered = list(_render(path, tokenizer))
    if not rendered:
        raise UserError(f"{path}: no rows; expected training rows; run the step that writes it again")
    kept = [(row, original) for row, original in rendered if len(row.input_ids) <= max_length]
    longest = max(len(row.input_ids) for row, _ in rendered)
    dropped = len(rendered) - len(kept)
    if dropped > max_dropped_share * len(rendered) or not kept:
        raise UserError(
            f"{path}: {dropped} of {len(rendered)} rows are longer than max_length {max_length} tokens and at most "
            f"{max_dropped_share:.0%} may be left out; raise max_length (longest row: {longest})"
        )
    return Rows([row for row, _ in kept], [original for _, original in kept], dropped, longest)


def _render(path: Path, tokenizer: PreTrainedTokenizerBase) -> Iterator[tuple[RenderedRow, bool]]:
    from jinja2 import TemplateError

    for number, row in enumerate(read_jsonl(path), start=1):
        try:
            rendered = render_row(tokenizer, row["messages"], row["tools"])
        except (KeyError, TypeError, AttributeError, TemplateError) as error:
            raise UserError(
                f"{path}:{number}: expected messages and tools in the OpenAI chat format "
                f"({type(error).__name__}: {error}); build the dataset again"
            ) from None
        if not any(rendered.assistant_masks):
            raise UserError(f"{path}:{number}: expected an assistant message to learn from; build the dataset again")
        yield rendered, row.get("variant_id", ORIGINAL) == ORIGINAL
