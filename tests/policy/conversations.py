"""Conversations that the tests of policies and training share."""

from __future__ import annotations

import json
from pathlib import Path

from components.harness import load_harness
from components.harness.messages import to_openai, tools_to_openai
from components.harness.render import system_prompt
from components.harness.types import Conversation, Harness, JsonObject, Message, Request, ToolCall

HARNESS: Harness = load_harness(Path(__file__).parents[2] / "harness")
REQUEST = Request("q", "r", ("how much?",), on_screen_link=1, links=((1, "Kettle"), (3, "Linen Shirt")))
SYSTEM = Message("system", system_prompt(HARNESS, REQUEST))


def trajectory(link: int = 3, price: str = "49.00", reply: str = "The Linen Shirt is {} yuan.") -> tuple[Message, ...]:
    """Skill and lookup at once (arguments with different keys), a reply that a hook refuses, and one that stands."""
    calls = (
        ToolCall("call_0_0", "load_skill", {"skill": "price-qa"}),
        ToolCall("call_0_1", "price_lookup", {"link_id": link, "options": {"currency": "元", "coupon": True}}),
    )
    return (
        SYSTEM,
        Message("user", f"Viewer: how much is link {link}?\nOn screen: link 1\nLinks: 1 Kettle; {link} Linen Shirt"),
        Message("assistant", "One moment.", calls),
        Message(
            "tool", json.dumps({"skill": "price-qa", "instructions": "Say the price."}), call_id="call_0_0", name="load_skill"
        ),
        Message("tool", json.dumps({"price_after_coupon": price}), call_id="call_0_1", name="price_lookup"),
        Message("assistant", f"Best price in the world: {price}!"),
        Message("user", "The reply holds a forbidden phrase. Write it again."),
        Message("assistant", reply.format(price)),
    )


def conversation(comment: str, system: Message = SYSTEM, episode_id: str = "e") -> Conversation:
    return Conversation(episode_id, (system, Message("user", f"Viewer: {comment}")), HARNESS.tools)


def row(messages: tuple[Message, ...]) -> JsonObject:
    """A dataset row as it is read back from a file."""
    row: JsonObject = json.loads(
        json.dumps({"id": "r", "messages": to_openai(messages), "tools": tools_to_openai(HARNESS.tools)}, sort_keys=True)
    )
    return row
