"""The prompt pipeline: a harness and a request become the two messages that open a conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from components.harness.conditions import holds
from components.harness.types import Harness, Language, PromptFormat, PromptSection, Request, SkillList


@dataclass(frozen=True)
class _Labels:
    viewer: str
    host: str
    on_screen: str
    links: str
    earlier: str
    campaign: str
    audience: str


_LABELS: dict[Language, _Labels] = {
    "en": _Labels("Viewer: ", "Host: ", "On screen: link ", "Links: ", "Earlier: ", "Campaign: ", "Audience: "),
    "zh": _Labels("观众：", "主播：", "正在展示：链接 ", "链接：", "之前：", "活动：", "人气："),
}


def system_prompt(harness: Harness, request: Request) -> str:
    """The sections that are in force, in their order and format. Skill bodies are no part of it (progressive disclosure)."""
    return assemble(harness, (section for section in harness.prompt.sections if holds(section.when, request)))


def assemble(harness: Harness, sections: Iterable[PromptSection]) -> str:
    """These sections as one text, in the harness's format."""
    parts = [(section.heading, _content(section, harness)) for section in sections]
    match harness.prompt.format:
        case PromptFormat.MARKDOWN:
            return "\n\n".join(f"## {heading}\n{text}" for heading, text in parts)
        case PromptFormat.XML:
            return "\n".join(f"<{_tag(heading)}>\n{text}\n</{_tag(heading)}>" for heading, text in parts)
        case PromptFormat.PLAIN:
            return "\n\n".join(f"{heading.upper()}: {text}" for heading, text in parts)
        case PromptFormat.JSON:
            return json.dumps(dict(parts), ensure_ascii=False, indent=1)
        case PromptFormat.NUMBERED:
            return "\n\n".join(f"{number}. {heading}\n{text}" for number, (heading, text) in enumerate(parts, start=1))


def request_prompt(request: Request) -> str:
    """The user message: comments, then the room's state, labelled in the language of the room.

    White space inside what people say is folded, so that no viewer can write lines of the room's state.
    """
    label = _LABELS[request.language]
    lines = [f"{label.viewer}{_folded(comment)}" for comment in request.comments]
    lines.append(f"{label.on_screen}{request.on_screen_link}")
    lines.append(label.links + "; ".join(f"{number} {title}" for number, title in request.links))
    for said in request.dialogue:
        speaker = label.viewer if said.speaker == "viewer" else label.host
        lines.append(f"{label.earlier}{speaker}{_folded(said.text)}")
    if request.campaign:
        lines.append(f"{label.campaign}{_folded(request.campaign)}")
    if request.audience:
        lines.append(label.audience + ", ".join(f"{name} {count}" for name, count in request.audience.items()))
    return "\n".join(lines)


def fallback_for(harness: Harness, language: Language) -> str:
    """What is spoken in a room of this language when an episode ends without an accepted reply."""
    return harness.fallback_reply.get(language, harness.fallback_reply["en"])


def _folded(text: str) -> str:
    return " ".join(text.split())


def _content(section: PromptSection, harness: Harness) -> str:
    if section.source == "text":
        return section.text
    listed = {skill.name: skill.description for skill in harness.skills}
    match harness.prompt.skill_list:
        case SkillList.BULLETS:
            return "\n".join(f"- {name}: {description}" for name, description in listed.items())
        case SkillList.TABLE:
            rows = [("skill", "description"), ("---", "---"), *listed.items()]
            return "\n".join(f"| {_cell(name)} | {_cell(description)} |" for name, description in rows)
        case SkillList.JSON:
            return json.dumps(listed, ensure_ascii=False, indent=1)
        case SkillList.SENTENCES:
            return " ".join(f"The skill {name} is for this: {description}" for name, description in listed.items())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _tag(heading: str) -> str:
    return re.sub(r"\W+", "_", heading.strip().lower()).strip("_") or "section"
