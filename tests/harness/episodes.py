"""A room, scripted models and a small harness for the tests of the loop."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from components.harness import AgentLoop
from components.harness.messages import parse_assistant
from components.harness.types import (
    Completion,
    Conversation,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    Limits,
    PolicyError,
    PromptPipeline,
    PromptSection,
    Request,
    Skill,
    SkillFile,
    SkillKind,
    Tool,
    ToolError,
    Trajectory,
)

_LINK = {"type": "object", "properties": {"link_id": {"type": "integer"}}, "required": ["link_id"]}
_SKILL = {"type": "object", "properties": {"skill": {"type": "string"}, "file": {"type": "string"}}, "required": ["skill"]}
SIZES = SkillFile("references/sizes.md", "M fits 165 cm.")
PICTURE = SkillFile("assets/sizes.png", "aGk=", "base64")

HARNESS = Harness(
    skills=(
        Skill("price-qa", "Answer about prices.", "Say the price after the coupon.", SkillKind.REPLY, "price-qa"),
        Skill("size_qa", "Answer about sizes.", "Read the table.", SkillKind.REPLY, "size_qa", files=(SIZES, PICTURE)),
        Skill("plan", "Plan calls.", "One call each.", SkillKind.STRATEGY, "plan"),
    ),
    tools=(
        Tool("load_skill", "Open a skill.", _SKILL, "load_skill"),
        Tool("price_lookup", "Price of a link.", _LINK, "price_lookup"),
        Tool("stock_lookup", "Stock of a link.", _LINK, "stock_lookup"),
    ),
    hooks=(),
    prompt=PromptPipeline((PromptSection("skills", "Skills", "skills"),)),
    fallback_reply={"en": "One moment please.", "zh": "请稍等。"},
)
REQUEST = Request("r1", "room1", ("how much is link 3?",), 1, ((1, "Kettle"), (3, "Shirt")))


def hook(check: str, point: HookPoint, action: str = "retry", message: str = "No: {reason}.", **more: Any) -> Hook:
    when = more.pop("when", {})
    return Hook(f"{check}_hook", point, check, HookAction(action), message, more, when)


class OneRoom:
    """Knows the price of link 3."""

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        if arguments.get("link_id") != 3:
            raise ToolError("no item at that link; links here: 1, 3")
        return {"title": "Shirt", "price_after_coupon": "49.00"}


class Script:
    """A policy that writes given texts in turn, the last one for ever. `!` fails; a completion is given as it is."""

    name = "script"

    def __init__(self, *outputs: str | Completion) -> None:
        self.outputs = list(outputs)
        self.seen: list[Conversation] = []

    async def complete(self, conversation: Conversation) -> Completion:
        self.seen.append(conversation)
        output = self.outputs.pop(0) if len(self.outputs) > 1 else self.outputs[0]
        if output == "!":
            raise PolicyError("server away")
        if isinstance(output, Completion):
            return output
        return Completion(parse_assistant(output), prompt_tokens=10, completion_tokens=5)


def call(name: str, /, **arguments: Any) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


SKILL = call("load_skill", skill="price-qa")
PRICE = call("price_lookup", link_id=3)
REPLY = "The Shirt is 49.00 yuan after the coupon."


def run(
    *outputs: str | Completion,
    limits: Limits | None = None,
    harness: Harness = HARNESS,
    room: Any = None,
    request: Request = REQUEST,
) -> Trajectory:
    loop = AgentLoop(harness, limits)
    return asyncio.run(loop.run(request, room or OneRoom(), Script(*outputs), "e1"))


def told(trajectory: Trajectory) -> list[Any]:
    """What the tools told the model, read back."""
    return [json.loads(message.content) for message in trajectory.messages if message.role == "tool"]
