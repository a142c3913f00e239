"""The statistics of a build as one picture."""

from __future__ import annotations

import io
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from components.liveroom.stats import Reference, Stats
from components.liveroom.types import Intent, Split

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _MUTED, _GRID = "#1f2430", "#697181", "#e4e7ee"
_COLOURS: dict[Split, str] = {"train": "#2463c9", "eval": "#d9822b"}
_SPLITS: tuple[Split, ...] = ("train", "eval")
_LIGHTER = 0.55
"""Opacity of the second language beside the first."""


def draw_stats(stats: Stats) -> bytes:
    """PNG bytes: intents, lengths, references, comments a request, faults, and what the splits share."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 8.4), facecolor="white")
    FigureCanvasAgg(figure)
    mosaic: dict[str, Axes] = figure.subplot_mosaic([["intents", "lengths", "references"], ["intents", "faults", "overlaps"]])
    # By hand: measuring every label for a layout takes longer than all the drawing.
    figure.subplots_adjust(left=0.07, right=0.985, top=0.955, bottom=0.09, wspace=0.45, hspace=0.25)
    _intents(mosaic["intents"], stats)
    _lengths(mosaic["lengths"], stats)
    _references(mosaic["references"], stats)
    _faults(mosaic["faults"], stats)
    _overlaps(mosaic["overlaps"], stats)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=130)
    return buffer.getvalue()


def _intents(axes: Axes, stats: Stats) -> None:
    names = [str(intent) for intent in reversed(Intent)]
    starts = [0] * len(names)
    for (split, language), lot in stats.lots.items():
        counts = [lot.requests[Intent(name)] for name in names]
        axes.barh(names, counts, left=starts, color=_COLOURS[split], alpha=_alpha(language), label=f"{split} · {language}")
        starts = [start + count for start, count in zip(starts, counts, strict=True)]
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.margins(y=0.01)
    _style(axes, "Requests by intent", "requests")
    axes.legend(frameon=False, fontsize=8, labelcolor=_MUTED, loc="upper center", ncols=4, bbox_to_anchor=(0.5, -0.06))


def _lengths(axes: Axes, stats: Stats) -> None:
    longest = max(chain.from_iterable(lot.lengths for lot in stats.lots.values()))
    bins = range(0, longest + 5, 4)
    for (split, language), lot in stats.lots.items():
        shares = [1 / len(lot.lengths)] * len(lot.lengths)
        line, name = "-" if language == "en" else "--", f"{split} · {language}"
        axes.hist(lot.lengths, bins, weights=shares, histtype="step", lw=1.8, color=_COLOURS[split], ls=line, label=name)
    _style(axes, "Length of a comment", "characters")
    axes.set_ylabel("share of comments", fontsize=8.5, color=_MUTED)
    axes.legend(frameon=False, fontsize=8, labelcolor=_MUTED)


def _references(axes: Axes, stats: Stats) -> None:
    names = [str(one) for one in reversed(Reference)]
    for place, split in enumerate(_SPLITS):
        counts: Counter[Reference] = sum((lot.references for (of, _), lot in stats.lots.items() if of == split), start=Counter())
        shares = [100 * counts[Reference(name)] / max(1, counts.total()) for name in names]
        centres = [row + 0.2 - 0.4 * place for row in range(len(names))]
        axes.barh(centres, shares, 0.38, color=_COLOURS[split], label=split)
    axes.set_yticks(range(len(names)), names)
    _style(axes, "How a viewer points at the item", "% of what is asked")
    axes.legend(frameon=False, fontsize=8, labelcolor=_MUTED)


def _faults(axes: Axes, stats: Stats) -> None:
    names = [one.fault.replace("_", " ") for one in reversed(stats.faults)]
    met = [100 * one.met / max(1, stats.calls) for one in reversed(stats.faults)]
    axes.barh(names, met, 0.6, color=_COLOURS["train"], label="met")
    rates = [100 * one.rate for one in reversed(stats.faults)]
    # A rate of 0 stands on the edge, where half of its mark would be cut off.
    axes.plot(rates, range(len(names)), "D", color=_INK, ms=6, label="set", ls="", clip_on=False, zorder=3)
    _style(axes, "Faults of the tools", f"% of {stats.calls} calls of right answers")
    axes.tick_params(axis="y", pad=9)
    axes.set_xlim(left=0)
    axes.legend(frameon=False, fontsize=8, labelcolor=_MUTED)


def _overlaps(axes: Axes, stats: Stats) -> None:
    rows = list(reversed(stats.overlaps))
    for place, split in enumerate(_SPLITS):
        counts = [one.train if split == "train" else one.held for one in rows]
        axes.barh([row + 0.2 - 0.4 * place for row in range(len(rows))], counts, 0.38, color=_COLOURS[split], label=split)
    for row, one in enumerate(rows):
        shared = len(one.shared)
        axes.annotate(
            f"{shared} in both",
            (1.0, row),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="center",
            fontsize=8.5,
            color="#b3261e" if shared else _INK,
            fontweight="bold" if shared else "normal",
        )
    axes.set_yticks(range(len(rows)), [one.kind.replace(", ", ",\n", 1) for one in rows])
    axes.set_xscale("symlog", linthresh=1)
    _style(axes, "Different things in each split", "count, without repetition")
    axes.set_xlim(0, 20 * max(max(one.train, one.held) for one in rows))


def _alpha(language: str) -> float:
    return 1.0 if language == "en" else _LIGHTER


def _style(axes: Axes, title: str, label: str) -> None:
    axes.set_title(title, loc="left", fontsize=11, color=_INK, fontweight="bold")
    axes.set_xlabel(label, fontsize=8.5, color=_MUTED)
    axes.tick_params(labelsize=8.5, colors=_MUTED, length=0)
    axes.grid(axis="x", color=_GRID, lw=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_GRID)
