"""A harness that cannot work is refused in one line: the file, the field, what was expected, the mend."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from components.harness import check_harness, load_harness
from components.harness.hooks import ACTIONS, CHECKS
from components.harness.types import (
    Harness,
    HarnessError,
    Hook,
    HookAction,
    HookPoint,
    PromptFormat,
    PromptSection,
    SkillFile,
    SkillKind,
    Tool,
)
from tests.harness.episodes import HARNESS

INPUT, RESULT, SKILL = HookPoint.INPUT, HookPoint.TOOL_RESULT, HookPoint.SKILL_REQUIREMENT
FORMAT, COMPLIANCE, CONTROL = HookPoint.REPLY_FORMAT, HookPoint.COMPLIANCE, HookPoint.RETRY_CONTROL
RETRY, REWRITE = HookAction.RETRY, HookAction.REWRITE


def fault_of(harness: Harness) -> str:
    with pytest.raises(HarnessError) as error:
        check_harness(harness, "h")
    text = str(error.value)
    assert "\n" not in text and text.startswith("h/")
    return text.removeprefix("h/")


def with_hook(check: str, point: HookPoint, action: HookAction, when: Any = None, **parameters: Any) -> Harness:
    return replace(HARNESS, hooks=(Hook("mine", point, check, action, "No.", parameters, when or {}),))


@pytest.mark.parametrize(
    ("harness", "fault"),
    [
        (
            with_hook("length", FORMAT, RETRY),
            "hooks.yaml: mine.check: length is unknown; expected one of absolute_claims, arguments",
        ),
        (with_hook("no_markup", INPUT, RETRY), "hooks.yaml: mine.point: no_markup works at skill_requirement or reply_format or"),
        (
            with_hook("comment_not_empty", INPUT, RETRY),
            "hooks.yaml: mine.action: retry is not possible for comment_not_empty at input; expected fall_back or block",
        ),
        (
            with_hook("no_markup", SKILL, REWRITE),
            "hooks.yaml: mine.action: rewrite is not possible for no_markup at skill_requirement; "
            "expected retry or fall_back or block; change it",
        ),
        (with_hook("repeated_reply", CONTROL, REWRITE), "hooks.yaml: mine.action: rewrite is not possible for repeated_reply"),
        (
            with_hook("reply_language", FORMAT, REWRITE),
            "hooks.yaml: mine.action: rewrite is not possible for reply_language at reply_format; "
            "expected retry or fall_back or block; change it",
        ),
        (
            with_hook("reply_length", FORMAT, RETRY),
            "hooks.yaml: mine.parameters.max_words: expected a whole number from 1, found nothing; add it",
        ),
        (
            with_hook("reply_length", FORMAT, RETRY, max_words=0),
            "hooks.yaml: mine.parameters.max_words: expected a whole number from 1, found 0; correct it",
        ),
        (
            with_hook("reply_length", FORMAT, RETRY, max_words=True),
            "hooks.yaml: mine.parameters.max_words: expected a whole number",
        ),
        (
            with_hook("reply_length", FORMAT, RETRY, max_words=9, max_wrods=9),
            "hooks.yaml: mine.parameters.max_wrods: unknown parameter; expected max_words or max_characters",
        ),
        (
            with_hook("no_markup", FORMAT, RETRY, strict=True),
            "hooks.yaml: mine.parameters.strict: unknown parameter; no_markup has none; remove or correct it",
        ),
        (
            with_hook("forbidden_phrases", COMPLIANCE, RETRY, phrases=[]),
            "hooks.yaml: mine.parameters.phrases: expected a list of",
        ),
        (
            with_hook("forbidden_phrases", COMPLIANCE, RETRY, phrases=["a", 1]),
            "hooks.yaml: mine.parameters.phrases: expected a list",
        ),
        (
            with_hook("forbidden_phrases", COMPLIANCE, REWRITE, phrases=["a"], replacements=["b"]),
            "hooks.yaml: mine.parameters.replacements: expected a mapping from phrases to what is said instead, found ['b']",
        ),
        (
            with_hook("no_orders", INPUT, HookAction.BLOCK, patterns=["("]),
            "hooks.yaml: mine.parameters.patterns: expected a list of regular expressions, found ['(']; correct it",
        ),
        (
            with_hook("no_orders", INPUT, HookAction.BLOCK, patterns=["a{99999999999}"]),
            "hooks.yaml: mine.parameters.patterns: expected a list of regular expressions, found ['a{99999999999}']; correct it",
        ),
        (
            with_hook("forbidden_phrases", COMPLIANCE, REWRITE, phrases=["Cheap"], replacements={"cheap": "a", "nice": "b"}),
            "hooks.yaml: mine.parameters.replacements: expected some of the phrases, found 'nice'; correct it",
        ),
        (
            replace(HARNESS, hooks=(Hook("mine", FORMAT, "no_markup", RETRY, "No: {resaon}.", {}, {}),)),
            "hooks.yaml: mine.message: {resaon} is unknown; expected some of {reason}, {reply}, {message}; correct it",
        ),
        (
            with_hook("result_is_fresh", RESULT, RETRY, max_age_minutes=-1),
            "hooks.yaml: mine.parameters.max_age_minutes: expected a whole number from 0, found -1; correct it",
        ),
        (
            with_hook("no_markup", FORMAT, RETRY, {"lang": "en"}),
            "hooks.yaml: mine.when.lang: unknown condition; expected some of language, campaign, dialogue, comments",
        ),
        (
            with_hook("no_markup", FORMAT, RETRY, {"language": "de"}),
            "hooks.yaml: mine.when.language: expected en or zh, found 'de'; correct it",
        ),
        (replace(HARNESS, hooks=with_hook("no_markup", FORMAT, RETRY).hooks * 2), "hooks.yaml: hook mine occurs 2 times"),
        (replace(HARNESS, fallback_reply={"zh": "好"}), "hooks.yaml: fallback_reply.en: missing; expected a sentence"),
        (replace(HARNESS, fallback_reply={"en": " "}), "hooks.yaml: fallback_reply.en: expected a sentence to speak"),
        (
            replace(HARNESS, fallback_reply={"en": "a", "fr": "b"}),
            "hooks.yaml: fallback_reply.fr: unknown language; expected en or zh",
        ),
    ],
)
def test_wrong_hook_is_named(harness: Harness, fault: str) -> None:
    assert fault_of(harness).startswith(fault)


def with_sections(*sections: PromptSection, form: PromptFormat = PromptFormat.MARKDOWN) -> Harness:
    return replace(HARNESS, prompt=replace(HARNESS.prompt, sections=sections, format=form))


def skills_when(name: str, **when: Any) -> PromptSection:
    return PromptSection(name, f"Skills {name}", "skills", when=when)


@pytest.mark.parametrize(
    ("harness", "fault"),
    [
        (with_sections(PromptSection("a", "A", "text", "a")), "prompt/pipeline.yaml: expected a section with source: skills"),
        (with_sections(skills_when("s", speech="en")), "prompt/pipeline.yaml: s.when.speech: unknown condition"),
        (
            with_sections(skills_when("s", language="en")),
            "prompt/pipeline.yaml: s.when: there are requests for which no section shows the skills; remove `when`",
        ),
        (with_sections(skills_when("s"), skills_when("s")), "prompt/pipeline.yaml: section s occurs 2 times"),
        (
            with_sections(skills_when("s"), PromptSection("t", "Skills s", "text", "t"), form=PromptFormat.JSON),
            "prompt/pipeline.yaml: heading Skills s occurs 2 times",
        ),
        (
            replace(HARNESS, skills=tuple(replace(s, kind=SkillKind.STRATEGY) for s in HARNESS.skills)),
            "skills: expected at least one skill with metadata.kind: reply; add one",
        ),
        (
            replace(HARNESS, skills=(replace(HARNESS.skills[0], files=(SkillFile("a", ""), SkillFile("a", ""))),)),
            "skills: price-qa: file a occurs 2 times",
        ),
        (replace(HARNESS, tools=HARNESS.tools[1:]), "tools.yaml: expected exactly one tool with implementation: load_skill"),
        (
            replace(HARNESS, tools=(*HARNESS.tools, Tool("t", "", {"properties": {"a": {"$ref": "#/no"}}}, "t"))),
            "tools.yaml: t.parameters: $ref #/no leads nowhere in this schema; correct it",
        ),
        (
            replace(HARNESS, tools=(*HARNESS.tools, Tool("t", "", {"type": "text"}, "t"))),
            "tools.yaml: t.parameters: not a JSON Schema",
        ),
        (
            replace(HARNESS, tools=(*HARNESS.tools, Tool("t", "", {"properties": {"a": {}, "b": {}}}, "t", {"a": "b"}))),
            "tools.yaml: t: canonical argument a occurs 2 times",
        ),
    ],
)
def test_wrong_skill_tool_or_section_is_named(harness: Harness, fault: str) -> None:
    assert fault_of(harness).startswith(fault)


def test_sections_for_each_language_may_show_the_skills_together() -> None:
    sections = (skills_when("en", language="en"), skills_when("zh", language="zh"))
    check_harness(with_sections(*sections), "h")
    same_heading = tuple(replace(section, heading="Skills") for section in sections)
    check_harness(with_sections(*same_heading, form=PromptFormat.JSON), "h")


def test_base_harness_uses_every_point_and_every_action_is_possible_somewhere() -> None:
    base = load_harness(Path(__file__).parents[2] / "harness")
    assert {hook.point for hook in base.hooks} == set(HookPoint)
    assert {action for actions in ACTIONS.values() for action in actions} == set(HookAction)
    for entry in CHECKS.values():
        possible = {action for point in entry.points for action in ACTIONS[point]}
        assert not entry.rewrites or REWRITE in possible
