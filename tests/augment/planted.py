"""Changes that break the task, planted into an honest variant: the proof must catch each of them.

They go by keys and implementations, so that they can be planted into any variant of the base harness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from components.harness.types import (
    LOAD_SKILL,
    Condition,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    PromptSection,
    Skill,
    SkillKind,
    Tool,
)


@dataclass(frozen=True)
class Planted:
    """One change, and what the proof says of it."""

    what: str
    """For people: what is broken."""
    plant: Callable[[Harness], Harness]
    caught: str
    """Part of a problem that the proof must name."""

    @property
    def name(self) -> str:
        """For test reports."""
        return self.what.replace(" ", "_")


def _tool(harness: Harness, implementation: str) -> Tool:
    return next(tool for tool in harness.tools if tool.implementation == implementation)


def _skill(harness: Harness, key: str) -> Skill:
    return next(skill for skill in harness.skills if skill.key == key)


def _tools(implementation: str, change: Callable[[Harness, Tool], Tool]) -> Callable[[Harness], Harness]:
    def plant(harness: Harness) -> Harness:
        return replace(
            harness, tools=tuple(change(harness, t) if t.implementation == implementation else t for t in harness.tools)
        )

    return plant


def _skills(key: str, change: Callable[[Harness, Skill], Skill]) -> Callable[[Harness], Harness]:
    def plant(harness: Harness) -> Harness:
        return replace(harness, skills=tuple(change(harness, s) if s.key == key else s for s in harness.skills))

    return plant


def _hooks(name: str, change: Callable[[Hook], Hook]) -> Callable[[Harness], Harness]:
    def plant(harness: Harness) -> Harness:
        return replace(harness, hooks=tuple(change(hook) if hook.name == name else hook for hook in harness.hooks))

    return plant


def new_hook(point: HookPoint, check: str, **parameters: Any) -> Callable[[Harness], Harness]:
    """Adds a hook that asks for a retry."""
    hook = Hook("planted", point, check, HookAction.RETRY, "No: {reason}.", parameters)
    return lambda harness: replace(harness, hooks=(*harness.hooks, hook))


def _section(name: str, change: Callable[[PromptSection], list[PromptSection]]) -> Callable[[Harness], Harness]:
    def plant(harness: Harness) -> Harness:
        changed = [new for s in harness.prompt.sections for new in (change(s) if s.name == name else [s])]
        return replace(harness, prompt=replace(harness.prompt, sections=tuple(changed)))

    return plant


def _exchange(first: str, second: str, field: str) -> Callable[[Harness], Harness]:
    """Exchange what stands in a field of two tools, or of two skills."""
    other = {first: second, second: first}

    def plant(harness: Harness) -> Harness:
        tools = {tool.implementation: getattr(tool, field) for tool in harness.tools if hasattr(tool, field)}
        skills = {skill.key: getattr(skill, field) for skill in harness.skills if hasattr(skill, field)}
        return replace(
            harness,
            tools=tuple(
                replace(t, **{field: tools[other[t.implementation]]}) if t.implementation in other else t for t in harness.tools
            ),
            skills=tuple(replace(s, **{field: skills[other[s.key]]}) if s.key in other else s for s in harness.skills),
        )

    return plant


def _leaf(tool: Tool, canonical: str, change: Callable[[JsonObject], JsonObject]) -> Tool:
    """Change the schema of one argument, wherever it stands."""
    path = tool.argument_paths.get(canonical, canonical).split(".")

    def changed(schema: JsonObject, names: list[str]) -> JsonObject:
        if not names:
            return change(schema)
        first, *rest = names
        return {**schema, "properties": {**schema["properties"], first: changed(schema["properties"][first], rest)}}

    return replace(tool, parameters=changed(tool.parameters, path))


def _without_required(schema: JsonObject) -> JsonObject:
    return {
        key: {name: _without_required(part) for name, part in value.items()} if key == "properties" else value
        for key, value in schema.items()
        if key != "required"
    }


def _paths_exchanged(harness: Harness, tool: Tool) -> Tool:
    first, second = (tool.argument_paths.get(name, name) for name in ("colour", "size"))
    return replace(tool, argument_paths={**tool.argument_paths, "colour": second, "size": first})


def _one_implementation_twice(harness: Harness, tool: Tool) -> Tool:
    return replace(tool, implementation="price_lookup")


def _names_the_wrong_tool(harness: Harness, skill: Skill) -> Skill:
    price, stock = _tool(harness, "price_lookup").name, _tool(harness, "stock_lookup").name
    return replace(skill, body=skill.body.replace(price, stock))


def _names_a_tool_of_old(harness: Harness, skill: Skill) -> Skill:
    return replace(skill, body=f"{skill.body}\nOr call price_lookup.")


def _merged_with_half_lost(harness: Harness) -> Harness:
    """Two skills become one that says it stands for both, and says what one of them said."""
    kept, lost = _skill(harness, "price-qa"), _skill(harness, "coupon-qa")
    merged = replace(kept, key="price-qa+coupon-qa", covers=("price-qa", "coupon-qa"))
    return replace(harness, skills=tuple(merged if s is kept else s for s in harness.skills if s is not lost))


def _split_and_forgotten(harness: Harness) -> Harness:
    """A skill in two parts, the first of which says nothing of the second."""
    whole = _skill(harness, "price-qa")
    parts = (
        replace(whole, key="price-qa/1", covers=("price-qa",)),
        replace(whole, key="price-qa/2", covers=("price-qa",), name="part_two", body="Nothing more."),
    )
    return replace(harness, skills=tuple(new for s in harness.skills for new in (parts if s is whole else (s,))))


_ZH: Condition = {"language": "zh"}

PLANTED = (
    Planted("two parameters exchanged", _tools("price_lookup", _paths_exchanged), "argument colour of tool price_lookup"),
    Planted(
        "a parameter of another type",
        _tools("price_lookup", lambda h, t: _leaf(t, "link_id", lambda s: {"type": "boolean"})),
        "the description of argument link_id of tool price_lookup",
    ),
    Planted(
        "a parameter that the tool reads as another type",
        _tools("price_lookup", lambda h, t: replace(t, argument_types={**t.argument_types, "link_id": "string"})),
        "error tool_error {'link_id': '",
    ),
    Planted(
        "a required parameter made optional",
        _tools("order_quote", lambda h, t: replace(t, parameters=_without_required(t.parameters))),
        "is required in one of the two only",
    ),
    Planted(
        "a parameter lost",
        _tools("order_quote", lambda h, t: _lost(t, "quantity")),
        "argument of order_quote: base and variant have different ones (quantity)",
    ),
    Planted(
        "a parameter that leads nowhere",
        _tools("price_lookup", lambda h, t: replace(t, argument_paths={**t.argument_paths, "size": "nowhere"})),
        "nowhere is no parameter",
    ),
    Planted(
        "an enum value dropped",
        _tools("faq_lookup", lambda h, t: _leaf(t, "topic", lambda s: {**s, "enum": s["enum"][1:]})),
        "argument topic of tool faq_lookup takes other values: payment",
    ),
    Planted(
        "a bound made narrower than right calls",
        _tools(
            "order_quote",
            lambda h, t: _leaf(
                t, "quantity", lambda s: {"type": "integer", "minimum": 50, **{k: v for k, v in s.items() if k == "description"}}
            ),
        ),
        "is less than the minimum of 50",
    ),
    Planted(
        "two implementations exchanged", _exchange("price_lookup", "stock_lookup", "implementation"), "the description of tool"
    ),
    Planted("one implementation twice", _tools("stock_lookup", _one_implementation_twice), "stock_lookup"),
    Planted(
        "a description given to another tool", _exchange("price_lookup", "stock_lookup", "description"), "the description of tool"
    ),
    Planted(
        "a description lost",
        _tools("price_lookup", lambda h, t: replace(t, description="A tool.")),
        "the description of tool price_lookup no longer says",
    ),
    Planted(
        "two tools of one name", _tools("stock_lookup", lambda h, t: replace(t, name=_tool(h, "price_lookup").name)), "2 times"
    ),
    Planted(
        "a tool lost", lambda h: replace(h, tools=tuple(t for t in h.tools if t.implementation != "faq_lookup")), "faq_lookup"
    ),
    Planted("two skills' bodies exchanged", _exchange("price-qa", "item-qa", "body"), "the body of skill"),
    Planted("two skills' keys exchanged", _exchange("price-qa", "item-qa", "key"), "the description of skill"),
    Planted(
        "a skill that names the wrong tool",
        _skills("price-qa", _names_the_wrong_tool),
        "the body of skill price-qa no longer says: price_lookup",
    ),
    Planted("a skill that names a tool of old", _skills("price-qa", _names_a_tool_of_old), "still mentions price_lookup"),
    Planted(
        "a skill lost", lambda h: replace(h, skills=tuple(s for s in h.skills if s.key != "after-sales-qa")), "after-sales-qa"
    ),
    Planted(
        "a reply skill made a strategy",
        _skills("price-qa", lambda h, s: replace(s, kind=SkillKind.STRATEGY)),
        "skill price-qa is of another kind",
    ),
    Planted("a skill that stands for nothing", _skills("price-qa", lambda h, s: replace(s, covers=())), "price-qa"),
    Planted("a merged skill that lost one half", _merged_with_half_lost, "coupon-qa no longer says"),
    Planted(
        "a split skill whose second part nobody mentions",
        _split_and_forgotten,
        "a part of skill price-qa does not name its other part part_two",
    ),
    Planted(
        "a hook that forbids the right answer",
        new_hook(HookPoint.FACTUAL_RISK, "forbidden_phrases", phrases=["yuan"]),
        "instead of replied",
    ),
    Planted(
        "a hook too strict for the right answer",
        new_hook(HookPoint.REPLY_FORMAT, "reply_length", max_words=3),
        "instead of replied",
    ),
    Planted("a hook with a check that is not there", new_hook(HookPoint.REPLY_FORMAT, "no_such_check"), "no_such_check"),
    Planted(
        "a hook taken away",
        lambda h: replace(h, hooks=tuple(k for k in h.hooks if k.check != "numbers_supported")),
        "numbers_from_tools",
    ),
    Planted("a hook switched off by a condition", _hooks("spoken_words", lambda hook: replace(hook, when=_ZH)), "spoken_words"),
    Planted(
        "a hook loosened out of sight",
        _hooks("short_reply", lambda hook: replace(hook, parameters={"max_words": 4000, "max_characters": 8000})),
        "short_reply",
    ),
    Planted(
        "a forbidden phrase allowed",
        _hooks("campaign_wording", lambda hook: replace(hook, parameters={"phrases": hook.parameters["phrases"][1:]})),
        "campaign_wording",
    ),
    Planted(
        "a retry that became the end", _hooks("spoken_words", lambda hook: replace(hook, action=HookAction.BLOCK)), "spoken_words"
    ),
    Planted(
        "a hook's message that says something else",
        _hooks("short_reply", lambda hook: replace(hook, message="Answer at length.")),
        "the message of hook short_reply no longer says",
    ),
    Planted("a prompt section lost", _section("steps", lambda s: []), "section steps is gone"),
    Planted(
        "a prompt section switched off by a condition",
        _section("steps", lambda s: [replace(s, when=_ZH)]),
        "section steps is gone",
    ),
    Planted(
        "another fallback reply",
        lambda h: replace(h, fallback_reply={**h.fallback_reply, "zh": "全场免费。"}),
        "the fallback reply differs",
    ),
    Planted(
        "the tool that opens skills takes another argument",
        _tools(
            LOAD_SKILL,
            lambda h, t: replace(t, argument_paths={}, parameters={"type": "object", "properties": {"n": {"type": "integer"}}}),
        ),
        "argument",
    ),
)
"""Every change with what the proof must say of it."""


def _lost(tool: Tool, canonical: str) -> Tool:
    """The tool without one argument."""
    path = tool.argument_paths.get(canonical, canonical).split(".")

    def without(schema: JsonObject, names: list[str]) -> JsonObject:
        first, *rest = names
        parts = dict(schema["properties"])
        inner = parts.pop(first)
        if rest:
            parts[first] = without(inner, rest)
        return {**schema, "properties": parts, "required": [n for n in schema.get("required", []) if n in parts]}

    paths = {name: path for name, path in tool.argument_paths.items() if name != canonical}
    return replace(tool, parameters=without(tool.parameters, path), argument_paths=paths)
