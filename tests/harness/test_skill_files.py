"""Skills in the open Agent Skills format: what others publish loads, and what is loaded is written back the same."""

from __future__ import annotations

import base64
import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.harness.skill_files import LARGEST, read_skill, write_skill
from components.harness.types import HarnessError, Skill, SkillFile, SkillKind

PLAIN = "---\nname: gift-advice\ndescription: Suggest a gift.\n---\nAsk for whom it is.\n"


def publish(folder: Path, text: str | bytes, files: dict[str, str | bytes] | None = None) -> Path:
    for name, content in {"SKILL.md": text, **(files or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def read(tmp_path: Path, text: str | bytes, files: dict[str, str | bytes] | None = None) -> tuple[Skill, list[str]]:
    return read_skill(publish(tmp_path / "gift-advice", text, files))


def test_every_field_of_the_format_is_used_or_kept(tmp_path: Path) -> None:
    skill, notes = read(
        tmp_path,
        """---
name: gift-advice
description: >-
  Suggest a gift for a person.

  Use it when a viewer shops for somebody else.
license: Apache-2.0, see LICENSE.txt
compatibility: needs a catalogue
allowed-tools: [item_lookup, "Bash(jq:*)"]
model: inherit
metadata:
  author: gifts-team
  version: "1.10"
  released: 2026-01-31
  tags: [gifts, seasons]
  kind: strategy
  key: gifts
  covers: [item-qa, price-qa]
---

# Gift advice

Ask for whom it is.
""",
    )
    assert skill == Skill(
        name="gift-advice",
        description="Suggest a gift for a person. Use it when a viewer shops for somebody else.",
        body="# Gift advice\n\nAsk for whom it is.",
        kind=SkillKind.STRATEGY,
        key="gifts",
        covers=("item-qa", "price-qa"),
        front={
            "license": "Apache-2.0, see LICENSE.txt",
            "compatibility": "needs a catalogue",
            "allowed-tools": ["item_lookup", "Bash(jq:*)"],
            "model": "inherit",
            "metadata": {
                "author": "gifts-team",
                "version": "1.10",
                "released": "2026-01-31",
                "tags": ["gifts", "seasons"],
            },
        },
    )
    assert notes == []


def test_a_skill_with_the_two_required_fields_is_a_reply_skill_and_the_note_says_so(tmp_path: Path) -> None:
    skill, notes = read(tmp_path, PLAIN)
    assert (skill.kind, skill.key, skill.covers, skill.front) == (SkillKind.REPLY, "gift-advice", None, {})
    assert [note.split(": ", 1)[1] for note in notes] == ["metadata.kind: missing, taken as reply; say reply or strategy"]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        "\n\n" + PLAIN,
        PLAIN.replace("---\n", "---  \n"),
        PLAIN.replace("Suggest a gift.", "|\n  Suggest\n  a gift."),
        PLAIN.replace("Suggest a gift.", "\n  Suggest\n  a gift."),
        PLAIN.replace("Suggest a gift.", "'Suggest a gift.'"),
        PLAIN.replace("Suggest a gift.", "Suggest a gift.\nmetadata:"),
    ],
    ids=["crlf", "byte order mark", "blank lines first", "spaces after dashes", "literal", "next line", "quoted", "no metadata"],
)
def test_the_same_skill_written_another_way(tmp_path: Path, text: str) -> None:
    skill, _ = read(tmp_path, text)
    assert (skill.name, skill.description, skill.body) == ("gift-advice", "Suggest a gift.", "Ask for whom it is.")


@pytest.mark.parametrize(
    ("entry", "field", "words"),
    [
        (
            "description: Suggest a gift. Triggers on: 'gift', present",
            "description",
            "Suggest a gift. Triggers on: 'gift', present",
        ),
        ('description: "Gift" advice: for two', "description", '"Gift" advice: for two'),
        ("description:\n  Suggest a gift: for one,\n  or for two", "description", "Suggest a gift: for one, or for two"),
        ("description: >\n\tSuggest a gift", "description", "Suggest a gift"),
        ('description: "Look in C:\\gifts"', "description", "Look in C:\\gifts"),
        ("description: *Always* suggest a gift", "description", "*Always* suggest a gift"),
        ("description: @shop suggests a gift", "description", "@shop suggests a gift"),
        ("description: Gift\nargument-hint: [who] [budget: yuan]", "argument-hint", "[who] [budget: yuan]"),
        ("description: Gift\nargument-hint: [a | b", "argument-hint", "[a | b"),
    ],
)
def test_words_that_are_no_yaml_are_taken_as_words_with_a_note(tmp_path: Path, entry: str, field: str, words: str) -> None:
    skill, notes = read(tmp_path, f"---\nname: gift-advice\n{entry}\nmetadata:\n  kind: reply\n  author: me\n---\nBody")
    assert {"description": skill.description, **skill.front}[field] == words
    assert skill.front["metadata"] == {"author": "me"} and skill.body == "Body"
    assert len(notes) == 1 and notes[0].endswith(f"{field}: taken as words although it is no YAML; put it in quotation marks")


def test_values_that_older_yaml_would_turn_into_something_else_stay_text(tmp_path: Path) -> None:
    skill, _ = read(tmp_path, PLAIN.replace("---\nAsk", "on: no\n1: 12:30\nwhen: 2026-13-45\nsize: 0x1F\n---\nAsk"))
    assert skill.front == {"on": "no", "1": "12:30", "when": "2026-13-45", "size": "0x1F"}


def test_folders_beside_the_text_are_kept_and_hidden_files_are_not(tmp_path: Path) -> None:
    picture = bytes(range(256))
    skill, _ = read(
        tmp_path,
        PLAIN,
        {
            "references/ages.md": "0-3: soft\r\n",
            "scripts/price.py": "raise SystemExit(1)\n",
            "assets/logo.png": picture,
            "assets/deep/empty.txt": "",
            ".git/config": "x",
            "scripts/__pycache__/price.pyc": b"\0",
            ".DS_Store": "x",
        },
    )
    assert skill.files == (
        SkillFile("assets/deep/empty.txt", ""),
        SkillFile("assets/logo.png", base64.b64encode(picture).decode(), "base64"),
        SkillFile("references/ages.md", "0-3: soft\r\n"),
        SkillFile("scripts/price.py", "raise SystemExit(1)\n"),
    )


def test_a_link_to_a_file_of_the_skill_is_that_file(tmp_path: Path) -> None:
    folder = publish(tmp_path / "gift-advice", PLAIN, {"references/ages.md": "soft"})
    (folder / "ages.md").symlink_to("references/ages.md")
    assert SkillFile("ages.md", "soft") in read_skill(folder)[0].files


def test_no_link_leads_out_of_a_skill(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key")
    (tmp_path / "secrets").mkdir()
    for target in ("../../secret", "../../secrets", str(tmp_path / "secret"), "nowhere", "loop"):
        folder = publish(tmp_path / target.replace("/", "_") / "gift-advice", PLAIN)
        (tmp_path / "secret").touch()
        (folder / "loop").symlink_to(target)
        skill, notes = read_skill(folder)
        assert skill.files == ()
        assert any("loop: left out, no file of this skill's own" in note for note in notes)


def test_a_skills_folder_is_no_link_to_another_place(tmp_path: Path) -> None:
    publish(tmp_path / "elsewhere", PLAIN)
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "gift-advice").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HarnessError, match=r"expected a file SKILL.md, found no file of its own"):
        read_skill(tmp_path / "skills" / "gift-advice")


def test_what_is_no_file_is_left_out_and_not_waited_for(tmp_path: Path) -> None:
    folder = publish(tmp_path / "gift-advice", PLAIN)
    os.mkfifo(folder / "pipe")
    skill, notes = read_skill(folder)
    assert skill.files == () and "pipe: left out" in notes[0]


def test_files_over_the_limit_are_left_out_with_a_note(tmp_path: Path) -> None:
    room = LARGEST - len(PLAIN)
    skill, notes = read(tmp_path, PLAIN, {"a": b"\xff" * (room - 5), "b": "12345"})
    assert [file.path for file in skill.files] == ["a", "b"] and len(notes) == 1
    skill, notes = read(tmp_path, PLAIN, {"b": "123456", "c": "1"})
    assert [file.path for file in skill.files] == ["a", "c"]
    assert notes[0].endswith("gift-advice/b: left out, a skill has at most 1 MiB; remove what is no instruction")
    with pytest.raises(HarnessError, match=r"expected a file SKILL.md"):
        read(tmp_path, PLAIN + "a" * LARGEST)


def test_a_file_whose_name_is_no_text_is_left_out_with_a_note(tmp_path: Path) -> None:
    folder = publish(tmp_path / "gift-advice", PLAIN, {"back\\slash": "x"})
    (folder / os.fsdecode(b"caf\xe9.md")).write_text("x")
    skill, notes = read_skill(folder)
    assert skill.files == ()
    assert [note.partition(": ")[2] for note in notes[:2]] == ["left out, its name cannot be written everywhere; rename it"] * 2
    assert all(note.isprintable() for note in notes)


BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefg", "bcdefgh", strict=True)
)


def test_aliases_do_not_unfold(tmp_path: Path) -> None:
    skill, notes = read(tmp_path, PLAIN.replace("---\nAsk", f"{BOMB}---\nAsk"))
    assert skill.front["h"] == "&h [*g, *g, *g, *g, *g, *g, *g, *g, *g]"
    assert "h: taken as words" in notes[-2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Just words\n", "SKILL.md:1: expected front matter between two lines of ---; add it"),
        ("---\nname: a\n", "SKILL.md:1: expected front matter"),
        ("# Title\n" + PLAIN, "SKILL.md:1: expected front matter"),
        ("---\n---\nBody", "SKILL.md:2: expected a mapping of keys to values"),
        (PLAIN.replace("name: gift-advice\n", ""), "SKILL.md: name: expected some text in the front matter"),
        (PLAIN.replace("Suggest a gift.", ""), "SKILL.md: description: expected some text"),
        (PLAIN.replace("Suggest a gift.", "[a, b]"), "SKILL.md: description: expected some text"),
        (PLAIN.replace("gift-advice", "../gifts"), "name: '../gifts': expected a name that can be a folder's"),
        (PLAIN.replace("gift-advice", ".gifts"), "name: '.gifts': expected a name that can be a folder's"),
        (PLAIN.replace("gift-advice", "gifts\\\\.."), "expected a name that can be a folder's"),
        (PLAIN.replace("---\nAsk", "name: again\n---\nAsk"), "SKILL.md:4: expected YAML (the key 'name' occurs twice)"),
        (
            PLAIN.replace("---\nAsk", "metadata:\n  kind: [reply\n---\nAsk"),
            "metadata.kind: expected reply or strategy, found '[reply'",
        ),
        (
            PLAIN.replace("---\nAsk", "metadata: {kind: strategie}\n---\nAsk"),
            "metadata.kind: expected reply or strategy, found 'strategie'",
        ),
        (PLAIN + "\x1b[31m", "SKILL.md:6: expected text, found the character"),
        (PLAIN.encode("utf-16"), "SKILL.md: expected UTF-8 text"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(tmp_path: Path, text: str | bytes, expected: str) -> None:
    with pytest.raises(HarnessError) as error:
        read(tmp_path, text)
    assert expected in str(error.value) and "\n" not in str(error.value)


def test_a_tag_of_another_language_builds_nothing(tmp_path: Path) -> None:
    skill, _ = read(tmp_path, PLAIN.replace("---\nAsk", "x: !!python/object/apply:os.getcwd []\ny: !!set {a}\n---\nAsk"))
    assert skill.front == {"x": "!!python/object/apply:os.getcwd []", "y": "!!set {a}"}


def test_every_skill_that_installed_packages_publish_loads_and_is_written_back_the_same(tmp_path: Path) -> None:
    places = [find_spec(package).submodule_search_locations[0] for package in ("mlflow", "great_expectations")]
    published = [path.parent for place in places for path in Path(place).rglob("SKILL.md")]
    assert len(published) >= 10
    for folder in published:
        skill, _ = read_skill(folder)
        write_skill(skill, tmp_path)
        assert read_skill(tmp_path / skill.name)[0] == skill


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a//b", "./a", "SKILL.md", "", ".hidden", "a\\b", "a/.."])
def test_no_file_of_a_skill_is_written_outside_its_folder(tmp_path: Path, path: str) -> None:
    skill = Skill("a", "b", "c", SkillKind.REPLY, "a", files=(SkillFile("fine.md", "x"), SkillFile(path, "x")))
    with pytest.raises(HarnessError, match="expected a path below the skill's folder"):
        write_skill(skill, tmp_path / "skills")
    assert not list(tmp_path.iterdir())


VISIBLE = st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="\ufffe\uffff")
TEXT = st.text(VISIBLE | st.sampled_from(" \n\t:#-'\"*&{[|>%@`~!?"), max_size=60).map(str.strip)
LINE = TEXT.map(lambda text: " ".join(text.split())).filter(bool)
NAME = (
    st.text(VISIBLE, min_size=1, max_size=20)
    .map(lambda name: " ".join(name.split()))
    .filter(lambda name: name and not name.startswith(".") and "/" not in name and "\\" not in name)
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OWN = {"name", "description", "metadata", "kind", "key", "covers"}
EXTRA = st.dictionaries(LINE.filter(lambda key: key not in OWN), JSON, max_size=3)
FILES = st.dictionaries(
    st.lists(NAME.filter(lambda name: name not in ("SKILL.md", "__pycache__")), min_size=1, max_size=3).map("/".join),
    st.binary(max_size=30) | st.text(VISIBLE, max_size=30).map(str.encode),
    max_size=3,
).filter(lambda files: not any(other.startswith(f"{path}/") for path in files for other in files))


def as_file(path: str, data: bytes) -> SkillFile:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    return SkillFile(path, base64.b64encode(data).decode(), "base64") if "\0" in text else SkillFile(path, text)


@st.composite
def skills(draw: st.DrawFn) -> Skill:
    metadata = draw(EXTRA)
    return Skill(
        name=draw(NAME),
        description=draw(LINE),
        body=draw(TEXT),
        kind=draw(st.sampled_from(SkillKind)),
        key=draw(LINE),
        covers=draw(st.none() | st.lists(LINE, max_size=3).map(tuple)),
        files=tuple(as_file(path, data) for path, data in sorted(draw(FILES).items())),
        front=draw(EXTRA) | ({"metadata": metadata} if metadata else {}),
    )


@given(skills())
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_writing_and_reading_give_the_same_skill(tmp_path_factory: pytest.TempPathFactory, skill: Skill) -> None:
    directory = tmp_path_factory.mktemp("skills")
    write_skill(skill, directory)
    again, notes = read_skill(directory / skill.name)
    assert again == skill and notes == []


@given(st.text(VISIBLE | st.sampled_from("\r\n\t:#-'\"*&{}[]|>%@`~!?, "), max_size=80))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_whatever_the_front_matter_is_it_loads_or_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = publish(tmp_path_factory.mktemp("any") / "a", f"---\nname: a\ndescription: {text}\n---\nBody".encode())
    try:
        skill, _ = read_skill(folder)
    except HarnessError as error:
        assert "\n" not in str(error)
    else:
        assert skill.description


def test_a_kind_that_is_somebody_elses_is_taken_as_reply_and_noted(tmp_path: Path) -> None:
    skill, notes = read(tmp_path, PLAIN.replace("---\nAsk", "metadata: {kind: workflow}\n---\nAsk"))
    assert skill.kind is SkillKind.REPLY
    assert any("metadata.kind: workflow means nothing here, taken as reply" in note for note in notes)


@pytest.mark.parametrize(
    ("metadata", "kept", "noted"),
    [
        ("{kind: Reply, author: me}", {"author": "me"}, ""),
        ("{kind: [a, b]}", None, "metadata.kind: ['a', 'b'] means nothing here"),
        ("[a, b]", {"metadata": ["a", "b"]}, "metadata: no mapping, kept as metadata.metadata"),
        ("me", {"metadata": "me"}, "metadata: no mapping, kept as metadata.metadata"),
        ("\n\tkind: reply\n\tauthor: me", {"author": "me"}, "metadata: tabs taken as spaces"),
        ("\n  kind: reply\n  author: @me", {"author": "@me"}, "metadata.author: taken as words"),
        ("\n  author: *me", {"author": "*me"}, "metadata.author: taken as words"),
        ("{covers: everything}", {"covers": "everything"}, "metadata.covers: no list of skill keys"),
        ("{version: 1.10}", {"version": "1.10"}, ""),
        ("{version: 1.5, build: 1.0e+20}", {"version": 1.5, "build": 1e20}, ""),
    ],
)
def test_metadata_of_others_is_kept_and_what_it_may_not_mean_is_noted(
    tmp_path: Path, metadata: str, kept: object, noted: str
) -> None:
    skill, notes = read(tmp_path, PLAIN.replace("---\nAsk", f"metadata: {metadata}\n---\nAsk"))
    assert skill.front.get("metadata") == kept
    assert any(noted in note for note in notes) or not noted
    assert skill.kind is SkillKind.REPLY and skill.covers is None
    write_skill(skill, tmp_path / "again")
    assert read_skill(tmp_path / "again" / skill.name)[0] == skill


def test_numbers_are_names_and_descriptions_too_and_a_form_feed_is_a_line_break(tmp_path: Path) -> None:
    folder = publish(tmp_path / "2024", "---\nname: 2024\ndescription: 1.10\n---\nOne\fTwo\n")
    skill, _ = read_skill(folder)
    assert (skill.name, skill.description, skill.body) == ("2024", "1.10", "One\nTwo")
    write_skill(skill, tmp_path / "again")
    assert read_skill(tmp_path / "again" / "2024")[0] == skill
