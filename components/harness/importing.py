"""A whole harness around tools and skills that were published elsewhere."""

from __future__ import annotations

from pathlib import Path

from components.harness.check import check_harness
from components.harness.load import save_harness
from components.harness.skill_files import SKILL_MD, read_skill
from components.harness.tool_lists import import_tools, unique
from components.harness.types import (
    LOAD_SKILL,
    Harness,
    HarnessError,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    PromptPipeline,
    PromptSection,
    Skill,
    SkillKind,
    Tool,
)

_ROLE = """You answer people's requests with the tools at hand. What you say is spoken aloud, so answer in one or two short
sentences of plain words."""
_STEPS = """1. Choose the skills that fit the request from the list below and open each with {load_skill}.
2. Call the tools that have the facts. Use exactly what the request says as arguments; invent nothing.
3. Reply once, with what the tools returned. Where a tool cannot answer, say so and promise nothing."""
_ANSWER = """Find out what is asked, and call the tool that knows it; call several where several things are asked.
Say what the tools returned, in one or two short sentences. State no number and no name that no tool returned.
Where nothing fits the request, say kindly that you cannot help with it."""


def import_harness(tools_file: Path, skills_dir: Path | None, to: Path) -> tuple[Harness, list[str]]:
    """Write a harness made from published tools and skills to the new folder `to`, and give it with notes on what was read.

    `skills_dir` holds a folder for each skill, or is the one skill's folder. Raises HarnessError; then nothing is written.
    """
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise HarnessError(f"{to}: exists already; expected a new folder; choose another one or remove it")
    if below := next((parent for parent in to.parents if parent.exists() and not parent.is_dir()), None):
        raise HarnessError(f"{to}: {below} is a file; expected a folder to write in; choose another place")
    tools, notes_on_tools = import_tools(tools_file)
    skills, notes = _import_skills(skills_dir.resolve()) if skills_dir else ((), [])
    harness = harness_around(tools, skills)
    check_harness(harness, to)
    save_harness(harness, to)
    return harness, [*notes_on_tools, *notes]


def harness_around(tools: tuple[Tool, ...], skills: tuple[Skill, ...]) -> Harness:
    """A harness that can be used at once: a way to open skills, a reply skill where none is given, hooks and prompt."""
    if not any(skill.kind is SkillKind.REPLY for skill in skills):
        name = unique("answer", {skill.name for skill in skills} | {skill.key for skill in skills})
        description = "Answer a request with what the tools return."
        skills = (*skills, Skill(name, description, _ANSWER, SkillKind.REPLY, key=name))
    load_skill = _load_skill(unique(LOAD_SKILL, {tool.name for tool in tools}), any(skill.files for skill in skills))
    return Harness(
        skills=skills,
        tools=(load_skill, *tools),
        hooks=_HOOKS,
        prompt=PromptPipeline(
            (
                PromptSection("role", "Role", "text", _ROLE),
                PromptSection("steps", "Steps", "text", _STEPS.replace("{load_skill}", load_skill.name)),
                PromptSection("skills", "Skills", "skills"),
            )
        ),
        fallback_reply={"en": "One moment please, a colleague will answer you right away.", "zh": "请稍等，同事马上回复您。"},
    )


_HOOKS = (
    Hook("request_present", HookPoint.INPUT, "comment_not_empty", HookAction.BLOCK, "There is no request: {reason}."),
    Hook(
        "valid_arguments",
        HookPoint.TOOL_ARGUMENTS,
        "arguments_match_schema",
        HookAction.RETRY,
        "Wrong arguments: {reason}. Correct them and call again.",
    ),
    Hook(
        "skill_first",
        HookPoint.SKILL_REQUIREMENT,
        "reply_skill_loaded",
        HookAction.RETRY,
        "Load a reply skill before you reply: {reason}.",
    ),
    Hook(
        "short_reply",
        HookPoint.REPLY_FORMAT,
        "reply_length",
        HookAction.RETRY,
        "Answer in one or two short sentences: {reason}.",
        {"max_words": 60, "max_characters": 120},
    ),
    Hook("spoken_words", HookPoint.REPLY_FORMAT, "no_markup", HookAction.RETRY, "Write plain words to be spoken: {reason}."),
    Hook(
        "numbers_from_tools",
        HookPoint.FACTUAL_RISK,
        "numbers_supported",
        HookAction.RETRY,
        "State only numbers that a tool returned: {reason}.",
    ),
)


def _load_skill(name: str, with_files: bool) -> Tool:
    properties: JsonObject = {"skill": {"type": "string", "description": "Name of the skill, as it is listed."}}
    if with_files:
        properties["file"] = {"type": "string", "description": "A file of the skill to read, instead of its instructions."}
    schema = {"type": "object", "properties": properties, "required": ["skill"], "additionalProperties": False}
    return Tool(name, "Open a skill: read its instructions.", schema, LOAD_SKILL)


def _import_skills(directory: Path) -> tuple[tuple[Skill, ...], list[str]]:
    inside = sorted(path.parent.resolve() for path in directory.glob(f"[!.]*/{SKILL_MD}"))
    read = [read_skill(folder) for folder in ([directory] if (directory / SKILL_MD).is_file() else inside)]
    if not read:
        raise HarnessError(f"{directory}: holds no skill; expected folders, each with a {SKILL_MD}; correct the path")
    return tuple(skill for skill, _ in read), [note for _, notes in read for note in notes]
