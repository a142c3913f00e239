"""The pictures of the report, each drawn once for light and once for dark pages."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from components.evaluation.paper import PAPER
from components.harness.types import JsonObject

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THEMES = {
    "light": {"ink": "#1f2430", "muted": "#697181", "grid": "#e4e7ee"},
    "dark": {"ink": "#e8eaf0", "muted": "#9aa3b5", "grid": "#2e3442"},
}
COLOURS = {
    "base": {"light": "#8b93a5", "dark": "#8b93a5"},
    "fixed_sft": {"light": "#d9822b", "dark": "#e8a04f"},
    "hsa_sft": {"light": "#2463c9", "dark": "#6aa2ff"},
    "champion": {"light": "#2f8f6b", "dark": "#52c095"},
}
"""The same arm has the same colour in every picture; hues differ in lightness too, for readers who see few colours."""
OTHER = {"light": "#8e5bb5", "dark": "#b48ad6"}

Summaries = Mapping[str, JsonObject]
Logs = Mapping[str, Sequence[JsonObject]]


def draw_plots(summaries: Summaries, logs: Logs) -> dict[str, bytes]:
    """File name → PNG bytes: `<picture>.png` for light pages and `<picture>-dark.png` for dark ones."""
    pictures: dict[str, Callable[[str], Figure]] = {
        "avg": lambda theme: _avg(summaries, theme),
        "intents": lambda theme: _intents(summaries, theme),
    }
    if any(s["dimensions"] for s in summaries.values()):
        pictures["dimensions"] = lambda theme: _dimensions(summaries, theme)
    if any(_points(rows) for rows in logs.values()):
        pictures["training"] = lambda theme: _training(logs, theme)
    files = {}
    for name, draw in pictures.items():
        for theme, suffix in (("light", ""), ("dark", "-dark")):
            figure = draw(theme)
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png", dpi=160, transparent=True)
            files[f"{name}{suffix}.png"] = buffer.getvalue()
    return files


def _avg(summaries: Summaries, theme: str) -> Figure:
    figure, (axes,) = _canvas(1, 3.6)
    suites = ["T1", "T2"]
    groups = {arm: [s["suites"][suite]["avg"] for suite in suites] for arm, s in summaries.items()}
    centres = _bars(axes, groups, theme)
    labelled = False
    for arm, xs in centres.items():
        figures = PAPER.get(arm)
        for x, value in zip(xs, (figures.t1, figures.t2) if figures else (), strict=False):
            if value is not None:
                label = "" if labelled else "paper, at its scale"
                axes.plot(x, value, "D", ms=6, mfc="none", mec=THEMES[theme]["ink"], mew=1.4, label=label or None)
                labelled = True
    _finish(figure, axes, ["T1 · live-stream QA", "T2 · harness-variant QA"], theme)
    return figure


def _dimensions(summaries: Summaries, theme: str) -> Figure:
    names = sorted({name for s in summaries.values() for name in s["dimensions"]})
    figure, (axes,) = _canvas(1, 3.6)
    _bars(axes, {arm: [s["dimensions"].get(name) for name in names] for arm, s in summaries.items()}, theme)
    _finish(figure, axes, [name.replace("_", "\n") for name in names], theme)
    return figure


def _intents(summaries: Summaries, theme: str) -> Figure:
    suites = [suite for suite in ("T1", "T2") if any(s["intents"][suite] for s in summaries.values())]
    figure, panels = _canvas(len(suites), 3.0 * len(suites) + 0.4)
    for axes, suite in zip(panels, suites, strict=True):
        names = sorted({name for s in summaries.values() for name in s["intents"][suite]})
        _bars(axes, {arm: [s["intents"][suite].get(name) for name in names] for arm, s in summaries.items()}, theme)
        _finish(figure, axes, [name.replace("_", "\n") for name in names], theme, legend=suite == suites[0])
        axes.set_title(suite, loc="left", fontsize=10, color=THEMES[theme]["ink"], fontweight="bold")
    return figure


def _training(logs: Logs, theme: str) -> Figure:
    figure, (axes,) = _canvas(1, 3.2)
    for arm, rows in logs.items():
        if points := _points(rows):
            axes.plot(*zip(*points, strict=True), color=_colour(arm, theme), lw=1.8, label=arm)
    axes.set_ylim(bottom=0)
    _style(figure, axes, theme)
    axes.set_xlabel("optimiser step", color=THEMES[theme]["muted"], fontsize=9)
    axes.set_ylabel("loss a token (nats)", color=THEMES[theme]["muted"], fontsize=9)
    _legend(axes, theme)
    return figure


def _points(rows: Sequence[JsonObject]) -> list[tuple[float, float]]:
    return [(row["step"], row["loss"]) for row in rows if row.get("loss") is not None]


def _canvas(panels: int, height: float) -> tuple[Figure, list[Axes]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, list(figure.subplots(panels, 1, squeeze=False)[:, 0])


def _bars(axes: Axes, groups: Mapping[str, Sequence[JsonObject | None]], theme: str) -> dict[str, list[float]]:
    """Bars of estimates in points, arms side by side, with their intervals; returns each arm's bar centres."""
    width = 0.8 / len(groups)
    centres = {}
    for index, (arm, estimates) in enumerate(groups.items()):
        xs = [position + (index - (len(groups) - 1) / 2) * width for position in range(len(estimates))]
        centres[arm] = xs
        known = [(x, e) for x, e in zip(xs, estimates, strict=True) if e is not None and e["value"] is not None]
        axes.bar([x for x, _ in known], [100 * e["value"] for _, e in known], width * 0.88, color=_colour(arm, theme), label=arm)
        bounded = [(x, e) for x, e in known if e["low"] is not None]
        values = [100 * e["value"] for _, e in bounded]
        below = [100 * max(e["value"] - e["low"], 0) for _, e in bounded]
        above = [100 * max(e["high"] - e["value"], 0) for _, e in bounded]
        axes.errorbar(
            [x for x, _ in bounded], values, [below, above], fmt="none", ecolor=THEMES[theme]["ink"], elinewidth=1.1, capsize=2.5
        )
    return centres


def _finish(figure: Figure, axes: Axes, labels: Sequence[str], theme: str, legend: bool = True) -> None:
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, 105)
    axes.set_yticks(range(0, 101, 25))
    _style(figure, axes, theme)
    if legend:
        _legend(axes, theme)


def _style(figure: Figure, axes: Axes, theme: str) -> None:
    colours = THEMES[theme]
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=colours["grid"], lw=0.8)
    axes.tick_params(colors=colours["muted"], labelsize=9, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(colours["grid"])


def _legend(axes: Axes, theme: str) -> None:
    options: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": 5, "frameon": False, "fontsize": 9}
    axes.legend(labelcolor=THEMES[theme]["ink"], handlelength=1.2, columnspacing=1.4, **options)


def _colour(arm: str, theme: str) -> str:
    return COLOURS.get(arm, OTHER)[theme]
