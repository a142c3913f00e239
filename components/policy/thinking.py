"""The expert's thoughts: what is asked, which skill and tool of this harness that wants, and at times more than is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from components.harness.types import JsonObject, Language

Moment = Literal["load", "call", "call_again", "reply", "reply_without_facts", "reply_unavailable", "reply_again"]
"""What comes after the thought. `again`: after a tool's fault, after a hook's refusal. `unavailable`: a tool refused."""


@dataclass(frozen=True)
class Subject:
    """What the thoughts of one episode are about."""

    language: Language
    wanted: tuple[str, ...]
    """Keys of the reply skills that the comments want."""
    calls: tuple[JsonObject, ...]
    """Canonical arguments of the calls that the answer needs."""
    skills: tuple[str, ...]
    """Names, in this harness, of the skills to load."""
    listed: int
    """Skills that this harness has."""


@dataclass(frozen=True)
class Thinking:
    """How the expert thinks before every turn. Only what is true of the episode is thought."""

    seed: str
    wordiness: float
    """0 to 1: the share of thoughts that run on into second thoughts, which help nobody; the others are terse."""

    def thought(self, subject: Subject, moment: Moment, turn: int, tools: Sequence[str] = ()) -> str:
        """The thought before assistant message number `turn`; `tools` are the names of what is called then."""
        random = Random(f"{self.seed}:{turn}")
        words = _WORDS[subject.language]
        first, second = words.first[moment], words.second[moment.split("_")[0]]
        sentences = [random.choice(first)]
        if random.random() < self.wordiness:
            chosen = random.sample(range(len(second)), random.randint(2, len(second)))
            sentences += [second[place] for place in sorted(chosen)]
        parts = {
            "wanted": words.comma.join(words.wanted.get(key, key.replace("-", " ")) for key in subject.wanted),
            "about": words.comma.join(_about(words, subject.calls)) or words.room,
            "skills": words.comma.join(subject.skills),
            "listed": str(subject.listed),
            "tools": words.comma.join(dict.fromkeys(tools)),
        }
        return words.space.join(sentence.format(**parts) for sentence in sentences)


def _about(words: _Words, calls: Sequence[JsonObject]) -> list[str]:
    """The links and other values that the calls name, each once."""
    found: list[str] = []
    for arguments in calls:
        for name, value in arguments.items():
            values = value if isinstance(value, list) else [value]
            found += [words.link.format(one) if name.startswith("link_id") else str(one) for one in values]
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class _Words:
    """One language. Sentences say nothing that a hook, a leak check or a reader could take for a fact about an item."""

    comma: str
    space: str
    link: str
    room: str
    """What is spoken of where no call names anything."""
    wanted: dict[str, str]
    """Key of a reply skill → what a comment that wants it asks for; another key stands for itself."""
    first: dict[Moment, tuple[str, ...]]
    second: dict[str, tuple[str, ...]]


_EN = _Words(
    comma=", ",
    space=" ",
    link="link {}",
    room="the room",
    wanted={
        "after-sales-qa": "returns or warranty",
        "compare-qa": "which of two is cheaper",
        "complaint-care": "help with an order that went wrong",
        "coupon-qa": "what several pieces cost",
        "decline-safely": "what cannot be answered here",
        "item-qa": "what the item is like",
        "logistics-qa": "stock or shipping",
        "order-guide": "how to buy",
        "price-qa": "a price",
        "room-info": "campaign or shop",
        "small-talk": "only chat",
    },
    first={
        "load": ("Asked: {wanted} ({about}). Skill: {skills}.", "They want {wanted}; {skills} fits."),
        "call": ("The skill wants facts: {tools}, {about}.", "Now {tools} for {about}."),
        "call_again": ("{tools} gave nothing to rely on. Once more.", "No good answer from {tools}; same call again."),
        "reply": ("Facts are there. Say {wanted} for {about}.", "All answered: reply about {wanted}."),
        "reply_without_facts": ("{wanted}: no facts to look up. Reply kindly.", "Nothing to look up. Answer warmly."),
        "reply_unavailable": ("{about}: not to be had now. Say so, guess nothing.", "No answer to be had. Be honest about it."),
        "reply_again": ("That was sent back. Mend it: {wanted}, as the hook asks.", "Refused. Once more, and as the hook asks."),
    },
    second={
        "load": (
            "Let me read that again: yes, this is about {wanted}.",
            "Might another skill be better? There are {listed} in the list, but {skills} is what this is for.",
            "Wait, do I know the answer already? No, I should not reply from memory.",
            "So first {skills}, then whatever it says, and only then the reply.",
        ),
        "call": (
            "Let me check what it is about: {about}, yes, {about}.",
            "I could guess, but a guess may well be wrong, so the tool has to say it.",
            "Wait, is {tools} the right one? The skill says so, and nothing else here would know.",
            "So {tools} it is, and after that the reply can follow.",
        ),
        "reply": (
            "Let me go over it once more: asked was {wanted}, nothing else.",
            "Should I say more than that? No, short and plain is better, nobody likes a long talk.",
            "Wait, the whole room hears it, so it must be right and easy to follow.",
            "Well then, now I can say it, and nothing else is left to do.",
        ),
    },
)
_ZH = _Words(
    comma="、",
    space="",
    link="{}号链接",
    room="直播间",
    wanted={
        "after-sales-qa": "退换或保修",
        "compare-qa": "两件哪个便宜",
        "complaint-care": "订单出了问题",
        "coupon-qa": "买几件一共多少钱",
        "decline-safely": "这里答不了的事",
        "item-qa": "这件什么样",
        "logistics-qa": "库存或发货",
        "order-guide": "怎么买",
        "price-qa": "价钱",
        "room-info": "活动或店铺",
        "small-talk": "只是聊天",
    },
    first={
        "load": ("问的是{wanted}（{about}）。技能：{skills}。", "想知道{wanted}，{skills}合适。"),
        "call": ("技能要先查：{tools}，{about}。", "现在用{tools}查{about}。"),
        "call_again": ("{tools}没给出可靠的结果，再来一次。", "{tools}答得不行，同样再调一次。"),
        "reply": ("都查到了，说{about}的{wanted}。", "结果齐了，回答{wanted}。"),
        "reply_without_facts": ("{wanted}，不用查，好好回应。", "没有要查的，热情地答一句。"),
        "reply_unavailable": ("{about}现在查不到，照实说，不猜。", "查不到，就老实讲。"),
        "reply_again": ("被退回来了，按提示改好：{wanted}。", "没通过，照提示再说一遍。"),
    },
    second={
        "load": (
            "再读一遍：对，说的就是{wanted}。",
            "别的技能会不会更好？一共有{listed}个，可这事归{skills}管。",
            "等等，我是不是已经知道了？不行，不能凭记忆就说。",
            "所以先{skills}，看它怎么讲，然后才轮到开口。",
        ),
        "call": (
            "再确认一下是哪个：{about}，没错，就是{about}。",
            "猜也能猜，可猜了多半会错，还得让工具来讲。",
            "等等，{tools}对吗？技能里是这么讲的，别处也不知道。",
            "那就{tools}，之后就可以开口了。",
        ),
        "reply": (
            "再过一遍：问的是{wanted}，没有别的。",
            "要不要多讲几句？不用，短一点明白一点更好。",
            "等等，整个直播间都在听，得讲对，还得好懂。",
            "行了，现在可以讲了，别的都不用做了。",
        ),
    },
)
_WORDS: dict[Language, _Words] = {"en": _EN, "zh": _ZH}
