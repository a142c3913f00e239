"""Prompts of one's own: Tulu 3 or any JSON lines or Parquet file for training, IFEval's format for evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from components.data.general.types import GeneralPrompt
from components.errors import UserError
from components.files import read_jsonl
from components.harness.types import JsonObject


def load_prompts(path: Path, column: str) -> list[str]:
    """The prompts of a file, each once, in its order: `column` holds a text, or OpenAI chat messages with a user's first.

    Raises UserError naming file and line (of Parquet: row) of the first that holds no prompt.
    """
    prompts = dict.fromkeys(_first_user_message(row.get(column), place, column) for place, row in _rows(path))
    if not prompts:
        raise UserError(f"{path}: no rows; expected general prompts; choose another file")
    return list(prompts)


def load_ifeval(path: Path) -> list[GeneralPrompt]:
    """Prompts in IFEval's own format: key, prompt, instruction_id_list, kwargs. Raises UserError naming file and line."""
    prompts = []
    for place, row in _rows(path):
        match row:
            case {"key": key, "prompt": str(prompt), "instruction_id_list": list(names), "kwargs": list(kwargs)} if len(
                names
            ) == len(kwargs):
                prompts.append(GeneralPrompt(str(key), prompt, tuple(names), tuple(kwargs)))
            case _:
                raise UserError(f"{place}: expected key, prompt, instruction_id_list and kwargs as in IFEval; mend the row")
    return prompts


def _rows(path: Path) -> Iterator[tuple[str, JsonObject]]:
    """Each row with the words that say where it stands."""
    if path.suffix == ".parquet":
        for number, row in enumerate(_read_parquet(path), start=1):
            yield f"{path}: row {number}", row
    elif path.suffix in (".jsonl", ".json"):
        for number, row in enumerate(read_jsonl(path), start=1):
            yield f"{path}:{number}", row
    else:
        raise UserError(f"{path}: expected a file named .jsonl, .json (an object a line) or .parquet; convert it")


def _read_parquet(path: Path) -> list[JsonObject]:
    import pyarrow
    import pyarrow.parquet

    try:
        rows: list[JsonObject] = pyarrow.parquet.read_table(path).to_pylist()
    except FileNotFoundError:
        raise UserError(f"{path}: not found; expected a Parquet file; mend the path") from None
    except pyarrow.ArrowException as error:
        raise UserError(f"{path}: expected Parquet ({str(error).splitlines()[0]}); restore the file") from None
    return rows


def _first_user_message(value: Any, place: str, column: str) -> str:
    text = value
    if isinstance(value, list):
        users = [message for message in value if isinstance(message, dict) and message.get("role") == "user"]
        text = users[0].get("content") if users else None
    if not isinstance(text, str) or not text.strip():
        raise UserError(f"{place}: {column}: expected a text or chat messages with one of the user; mend the row or the column")
    return text
