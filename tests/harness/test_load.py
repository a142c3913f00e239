"""Loading refuses what cannot work, in one line that names file, field and mend; saving is its exact inverse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.harness import check_harness, harness_from_dict, harness_version, load_harness, save_harness, to_dict
from components.harness.load import load_with_notes
from components.harness.types import (
    LOAD_SKILL,
    Harness,
    HarnessError,
    Hook,
    HookAction,
    HookPoint,
    PromptFormat,
    PromptPipeline,
    PromptSection,
    Skill,
    SkillFile,
    SkillKind,
    Tool,
)

BASE = Path(__file__).parents[2] / "harness"
FILES = {
    "skills/price-qa/SKILL.md": """---
name: price-qa
description: Answer about prices.
metadata:
  kind: reply
---
Look the price up and say it in yuan.
""",
    "skills/resolve-link/SKILL.md": """---
name: resolve-link
description: Work out which link is meant.
metadata:
  kind: strategy
---
A number wins.
""",
    "tools.yaml": """# What the agent may call.
tools:
  - name: load_skill
    description: Open a skill.
    implementation: load_skill
    parameters:
      type: object
      properties:
        skill: {type: string}
      required: [skill]
  - name: price_lookup
    description: Price of a link.
    implementation: price_lookup
    parameters: &by_link
      type: object
      properties:
        link_id: {type: integer}
      required: [link_id]
  - name: stock_lookup
    description: Units left.
    implementation: stock_lookup
    parameters: *by_link
""",
    "hooks.yaml": """fallback_reply: One moment please.
hooks:
  - name: short_reply
    point: reply_format
    check: reply_length
    action: retry
    parameters: {max_words: 40}
    message: "Answer in one or two short sentences: {reason}."
  - name: no_promises
    point: compliance
    check: forbidden_phrases
    action: block
    parameters:
      phrases: [guarantee, risk-free]
    message: "Leave out promises: {reason}."
    when: {language: en}
""",
    "prompt/pipeline.yaml": """format: markdown
sections:
  - name: role
    heading: Role
    source: text
    file: role.md
  - name: campaign
    heading: Campaign
    source: text
    text: A campaign runs.
    when: {campaign: true}
  - name: skills
    heading: Skills
    source: skills
""",
    "prompt/role.md": "You are the host.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small harness on disk."""
    for name, text in FILES.items():
        path = tmp_path / "harness" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "harness"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_what_the_files_say_is_what_is_loaded(folder: Path) -> None:
    harness = load_harness(folder)
    by_link = {"type": "object", "properties": {"link_id": {"type": "integer"}}, "required": ["link_id"]}
    assert [skill.name for skill in harness.skills] == ["price-qa", "resolve-link"]
    assert harness.tools[2] == Tool("stock_lookup", "Units left.", by_link, "stock_lookup")
    assert harness.hooks[1] == Hook(
        "no_promises",
        HookPoint.COMPLIANCE,
        "forbidden_phrases",
        HookAction.BLOCK,
        "Leave out promises: {reason}.",
        {"phrases": ["guarantee", "risk-free"]},
        {"language": "en"},
    )
    assert harness.prompt.sections[0] == PromptSection("role", "Role", "text", "You are the host.")
    assert harness.prompt.sections[1].when == {"campaign": True}
    assert harness.fallback_reply == {"en": "One moment please."}


def test_the_base_harness_loads_without_a_note(tmp_path: Path) -> None:
    harness, notes = load_with_notes(BASE)
    assert notes == []
    save_harness(harness, tmp_path / "saved")
    assert load_harness(tmp_path / "saved") == harness
    assert harness_from_dict(to_dict(harness)) == harness


def test_version_follows_content_and_nothing_else(folder: Path) -> None:
    before = harness_version(load_harness(folder))
    edit(folder / "tools.yaml", "# What the agent may call.", "# Another comment.")
    assert harness_version(load_harness(folder)) == before
    edit(folder / "skills" / "price-qa" / "SKILL.md", "in yuan", "in dollars")
    assert harness_version(load_harness(folder)) != before


def test_a_fallback_reply_may_be_given_for_each_language(folder: Path) -> None:
    edit(folder / "hooks.yaml", "fallback_reply: One moment please.", "fallback_reply: {en: One moment., zh: 请稍等。}")
    assert load_harness(folder).fallback_reply == {"en": "One moment.", "zh": "请稍等。"}


def test_skills_stand_in_the_order_that_is_given(folder: Path) -> None:
    (folder / "skills" / "order.yaml").write_text("order: [resolve-link, price-qa]\n")
    assert [skill.name for skill in load_harness(folder).skills] == ["resolve-link", "price-qa"]


def test_saving_takes_the_place_of_what_was_there(folder: Path) -> None:
    harness = load_harness(folder)
    fewer = replace(harness, skills=harness.skills[:1])
    save_harness(fewer, folder)
    assert load_harness(folder) == fewer
    assert [path.name for path in folder.parent.iterdir()] == ["harness"]


def test_a_harness_that_cannot_be_on_disk_leaves_everything_as_it_was(folder: Path) -> None:
    harness = load_harness(folder)
    stray = replace(harness.skills[0], name="z", key="z", files=(SkillFile("../../z", ""),))
    for broken in (stray, replace(stray, name="../z", files=())):
        with pytest.raises(HarnessError):
            save_harness(replace(harness, skills=(*harness.skills, broken)), folder)
        assert load_harness(folder) == harness
        assert [path.name for path in folder.parent.iterdir()] == ["harness"]


def json_with_one_heading_twice(folder: Path) -> None:
    edit(folder / "prompt/pipeline.yaml", "heading: Campaign", "heading: Role")
    edit(folder / "prompt/pipeline.yaml", "format: markdown", "format: json")


def role_from_outside(folder: Path) -> None:
    (folder.parent / "secret.md").write_text("key")
    edit(folder / "prompt/pipeline.yaml", "role.md", "../../secret.md")


def order_that_misses_a_skill(folder: Path) -> None:
    (folder / "skills" / "order.yaml").write_text("order: [price-qa, price-qa]\n")


@pytest.mark.parametrize(
    ("breakage", "expected"),
    [
        (lambda d: edit(d / "skills/price-qa/SKILL.md", "name: price-qa\n", ""), "price-qa/SKILL.md: name: expected some text"),
        (
            lambda d: edit(d / "skills/price-qa/SKILL.md", "kind: reply", "kind: replay"),
            "metadata.kind: expected reply or strategy",
        ),
        (
            lambda d: (d / "skills/price-qa/SKILL.md").rename(d / "skills/price-qa/Skill.md"),
            "skills/price-qa: expected a file SKILL.md, found Skill.md",
        ),
        (
            lambda d: edit(d / "tools.yaml", "name: stock_lookup", "name: price_lookup"),
            "tools.yaml: tool price_lookup occurs 2 times",
        ),
        (
            lambda d: edit(d / "tools.yaml", "    implementation: stock_lookup\n", ""),
            "tools.yaml: tools[2].implementation: expected a value, found nothing; mend this entry",
        ),
        (lambda d: edit(d / "tools.yaml", "description: Units", "descripton: Units"), "tools[2].descripton: unknown key"),
        (
            lambda d: edit(d / "tools.yaml", "tools:", "version: 2\ntools:"),
            "tools.yaml: version: unknown key; expected some of tools",
        ),
        (lambda d: edit(d / "tools.yaml", "type: integer", "type: whole"), "not a JSON Schema"),
        (
            lambda d: edit(d / "tools.yaml", "    description: Units", "    3: a\n    description: Units"),
            "tools[2].3: unknown key",
        ),
        (
            lambda d: edit(d / "tools.yaml", "    description: Units", "    name: b\n    description: Units"),
            "tools.yaml:20: expected YAML (the key 'name' occurs twice)",
        ),
        (
            lambda d: edit(d / "tools.yaml", "skill: {type: string}", "skill: true"),
            "load_skill.parameters: skill: expected an object such as {type: string}, found True",
        ),
        (
            lambda d: edit(d / "tools.yaml", "skill: {type: string}", "skill: {$ref: '#/$defs/name'}"),
            "load_skill.parameters: $ref #/$defs/name leads nowhere",
        ),
        (lambda d: (d / "tools.yaml").write_text("tools: [\n"), "tools.yaml:2: expected YAML"),
        (lambda d: (d / "tools.yaml").write_text("- a\n"), "tools.yaml:1: expected a mapping"),
        (lambda d: (d / "tools.yaml").write_bytes(b"tools: \xff"), "tools.yaml: expected UTF-8 text"),
        (lambda d: (d / "tools.yaml").write_text("tools: " + "[" * 2000), "tools.yaml:1: expected YAML"),
        (lambda d: edit(d / "hooks.yaml", "check: reply_length", "check: length"), "short_reply.check: length is unknown"),
        (lambda d: edit(d / "hooks.yaml", "{max_words: 40}", "{}"), "short_reply.parameters.max_words: expected"),
        (lambda d: edit(d / "hooks.yaml", "max_words: 40", "max_words: true"), "short_reply.parameters.max_words: expected"),
        (lambda d: edit(d / "hooks.yaml", "[guarantee,", "[100,"), "no_promises.parameters.phrases: expected a list of phrases"),
        (
            lambda d: edit(d / "hooks.yaml", "action: block", "action: shout"),
            "hooks[1].action: expected retry, rewrite, fall_back or block, found shout; mend this entry",
        ),
        (lambda d: edit(d / "hooks.yaml", "language: en", "weather: fine"), "no_promises.when"),
        (
            lambda d: edit(d / "hooks.yaml", "{language: en}", "{language: [en]}"),
            "hooks[1].when.language: expected some text or true or false or a whole number, found en; mend this entry",
        ),
        (
            lambda d: edit(d / "hooks.yaml", "hooks:", "hooks:\n  - only words"),
            "hooks.yaml: hooks[0]: expected a mapping of its fields, found only words; mend this entry",
        ),
        (lambda d: edit(d / "hooks.yaml", "max_words: 40", "max_words: '40'"), "a whole number from 1, found '40'; correct it"),
        (
            lambda d: edit(d / "hooks.yaml", "Answer in", "\\ud800 in"),
            "hooks.yaml: expected text, found half of a character",
        ),
        (lambda d: edit(d / "tools.yaml", "name: stock_lookup", "name: ' '"), ".name: expected some text, found nothing"),
        (
            lambda d: edit(
                d / "tools.yaml", "    implementation: stock_lookup", "    implementation: a\n    argument_types: {lnk: a}"
            ),
            "argument_types.lnk: no argument; expected some of",
        ),
        (
            lambda d: edit(d / "prompt/pipeline.yaml", "file: role.md", "file: role.md\n    text: Words"),
            "pipeline.yaml: role: found both text and file",
        ),
        (lambda d: edit(d / "prompt/pipeline.yaml", "heading: Role", "heading: ''"), "role.heading: expected some text"),
        (lambda d: edit(d / "hooks.yaml", "fallback_reply:", "fallback:"), "hooks.yaml: fallback: unknown key"),
        (lambda d: edit(d / "hooks.yaml", "fallback_reply: One moment please.\n", ""), "fallback_reply: expected a sentence"),
        (lambda d: edit(d / "hooks.yaml", "One moment please.", "{zh: 请稍等。}"), "fallback_reply.en: missing"),
        (lambda d: edit(d / "hooks.yaml", "One moment please.", "{en: One., zh: }"), "fallback_reply: expected a sentence"),
        (lambda d: (d / "hooks.yaml").unlink(), "hooks.yaml: not found"),
        (
            lambda d: edit(d / "hooks.yaml", "short sentences", "short\x07"),
            r"hooks.yaml:8: expected text, found the character '\x07'",
        ),
        (lambda d: edit(d / "prompt/pipeline.yaml", "role.md", "rule.md"), "rule.md not found beside it"),
        (role_from_outside, "secret.md not found beside it"),
        (lambda d: (d / "prompt/role.md").write_bytes(b"caf\xe9"), "role.md: expected UTF-8 text"),
        (lambda d: (d / "prompt/role.md").write_text("\n"), "pipeline.yaml: role: expected words in text, or"),
        (
            lambda d: edit(d / "prompt/pipeline.yaml", "    file: role.md\n", ""),
            "pipeline.yaml: role: expected words in text, or",
        ),
        (lambda d: edit(d / "prompt/pipeline.yaml", "heading: Role", "headng: Role"), "sections[0].headng: unknown key"),
        (
            lambda d: edit(d / "prompt/pipeline.yaml", "format: markdown", "format: html"),
            "pipeline.yaml: format: expected markdown, xml",
        ),
        (lambda d: (d / "prompt/pipeline.yaml").write_text("sections: 5"), "pipeline.yaml: sections: expected a list"),
        (
            lambda d: edit(d / "prompt/pipeline.yaml", "source: skills", "source: text\n    text: none"),
            "expected a section with source: skills",
        ),
        (json_with_one_heading_twice, "pipeline.yaml: heading Role occurs 2 times"),
        (order_that_misses_a_skill, "order.yaml: order: expected every skill's folder once: price-qa, resolve-link"),
    ],
)
def test_broken_file_is_refused_in_one_line(folder: Path, breakage: Callable[[Path], None], expected: str) -> None:
    breakage(folder)
    with pytest.raises(HarnessError) as error:
        load_harness(folder)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_key_of_a_skill_is_its_name_unless_given(folder: Path) -> None:
    edit(folder / "skills/price-qa/SKILL.md", "  kind: reply", "  kind: reply\n  key: price")
    assert [skill.key for skill in load_harness(folder).skills] == ["price", "resolve-link"]


def test_two_skills_with_one_key_are_refused(folder: Path) -> None:
    harness = load_harness(folder)
    twin = replace(harness.skills[0], name="other")
    with pytest.raises(HarnessError, match="skill key"):
        check_harness(replace(harness, skills=(*harness.skills, twin)), "variant")


ODD = "aB9 -_é中🙂:#'\"{}[],&*!|>%@`~?$\\"
"""Characters that mean something to YAML, to file systems or to fonts."""
NAME = st.text("aB9-_é中+~#:' ", min_size=1, max_size=8).map(lambda name: f"n{name}n")
TEXT = st.text(f"{ODD}\n\t\r\x00\x85\u2028\ufeff", max_size=30)
LINE = st.text(ODD, max_size=30).map(lambda text: " ".join(f"x{text}".split()))
WORDS = TEXT.map(lambda text: f"x{text}")
WHEN = st.fixed_dictionaries(
    {}, optional={"language": st.sampled_from(["en", "zh"]), "campaign": st.booleans(), "viewers_over": st.integers(0, 9)}
)
SCHEMA = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "number", "boolean"])}, optional={"description": TEXT, "default": TEXT}
)


def tools(name: str, implementation: str) -> st.SearchStrategy[Tool]:
    properties = st.dictionaries(NAME, SCHEMA, max_size=3)
    schema = properties.map(lambda some: {"type": "object", "properties": some, "required": sorted(some)[:1]})
    return st.builds(Tool, st.just(name), TEXT, schema, st.just(implementation))


HOOK = st.one_of(
    st.builds(
        Hook, NAME, st.just(HookPoint.REPLY_FORMAT), st.just("reply_length"), st.just(HookAction.BLOCK),
        WORDS, st.fixed_dictionaries({"max_words": st.integers(1, 99)}), WHEN,
    ),
    st.builds(
        Hook, NAME, st.just(HookPoint.FACTUAL_RISK), st.just("forbidden_phrases"), st.just(HookAction.RETRY),
        WORDS, st.fixed_dictionaries({"phrases": st.lists(LINE, min_size=1, max_size=3)}), WHEN,
    ),
)  # fmt: skip


@st.composite
def harnesses(draw: st.DrawFn) -> Harness:
    """Any harness in the form that loading gives."""
    names = draw(st.lists(NAME, min_size=1, max_size=4, unique=True))
    body = st.text(f"{ODD}\n\t\u2028", max_size=40).map(str.strip)
    skills = tuple(
        Skill(name, draw(LINE), draw(body), SkillKind.REPLY, f"{name}/1", draw(st.sampled_from([None, (), ("a", "b")])))
        for name in names
    )
    called = draw(st.lists(NAME, max_size=3, unique=True))
    sections = [
        PromptSection(name, draw(NAME), "text", draw(WORDS), draw(WHEN)) for name in draw(st.lists(NAME, max_size=3, unique=True))
    ]
    return Harness(
        skills=skills,
        tools=tuple(draw(tools(name, f"run.{name}" if name in called else LOAD_SKILL)) for name in [LOAD_SKILL, *called]),
        hooks=tuple(draw(st.lists(HOOK, min_size=1, max_size=3, unique_by=lambda hook: hook.name))),
        prompt=PromptPipeline(
            (*sections, PromptSection("the skills", "Skills", "skills")),
            draw(st.sampled_from([PromptFormat.MARKDOWN, PromptFormat.XML, PromptFormat.PLAIN])),
        ),
        fallback_reply=draw(st.fixed_dictionaries({"en": LINE}, optional={"zh": LINE})),
    )


@given(harnesses())
@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_saving_and_loading_give_the_same_harness(tmp_path_factory: pytest.TempPathFactory, harness: Harness) -> None:
    folder = tmp_path_factory.mktemp("saved") / "harness"
    save_harness(harness, folder)
    assert load_harness(folder) == harness
    assert harness_version(load_harness(folder)) == harness_version(harness)
