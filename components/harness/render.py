"""The prompt pipeline: a harness and a request become the two messages that open a conversation."""

from __future__ import annotations

import json
import re

from components.harness.types import Harness, PromptFormat, PromptSection, Request


def system_prompt(harness: Harness) -> str:
    """Assemble the sections in their order and format. Skill bodies are never part of it (progressive disclosure)."""
    parts = [(section.heading, _content(section, harness)) for section in harness.prompt.sections]
    match harness.prompt.format:
        case PromptFormat.MARKDOWN:
            return "\n\n".join(f"## {heading}\n{text}" for heading, text in parts)
        case PromptFormat.XML:
            return "\n".join(f"<{_tag(heading)}>\n{text}\n</{_tag(heading)}>" for heading, text in parts)
        case PromptFormat.PLAIN:
            return "\n\n".join(f"{heading.upper()}: {text}" for heading, text in parts)
        case PromptFormat.JSON:
            return json.dumps(dict(parts), ensure_ascii=False, indent=1)


def request_prompt(request: Request) -> str:
    """The user message. White space inside a comment is folded, so that a viewer cannot write lines of the room's state."""
    comments = [f"Viewer: {' '.join(comment.split())}" for comment in request.comments]
    links = "; ".join(f"{number} {title}" for number, title in request.links)
    return "\n".join([*comments, f"On screen: link {request.on_screen_link}", f"Links: {links}"])


def _content(section: PromptSection, harness: Harness) -> str:
    if section.source == "skills":
        return "\n".join(f"- {skill.name}: {skill.description}" for skill in harness.skills)
    return section.text


def _tag(heading: str) -> str:
    return re.sub(r"\W+", "_", heading.strip().lower()).strip("_") or "section"
