"""The pictures of the report and of the ablation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from components.evaluation import charts
from components.evaluation.arms import recipe_of
from components.evaluation.measures import HEADLINE
from components.evaluation.paper import PAPER
from components.evaluation.rendering import draw
from components.harness.types import JsonObject

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUITE_NAMES = {
    "T1 AVG": "T1 · live-stream\nQA, AVG",
    "T2 AVG": "T2 · harness-\nvariant QA, AVG",
    "T3 recovered": "T3 · recovered\nfrom tool faults",
    "T4 prompt": "T4 · general\ninstructions, prompts",
}

ABLATION_PANELS = {
    "T1 AVG": "T1 · live-stream QA, AVG",
    "T2 AVG": "T2 · harness-variant QA, AVG",
    "T3 recovered": "T3 · recovered from tool faults",
    "T4 prompt": "T4 · general instructions, prompts",
    "Thinking, tool calls": "Words of thought, a tool-call turn",
    "Thinking, reply": "Words of thought, a reply turn",
}

Summaries = Mapping[str, JsonObject]
Logs = Mapping[str, Sequence[JsonObject]]


def draw_plots(summaries: Summaries, logs: Logs) -> dict[str, bytes]:
    """File name → PNG bytes, for light and for dark pages. Repeats of an arm are left to the ablation's own picture."""
    summaries = {arm: s for arm, s in summaries.items() if recipe_of(arm) == arm}
    pictures: dict[str, Callable[[str], Figure]] = {
        "suites": lambda theme: _suites(summaries, theme),
        "intents": lambda theme: _intents(summaries, theme),
    }
    for name in ("dimensions", "faults"):
        if any(s[name] for s in summaries.values()):
            pictures[name] = lambda theme, name=name: _parts(summaries, name, theme)  # type: ignore[misc]
    losses = {arm: points for arm, rows in logs.items() if (points := _points(rows))}
    if losses:
        pictures["training"] = lambda theme: _training(losses, theme)
    return draw(pictures)


def draw_ablation(figures: Mapping[str, JsonObject | None]) -> dict[str, bytes]:
    """`ablation.png` and `ablation-dark.png`: arm → its estimates by label, None for an arm that is missing."""
    return draw({"ablation": lambda theme: _ablation(figures, theme)})


def _suites(summaries: Summaries, theme: str) -> Figure:
    figure, (axes,) = charts.canvas(1, 3.8)
    chosen = {label: HEADLINE[label] for label in SUITE_NAMES}
    groups = {arm: [s["suites"][suite][m.name] for suite, m in chosen.values()] for arm, s in summaries.items()}
    centres = charts.bars(axes, groups, theme)
    marks = [
        (x, PAPER[arm][label])
        for arm, xs in centres.items()
        for x, label in zip(xs, chosen, strict=True)
        if label in PAPER.get(arm, {})
    ]
    charts.paper_marks(axes, marks, theme)
    charts.finish(axes, list(SUITE_NAMES.values()), theme)
    charts.legend(figure, summaries, theme, paper=bool(marks))
    return figure


def _parts(summaries: Summaries, part: str, theme: str) -> Figure:
    names = sorted({name for s in summaries.values() for name in s[part]})
    figure, (axes,) = charts.canvas(1, 3.6)
    charts.bars(axes, {arm: [s[part].get(name) for name in names] for arm, s in summaries.items()}, theme)
    charts.finish(axes, [name.replace("_", "\n") for name in names], theme)
    charts.legend(figure, summaries, theme)
    return figure


def _intents(summaries: Summaries, theme: str) -> Figure:
    """One panel a suite, one row an intent and one dot an arm: bars of many arms and intents are too thin to read."""
    suites = [suite for suite in ("T1", "T2") if any(s["intents"][suite] for s in summaries.values())]
    names = sorted({name for s in summaries.values() for suite in suites for name in s["intents"][suite]}, reverse=True)
    figure, panels = charts.canvas(1, 0.34 * len(names) + 1.4, columns=max(len(suites), 1))
    for axes, suite in zip(panels, suites, strict=False):
        for index, (arm, s) in enumerate(summaries.items()):
            lift = (0.5 - (index + 0.5) / len(summaries)) * 0.7
            found = [(y + lift, e["value"]) for y, name in enumerate(names) if (e := s["intents"][suite].get(name))]
            known = [(y, 100 * value) for y, value in found if value is not None]
            axes.plot([x for _, x in known], [y for y, _ in known], "o", ms=5, color=charts.colour(arm, theme))
        axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names] if suite == suites[0] else [])
        axes.set_xlim(-4, 104)
        charts.style(axes, theme)
        axes.grid(axis="x", color=charts.INK[theme]["grid"], lw=0.8)
        charts.title(axes, suite, theme)
    charts.legend(figure, summaries, theme)
    return figure


def _training(losses: Mapping[str, Sequence[tuple[float, float]]], theme: str) -> Figure:
    """One panel an arm: the losses of different stages are not of one kind."""
    columns = min(len(losses), 3)
    rows = -(-len(losses) // columns)
    figure, panels = charts.canvas(rows, 2.4 * rows + 0.3, columns)
    for axes, (arm, points) in zip(panels, losses.items(), strict=False):
        axes.plot(*zip(*points, strict=True), color=charts.colour(arm, theme), lw=1.8)
        charts.style(axes, theme)
        charts.title(axes, arm, theme)
        axes.set_xlabel("optimiser step", color=charts.INK[theme]["muted"], fontsize=9)
    for axes in panels[len(losses) :]:
        axes.set_axis_off()
    return figure


def _points(rows: Sequence[JsonObject]) -> list[tuple[float, float]]:
    return [(row["step"], row["loss"]) for row in rows if row.get("loss") is not None]


def _ablation(figures: Mapping[str, JsonObject | None], theme: str) -> Figure:
    """A panel a figure, a bar an arm; an arm that is missing is written where its bar would stand."""
    figure, panels = charts.canvas(3, 8.4, columns=2)
    for axes, (label, text) in zip(panels, ABLATION_PANELS.items(), strict=True):
        _panel(axes, label, figures, theme)
        charts.title(axes, text, theme)
    charts.legend(figure, figures, theme, paper=True)
    return figure


def _panel(axes: Axes, label: str, figures: Mapping[str, JsonObject | None], theme: str) -> None:
    words = HEADLINE[label][1].kind == "words"
    centres = charts.bars(axes, {arm: [of[label] if of else None] for arm, of in figures.items()}, theme, 1 if words else 100)
    marks = [] if words else [(xs[0], PAPER[arm][label]) for arm, xs in centres.items() if label in PAPER.get(arm, {})]
    charts.paper_marks(axes, marks, theme)
    if words:
        axes.set_xticks([])
        axes.set_ylim(bottom=0)
        charts.style(axes, theme)
    else:
        charts.finish(axes, [""], theme)
    for arm, (x,) in centres.items():
        of = figures[arm]
        why = "missing" if of is None else "none" if of[label]["value"] is None else ""
        axes.text(x, 1, why, rotation=90, ha="center", va="bottom", fontsize=8, color=charts.INK[theme]["muted"])
