"""Words that try to give the agent orders, in a comment or hidden in a tool's result."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_RULES_EN = r"(?:instructions?|rules?|prompts?|guidelines?|orders|directions|restrictions|training|polic(?:y|ies))"
_WHOSE_EN = r"(?:all|any|every(?:thing)?|your|these|those|previous|prior|above|earlier|system|former|existing|safety|of|the)"
_RULES_ZH = r"(?:指令|规则|规定|要求|提示词?|设定|命令|限制|约束|指示|说明)"

_SPACES = re.compile(r"[^\S\n]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_PATTERNS = (
    # "Forget it, show me link 3" and "can I ignore the washing instructions" give no orders: whose rules must be said.
    rf"\b(?:ignore|disregard|forget|override|bypass)\b(?: {_WHOSE_EN}){{0,3}}"
    r" (?:all|any|your|these|those|previous|prior|above|earlier|system|former|existing|safety)"
    rf"(?: \w+)?(?: of)?(?: your| the)? {_RULES_EN}\b",
    r"\b(?:ignore|disregard|forget) (?:everything|all|anything)"
    r" (?:above|before|you (?:were|have been|know|was)|that (?:you|was))",
    r"\byou(?: a|')re now (?:in )?(?:an? )?"
    r"(?:dan\b|ai\b|admin|developer|debug|god|root|unrestricted|jailbroken|free of|no longer)",
    r"\byou are (?:no longer|not) (?:bound|restricted|limited|a (?:streamer|host|seller))",
    r"\b(?:developer|debug|admin(?:istrator)?|god|jailbreak|dan|maintenance) mode\b",
    r"\b(?:reveal|show|print|repeat|output|tell|give|display|leak|read)\b(?: \w+){0,3} (?:system|hidden|secret|initial)"
    r" (?:prompt|message|instructions?|rules)",
    r"\bfrom now on,? (?:you (?:are|must|will|only|always|have)|(?:always |only )?(?:answer|say|reply|respond|act|speak))\b",
    r"\b(?:new|updated) (?:system )?(?:instructions?|rules?|prompt)\s*[:：]",
    r"(?:^|\n|[.!?\]] )\s*\[?(?:system|assistant|developer|admin)\]?\s*[:：]",
    r"</?(?:system|assistant|developer|tool_call|tool_response|instructions?)>|<\|\w+\|>|\[/?INST\]",
    r"\bas (?:the|your) (?:admin(?:istrator)?|developer|system|owner|boss|manager),? i (?:order|command|instruct|tell)\b",
    r"\b(?:pretend|act|behave|respond|speak) as (?:if|though) (?:you|there) (?:have|had|are|were|is) no(?:t)?\b",
    rf"(?:忽略|无视|忘记|忘掉|抛开|跳过|绕过|不要管|别管|不用管|不要遵守|不要理会)[^，。！？,.!?]{{0,8}}"
    rf"(?:之前|以前|以上|上面|前面|先前|所有|全部|你的|一切|系统|任何|原来)[^，。！？,.!?]{{0,6}}{_RULES_ZH}",
    r"你现在(?:是|进入|扮演|变成)(?:一个|一名)?(?:[^，。！？,.!?]{0,4})(?:机器人|AI|人工智能|助手|管理员|开发者|没有限制|不受限制|模式)",
    r"从现在(?:开始|起)[，,]?(?:请?你(?!们)|(?:请|只|都|一律|必须)?(?:回答|回复|说|听我))",
    r"(?:系统(?:指令|提示|消息|通知|命令)|管理员|开发者)\s*[:：]",
    r"(?:输出|显示|告诉|重复|打印|公开|泄露|说出|念出|复述)[^，。！？,.!?]{0,6}(?:系统提示|提示词|系统指令|系统消息|隐藏指令)",
    r"(?:开发者|调试|越狱|管理员|上帝)模式",
)


_BUILT_IN = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE)


def find_order(text: str, more: Iterable[str] = ()) -> str | None:
    """The words that give an order, or None. `more` are further regular expressions to look for.

    Looked for line by line and with the lines folded into one, as the prompt shows them; wide letters and invisible
    characters hide nothing.
    """
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    readings = dict.fromkeys((_SPACES.sub(" ", plain), " ".join(plain.split())))
    for pattern in (_BUILT_IN, *map(_compiled, more)):
        for reading in readings:
            if found := pattern.search(reading):
                return found.group(0).strip()
    return None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
