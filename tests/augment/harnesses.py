"""Random small harnesses, valid and as odd as a valid one can be."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from components.harness.types import (
    LOAD_SKILL,
    Condition,
    Harness,
    Hook,
    HookAction,
    HookPoint,
    JsonObject,
    PromptFormat,
    PromptPipeline,
    PromptSection,
    Skill,
    SkillFile,
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
_CONDITIONS: tuple[Condition, ...] = (
    {},
    {},
    {"language": "zh"},
    {"campaign": True},
    {"dialogue": False},
    {"comments": "several", "language": "en"},
    {"viewers_over": 100},
)
_LEAVES: tuple[JsonObject, ...] = (
    {"type": "integer"},
    {"type": "string"},
    {"type": "boolean"},
    {"type": "number", "minimum": 0, "maximum": 2.5},
    {"type": "integer", "minimum": 1},
    {"type": "integer", "minimum": 1, "maximum": 4},
    {"type": "string", "enum": ["low", "high", "any other"]},
    {"type": "integer", "enum": [3, 5]},
    {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2},
    {"type": "array", "items": {"type": "integer"}},
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    {"type": "object"},
)
_HOOKS: tuple[Hook, ...] = (
    Hook("empty", HookPoint.INPUT, "comment_not_empty", HookAction.BLOCK, ""),
    Hook("orders", HookPoint.INPUT, "no_orders", HookAction.FALL_BACK, ""),
    Hook("arguments", HookPoint.TOOL_ARGUMENTS, "arguments_match_schema", HookAction.RETRY, ""),
    Hook("links", HookPoint.TOOL_ARGUMENTS, "link_in_room", HookAction.RETRY, ""),
    Hook("nothing", HookPoint.TOOL_RESULT, "result_not_empty", HookAction.RETRY, ""),
    Hook("skill", HookPoint.SKILL_REQUIREMENT, "reply_skill_loaded", HookAction.RETRY, ""),
    Hook("long", HookPoint.REPLY_FORMAT, "reply_length", HookAction.RETRY, "", {"max_words": 30}),
    Hook("long_too", HookPoint.REPLY_FORMAT, "reply_length", HookAction.REWRITE, "", {"max_words": 40}),
    Hook("marks", HookPoint.REPLY_FORMAT, "no_markup", HookAction.REWRITE, ""),
    Hook("numbers", HookPoint.FACTUAL_RISK, "numbers_supported", HookAction.RETRY, ""),
    Hook("phrases", HookPoint.COMPLIANCE, "forbidden_phrases", HookAction.BLOCK, "", {"phrases": ["free of charge", "ever"]}),
    Hook("again", HookPoint.RETRY_CONTROL, "repeated_reply", HookAction.BLOCK, ""),
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
    plain = st.sampled_from(_LEAVES)
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
def skills(draw: st.DrawFn, name: str, kind: SkillKind, key: str, text: st.SearchStrategy[str]) -> Skill:
    covers = draw(st.sampled_from((None, None, (key,))))
    files = draw(st.sampled_from(((), (), (SkillFile("references/sizes.md", draw(text)),))))
    front = draw(st.sampled_from(({}, {"license": "MIT"})))
    # A SKILL.md without a description does not load; one with the same description as another may.
    description = draw(text.map(lambda words: words or "Answer what is asked."))
    return Skill(name, description, draw(text), kind, key, covers, files, front)


@st.composite
def hooks(draw: st.DrawFn, text: st.SearchStrategy[str]) -> list[Hook]:
    chosen = draw(st.lists(st.sampled_from(_HOOKS), unique_by=lambda hook: hook.name, max_size=5))
    messages, conditions = text.map(lambda message: message or "Mend it: {reason}."), st.sampled_from(_CONDITIONS)
    return [replace(hook, message=draw(messages), when=draw(conditions)) for hook in chosen]


@st.composite
def harnesses(draw: st.DrawFn) -> Harness:
    skill_names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=4))
    tool_names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=3))
    text = texts([*skill_names, *tool_names, "link_id", "unknown_name"])
    kinds = [SkillKind.REPLY, *[draw(st.sampled_from(SkillKind)) for _ in skill_names[1:]]]
    implementations = [LOAD_SKILL, "second.one", "third"]
    sections = [
        PromptSection("skills", draw(st.sampled_from(("Skills", "", "Role"))), "skills"),
        *(
            PromptSection(f"text_{i}", f"Part {i}", "text", draw(text), draw(st.sampled_from(_CONDITIONS)))
            for i in range(draw(st.integers(0, 2)))
        ),
    ]
    return Harness(
        tuple(draw(skills(n, k, f"key-{i}", text)) for i, (n, k) in enumerate(zip(skill_names, kinds, strict=True))),
        tuple(draw(tools(name, key, text)) for name, key in zip(tool_names, implementations, strict=False)),
        tuple(draw(hooks(text))),
        PromptPipeline(tuple(sections), draw(st.sampled_from(PromptFormat))),
        {"en": "One moment please."},
    )
