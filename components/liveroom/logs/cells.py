"""One cell: text as files hold it, made into the value that its column promises."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from components.errors import UserError
from components.liveroom.logs.schema import CENTS, Column

_UNSPEAKABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
"""Control characters, and halves of a pair that no file in UTF-8 can hold."""
_PLAIN = re.compile(r"[+-]?\d{1,24}(?:\.\d{1,24})?")
"""A number as people write it: `1e2` and `1_0` are more likely slips than numbers."""
_SHOWN = 60
"""Characters of a bad cell that a message quotes."""


class BadCells(UserError):
    """Cells that cannot be used; the message is the first of `problems`, each one line."""

    def __init__(self, problems: list[str]) -> None:
        """`problems` holds at least one."""
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(problems[0] + more)
        self.problems = problems


class Problems:
    """Collects what is wrong, so that one run names every bad cell."""

    def __init__(self) -> None:
        """Start with none."""
        self._found: list[str] = []

    def add(self, place: str, wrong: str) -> None:
        """`place` is file:line:column; `wrong` says what was expected and the mend."""
        self._found.append(f"{place}: {wrong}")

    def stop(self) -> None:
        """Raise BadCells where any problem was added."""
        if self._found:
            raise BadCells(self._found)


class CellError(ValueError):
    """Why a cell cannot be used: what was expected, what was found, the mend."""


def as_text(raw: Any) -> str:
    """A cell as text on one line. What files use for an empty cell (None, NaN, blanks) is empty; true and false as in JSON."""
    if raw is None or raw != raw:
        return ""
    return " ".join(("true" if raw is True else "false" if raw is False else str(raw)).split())


def parse(column: Column, header: str, raw: Any) -> str | int | None:
    """The value of a cell; money in cents, an empty optional cell as the column's default. Raises CellError."""
    text = as_text(raw)
    if not text:
        if column.required:
            raise CellError(f"expected {expected(column, header)}, found an empty cell; fill it")
        return column.default
    value = None if isinstance(raw, list | dict) or _UNSPEAKABLE.search(text) else _value(column, header, text)
    if value is None:
        found = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise CellError(f"expected {expected(column, header)}, found {found!r}; correct this cell")
    return value


def _value(column: Column, header: str, text: str) -> str | int | None:
    """None where the text is not what the column holds."""
    if column.kind == "line":
        return text
    if column.kind == "text":
        return text if re.search(r"\w", text) and (not column.choices or text in column.choices) else None
    number = _number(text, 100 if column.kind == "money" and not header.endswith(CENTS) else 1)
    return number if number is not None and column.least <= number <= column.most else None


def expected(column: Column, header: str) -> str:
    """What a cell under `header` may hold, in words."""
    if column.choices:
        return f"one of {', '.join(column.choices)}"
    if column.kind in ("text", "line"):
        return "words" if column.kind == "text" else "any text"
    if column.kind == "integer" or header.endswith(CENTS):
        span = f"from {column.least} to {column.most}" if column.most < 2**63 - 1 else f"of at least {column.least}"
        return f"a whole number {span}"
    return f"yuan with at most two decimals, at least {column.least / 100:.2f}"


def _number(text: str, factor: int) -> int | None:
    """`text` times `factor` where that is whole: `12`, `12.0` (how files write integers beside gaps), `59.90` for money."""
    if not _PLAIN.fullmatch(text):
        return None
    number = Decimal(text) * factor
    return int(number) if number == number.to_integral_value() else None
