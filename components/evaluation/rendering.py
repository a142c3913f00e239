"""Templates to pages, and figures to the words that a person reads."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from components.evaluation.arms import ARMS, COLOURS
from components.evaluation.measures import HEADLINE, RECOVERED, THINKING
from components.harness.types import JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

TEMPLATES = Path(__file__).parent / "templates"
COLUMNS = [
    {"label": label, "words": measure.kind == "words", "conditional": measure in (RECOVERED, *THINKING)}
    for label, (_, measure) in HEADLINE.items()
]
"""The columns of a table of arms. Where the measure is conditional, a case without a value is no missing verdict."""
THEMES = {"light": "", "dark": "-dark"}
"""Theme of a page → what the file names of its pictures end in."""


def render(template: str, facts: Mapping[str, object]) -> str:
    """Fill a template of this folder; an unknown name in it is an error, never a blank."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html.jinja"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "points": points,
        "signed": signed,
        "interval": interval,
        "p_value": lambda p: "< 0.001" if p < 0.001 else f"{p:.3f}",
    }
    environment.globals |= {"arm_labels": ARMS, "arm_colours": COLOURS}
    return environment.get_template(template).render(facts)


def points(value: float | None, scale: float = 100) -> str:
    """A share in points of 100, or with scale 1 a number as it is."""
    return "–" if value is None else f"{scale * value:.1f}"


def signed(value: float | None, scale: float = 100) -> str:
    """A difference, with its sign."""
    return "–" if value is None else f"{scale * value:+.1f}".replace("-", "−")


def interval(estimate: JsonObject, with_sign: bool = False, scale: float = 100) -> str:
    """The ends of an estimate's interval."""
    show = signed if with_sign else points
    if estimate["low"] is None:
        return "interval unknown"
    return f"{show(estimate['low'], scale)} to {show(estimate['high'], scale)}"


def draw(pictures: Mapping[str, Callable[[str], Figure]]) -> dict[str, bytes]:
    """File name → PNG bytes: `<picture>.png` for light pages and `<picture>-dark.png` for dark ones."""
    files = {}
    for name, picture in pictures.items():
        for theme, suffix in THEMES.items():
            buffer = io.BytesIO()
            picture(theme).savefig(buffer, format="png", dpi=160, transparent=True)
            files[f"{name}{suffix}.png"] = buffer.getvalue()
    return files


def embedded(files: Mapping[str, bytes], captions: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Picture → its caption and both forms as data URLs, for a page that needs no other file."""
    return {
        name: {"caption": caption} | {theme: _data_url(files[f"{name}{suffix}.png"]) for theme, suffix in THEMES.items()}
        for name, caption in captions.items()
        if f"{name}.png" in files
    }


def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
