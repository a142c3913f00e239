"""A diff says every difference in plain words, and names the cases whose right answer makes use of what changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.harness.diff import Use, diff, touched
from components.harness.diff_words import reworded
from components.harness.types import (
    LOAD_SKILL,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    PromptFormat,
    PromptPipeline,
    PromptSection,
    Request,
    Skill,
    SkillFile,
    SkillKind,
    Tool,
)

PRICE = Skill("price-qa", "Answer about prices.", "Look it up.\nSay it in yuan.", SkillKind.REPLY, "price-qa")
STOCK = Skill("stock_qa", "Answer about stock.", "Look it up.", SkillKind.REPLY, "stock_qa")
OPEN = Tool(LOAD_SKILL, "Open a skill.", {"type": "object", "properties": {"skill": {"type": "string"}}}, LOAD_SKILL)
LOOKUP = Tool(
    "price_lookup",
    "Price of a link.",
    {
        "type": "object",
        "properties": {"link_id": {"type": "integer"}, "size": {"type": "string", "enum": ["S", "M"]}},
        "required": ["link_id"],
    },
    "price_lookup",
)
SHORT = Hook("short", HookPoint.REPLY_FORMAT, "reply_length", HookAction.RETRY, "Be brief: {reason}.", {"max_words": 40})
CLEAN = Hook(
    "clean",
    HookPoint.COMPLIANCE,
    "forbidden_phrases",
    HookAction.RETRY,
    "No: {reason}.",
    {"phrases": ["cure"]},
    {"language": "en"},
)
ROLE = PromptSection("role", "Role", "text", "You are the host.")
GIFTS = PromptSection("gifts", "Gifts", "text", "A campaign runs.", {"campaign": True})
LIST = PromptSection("skills", "Skills", "skills")
BASE = Harness((PRICE, STOCK), (OPEN, LOOKUP), (SHORT, CLEAN), PromptPipeline((ROLE, GIFTS, LIST)), {"en": "One moment."})


def with_skill(**edit: Any) -> Harness:
    return replace(BASE, skills=(replace(PRICE, **edit), STOCK))


def with_tool(**edit: Any) -> Harness:
    return replace(BASE, tools=(OPEN, replace(LOOKUP, **edit)))


def with_schema(edit: Callable[[dict[str, Any]], Any]) -> Harness:
    properties = {name: dict(schema) for name, schema in LOOKUP.parameters["properties"].items()}
    schema = {**LOOKUP.parameters, "properties": properties, "required": ["link_id"]}
    edit(schema)
    return with_tool(parameters=schema)


def with_hook(hook: Hook, **edit: Any) -> Harness:
    return replace(BASE, hooks=tuple(replace(hook, **edit) if one is hook else one for one in BASE.hooks))


FRESH = Hook("fresh", HookPoint.TOOL_RESULT, "result_is_fresh", HookAction.RETRY, "Stale: {reason}.", {"max_age_minutes": 5})


def with_hooks(*more: Hook) -> Harness:
    return replace(BASE, hooks=(*BASE.hooks, *more))


def with_sections(*sections: PromptSection) -> Harness:
    return replace(BASE, prompt=PromptPipeline(sections))


@pytest.mark.parametrize(
    ("edited", "sentences"),
    [
        (BASE, []),
        (with_skill(name="quote"), ["skill `price-qa`: name price-qa → quote"]),
        (
            with_skill(description="Answer about prices and coupons."),
            ["skill `price-qa`: description “prices.” → “prices and coupons.”"],
        ),
        (with_skill(body="Look it up.\nSay it in dollars."), ["skill `price-qa`: instructions “yuan.” → “dollars.”"]),
        (with_skill(body="Look it up.\nSay it in yuan. Be kind."), ["skill `price-qa`: instructions: “Be kind.” added"]),
        (with_skill(body="Look it up. Say it in yuan."), ["skill `price-qa`: instructions: white space changed"]),
        (
            with_skill(body="Ask.\nThen wait.\nSay nothing."),
            ["skill `price-qa`: instructions rewritten: 6 words out, 4 in"],
        ),
        (with_skill(kind=SkillKind.STRATEGY), ["skill `price-qa`: kind reply → strategy"]),
        (with_skill(covers=("a", "b")), ["skill `price-qa`: covers a, b added"]),
        (
            with_skill(front={"license": "MIT"}, files=(SkillFile("a.md", "x"),)),
            ["skill `price-qa`: front matter license MIT added", "skill `price-qa`: file a.md added"],
        ),
        (replace(BASE, skills=(PRICE,)), ["skill `stock_qa` is gone"]),
        (
            replace(BASE, skills=(STOCK, PRICE, replace(PRICE, name="new", key="new"))),
            ["skill `new` is new: Answer about prices.", "skills are listed in another order"],
        ),
        (with_tool(name="cost"), ["tool `price_lookup`: name price_lookup → cost"]),
        (with_schema(lambda s: s["required"].append("size")), ["tool `price_lookup`: parameter `size` is now required"]),
        (with_schema(lambda s: s["required"].clear()), ["tool `price_lookup`: parameter `link_id` is no longer required"]),
        (with_schema(lambda s: s["properties"].pop("size")), ["tool `price_lookup`: parameter `size` is gone"]),
        (
            with_schema(lambda s: s["properties"].update(colour={"type": "string"})),
            ["tool `price_lookup`: parameter `colour` is new and optional"],
        ),
        (
            with_schema(lambda s: s["properties"]["size"].update(enum=["S", "L"])),
            ["tool `price_lookup`: parameter `size`: values L added; M removed"],
        ),
        (
            with_schema(lambda s: s["properties"]["link_id"].update(type="string", description="Number of the link.")),
            [
                "tool `price_lookup`: parameter `link_id`: type “integer” → “string”",
                "tool `price_lookup`: parameter `link_id`: description Number of the link. added",
            ],
        ),
        (
            with_tool(
                parameters={
                    "properties": {"item": {"properties": {"no": {"type": "integer"}}}, "size": {}},
                    "required": ["item"],
                },
                argument_paths={"link_id": "item.no"},
            ),
            [
                "tool `price_lookup`: parameter `link_id`: name link_id → item.no",
                "tool `price_lookup`: parameter `item.no` is no longer required",
                "tool `price_lookup`: parameter `size`: type string removed",
                "tool `price_lookup`: parameter `size`: enum S, M removed",
                "tool `price_lookup`: arguments as a whole: type object removed",
            ],
        ),
        (
            with_schema(lambda s: s.update(additionalProperties=False)),
            ["tool `price_lookup`: arguments as a whole: additionalProperties false added"],
        ),
        (replace(BASE, tools=(LOOKUP, OPEN)), ["tools are listed in another order"]),
        (with_hook(SHORT, parameters={"max_words": 30}), ["hook `short` is stricter: max_words 40 → 30"]),
        (with_hook(SHORT, parameters={"max_words": 50}), ["hook `short` is laxer: max_words 40 → 50"]),
        (with_hook(CLEAN, parameters={"phrases": ["cure", "heal"]}), ["hook `clean` is stricter: phrases heal added"]),
        (with_hook(CLEAN, parameters={"phrases": ["heal"]}), ["hook `clean` is different: phrases heal added; cure removed"]),
        (
            with_hook(CLEAN, parameters={"phrases": ["cure"], "allow": ["x"]}),
            ["hook `clean` is different: allow x added"],
        ),
        (with_hook(SHORT, action=HookAction.BLOCK), ["hook `short` has the action retry → block"]),
        (with_hook(SHORT, point=HookPoint.COMPLIANCE), ["hook `short` looks at reply_format → compliance"]),
        (with_hook(SHORT, message="Be short: {reason}."), ["hook `short` says “brief:” → “short:”"]),
        (with_hook(CLEAN, when={}), ["hook `clean` is in force only where language is en → always"]),
        (replace(BASE, hooks=(CLEAN,)), ["hook `short` is gone"]),
        (replace(BASE, hooks=(CLEAN, SHORT)), ["hooks run in another order"]),
        (with_sections(GIFTS, ROLE, LIST), ["prompt sections are in another order: gifts, role, skills"]),
        (with_sections(ROLE, LIST), ["prompt section `gifts` is gone"]),
        (with_sections(replace(ROLE, heading="You"), GIFTS, LIST), ["prompt section `role`: heading Role → You"]),
        (
            with_sections(ROLE, replace(GIFTS, when={}), LIST),
            ["prompt section `gifts`: is there only where campaign is true → always"],
        ),
        (replace(BASE, prompt=replace(BASE.prompt, format=PromptFormat.XML)), ["prompt format markdown → xml"]),
        (
            replace(BASE, fallback_reply={"en": "Wait.", "zh": "稍等。"}),
            ["fallback reply (en) One moment. → Wait.", "fallback reply (zh) 稍等。 added"],
        ),
    ],
)
def test_each_edit_in_plain_words(edited: Harness, sentences: list[str]) -> None:
    assert [change.sentence for change in diff(BASE, edited)] == sentences


def use(intent: str, skills: set[str], tools: set[str], **request: Any) -> Use:
    return Use(intent, Request("r", "room", ("hi",), 1, (), **request), frozenset(skills), frozenset(tools))


CASES = {
    "p1": use("price", {"price-qa"}, {"price_lookup"}),
    "p2": use("price", {"price-qa"}, {"price_lookup"}, campaign="Gala"),
    "s1": use("stock", {"stock_qa"}, {"stock_lookup"}, language="zh"),
    "c1": use("chat", {"small-talk"}, set()),
}


@pytest.mark.parametrize(
    ("edited", "cases"),
    [
        (BASE, []),
        (with_skill(body="x"), ["p1", "p2"]),
        (replace(BASE, skills=(PRICE,)), ["s1"]),
        (with_skill(key="both", covers=("price-qa", "small-talk")), ["p1", "p2", "c1"]),
        (replace(BASE, skills=(PRICE, STOCK, replace(STOCK, name="d", key="d", covers=()))), []),
        (replace(BASE, skills=(STOCK, PRICE)), ["p1", "p2", "s1", "c1"]),
        (with_tool(name="cost"), ["p1", "p2"]),
        (replace(BASE, tools=(replace(OPEN, name="read"), LOOKUP)), ["p1", "p2", "s1", "c1"]),
        (with_hook(SHORT, action=HookAction.BLOCK), ["p1", "p2", "s1", "c1"]),
        (with_hook(CLEAN, action=HookAction.BLOCK), ["p1", "p2", "c1"]),
        (with_hook(CLEAN, when={}), ["p1", "p2", "s1", "c1"]),
        (with_hooks(FRESH), ["p1", "p2", "s1"]),
        (with_hooks(replace(FRESH, point=HookPoint.REPLY_FORMAT)), ["p1", "p2", "s1", "c1"]),
        (with_sections(ROLE, LIST), ["p2"]),
        (with_sections(GIFTS, ROLE, LIST), ["p1", "p2", "s1", "c1"]),
    ],
)
def test_the_cases_that_an_edit_touches(edited: Harness, cases: list[str]) -> None:
    assert list(touched(diff(BASE, edited), CASES).cases) == cases


def test_cases_touched_are_counted_by_intent() -> None:
    found = touched(diff(BASE, with_sections(ROLE, LIST)), CASES)
    assert found.by_intent == {"price": (1, 2), "stock": (0, 1), "chat": (0, 1)}


@given(st.text("ab \n中文.", max_size=30), st.text("ab \n中文.", max_size=30))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_text_that_differs_is_never_passed_over(old: str, new: str) -> None:
    words = reworded("text", old, new)
    assert bool(words) == (old != new) and "\n" not in words


EDITS = st.sampled_from(
    [
        with_skill(body="x"),
        with_skill(files=(SkillFile("a", "b"),)),
        with_skill(front={"a": None}),
        with_skill(covers=()),
        with_tool(description=""),
        replace(BASE, tools=(OPEN, replace(LOOKUP, description="a\nb"))),
        with_tool(argument_types={"size": "integer"}),
        with_schema(lambda s: s.update(title="t")),
        with_schema(lambda s: s["properties"]["size"].update(default=None)),
        with_schema(lambda s: s["properties"].pop("size")),
        with_hook(SHORT, parameters={"max_words": 40, "max_characters": None}),
        with_hook(CLEAN, when={"language": "zh"}),
        with_sections(LIST, ROLE, GIFTS),
        with_sections(LIST),
        replace(BASE, fallback_reply={"en": "One moment. "}),
        BASE,
    ]
)


@given(EDITS, EDITS)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_diff_is_empty_exactly_where_nothing_differs(before: Harness, after: Harness) -> None:
    assert (diff(before, after) == []) == (before == after)
    assert all("\n" not in change.sentence for change in diff(before, after))
