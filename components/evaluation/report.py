"""The page that a person opens first, the same table in Markdown, and the figures behind both as JSON."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from components.evaluation.examples import choose_examples
from components.evaluation.paper import BEST_GENERAL_T1, PAPER, scale
from components.evaluation.plots import draw_plots
from components.evaluation.summary import compare, summarise
from components.evaluation.types import JUDGE_IN_WORDS, EvaluationError, Row, RunFacts
from components.files import write_atomic, write_json
from components.harness.types import JsonObject

TEMPLATES = Path(__file__).parent / "templates"

EXAMPLES = 6

ARM_LABELS = {
    "base": "the model before any training",
    "fixed_sft": "trained under the base harness only",
    "hsa_sft": "trained under the base harness and its variants",
    "champion": "the release in use",
}

PICTURES = {
    "avg": "AVG by suite and arm. Lines are 95 % intervals; diamonds are the paper's figures, at the paper's scale.",
    "dimensions": "T2 AVG by the dimension that the variant changes. A variant may change several; a case counts for each.",
    "intents": "AVG by the viewer's intent, T1 above T2.",
    "training": "Training loss of each trained arm, over the tokens that the model writes.",
}

COMPARISONS = (("hsa_sft", "fixed_sft"), ("hsa_sft", "base"), ("hsa_sft", "champion"))
"""Which arm is set against which, as far as both have rows."""


def write_report(
    out_dir: Path,
    run: RunFacts,
    arms: Mapping[str, Sequence[Row]],
    training_logs: Mapping[str, Sequence[JsonObject]],
    decision: JsonObject | None = None,
) -> Path:
    """Write report.html (self-contained), report.md, summary.json and the pictures as PNG; returns the page's path.

    `arms`: arm → rows of `evaluate`, in the order of the table; an arm with no rows (no champion yet) is announced as such.
    `training_logs`: arm → rows with `step` and `loss`. `decision`: the gate's, as plain JSON (outcome, evidence_hash,
    checks with name, verdict, sentence); without one the page says that the gate has not decided.
    The same arguments give the same bytes. Raises EvaluationError where no arm has rows.
    """
    present = {arm: rows for arm, rows in arms.items() if rows}
    if not present:
        raise EvaluationError("report: no arm has rows; evaluate at least one arm first")
    summaries = {arm: summarise(rows, run.seed) for arm, rows in present.items()}
    differences = {
        f"{first} - {second}": compare(present[first], present[second], run.seed)
        for first, second in COMPARISONS
        if first in present and second in present
    }
    lines = scale(run, present)
    files = draw_plots(summaries, training_logs)
    pair = next(((a, b) for a, b in COMPARISONS if a in present and b in present), (next(iter(present)),) * 2)
    facts = {
        "run": run,
        "judge": JUDGE_IN_WORDS,
        "labels": ARM_LABELS,
        "summaries": summaries,
        "absent": [arm for arm in arms if arm not in present],
        "differences": differences,
        "paper": PAPER,
        "best_general": BEST_GENERAL_T1,
        "scale": lines,
        "decision": decision,
    }
    pictures = {
        name: {"caption": caption, "light": _data_url(files[f"{name}.png"]), "dark": _data_url(files[f"{name}-dark.png"])}
        for name, caption in PICTURES.items()
        if f"{name}.png" in files
    }
    page = _render("report.html.jinja", facts | {"pictures": pictures, "examples": choose_examples(present, *pair, EXAMPLES)})
    for name, content in files.items():
        write_atomic(out_dir / name, content)
    write_json(
        out_dir / "summary.json",
        {
            "run": asdict(run),
            "judge": JUDGE_IN_WORDS,
            "arms": summaries,
            "differences": differences,
            "paper": {arm: asdict(figure) for arm, figure in PAPER.items()},
            "scale": [asdict(line) for line in lines],
            "decision": {name: decision.get(name) for name in ("outcome", "evidence_hash", "checks")} if decision else None,
        },
    )
    write_atomic(out_dir / "report.md", _render("report.md.jinja", facts))
    write_atomic(out_dir / "report.html", page)
    return out_dir / "report.html"


def _render(template: str, facts: Mapping[str, object]) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html.jinja"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"points": _points, "signed": _signed, "interval": _interval, "p_value": _p_value}
    return environment.get_template(template).render(facts)


def _points(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _signed(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:+.1f}".replace("-", "−")


def _interval(estimate: JsonObject, signed: bool = False) -> str:
    show = _signed if signed else _points
    return "interval unknown" if estimate["low"] is None else f"{show(estimate['low'])} to {show(estimate['high'])}"


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
