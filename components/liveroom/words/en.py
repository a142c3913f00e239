"""English, put together."""

from __future__ import annotations

from random import Random

from components.liveroom.words.en_comments import EVAL, TRAIN
from components.liveroom.words.shapes import Speech
from components.liveroom.words.slips import misspell_en

_NUMERALS = ("zero", "one", "two", "three", "four", "five", "six")


def _options(reference: str, colour: str, size: str) -> str:
    size = f"size {size}" if size and "size" not in size else size
    named = ", ".join(option for option in (colour, size) if option)
    return f"{reference} in {named}" if named else reference


def _pieces(count: int, rng: Random) -> str:
    return rng.choice((str(count), _NUMERALS[count]))


SPEECH = Speech(
    comments={"train": TRAIN, "eval": EVAL},
    noun=lambda title: title.partition(" ")[2].lower(),
    options=_options,
    numerals=_NUMERALS,
    pieces=_pieces,
    topics={"material": ("material",), "colour": ("colours", "colors"), "size": ("sizes",)},
    misspell=misspell_en,
)
