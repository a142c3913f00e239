"""Random small harnesses, valid and as odd as a valid one can be, and arguments for their tools."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from components.augment.schemas import Argument, arguments_of
from components.harness.arguments import to_canonical
from components.harness.types import (
    LOAD_SKILL,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    PromptFormat,
    PromptPipeline,
    PromptSection,
    Skill,
    SkillKind,
    Tool,
)

NAMES = (
    "price_qa",
    "priceQa",
    "price-qa",
    "Refunds",
    "refunds",
    "x",
    "X1",
    "sk_0000",
    "查价",
    "load_skill",
    "viewer",
    "PRICE_QA",
)
PROPERTIES = ("link_id", "skill", "linkId", "n", "viewer", "Refunds", "payload", "reason", "description")
WORDS = (
    "Viewer",
    "say",
    "an",
    "item",
    "only",
    "It",
    "Then",
    "price",
    "a",
    "comment",
    "wants",
    "{reason}",
    "(see below)",
    '"say it"',
)

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(lambda words: f"{' '.join(words)}.")


def texts(names: list[str]) -> st.SearchStrategy[str]:
    mentions = st.sampled_from(names).flatmap(
        lambda n: st.sampled_from((f"Use {n} now.", f"Call `{n}`.", f"The {n} tool.", f'{{"{n}": 3}}'))
    )
    part = st.one_of(sentences, mentions)
    line = st.tuples(st.sampled_from(("", "- ", "1. ", "# ", "  - ")), st.lists(part, min_size=1, max_size=3)).map(
        lambda t: t[0] + " ".join(t[1])
    )
    return st.lists(line, max_size=4).flatmap(
        lambda lines: st.sampled_from(("\n", "\n\n")).map(lambda end: end.join(lines).strip())
    )


def leaves(text: st.SearchStrategy[str]) -> st.SearchStrategy[JsonObject]:
    kinds: list[JsonObject] = [{"type": "integer"}, {"type": "string"}, {"type": "boolean"}, {"type": "integer", "minimum": 1}]
    plain = st.sampled_from(kinds)
    described = st.tuples(plain, text).map(lambda pair: {**pair[0], "description": pair[1]})
    return st.one_of(plain, described)


@st.composite
def schemas(draw: st.DrawFn, text: st.SearchStrategy[str], depth: int = 1) -> JsonObject:
    names = draw(st.lists(st.sampled_from(PROPERTIES), unique=True, max_size=3))
    part = st.one_of(leaves(text), schemas(text, depth - 1)) if depth else leaves(text)
    schema: JsonObject = {"type": "object", "properties": {name: draw(part) for name in names}}
    required = draw(st.none() | st.sets(st.sampled_from(names)) if names else st.none())
    return schema if required is None else {**schema, "required": sorted(required)}


@st.composite
def tools(draw: st.DrawFn, name: str, implementation: str, text: st.SearchStrategy[str]) -> Tool:
    parameters = draw(schemas(text))
    if implementation == LOAD_SKILL:
        parameters = {"type": "object", "properties": {"skill": {"type": "string"}}, "required": ["skill"]}
    elif draw(st.integers(0, 4)) == 0:
        parameters["anyOf"] = [{"required": []}]
    return Tool(name, draw(text), parameters, implementation)


@st.composite
def harnesses(draw: st.DrawFn) -> Harness:
    skill_names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=4))
    tool_names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=3))
    text = texts([*skill_names, *tool_names, "link_id", "unknown_name"])
    kinds = [SkillKind.REPLY, *[draw(st.sampled_from(SkillKind)) for _ in skill_names[1:]]]
    skills = [
        Skill(n, draw(text), draw(text), kind, f"key-{i}") for i, (n, kind) in enumerate(zip(skill_names, kinds, strict=True))
    ]
    implementations = [LOAD_SKILL, "second.one", "third"]
    points = draw(st.lists(st.sampled_from((HookPoint.REPLY_FORMAT, HookPoint.SKILL_REQUIREMENT)), max_size=3))
    hooks = [
        Hook(f"hook_{i}", point, "reply_length", draw(st.sampled_from(HookAction)), draw(text), {"max_words": 40})
        for i, point in enumerate(points)
    ]
    sections = [
        PromptSection("skills", draw(st.sampled_from(("Skills", "", "Role"))), "skills"),
        *(PromptSection(f"text_{i}", f"Part {i}", "text", draw(text)) for i in range(draw(st.integers(0, 2)))),
    ]
    return Harness(
        tuple(skills),
        tuple(draw(tools(name, key, text)) for name, key in zip(tool_names, implementations, strict=False)),
        tuple(hooks),
        PromptPipeline(tuple(sections), draw(st.sampled_from(PromptFormat))),
        "One moment please.",
    )


def arguments_for(tool: Tool, number: int) -> JsonObject:
    """Arguments as a model would write them for `tool`, every one given."""
    written: JsonObject = {}
    for argument in arguments_of(tool):
        *parents, leaf = argument.path.split(".")
        place = written
        for parent in parents:
            place = place.setdefault(parent, {})
        place[leaf] = _value(argument, number)
    assert set(to_canonical(tool, written)) == {argument.canonical for argument in arguments_of(tool)}
    return written


def _value(argument: Argument, number: int) -> Any:
    values = {"integer": number, "string": f"value {number}", "boolean": number % 2 == 0, "object": {"free": number}}
    return values[argument.schema["type"]]
