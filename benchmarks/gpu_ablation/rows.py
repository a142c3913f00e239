"""What arms are compared on: the rows of the rounds that all of them finished."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from components.data.general.types import GeneralPrompt
from components.evaluation.measures import HEADLINE, cells
from components.evaluation.types import Row, Suite
from components.files import read_jsonl
from components.harness.types import JsonObject
from flows.arms import ARMS

EPISODES, GENERAL = "episodes", "general.jsonl"
"""Names of files of a round: rows of T1 to T3, one file a harness, and answers of T4."""


@dataclass(frozen=True)
class Finished:
    """What an arm has come to."""

    rounds: int
    """That it finished itself."""
    rows: list[Row]
    """Of T1 to T3, over the rounds that all arms finished."""
    answers: list[JsonObject]
    """Of T4, over the same rounds, not scored."""


def read_finished(out: Path) -> tuple[int, dict[str, Finished]]:
    """How many rounds all arms finished, and the arms that finished any, in the order of a report."""
    counts = {arm: _rounds(out / "rows" / arm) for arm in ("base", *ARMS)}
    counts = {arm: count for arm, count in counts.items() if count}
    common = min(counts.values(), default=0)
    return common, {arm: _read(out / "rows" / arm, count, common) for arm, count in counts.items()}


def _rounds(folder: Path) -> int:
    """The answers of T4 are written last."""
    done = 0
    while (folder / f"{done}" / GENERAL).is_file():
        done += 1
    return done


def _read(folder: Path, rounds: int, common: int) -> Finished:
    folders = [folder / f"{number}" for number in range(common)]
    rows = [row for one in folders for path in sorted(one.glob(f"{EPISODES}-*.jsonl")) for row in read_jsonl(path)]
    return Finished(rounds, rows, [row for one in folders for row in read_jsonl(one / GENERAL)])


def read_prompts(path: Path) -> list[GeneralPrompt]:
    """General prompts as `pack` wrote them."""
    return [
        GeneralPrompt(**row | {"instruction_ids": tuple(row["instruction_ids"]), "kwargs": tuple(row["kwargs"])})
        for row in read_jsonl(path)
    ]


def plain_table(out: Path) -> str:
    """Means of T1 to T3 as Markdown, without intervals and without T4: what needs no package to reckon."""
    common, arms = read_finished(out)
    measures = {label: of for label, of in HEADLINE.items() if of[0] is not Suite.T4}
    lines = [
        f"Over the {common} rounds that all arms here finished; shares from 0 to 1, thinking in words a turn; "
        "no intervals, T4 not scored: `table` does both.",
        "",
        f"| arm | rounds | cases | {' | '.join(measures)} |",
        "| --- " * (3 + len(measures)) + "|",
    ]
    for arm, found in arms.items():
        values = [[cell.value for cell in cells(found.rows, *of) if cell.value is not None] for of in measures.values()]
        means = [f"{sum(some) / len(some):.3f}" if some else "–" for some in values]
        lines.append(f"| {arm} | {found.rounds} | {len(found.rows)} | {' | '.join(means)} |")
    return "\n".join(lines) + "\n"
