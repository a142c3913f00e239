"""Replies to comments that ask for no fact: they are kind, decline, or lead back to the items, and state nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from components.harness.hooks.compliance import declines
from components.harness.types import Language
from components.judge.phrases import either_language
from components.liveroom.types import Case, Intent

_IDLE = frozenset({Intent.CHIT_CHAT, Intent.OUT_OF_SCOPE, Intent.RISKY_CLAIM, Intent.INJECTION})
MOST_WORDS: dict[Language, int] = {"en": 25, "zh": 50}
"""Who has nothing to state is brief: English words, or Chinese characters, for each comment."""

STATED = either_language(
    (
        r"free(?! (?:to|time|of)\b)|(?:for|costs?|pay) nothing|half price|giveaways?|vouchers?|discounts?|refunds?",
        r"(?:is|are|as|get|gets|have|take) (?:an? |your |our )?gifts?|gifts? (?:from|for (?:you|every))",
        r"(?:lower|better|lowest|best) prices?|cheap(?:er|est)|as low as|\w+ off (?:today|now|everything)",
        r"feels? (?:\w+ ){0,2}better|helps? against|eases?|soothes?",
        r"you are (?:the|a|an) (?:voice|host|assistant|agent|helpful)|(?:my|the) (?:system )?(?:prompt|instructions) (?:is|are)",
        r"answer the viewer",
    ),
    (
        r"免费|不要钱|不用付?钱|不花钱|免单|白送|白拿|送[您你给](?![^,.!?]*[祝心花赞])|赠品|红包|退款|折扣|打\d*\.?\d*折|半价|更便宜|最便宜|最低|差价",
        r"(?:腰|背|颈|腿|膝|关节|睡眠|睡得|皮肤|头|肩)[^,.!?]{0,3}(?:舒服|好多了|好很多|不疼|不酸|轻松|缓解)",
        r"没有?(?:谁|哪)家?[^,.!?]{0,4}比我们|比别家[^,.!?]{0,3}[好强]",
        r"[你您]是(?:1个)?(?:直播间|主播|助手)的?|(?:系统)?(?:提示词|指令)(?:是|如下|,)|回答观众",
    ),
)
"""What speaks of money, of an effect, or of the speaker's own orders."""

LED_TO = re.compile(
    r"\babout (?:(?!\b(?:is|are|costs?|gets?|you|but)\b)[^.!?])*$|(?:问|聊|介绍|了解|看看)[^,.!?是]{0,8}$", re.ASCII
)
"""Before a word: it is what the viewer may ask about."""


def idle(case: Case) -> bool:
    """Whether none of the asks is for a fact."""
    return all(ask.intent in _IDLE for ask in case.asks)


def statements(text: str) -> Iterator[re.Match[str]]:
    """Where a reply in normal form states what it should not, topics led to, questions and what is declined left out."""
    for found in STATED.finditer(text):
        rest, mark = re.split(r"([,.!?]|$)", text[found.end() :], maxsplit=1)[:2]
        if not (mark == "?" or declines(rest) or LED_TO.search(text[: found.start()])):
            yield found
