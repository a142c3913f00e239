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
        (lambda d: edit(d / "prompt/pipeline.yaml", "source: skills", "source: text"), "expected a section with source: skills"),
        (lambda d: (d / "tools.yaml").write_text("tools: [\n"), "tools.yaml:2: expected YAML"),
        (lambda d: (d / "hooks.yaml").unlink(), "hooks.yaml: not found"),
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
