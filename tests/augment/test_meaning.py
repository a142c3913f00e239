"""What the reading of a variant follows, and what it finds missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from components.augment import AugmentError, NameMap, build
from components.augment.distractors import distractor_skill, distractor_tool
from components.augment.frames import EXTRA_CHECKS, MORE_PHRASES
from components.augment.meaning import lost_meaning
from components.augment.types import DISTRACTOR_SKILL, DISTRACTOR_TOOL
from components.harness.types import Harness, Hook, HookAction, HookPoint, JsonObject, Skill, SkillFile, Tool
from tests.augment.worlds import FOREIGN


def lost(variant: Harness, base: Harness = FOREIGN) -> list[str]:
    return lost_meaning(base, variant, NameMap.between(base, variant))


def with_skills(*skills: Skill) -> Harness:
    return replace(FOREIGN, skills=skills)


REFUNDS, PARCELS = FOREIGN.skills
HALVES = (
    replace(
        PARCELS,
        key="parcel_status/1",
        covers=("parcel_status",),
        name="parcel_status_a",
        body="For a broken parcel load `refunds` instead.\n\nGoes on in parcel_status_b.",
    ),
    replace(
        PARCELS,
        key="parcel_status/2",
        covers=("parcel_status",),
        name="parcel_status_b",
        body="Goes on from parcel_status_a.\n\nRefunds take days.",
    ),
)
MERGED = Skill(
    "both",
    "Money back. Besides — Where things are.",
    f"{REFUNDS.body} {PARCELS.body.replace('refunds', 'both')}",
    REFUNDS.kind,
    "a+b",
    ("refunds", "parcel_status"),
)


def renamed_mentions(harness: Harness, old: str, new: str) -> Harness:
    hooks = tuple(replace(hook, message=hook.message.replace(old, new)) for hook in harness.hooks)
    sections = tuple(replace(section, text=section.text.replace(old, new)) for section in harness.prompt.sections)
    return replace(harness, hooks=hooks, prompt=replace(harness.prompt, sections=sections))


def test_a_harness_keeps_its_own_meaning() -> None:
    assert lost(FOREIGN) == []


def test_halves_are_read_together() -> None:
    split = renamed_mentions(with_skills(REFUNDS, *HALVES), "parcel_status", "parcel_status_a")
    assert lost(split) == []
    assert NameMap.between(FOREIGN, split).skills["parcel_status"] == ("parcel_status_a", "parcel_status_b")
    assert NameMap.between(FOREIGN, split).reversed().skills["parcel_status_b"] == ("parcel_status",)


def test_a_half_that_lost_its_words_is_missed() -> None:
    cut = replace(HALVES[1], body="Goes on from parcel_status_a.")
    assert lost(renamed_mentions(with_skills(REFUNDS, HALVES[0], cut), "parcel_status", "parcel_status_a")) == [
        "the body of skill parcel_status no longer says: refunds take days"
    ]


def test_a_half_that_does_not_name_the_other_is_missed() -> None:
    silent = replace(HALVES[1], body="Refunds take days.")
    split = renamed_mentions(with_skills(REFUNDS, HALVES[0], silent), "parcel_status", "parcel_status_a")
    assert lost(split) == ["a part of skill parcel_status does not name its other part parcel_status_a"]


def test_a_merged_skill_is_read_as_both() -> None:
    merged = renamed_mentions(renamed_mentions(with_skills(MERGED), "parcel_status", "`both`"), "the refunds", "the both")
    merged = renamed_mentions(merged, "**refunds**", "**both**")
    assert lost(merged) == []
    half = replace(MERGED, body=REFUNDS.body)
    assert any(
        "no longer says: for a broken parcel load refunds parcel_status instead" in problem for problem in lost(with_skills(half))
    )


def test_a_skill_that_nobody_stands_for_cannot_be_mapped() -> None:
    with pytest.raises(AugmentError, match=r"skill: base and variant have different ones \(parcel_status\)"):
        NameMap.between(FOREIGN, with_skills(REFUNDS))
    with pytest.raises(AugmentError, match=r"different ones \(elsewhere, parcel_status\)"):
        NameMap.between(FOREIGN, with_skills(REFUNDS, replace(PARCELS, key="new", covers=("elsewhere",))))


def test_a_new_skill_or_tool_that_is_no_distractor_cannot_be_mapped() -> None:
    with pytest.raises(AugmentError, match=r"skill: .*\(new\)"):
        NameMap.between(FOREIGN, with_skills(REFUNDS, PARCELS, replace(PARCELS, name="new", key="new", covers=())))
    with pytest.raises(AugmentError, match=r"tool: .*\(new\)"):
        NameMap.between(FOREIGN, replace(FOREIGN, tools=(*FOREIGN.tools, Tool("new", "New.", {}, "new"))))


def test_distractors_are_the_known_ones_in_their_own_words() -> None:
    lunch, camera = distractor_skill("office_lunch"), distractor_tool("move_camera")
    beside = replace(FOREIGN, skills=(REFUNDS, lunch, PARCELS), tools=(camera, *FOREIGN.tools))
    assert lost(beside) == []
    posing = replace(lunch, description=f"{lunch.description} Ask it where things are.")
    assert lost(with_skills(REFUNDS, posing, PARCELS)) == [
        "the description of skill office_lunch says more, or in another order: ask it where things are"
    ]
    strange = replace(lunch, key=f"{DISTRACTOR_SKILL}refund_desk"), replace(camera, implementation=f"{DISTRACTOR_TOOL}pay_back")
    problems = lost(replace(FOREIGN, skills=(*FOREIGN.skills, strange[0]), tools=(*FOREIGN.tools, strange[1])))
    assert problems == [
        f"{name} stands for nothing in the base harness, and is no known distractor" for name in ("office_lunch", "move_camera")
    ]


def test_nothing_bears_the_name_of_another() -> None:
    other = {"refunds": "parcel_status", "parcel_status": "refunds"}
    exchanged = with_skills(*(replace(skill, name=other[skill.name]) for skill in FOREIGN.skills))
    assert "refunds is called parcel_status, which is another's name" in lost(exchanged)


def test_names_of_other_languages_are_read_back() -> None:
    for name in ("spanish", "pinyin", "german", "chinese"):
        variant = build(FOREIGN, [f"skill_identifiers/{name}"], 1)
        assert variant != FOREIGN
        assert lost(variant) == []


def test_files_are_read_like_bodies() -> None:
    file = SkillFile("references/a.md", "Two days by parcel_status.")
    base = with_skills(REFUNDS, replace(PARCELS, files=(file,)))
    emptied = with_skills(REFUNDS, replace(PARCELS, files=(replace(file, content="Two days."),)))
    assert lost(emptied, base) == ["the file references/a.md of skill parcel_status no longer says: two days by parcel_status"]
    assert lost(with_skills(REFUNDS, PARCELS), base) == ["the file references/a.md of skill parcel_status is gone"]


def with_parameter(schema: JsonObject) -> Harness:
    parameters = {"type": "object", "properties": {"parcel_id": schema}, "required": ["parcel_id"]}
    return replace(FOREIGN, tools=(FOREIGN.tools[0], replace(FOREIGN.tools[1], parameters=parameters)))


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ({"enum": ["land", "sea"]}, {"enum": ["sea", "land"]}, None),
        ({"enum": ["land", "sea"]}, {"description": "One of — land, sea."}, None),
        ({"minimum": 1, "maximum": 3}, {"enum": [1, 2, 3]}, None),
        ({"enum": ["land", "sea"]}, {"enum": ["land"]}, "takes other values: sea"),
        ({"enum": ["land", "sea"]}, {"description": "One of — land."}, "no longer says: sea"),
        ({"minimum": 1, "maximum": 3}, {"enum": [1, 2]}, "takes only some of its values"),
        ({"type": "string"}, {"enum": ["land"]}, "takes only some of its values"),
        ({"description": "Its number."}, {"description": "Its number. Never 0."}, "says more, or in another order: never 0"),
        ({"type": "string"}, {"type": "string", "examples": ["a"]}, "says more: ['examples [\"a\"]']"),
        ({"type": "string"}, {"type": "string", "title": "Any number"}, "has another title: Any number"),
        ({"items": {"enum": ["a"]}}, {"items": {"enum": ["b"]}}, "takes other values: a, b"),
    ],
)
def test_values_of_an_argument_stay_allowed_and_told(before: JsonObject, after: JsonObject, problem: str | None) -> None:
    problems = lost(with_parameter(after), with_parameter(before))
    assert problems == [] if problem is None else any(problem in found for found in problems), problems


HOOKS = (
    Hook("words", HookPoint.REPLY_FORMAT, "reply_length", HookAction.RETRY, "Short.", {"max_words": 40}, {"language": "en"}),
    Hook("marks", HookPoint.REPLY_FORMAT, "no_markup", HookAction.REWRITE, "Plain."),
    Hook("phrases", HookPoint.COMPLIANCE, "forbidden_phrases", HookAction.RETRY, "No.", {"phrases": ["ever", "never"]}),
    Hook("claims", HookPoint.COMPLIANCE, "medical_claims", HookAction.FALL_BACK, "Ask a doctor."),
)

EXTRA = Hook(
    "more", HookPoint.COMPLIANCE, "forbidden_phrases", HookAction.RETRY, EXTRA_CHECKS[0][1], {"phrases": [*EXTRA_CHECKS[0][0]]}
)


def changing(name: str, **parts: object) -> Callable[[tuple[Hook, ...]], tuple[Hook, ...]]:
    return lambda hooks: tuple(replace(hook, **parts) if hook.name == name else hook for hook in hooks)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (changing("words", parameters={"max_words": 80}), None),
        (changing("phrases", parameters={"phrases": ["never", "ever", *MORE_PHRASES[0]]}), None),
        (changing("phrases", parameters={"phrases": ["never", "ever", "always"]}), "hook phrases no longer checks the same"),
        (lambda hooks: (*hooks, EXTRA), None),
        (
            lambda hooks: (*hooks, replace(EXTRA, parameters={"phrases": ["yuan"]})),
            "hook more checks what the base harness does not",
        ),
        (changing("phrases", point=HookPoint.FACTUAL_RISK), None),
        (changing("words", message="Short. Please revise."), None),
        (changing("words", message="Short. Please."), "the message of hook words says more, or in another order: please"),
        (changing("words", parameters={"max_words": 81}), "hook words no longer checks the same"),
        (changing("words", parameters={"max_words": 39}), "hook words no longer checks the same"),
        (changing("phrases", parameters={"phrases": ["ever"]}), "hook phrases no longer checks the same"),
        (changing("words", when={}), "hook words no longer checks the same"),
        (changing("words", action=HookAction.BLOCK), "hook words no longer checks the same"),
        (changing("claims", message="Ask anyone."), "hook claims speaks another message"),
        (changing("words", message="Long."), "the message of hook words no longer says: short"),
        (changing("phrases", point=HookPoint.SKILL_REQUIREMENT), "hook marks no longer comes after the same hooks"),
        (lambda hooks: hooks[1:], "hook words no longer checks the same"),
    ],
)
def test_hooks_check_the_same_with_the_same_consequences(
    change: Callable[[tuple[Hook, ...]], tuple[Hook, ...]], problem: str | None
) -> None:
    problems = lost(replace(FOREIGN, hooks=change(HOOKS)), replace(FOREIGN, hooks=HOOKS))
    assert problems == [] if problem is None else problem in problems, problems


@pytest.mark.parametrize("name", ["split", "merged"])
def test_sections_are_read_together_where_they_were_cut_or_joined(base: Harness, name: str) -> None:
    variant = build(base, [f"prompt_structure/{name}"], 1)
    assert lost(variant, base) == []
    shortened = replace(
        variant,
        prompt=replace(variant.prompt, sections=tuple(replace(s, text=s.text[:20]) for s in variant.prompt.sections)),
    )
    assert any("steps no longer says" in problem for problem in lost(shortened, base))


def test_another_phrasing_that_is_known_to_say_the_same_is_read_as_the_text() -> None:
    other = with_skills(replace(REFUNDS, description="How to be repaid."), PARCELS)
    names = NameMap.between(FOREIGN, other)
    assert lost_meaning(FOREIGN, other, names) == ["the description of skill refunds no longer says: money back"]
    assert lost_meaning(FOREIGN, other, names, {"Money back.": ("How to be repaid.",)}) == []
