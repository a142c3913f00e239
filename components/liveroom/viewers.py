"""What the viewers of one room write. Whoever reads a request with its dialogue knows what is asked, and about what."""

from __future__ import annotations

import hashlib
from random import Random

from components.harness.types import Request
from components.liveroom.furnish import Furnished
from components.liveroom.types import Case, Intent, Split
from components.liveroom.writer import WAYS, WITHOUT_DIALOGUE, Writer

SHARE_WITH_BYSTANDER = 0.25
"""Share of requests that merge in another viewer's comment that asks for nothing."""
SHARE_WITH_AUDIENCE = 0.8
_TOGETHER = tuple(intent for intent in Intent if intent not in (Intent.SEVERAL, Intent.RISKY_CLAIM, Intent.INJECTION))
"""Intents of which two may meet in one window."""


def phrasing_id(template: str) -> str:
    """Identity of a template by its words, so that a leak between the splits shows."""
    return hashlib.sha256(template.encode()).hexdigest()[:8]


def write_case(case_id: str, split: Split, intent: Intent, room: Furnished, rng: Random) -> Case:
    """One request of `intent` in `room`, with what is asked in it."""
    writer = Writer(room, split, rng)
    if intent is Intent.SEVERAL:
        able = [one for one in _TOGETHER if room.record.campaign or one is not Intent.CAMPAIGN]
        written = [writer.write(one, WITHOUT_DIALOGUE) for one in rng.sample(able, 2)]
    else:
        written = [writer.write(intent, tuple(WAYS))]
    comments = [comment for _, _, comment in written]
    if rng.random() < SHARE_WITH_BYSTANDER:
        comments.insert(rng.randint(0, len(comments)), writer.bystander())
    campaign = room.record.campaign
    request = Request(
        request_id=case_id,
        room_id=room.record.room_id,
        comments=tuple(comments),
        on_screen_link=writer.on_screen,
        links=tuple((link, item.title) for link, item in enumerate(room.items, 1)),
        language=room.record.language,
        dialogue=tuple(writer.dialogue),
        campaign=campaign.name if campaign else "",
        audience=_audience(rng),
    )
    phrasing = "+".join(phrasing_id(template) for _, template, _ in written)
    return Case(case_id, split, intent, request, tuple(ask for ask, _, _ in written), phrasing)


def _audience(rng: Random) -> dict[str, int]:
    if rng.random() >= SHARE_WITH_AUDIENCE:
        return {}
    viewers = round(10 * 5000 ** rng.random())
    return {"viewers": viewers, "orders_last_minute": round(viewers * rng.random() * 0.02)}
