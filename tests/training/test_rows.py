"""From a dataset file to training tokens: nothing is cut, nothing is lost in silence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from components.errors import UserError
from components.files import write_jsonl
from components.policy.base_models import load_tokenizer
from components.training.rows import load_rows
from tests.policy.conversations import row, trajectory

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

LONG_REPLY = " ".join(["very"] * 800)


@pytest.fixture(scope="module")
def tokenizer(tiny: Path) -> PreTrainedTokenizerBase:
    return load_tokenizer(tiny)


def written(path: Path, *rows: Any) -> Path:
    write_jsonl(path / "rows.jsonl", rows)
    return path / "rows.jsonl"


def test_rows_that_are_too_long_are_left_out_whole_and_counted(tmp_path: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    path = written(tmp_path, *(row(trajectory(reply=reply)) for reply in ("Short.", LONG_REPLY, "Short too.", "Short three.")))
    all_rows = load_rows(path, tokenizer, 10_000, 0)
    assert (len(all_rows.kept), all_rows.dropped) == (4, 0)
    limit = all_rows.longest - 1
    rows = load_rows(path, tokenizer, limit, max_dropped_share=0.25)
    assert rows.kept == [all_rows.kept[0], *all_rows.kept[2:]]
    assert (rows.dropped, rows.longest) == (1, all_rows.longest)
    assert rows.trained_tokens == sum(sum(one.assistant_masks) for one in rows.kept) < rows.tokens
    with pytest.raises(UserError, match=f"1 of 4 rows are longer than max_length {limit} .*longest row: {all_rows.longest}"):
        load_rows(path, tokenizer, limit, max_dropped_share=0.24)


def test_rows_under_the_original_harness_are_known(tmp_path: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    path = written(tmp_path, *(row(trajectory()) | {"variant_id": name} for name in ("original", "train-001-a86b44", "original")))
    assert load_rows(path, tokenizer, 10_000, 0).original == [True, False, True]


@pytest.mark.parametrize(
    "bad",
    [
        {"messages": [{"role": "user", "content": "hello"}]},
        {"tools": []},
        {"messages": "hello", "tools": []},
        {"messages": [{"role": "assistant", "content": "", "tool_calls": [{"name": "f"}]}], "tools": []},
    ],
)
def test_a_row_that_cannot_be_rendered_is_named_by_its_line(
    bad: dict[str, Any], tmp_path: Path, tokenizer: PreTrainedTokenizerBase
) -> None:
    path = written(tmp_path, row(trajectory()), bad)
    with pytest.raises(UserError, match=r"rows\.jsonl:2: expected messages and tools"):
        load_rows(path, tokenizer, 10_000, 0)


def test_a_row_without_anything_to_learn_is_named_by_its_line(tmp_path: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    path = written(tmp_path, row(trajectory()), row(trajectory()[:2]))
    with pytest.raises(UserError, match=r"rows\.jsonl:2: expected an assistant message"):
        load_rows(path, tokenizer, 10_000, 0)


def test_an_empty_dataset_is_refused(tmp_path: Path, tokenizer: PreTrainedTokenizerBase) -> None:
    with pytest.raises(UserError, match="no rows"):
        load_rows(written(tmp_path), tokenizer, 10_000, 0)
