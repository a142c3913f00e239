"""Every arm with all its seeds in one table and one figure, and what each ingredient does, beside the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from components.evaluation.arms import ARMS
from components.evaluation.measures import HEADLINE, Cell, Measure, cells
from components.evaluation.paper import BEST_GENERAL_T1, EFFECTS, PAPER, Effect, scale
from components.evaluation.plots import draw_ablation
from components.evaluation.rendering import COLUMNS, embedded, render
from components.evaluation.two_way import over_seeds
from components.evaluation.types import JUDGE_IN_WORDS, EvaluationError, Row, RunFacts, Suite
from components.files import write_atomic, write_json
from components.harness.types import JsonObject

Seeds = Sequence[Sequence[Row]]
"""The rows of one arm, one entry a seed; an entry without rows is a seed that is not evaluated."""

EXPECTED = tuple(arm for arm in ARMS if arm != "champion")

UNTRAINED = "base"
"""The arm that no seed of training touches: its one set of rows stands beside every seed of another arm."""

CAPTION = "Every arm, means over seeds. Lines are 95 % intervals over rooms and seeds; diamonds are the paper's, at its scale."


@dataclass(frozen=True)
class Ablation:
    """What rows of many arms and seeds come to. An estimate is a `two_way.SeededEstimate` as plain JSON."""

    figures: dict[str, JsonObject]
    """Arm → label (`measures.HEADLINE`) → estimate, over its seeds."""
    effects: list[JsonObject]
    """`paper.EFFECTS` in their order, each with `figures` (label → estimate of the difference), `note` (how many seeds) and
    `missing` (the arms without which there are no figures)."""
    absent: list[str]
    """Arms of `EXPECTED` without rows."""
    seeds: dict[str, int]
    """Arm → how many seeds it has."""


def ablate(rows_by_arm: Mapping[str, Seeds], seed: int) -> Ablation:
    """Means over seeds, and effects seed for seed and case for case; `seed` is that of the bootstraps.

    `rows_by_arm`: arm → its rows, one entry a seed, in the same order of seeds for every arm. An effect is measured
    over the seeds that both arms have. Raises EvaluationError where no arm has rows.
    """
    present = _present(rows_by_arm)
    figures = {
        arm: {label: _mean(_evaluated(seeds), suite, measure, seed) for label, (suite, measure) in HEADLINE.items()}
        for arm, seeds in present.items()
    }
    return Ablation(
        figures,
        [_effect(effect, present, seed) for effect in EFFECTS],
        [arm for arm in EXPECTED if arm not in present],
        {arm: len(_evaluated(seeds)) for arm, seeds in present.items()},
    )


def write_ablation(out_dir: Path, rows_by_arm: Mapping[str, Seeds], facts: RunFacts) -> Path:
    """Write ablation.html (self-contained), .md, .json and the figure as PNG, light and dark; returns the page's path.

    `rows_by_arm` as in `ablate`. An arm of `EXPECTED` without rows is named as missing, and so is every effect that needs
    it. The same arguments give the same bytes. Raises EvaluationError where no arm has rows.
    """
    found, present = ablate(rows_by_arm, facts.seed), _present(rows_by_arm)
    content = {
        "run": facts,
        "judge": JUDGE_IN_WORDS,
        "columns": COLUMNS,
        "figures": found.figures,
        "counts": {arm: _counts(_evaluated(seeds)) for arm, seeds in present.items()},
        "absent": found.absent,
        "effects": found.effects,
        "one_seed": [arm for arm, count in found.seeds.items() if count == 1 and arm != UNTRAINED],
        "paper": PAPER,
        "best_general": BEST_GENERAL_T1,
        "scale": scale(facts, {arm: _evaluated(seeds)[0] for arm, seeds in present.items()}),
    }
    pictures = draw_ablation({arm: found.figures.get(arm) for arm in dict.fromkeys((*EXPECTED, *found.figures))})
    page = render("ablation.html.jinja", content | {"pictures": embedded(pictures, {"ablation": CAPTION})})
    for name, picture in pictures.items():
        write_atomic(out_dir / name, picture)
    write_json(out_dir / "ablation.json", asdict(found) | {"run": asdict(facts), "judge": JUDGE_IN_WORDS, "paper": PAPER})
    write_atomic(out_dir / "ablation.md", render("ablation.md.jinja", content))
    write_atomic(out_dir / "ablation.html", page)
    return out_dir / "ablation.html"


def _present(rows_by_arm: Mapping[str, Seeds]) -> dict[str, Seeds]:
    """Arms that have rows, in the order of a report."""
    arms = dict.fromkeys((*EXPECTED, *rows_by_arm))
    present = {arm: rows_by_arm[arm] for arm in arms if _evaluated(rows_by_arm.get(arm, ()))}
    if not present:
        raise EvaluationError("ablation: no arm has rows; evaluate at least one arm first")
    return present


def _evaluated(seeds: Seeds) -> list[Sequence[Row]]:
    return [rows for rows in seeds if rows]


def _mean(seeds: Seeds, suite: Suite, measure: Measure, seed: int) -> JsonObject:
    found = [cells(rows, suite, measure) for rows in seeds]
    return asdict(over_seeds(found, seed, measure.bounds(cell.value for one in found for cell in one)))


def _effect(effect: Effect, present: Mapping[str, Seeds], seed: int) -> JsonObject:
    """An effect as a table shows it: its figures, or the arms that are missing."""
    missing = [arm for arm in (effect.first, effect.second) if arm not in present]
    entry = asdict(effect) | {"missing": missing, "note": "", "figures": {}}
    if missing:
        return entry
    first, second = present[effect.first], present[effect.second]
    if effect.second == UNTRAINED:
        second = _evaluated(second)[:1] * len(first)
    pairs = [(mine, theirs) for mine, theirs in zip(first, second, strict=False) if mine and theirs]
    entry["note"] = f"{len(pairs)} seed{'s' if len(pairs) != 1 else ''}"
    entry["figures"] = {label: _difference(pairs, suite, measure, seed) for label, (suite, measure) in HEADLINE.items()}
    return entry


def _difference(pairs: Sequence[tuple[Sequence[Row], Sequence[Row]]], suite: Suite, measure: Measure, seed: int) -> JsonObject:
    differences: list[list[Cell]] = []
    most = 0.0
    for mine, theirs in pairs:
        left, right = cells(mine, suite, measure), {cell.key: cell.value for cell in cells(theirs, suite, measure)}
        most = max(most, measure.bounds([*(cell.value for cell in left), *right.values()])[1])
        differences.append([replace(c, value=_minus(c.value, right[c.key])) for c in left if c.key in right])
    return asdict(over_seeds(differences, seed, (-most, most)))


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _counts(seeds: Seeds) -> str:
    cases = {suite.value: sum(row["suite"] == suite for row in seeds[0]) for suite in Suite}
    return f"{len(seeds)} seed{'s' if len(seeds) > 1 else ''}: " + ", ".join(f"{n} {suite}" for suite, n in cases.items() if n)
