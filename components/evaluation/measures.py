"""What is measured of a row, suite by suite. Shares are 0 to 1; reasoning is in words a turn.

A row gives one value, or one for each of its instructions; None is a missing verdict, or nothing to measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from components.evaluation.types import ROOM_SUITES, Row, Suite


@dataclass(frozen=True)
class Measure:
    """One figure that the rows of a suite give."""

    name: str
    values: Callable[[Row], list[float | None]]
    kind: Literal["rate", "share", "words"]
    """`rate`: every value is 0 or 1; `share`: between 0 and 1; `words`: a number of words."""

    def bounds(self, values: Iterable[float | None]) -> tuple[float, float]:
        """The least and the most that a mean of these values can be."""
        if self.kind != "words":
            return 0.0, 1.0
        return 0.0, max((value for value in values if value is not None), default=0.0)


@dataclass(frozen=True)
class Cell:
    """One value of one row."""

    key: tuple[str, str, str, int]
    """Suite, case, variant and place among the values of the row: what pairs it with the same of another arm."""
    cluster: str
    """What makes values alike: the room or, in T4, the prompt."""
    value: float | None


def average(row: Row) -> float | None:
    """AVG of a case: mean of accuracy and effectiveness, the paper's headline measure; None where there is no verdict."""
    if row["accuracy"] is None or row["effectiveness"] is None:
        return None
    return (float(row["accuracy"]) + float(row["effectiveness"])) / 2


def cells(rows: Sequence[Row], suite: Suite, measure: Measure) -> list[Cell]:
    """The values that the rows of a suite give, in their order."""
    return [
        Cell((*case_key(row), place), str(row.get("room_id", row["case_id"])), None if value is None else float(value))
        for row in rows
        if row["suite"] == suite
        for place, value in enumerate(measure.values(row))
    ]


def case_key(row: Row) -> tuple[str, str, str]:
    """What pairs a row with the same case of another arm."""
    return row["suite"], row["case_id"], row.get("variant_id", "")


def _of(name: str, kind: Literal["rate", "share"], field: str = "") -> Measure:
    return Measure(name, lambda row: [row[field or name]], kind)


def _thinking(segment: str) -> Measure:
    def words_a_turn(row: Row) -> list[float | None]:
        turns = row["thinking"][segment]
        return [sum(turns) / len(turns) if turns else None]

    return Measure(f"thinking_{segment}", words_a_turn, "words")


def _each_instruction(row: Row) -> list[float | None]:
    return list(row["instructions"]) if row["accuracy"] is not None else [None] * len(row["instruction_ids"])


AVG = Measure("avg", lambda row: [average(row)], "share")
RECOVERED = _of("recovered", "rate", "recovered_from_fault")
PROMPT = _of("prompt", "rate", "accuracy")
INSTRUCTION = Measure("instruction", _each_instruction, "share")
THINKING = (_thinking("tool_calls"), _thinking("reply"))

_IN_ROOMS = (
    _of("accuracy", "rate"),
    _of("effectiveness", "share"),
    AVG,
    _of("tool_correct", "rate"),
    _of("skill_correct", "rate"),
    _of("recovered_from_refusal", "rate"),
    *THINKING,
)
MEASURES: dict[Suite, tuple[Measure, ...]] = {
    **dict.fromkeys(ROOM_SUITES, _IN_ROOMS),
    Suite.T3: (*_IN_ROOMS, RECOVERED),
    Suite.T4: (PROMPT, INSTRUCTION),
}

HEADLINE: dict[str, tuple[Suite, Measure]] = {
    "T1 AVG": (Suite.T1, AVG),
    "T2 AVG": (Suite.T2, AVG),
    "T3 AVG": (Suite.T3, AVG),
    "T3 recovered": (Suite.T3, RECOVERED),
    "T4 prompt": (Suite.T4, PROMPT),
    "T4 instruction": (Suite.T4, INSTRUCTION),
    "Thinking, tool calls": (Suite.T1, THINKING[0]),
    "Thinking, reply": (Suite.T1, THINKING[1]),
}
"""Label → the figure that arms are compared by; reasoning is that of T1."""
