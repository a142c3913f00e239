"""What a documented table is: columns with their kind, unit and example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CENTS = "_cents"

Kind = Literal["text", "line", "integer", "money"]


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    """Kind `money`: stands here for decimal yuan; `<name>_cents` is the same in cents."""
    kind: Kind
    """`text`: words; `line`: what a viewer wrote, be it a single sign; `integer`; `money`: yuan with at most two decimals."""
    about: str
    example: str
    required: bool = True
    default: str | int | None = None
    """What an empty cell of a column that is not required stands for."""
    least: int = 0
    """Smallest integer, or sum in cents."""
    most: int = 2**63 - 1
    choices: tuple[str, ...] = ()

    @property
    def headers(self) -> tuple[str, ...]:
        """The names under which a file may hold the column."""
        return (self.name, self.name + CENTS) if self.kind == "money" else (self.name,)

    @property
    def field(self) -> str:
        """The name under which the value is kept: money in cents."""
        return self.headers[-1]


@dataclass(frozen=True)
class Table:
    """One file of the folder, `<name>.csv`, `.jsonl` or `.parquet`."""

    name: str
    about: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    """Columns that tell rows apart; rows of one key must be equal, and then count once. Empty: every row counts."""
    required: bool = False
    """Whether a folder of logs is not complete without it."""
