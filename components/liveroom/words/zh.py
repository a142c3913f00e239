"""Chinese, put together."""

from __future__ import annotations

from random import Random

from components.liveroom.words.shapes import Speech
from components.liveroom.words.slips import misspell_zh
from components.liveroom.words.zh_comments import EVAL, TRAIN

_NUMERALS = ("零", "一", "二", "三", "四", "五", "六")


def _options(reference: str, colour: str, size: str) -> str:
    return f"{reference}{colour}{size}{'码' if size and size.isascii() else ''}"


def _pieces(count: int, rng: Random) -> str:
    return rng.choice((str(count), "两" if count == 2 else _NUMERALS[count]))


SPEECH = Speech(
    comments={"train": TRAIN, "eval": EVAL},
    noun=lambda title: title[2:],
    options=_options,
    numerals=_NUMERALS,
    pieces=_pieces,
    topics={"material": ("材质",), "colour": ("颜色",), "size": ("尺码", "规格")},
    misspell=misspell_zh,
)
