"""`hat harness`: what operations staff see of an edit, and what they get of tools that were published elsewhere."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from components.files import read_jsonl, write_jsonl
from components.harness import load_harness
from components.harness.messages import tools_to_openai
from components.harness.render import request_prompt, system_prompt
from components.liveroom import Catalogue, case_from_dict, case_to_dict, generate
from flows.paths import HARNESS, RunPaths

PATHS = RunPaths.of("smoke")
TOOLS = [
    {
        "name": "find_book",
        "description": "Find a book.",
        "inputSchema": {"type": "object", "properties": {"isbn": {"type": "string"}}},
    }
]


@pytest.fixture
def checkout(tiny_checkout: Path) -> Path:
    """A checkout with a first commit."""
    git(tiny_checkout, "add", "harness")
    git(tiny_checkout, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "first")
    return tiny_checkout


@pytest.fixture
def rooms(checkout: Path) -> None:
    """Rooms and cases of a run."""
    world = generate(1, 1, 1, 17)
    Catalogue.create(PATHS.catalogue, world.items, world.rooms, world.coupons).close()
    write_jsonl(PATHS.cases, map(case_to_dict, world.cases))


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=folder, check=True, capture_output=True)


def hat(*arguments: str | Path, folder: Path = Path()) -> str:
    return run(*arguments, folder=folder, code=0).stdout


def run(*arguments: str | Path, folder: Path = Path(), code: int) -> subprocess.CompletedProcess[str]:
    command = (Path("hat").absolute(), "harness", *arguments)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done


def refused(*arguments: str | Path) -> str:
    done = run(*arguments, code=2)
    (line,) = done.stderr.splitlines()
    return line


def edit(file: str, old: str, new: str) -> None:
    path = HARNESS / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_check_counts_the_parts_and_says_what_an_author_may_not_have_meant(checkout: Path) -> None:
    said = hat("check")
    assert said.startswith("harness: version ") and "can be used" in said and "note" not in said
    edit("skills/item-qa/SKILL.md", "  kind: reply\n", "  author: me\n")
    assert "note harness/skills/item-qa/SKILL.md: metadata.kind: missing, taken as reply" in hat("check")
    edit("tools.yaml", "implementation: item_lookup", "implementation: item_look")
    assert "item_look is no tool of the room" in refused("check")


def test_show_names_every_part_and_the_prompt(checkout: Path) -> None:
    said, harness = hat("show"), load_harness(HARNESS)
    for name in [part.name for part in (*harness.skills, *harness.tools, *harness.hooks, *harness.prompt.sections)]:
        assert f"  {name} " in said
    assert f"- {harness.skills[0].name}: {harness.skills[0].description}" in said


def test_an_edit_is_told_in_plain_words_with_the_cases_it_touches(rooms: None) -> None:
    assert "no change" in hat("diff", "HEAD") and "touches" not in hat("diff", "HEAD")
    edit("skills/price-qa/SKILL.md", "description: ", "description: Kindly ")
    first, *said = hat("diff", "HEAD").splitlines()
    assert first.endswith(": 1 change")
    assert said[0] == "  skill `price-qa`: description: “Kindly” added"
    cases = [case_from_dict(row) for row in read_jsonl(PATHS.cases)]
    there = [case for case in cases if case.split == "eval"]
    hit = [case for case in there if any(ask.intent == "price" for ask in case.asks)]
    assert said[1] == f"touches {len(hit)} of {len(there)} evaluation cases" and hit
    assert said[-1] == f"see one: hat harness render --case {hit[0].case_id}"


def test_the_command_that_shows_a_case_names_the_profile_and_a_misspelt_one_is_refused(rooms: None) -> None:
    edit("skills/price-qa/SKILL.md", "description: ", "description: Kindly ")
    command = hat("diff", "HEAD", "--profile", "smoke").splitlines()[-1].removeprefix("see one: hat harness ")
    assert command.endswith(" --profile smoke") and "price" in hat(*command.split())
    assert "expected a profile among" in refused("diff", "HEAD", "--profile", "smok")
    assert "runs/laptop" in refused("diff", "HEAD", "--profile", "laptop")


def test_two_folders_are_compared_without_a_run(checkout: Path) -> None:
    shutil.copytree(HARNESS, checkout / "other" / "harness")
    edit("hooks.yaml", "max_words: 40", "max_words: 30")
    said = hat("diff", "../harness", "harness", folder=checkout / "other")
    assert "hook `short_reply` is laxer: max_words 30 → 40" in said and "touches" not in said


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("nowhere", "nowhere: neither a folder nor a git revision"),
        ("HEAD~7", "HEAD~7: neither a folder nor a git revision"),
        ("--output=x", "No such option"),
        (".", "tools.yaml: not found"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(checkout: Path, given: str, expected: str) -> None:
    assert expected in refused("diff", given)


def test_a_mistake_in_an_older_revision_is_named_by_that_revision(checkout: Path) -> None:
    (HARNESS / "hooks.yaml").write_text("hooks: 5\n")
    git(checkout, "add", "harness")
    git(checkout, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "broken")
    assert refused("diff", "HEAD", "HEAD~1").startswith("hat: HEAD:harness/hooks.yaml: hooks: expected a list")
    git(checkout, "rm", "-rq", "--cached", "harness")
    git(checkout, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "gone")
    assert "HEAD: this revision has no folder harness/" in refused("diff", "HEAD", "HEAD~2")


def test_render_prints_exactly_what_the_model_is_given(rooms: None) -> None:
    case = case_from_dict(read_jsonl(PATHS.cases)[0])
    said, harness = hat("render", "--case", case.case_id), load_harness(HARNESS)
    assert f"\n{system_prompt(harness, case.request)}\n" in said
    assert f"\n{request_prompt(case.request)}\n" in said
    assert [json.loads(line) for line in said.splitlines() if line.startswith("{")] == tools_to_openai(harness.tools)
    assert f"no case {case.case_id}x; expected an id such as {case.case_id}" in refused("render", "--case", f"{case.case_id}x")


def test_render_without_a_run_says_what_makes_cases(checkout: Path) -> None:
    assert "cases.jsonl: not found" in refused("render", "--case", "a")


def test_published_tools_become_a_harness_beside_the_caller(checkout: Path) -> None:
    (checkout / "work").mkdir()
    (checkout / "work" / "tools.json").write_text(json.dumps({"tools": TOOLS}))
    said = hat("import", "tools.json", "--to", "books", folder=checkout / "work")
    assert "1 skill (1 reply) · 2 tools" in said and "--harness books" in said
    assert load_harness(checkout / "work" / "books").tools[1].name == "find_book"
    assert "it needs a room of its own" in hat("check", "books", folder=checkout / "work")
    assert "find_book" in hat("show", "books", folder=checkout / "work")
    assert "work/books: exists already" in refused("import", "work/tools.json", "--to", "work/books")
