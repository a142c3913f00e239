"""How the facts of a room are spoken, in English and Chinese: the facts of each kind of ask, their forms and right replies."""

from components.liveroom.speech.answers import answer
from components.liveroom.speech.en import EN
from components.liveroom.speech.goods import KIND
from components.liveroom.speech.subject import Answer, Subject
from components.liveroom.speech.talk import SOCIAL
from components.liveroom.speech.words import Words
from components.liveroom.speech.zh import ZH

WORDS: dict[str, Words] = {"en": EN, "zh": ZH}
"""Language → its words."""

__all__ = ["KIND", "SOCIAL", "WORDS", "Answer", "Subject", "Words", "answer"]
