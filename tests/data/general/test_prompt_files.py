"""General prompts from files: texts or chats, JSON lines or Parquet; what cannot be used is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from components.data.general import load_ifeval, load_prompts
from components.errors import UserError
from components.files import write_jsonl

CHAT = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Why is the sky blue?"},
    {"role": "assistant", "content": "It scatters."},
    {"role": "user", "content": "And at dusk?"},
]
IFEVAL = {"key": 7, "prompt": "Say it.", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}


def test_the_first_thing_a_user_says_is_the_prompt_and_each_is_taken_once(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "p.jsonl", [{"messages": CHAT, "id": 1}, {"messages": "Name a fish."}, {"messages": CHAT}])
    assert load_prompts(tmp_path / "p.jsonl", "messages") == ["Why is the sky blue?", "Name a fish."]


def test_parquet_gives_what_json_lines_give(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"messages": [CHAT, CHAT[1:]], "text": ["One?", "Two?"]}), tmp_path / "p.parquet")
    assert load_prompts(tmp_path / "p.parquet", "messages") == ["Why is the sky blue?"]
    assert load_prompts(tmp_path / "p.parquet", "text") == ["One?", "Two?"]
    with pytest.raises(UserError, match=r"p\.parquet: row 1: prompt: expected a text or chat messages"):
        load_prompts(tmp_path / "p.parquet", "prompt")


@pytest.mark.parametrize(
    "value", [None, "", "  ", 3, [], CHAT[:1], [{"role": "user"}], ["Why?"], [{"role": "user", "content": None}]]
)
def test_a_row_without_a_prompt_is_named(tmp_path: Path, value: Any) -> None:
    write_jsonl(tmp_path / "p.jsonl", [{"messages": CHAT}, {"messages": value}])
    with pytest.raises(UserError, match=r"p\.jsonl:2: messages: expected a text or chat messages with one of the user; mend"):
        load_prompts(tmp_path / "p.jsonl", "messages")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.jsonl", '{"messages": "Why?"}\n{"messages": ', r"p\.jsonl:2: expected a JSON object"),
        ("p.jsonl", "", r"p\.jsonl: no rows"),
        ("p.parquet", "not Parquet", r"p\.parquet: expected Parquet"),
        ("p.csv", "messages\nWhy?", r"p\.csv: expected a file named"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: str, words: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=words):
        load_prompts(tmp_path / name, "messages")


@pytest.mark.parametrize("name", ["p.jsonl", "p.parquet"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=f"{name}: not found"):
        load_prompts(tmp_path / name, "messages")


def test_prompts_in_ifevals_format_are_read(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "i.jsonl", [IFEVAL])
    (prompt,) = load_ifeval(tmp_path / "i.jsonl")
    assert (prompt.prompt_id, prompt.prompt, prompt.instruction_ids, prompt.kwargs) == (
        "7",
        "Say it.",
        ("punctuation:no_comma",),
        ({},),
    )


@pytest.mark.parametrize("wrong", [{"kwargs": []}, {"prompt": None}, {"instruction_id_list": "punctuation:no_comma"}])
def test_a_row_that_is_not_ifevals_is_named(tmp_path: Path, wrong: dict[str, Any]) -> None:
    write_jsonl(tmp_path / "i.jsonl", [IFEVAL, IFEVAL | wrong])
    with pytest.raises(UserError, match=r"i\.jsonl:2: expected key, prompt, instruction_id_list and kwargs"):
        load_ifeval(tmp_path / "i.jsonl")
