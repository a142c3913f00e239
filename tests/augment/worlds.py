"""A harness of another shop, none of whose names this project knows."""

from __future__ import annotations

from components.harness.types import (
    Harness,
    Hook,
    HookAction,
    HookPoint,
    PromptPipeline,
    PromptSection,
    Skill,
    SkillKind,
    Tool,
)

FOREIGN = Harness(
    skills=(
        Skill("refunds", "Money back.", "Ask for the parcel_id.", SkillKind.REPLY, "refunds"),
        Skill(
            "parcel_status",
            "Where things are.",
            "For a broken parcel load `refunds` instead. Refunds take days.",
            SkillKind.REPLY,
            "parcel_status",
        ),
    ),
    tools=(
        Tool(
            "load_skill",
            "Opens a module.",
            {"type": "object", "properties": {"skill": {"type": "string"}}, "required": ["skill"]},
            "load_skill",
        ),
        Tool(
            "track_parcel",
            "Where a parcel is; give `parcel_id`.",
            {"type": "object", "properties": {"parcel_id": {"type": "integer"}}, "required": ["parcel_id"]},
            "carriers.track",
        ),
    ),
    hooks=(
        Hook(
            "skill_first",
            HookPoint.SKILL_REQUIREMENT,
            "reply_skill_loaded",
            HookAction.RETRY,
            "Load the refunds skill or parcel_status: {reason}.",
        ),
    ),
    prompt=PromptPipeline(
        (
            PromptSection("role", "Role", "text", "Use track_parcel and **refunds**."),
            PromptSection("skills", "Skills", "skills"),
        )
    ),
    fallback_reply={"en": "One moment please."},
)
