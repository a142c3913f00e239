"""The words that rooms are made of, by language and split, and the numbers of each split.

No two splits share a word of a title, a template, a campaign, an answer, nor a number; so nothing learnt by heart on one
helps on the other.
"""

from components.harness.types import Language
from components.liveroom.words import en, en_items, zh, zh_items
from components.liveroom.words.numbers import NUMBERS, Numbers, number_patterns
from components.liveroom.words.shapes import Answered, Category, Comments, Goods, Parted, References, Speech

GOODS: dict[Language, Goods] = {"en": en_items.GOODS, "zh": zh_items.GOODS}
SPEECH: dict[Language, Speech] = {"en": en.SPEECH, "zh": zh.SPEECH}

__all__ = [
    "GOODS",
    "NUMBERS",
    "SPEECH",
    "Answered",
    "Category",
    "Comments",
    "Goods",
    "Numbers",
    "Parted",
    "References",
    "Speech",
    "number_patterns",
]
