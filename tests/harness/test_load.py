"""Loading refuses what cannot work, in one line that names file, field and mend; saving is its exact inverse."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from components.harness import harness_from_dict, harness_version, load_harness, save_harness, to_dict
from components.harness.types import HarnessError

BASE = Path(__file__).parents[2] / "harness"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BASE, tmp_path / "harness"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_base_harness_has_what_the_room_needs() -> None:
    harness = load_harness(BASE)
    assert {skill.name for skill in harness.skills} >= {"price_qa", "item_qa", "logistics_qa", "after_sales_qa", "small_talk"}
    assert "load_skill" in {tool.implementation for tool in harness.tools}


def test_saving_and_loading_give_the_same_harness(tmp_path: Path) -> None:
    harness = load_harness(BASE)
    save_harness(harness, tmp_path / "saved")
    assert load_harness(tmp_path / "saved") == harness
    assert harness_from_dict(to_dict(harness)) == harness


def test_version_follows_content_and_nothing_else(copy: Path) -> None:
    before = harness_version(load_harness(copy))
    edit(copy / "tools.yaml", "# What the agent may call.", "# Another comment.")
    assert harness_version(load_harness(copy)) == before
    edit(copy / "skills" / "price_qa" / "SKILL.md", "in yuan", "in dollars")
    assert harness_version(load_harness(copy)) != before


def duplicate_tool(copy: Path) -> None:
    edit(copy / "tools.yaml", "- name: item_lookup", "- name: price_lookup")


def wrong_case(copy: Path) -> None:
    (copy / "skills/price_qa/SKILL.md").rename(copy / "skills/price_qa/Skill.md")


def json_with_one_heading_twice(copy: Path) -> None:
    edit(copy / "prompt/pipeline.yaml", "heading: Steps", "heading: Role")
    assert load_harness(copy)
    edit(copy / "prompt/pipeline.yaml", "format: markdown", "format: json")


@pytest.mark.parametrize(
    ("breakage", "expected"),
    [
        (lambda d: edit(d / "skills/price_qa/SKILL.md", "name: price_qa\n", ""), "price_qa/SKILL.md: name: expected some text"),
        (
            lambda d: edit(d / "skills/price_qa/SKILL.md", "kind: reply", "kind: loud"),
            "metadata.kind: expected reply or strategy",
        ),
        (lambda d: edit(d / "skills/price_qa/SKILL.md", "---\n", ""), "SKILL.md:1: expected front matter"),
        (duplicate_tool, "tools.yaml: tool price_lookup occurs 2 times"),
        (
            lambda d: edit(d / "tools.yaml", "    implementation: stock_lookup\n", ""),
            "tools.yaml: tools[3].implementation: field required",
        ),
        (lambda d: edit(d / "tools.yaml", "description: Units", "descripton: Units"), "tools[3].descripton: unknown key"),
        (lambda d: edit(d / "tools.yaml", "type: integer", "type: whole"), "not a JSON Schema"),
        (
            lambda d: edit(d / "hooks.yaml", "check: no_markup", "check: no_markdown"),
            "spoken_words.check: no_markdown is unknown",
        ),
        (lambda d: edit(d / "hooks.yaml", "{max_words: 40}", "{}"), "short_reply.parameters.max_words: expected"),
        (lambda d: edit(d / "hooks.yaml", "fallback_reply:", "fallback:"), "fallback_reply: expected a sentence"),
        (lambda d: edit(d / "prompt/pipeline.yaml", "role.md", "rule.md"), "rule.md not found"),
        (
            lambda d: edit(d / "prompt/pipeline.yaml", "source: skills", "source: text\n    text: none"),
            "expected a section with source: skills",
        ),
        (lambda d: (d / "tools.yaml").write_text("tools: [\n"), "tools.yaml:2: expected YAML"),
        (lambda d: (d / "hooks.yaml").unlink(), "hooks.yaml: not found"),
        (lambda d: (d / "tools.yaml").write_bytes(b"tools: \xff"), "tools.yaml: expected UTF-8 text"),
        (lambda d: (d / "skills/item_qa/SKILL.md").write_bytes(b"---\n\xff"), "item_qa/SKILL.md: expected UTF-8 text"),
        (lambda d: (d / "prompt/role.md").write_bytes(b"caf\xe9"), "role.md: expected UTF-8 text"),
        (
            lambda d: edit(d / "hooks.yaml", "short sentences", "short\x07"),
            r"hooks.yaml:24: expected text, found the character '\x07'",
        ),
        (lambda d: (d / "prompt/role.md").write_text("a\n\x00"), r"role.md:2: expected text, found the character '\x00'"),
        (lambda d: edit(d / "tools.yaml", "tools:", "x: 2024-99-99\ntools:"), "tools.yaml:1: expected YAML (month must be"),
        (lambda d: (d / "prompt/pipeline.yaml").write_text("sections: 5"), "pipeline.yaml: sections: expected a list"),
        (lambda d: edit(d / "prompt/pipeline.yaml", "heading: Role", "headng: Role"), "sections[0].headng: unknown key"),
        (
            lambda d: edit(d / "prompt/pipeline.yaml", "    file: role.md\n", ""),
            "pipeline.yaml: role: expected words in text, or",
        ),
        (lambda d: (d / "prompt/role.md").write_text("\n"), "pipeline.yaml: role: expected words in text, or"),
        (json_with_one_heading_twice, "pipeline.yaml: heading Role occurs 2 times"),
        (
            lambda d: edit(
                d / "tools.yaml", "    implementation: load_skill\n", "    implementation: load_skill\n    3: a\n    b: c\n"
            ),
            "tools[0].3: unknown key",
        ),
        (
            lambda d: edit(d / "tools.yaml", "skill: {type: string}", "skill: true"),
            "load_skill.parameters: skill: expected an object such as {type: string}, found True",
        ),
        (
            lambda d: edit(d / "tools.yaml", "skill: {type: string}", "skill: {$ref: '#/$defs/name'}"),
            "load_skill.parameters: $ref #/$defs/name leads nowhere",
        ),
        (
            lambda d: edit(d / "tools.yaml", "{type: string}", "{default: 2024-01-01}"),
            "load_skill.parameters: properties.skill.default: not JSON",
        ),
        (lambda d: edit(d / "skills/price_qa/SKILL.md", "description: ", "description: ["), "SKILL.md:4: expected YAML"),
        (wrong_case, "skills/price_qa: expected a file SKILL.md, found Skill.md"),
        (lambda d: edit(d / "skills/price_qa/SKILL.md", "name: price_qa", "name: price/qa"), "skills: price/qa: expected a name"),
        (lambda d: edit(d / "hooks.yaml", "[guarantee,", "[100,"), "no_promises.parameters.phrases: expected a list of phrases"),
        (lambda d: edit(d / "hooks.yaml", "max_words: 40", "max_words: true"), "max_words: expected a whole number above 0"),
        (
            lambda d: edit(d / "hooks.yaml", "check: no_markup", "check: arguments_match_schema"),
            "spoken_words.point: arguments_match_schema works at tool_arguments only",
        ),
    ],
)
def test_broken_file_is_refused_in_one_line(copy: Path, breakage: Callable[[Path], None], expected: str) -> None:
    breakage(copy)
    with pytest.raises(HarnessError) as error:
        load_harness(copy)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_skill_of_the_open_format_may_carry_more_front_matter(copy: Path) -> None:
    edit(copy / "skills/price_qa/SKILL.md", "metadata:\n", "license: Apache-2.0\nallowed-tools: [a, b]\nmetadata:\n")
    assert load_harness(copy) == load_harness(BASE)


def test_key_of_a_skill_is_its_name_unless_given(copy: Path) -> None:
    edit(copy / "skills/price_qa/SKILL.md", "  kind: reply", "  kind: reply\n  key: price")
    keys = {skill.key for skill in load_harness(copy).skills}
    assert "price" in keys and "item_qa" in keys


def test_two_skills_with_one_key_are_refused() -> None:
    from components.harness import check_harness

    harness = load_harness(BASE)
    twin = replace(harness.skills[0], name="other")
    with pytest.raises(HarnessError, match="skill key"):
        check_harness(replace(harness, skills=(*harness.skills, twin)), "variant")
