"""What every picture has in common: its canvas, bars with intervals, its colours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from components.evaluation.arms import COLOURS, OTHER, recipe_of
from components.harness.types import JsonObject

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = {
    "light": {"ink": "#1f2430", "muted": "#697181", "grid": "#e4e7ee"},
    "dark": {"ink": "#e8eaf0", "muted": "#9aa3b5", "grid": "#2e3442"},
}

Groups = Mapping[str, Sequence[JsonObject | None]]
"""Arm → its estimates, one a place on the axis; None where it has none."""


def canvas(rows: int, height: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """A figure as wide as a page, and its panels row by row."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def bars(axes: Axes, groups: Groups, theme: str, scale: float = 100) -> dict[str, list[float]]:
    """Estimates as bars, arms side by side, with their intervals; returns each arm's bar centres."""
    width = 0.8 / len(groups)
    centres = {}
    for index, (arm, estimates) in enumerate(groups.items()):
        xs = [position + (index - (len(groups) - 1) / 2) * width for position in range(len(estimates))]
        centres[arm] = xs
        known = [(x, e) for x, e in zip(xs, estimates, strict=True) if e is not None and e["value"] is not None]
        axes.bar([x for x, _ in known], [scale * e["value"] for _, e in known], width * 0.88, color=colour(arm, theme))
        bounded = [(x, e) for x, e in known if e["low"] is not None]
        values = [scale * e["value"] for _, e in bounded]
        below = [scale * max(e["value"] - e["low"], 0) for _, e in bounded]
        above = [scale * max(e["high"] - e["value"], 0) for _, e in bounded]
        axes.errorbar(
            [x for x, _ in bounded], values, [below, above], fmt="none", ecolor=INK[theme]["ink"], elinewidth=1.1, capsize=2.5
        )
    return centres


def paper_marks(axes: Axes, places: Sequence[tuple[float, float]], theme: str) -> None:
    """The paper's figures as open diamonds, at (place, figure)."""
    if places:
        xs, values = zip(*places, strict=True)
        axes.plot(xs, values, **_diamond(theme))


def finish(axes: Axes, labels: Sequence[str], theme: str) -> None:
    """An axis of points from 0 to 100 with these labels below."""
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, 105)
    axes.set_yticks(range(0, 101, 25))
    style(axes, theme)


def style(axes: Axes, theme: str) -> None:
    """Quiet axes that fit a light or a dark page."""
    colours = INK[theme]
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=colours["grid"], lw=0.8)
    axes.tick_params(colors=colours["muted"], labelsize=9, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(colours["grid"])


def title(axes: Axes, text: str, theme: str) -> None:
    """What a panel shows, above its left end."""
    axes.set_title(text, loc="left", fontsize=10, color=INK[theme]["ink"], fontweight="bold")


def legend(figure: Figure, arms: Iterable[str], theme: str, paper: bool = False) -> None:
    """The colours of the arms, above the whole figure, and the mark of the paper's figures where there are any."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [Patch(color=colour(arm, theme), label=arm) for arm in arms]
    if paper:
        handles.append(Line2D([], [], label="paper, at its scale", **_diamond(theme)))
    options: dict[str, Any] = {"loc": "outside upper right", "ncols": len(handles), "frameon": False, "fontsize": 9}
    figure.legend(handles=handles, labelcolor=INK[theme]["ink"], handlelength=1.0, columnspacing=1.2, **options)


def colour(arm: str, theme: str) -> str:
    """The colour of an arm; its repeats have the same."""
    return COLOURS.get(recipe_of(arm), OTHER)[theme == "dark"]


def _diamond(theme: str) -> dict[str, Any]:
    return {"marker": "D", "ls": "none", "ms": 5.5, "mfc": "none", "mec": INK[theme]["ink"], "mew": 1.3}
