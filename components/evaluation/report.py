"""The page that a person opens first, the same table in Markdown, and the figures behind both as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from components.evaluation.examples import choose_examples
from components.evaluation.measures import HEADLINE
from components.evaluation.paper import BEST_GENERAL_T1, EFFECTS, PAPER, Effect, scale
from components.evaluation.plots import draw_plots
from components.evaluation.rendering import COLUMNS, embedded, render
from components.evaluation.summary import compare, summarise
from components.evaluation.types import JUDGE_IN_WORDS, ROOM_SUITES, EvaluationError, Row, RunFacts, Suite
from components.files import write_atomic, write_json
from components.harness.types import JsonObject

EXAMPLES = 6

PICTURES = {
    "suites": "Each suite by arm. Lines are 95 % intervals; diamonds are the paper's figures, at the paper's scale.",
    "dimensions": "T2 AVG by the dimension that the variant changes. A variant may change several; a case counts for each.",
    "faults": "T3: share of episodes recovered, by the way in which tools failed.",
    "intents": "AVG by the viewer's intent.",
    "training": "Training loss of each trained arm.",
}

SHOWN = (*EFFECTS, Effect("against the release in use", "rl_hsa", "champion"))

AUGMENTED = (("hsa_sft", "fixed_sft"), ("rl_hsa", "rl_fixed"))
"""Pairs of arms that differ in augmented harnesses only; the page opens with the first that has rows."""

TOLD = (("rl_hsa", "fixed_sft"), ("hsa_sft", "fixed_sft"), ("hsa_sft", "base"))
"""Pairs of arms whose episodes are told beside the base model's; the first that has rows."""


def write_report(
    out_dir: Path,
    run: RunFacts,
    arms: Mapping[str, Sequence[Row]],
    training_logs: Mapping[str, Sequence[JsonObject]],
    decision: JsonObject | None = None,
) -> Path:
    """Write report.html (self-contained), report.md, summary.json and the pictures as PNG; returns the page's path.

    `arms`: arm → rows of `evaluate` and of `general`, in the order of the table; an arm with no rows (no champion yet) is
    announced as such. `training_logs`: arm → rows with `step` and `loss`. `decision`: the gate's, as plain JSON (outcome,
    evidence_hash, checks with name, verdict, sentence); without one the page says that the gate has not decided.
    The same arguments give the same bytes. Raises EvaluationError where no arm has rows.
    """
    present = {arm: rows for arm, rows in arms.items() if rows}
    if not present:
        raise EvaluationError("report: no arm has rows; evaluate at least one arm first")
    summaries = {arm: summarise(rows, run.seed) for arm, rows in present.items()}
    effects = [effect for effect in SHOWN if effect.first in present and effect.second in present]
    pairs = dict.fromkeys((e.first, e.second) for e in effects)
    differences = {f"{a} - {b}": compare(present[a], present[b], run.seed) for a, b in pairs}
    lines = scale(run, present)
    files = draw_plots(summaries, training_logs)
    facts = {
        "run": run,
        "judge": JUDGE_IN_WORDS,
        "columns": COLUMNS,
        "room_suites": ROOM_SUITES,
        "summaries": summaries,
        "figures": {arm: _headline(summary["suites"]) for arm, summary in summaries.items()},
        "counts": {arm: _counts(rows) for arm, rows in present.items()},
        "absent": [arm for arm in arms if arm not in present],
        "differences": differences,
        "effects": [
            asdict(e) | {"figures": _headline(differences[f"{e.first} - {e.second}"]), "missing": [], "note": ""} for e in effects
        ],
        "finding": next((_finding(differences, *pair) for pair in AUGMENTED if pair in pairs), None),
        "paper": PAPER,
        "best_general": BEST_GENERAL_T1,
        "scale": lines,
        "decision": decision,
    }
    page = render("report.html.jinja", facts | {"pictures": embedded(files, PICTURES), "examples": _examples(present)})
    for name, content in files.items():
        write_atomic(out_dir / name, content)
    write_json(
        out_dir / "summary.json",
        {
            "run": asdict(run),
            "judge": JUDGE_IN_WORDS,
            "arms": summaries,
            "differences": differences,
            "paper": PAPER,
            "scale": [asdict(line) for line in lines],
            "decision": {name: decision.get(name) for name in ("outcome", "evidence_hash", "checks")} if decision else None,
        },
    )
    write_atomic(out_dir / "report.md", render("report.md.jinja", facts))
    write_atomic(out_dir / "report.html", page)
    return out_dir / "report.html"


def _headline(suites: JsonObject) -> JsonObject:
    return {label: suites[suite][measure.name] for label, (suite, measure) in HEADLINE.items()}


def _counts(rows: Sequence[Row]) -> str:
    counts = {suite.value: sum(row["suite"] == suite for row in rows) for suite in Suite}
    return ", ".join(f"{count} {suite}" for suite, count in counts.items() if count)


def _finding(differences: JsonObject, first: str, second: str) -> JsonObject:
    return {"first": first, "second": second, "difference": differences[f"{first} - {second}"][Suite.T2]["avg"]}


def _examples(present: Mapping[str, Sequence[Row]]) -> list[object]:
    first, second = next(((a, b) for a, b in TOLD if a in present and b in present), (next(iter(present)),) * 2)
    told = {arm: rows for arm, rows in present.items() if arm in ("base", first, second)}
    return list(choose_examples(told, first, second, EXAMPLES))
