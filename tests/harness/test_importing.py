"""Tools and skills that were published elsewhere become a harness that can be used at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from components.harness import load_harness
from components.harness.importing import import_harness
from components.harness.tool_lists import import_tools
from components.harness.types import LOAD_SKILL, HarnessError, SkillKind, Tool

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Where"}, "days": {"type": ["integer", "null"]}},
    "required": ["city"],
}
CHAT = {"type": "function", "function": {"name": "forecast", "description": "Weather.", "parameters": SCHEMA, "strict": True}}
RESPONSES = {"type": "function", "name": "forecast", "description": "Weather.", "parameters": SCHEMA, "strict": True}
MCP = {
    "name": "forecast",
    "title": "Forecast",
    "description": "Weather.",
    "inputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", **SCHEMA},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
FORECAST = Tool("forecast", "Weather.", SCHEMA, "forecast")
SKILL = "---\nname: {0}\ndescription: Talk about {0}.\n---\nSay it.\n"


def write(tmp_path: Path, document: Any, name: str = "tools.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(document) if name.endswith(".json") else yaml.safe_dump(document))
    return path


@pytest.mark.parametrize("name", ["tools.json", "tools.yaml"])
@pytest.mark.parametrize(
    "document",
    [
        [CHAT],
        [RESPONSES],
        [MCP],
        {"model": "any", "tools": [CHAT]},
        {"tools": [MCP], "nextCursor": "2"},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}},
        [{"name": "forecast", "description": "Weather.", "input_schema": SCHEMA}],
    ],
    ids=["chat completions", "responses", "mcp list", "request", "mcp result", "mcp envelope", "mcp as responses repeat it"],
)
def test_one_tool_in_every_published_form(tmp_path: Path, name: str, document: Any) -> None:
    tools, notes = import_tools(write(tmp_path, document, name))
    assert tools == (FORECAST,)
    assert any("nextCursor: the server has more tools" in note for note in notes) == ("nextCursor" in document)


def test_a_tool_without_parameters_or_description(tmp_path: Path) -> None:
    tools, _ = import_tools(write(tmp_path, [{"name": "now"}, {"name": "ping", "annotations": {"title": "Ping it"}}]))
    empty = {"type": "object", "properties": {}}
    assert tools == (Tool("now", "now", empty, "now"), Tool("ping", "Ping it", empty, "ping"))


def test_names_and_keys_are_unique_and_the_loops_own_key_is_not_taken(tmp_path: Path) -> None:
    harness, _ = import_harness(
        write(tmp_path, [{"name": name} for name in ("a", "a", "load_skill", "a_2")]), None, tmp_path / "h"
    )
    assert [(tool.name, tool.implementation) for tool in harness.tools] == [
        ("load_skill_2", LOAD_SKILL),
        ("a", "a"),
        ("a_2", "a_2"),
        ("load_skill", "load_skill_2"),
        ("a_2_2", "a_2_2"),
    ]
    assert "open each with load_skill_2" in harness.prompt.sections[1].text


def test_tools_alone_make_a_harness_with_a_reply_skill(tmp_path: Path) -> None:
    harness, notes = import_harness(write(tmp_path, [CHAT]), None, tmp_path / "made")
    assert load_harness(tmp_path / "made") == harness
    assert [(skill.name, skill.kind) for skill in harness.skills] == [("answer", SkillKind.REPLY)]
    assert harness.tools[1] == FORECAST and "file" not in harness.tools[0].parameters["properties"]
    assert {hook.check for hook in harness.hooks} >= {"arguments_match_schema", "reply_skill_loaded", "numbers_supported"}
    assert notes == []


def test_a_folder_of_published_skills_comes_along_with_its_files(tmp_path: Path) -> None:
    for name in ("sun", "rain"):
        (tmp_path / "skills" / name / "references").mkdir(parents=True)
        (tmp_path / "skills" / name / "SKILL.md").write_text(SKILL.format(name))
    (tmp_path / "skills" / "rain" / "references" / "words.md").write_text("drizzle")
    (tmp_path / "skills" / "_shared").mkdir()
    (tmp_path / "skills" / "README.md").write_text("ours")
    harness, notes = import_harness(write(tmp_path, [CHAT]), tmp_path / "skills", tmp_path / "made")
    assert load_harness(tmp_path / "made") == harness
    assert [skill.name for skill in harness.skills] == ["rain", "sun"] and len(notes) == 2
    assert harness.skills[0].files[0].content == "drizzle"
    assert "file" in harness.tools[0].parameters["properties"]


def test_one_skills_own_folder_is_enough(tmp_path: Path) -> None:
    (tmp_path / "sun").mkdir()
    (tmp_path / "sun" / "SKILL.md").write_text(
        SKILL.format("sun").replace("\n---\nSay", "\nmetadata: {kind: strategy}\n---\nSay")
    )
    harness, _ = import_harness(write(tmp_path, [CHAT]), tmp_path / "sun", tmp_path / "made")
    assert [(skill.name, skill.kind.value) for skill in harness.skills] == [("sun", "strategy"), ("answer", "reply")]
    assert load_harness(tmp_path / "made") == harness


def tool_with(**schema: Any) -> list[Any]:
    return [{"name": "f", "inputSchema": {"type": "object", **schema}}]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (tool_with(properties={"a": {"type": "text"}}), "tools.json: f.parameters: not a JSON Schema"),
        (tool_with(properties={"a": {"minimum": 1, "exclusiveMinimum": True}}), "f.parameters: not a JSON Schema"),
        (tool_with(properties={"a": {"items": [{}]}}), "f.parameters: not a JSON Schema"),
        (tool_with(properties={"a": {"$ref": "#/$defs/a"}}), "f.parameters: $ref #/$defs/a leads nowhere"),
        (
            tool_with(properties={"a": {"$ref": "https://example.com/a"}}),
            "f.parameters: $ref https://example.com/a leads nowhere",
        ),
        (tool_with(**{"$ref": "#"}), "f.parameters: $ref # leads back to itself"),
        (tool_with(properties={"a": {"anyOf": [{"$ref": "#/properties/a"}]}}), "$ref #/properties/a leads back to itself"),
        (tool_with(properties={"a": {"$dynamicRef": "#nowhere"}}), "f.parameters: $ref #nowhere leads nowhere"),
        ([{"name": "\ud800"}], "tools.json: expected text, found half of a character, '\\ud800'; remove it"),
        ([{"name": "f", "description": "\udfff"}], "tools.json: expected text, found half of a character"),
        ([{"name": "f", "parameters": {"type": "array"}}], "tools[0]: f.parameters.type: expected object, found 'array'"),
        ([{"name": "f", "parameters": "none"}], "tools[0]: f.parameters: expected a JSON Schema"),
        ([CHAT, {"type": "web_search"}], "tools[1]: web_search runs at the provider; expected a function"),
        ([{"description": "x"}], "tools[0].name: expected the tool's name, found None"),
        ([{"name": " "}], "tools[0].name: expected the tool's name"),
        (["forecast"], "tools[0]: expected an object with name"),
        ([], "expected a list of tools"),
        ({"tool": []}, "expected a list of tools"),
        ("text", "expected a list of tools"),
        ({"jsonrpc": "2.0", "error": {"code": -32601, "message": "no such method"}}, "the server's error (no such method)"),
    ],
)
def test_what_is_no_tool_list_is_refused_in_one_line_and_nothing_is_written(tmp_path: Path, document: Any, expected: str) -> None:
    with pytest.raises(HarnessError) as error:
        import_harness(write(tmp_path, document), None, tmp_path / "made")
    assert expected in str(error.value) and "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["tools.json"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("tools.json", "[\n{,}]", "tools.json:2: expected JSON"),
        ("tools.json", '[{"name": "f", "x": NaN}]', "tools.json: expected JSON, found NaN"),
        ("tools.json", "[" * 100_000, "tools.json: expected JSON"),
        ("tools.yaml", "tools: [\n", "tools.yaml:2: expected YAML"),
        ("tools.yaml", "a: &a [x]\ntools: [*a, *a]\n", "tools.yaml:2: expected YAML (an alias is not allowed)"),
    ],
)
def test_text_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, name: str, text: str, expected: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(HarnessError) as error:
        import_tools(tmp_path / name)
    assert expected in str(error.value) and "\n" not in str(error.value)


def test_a_tool_that_refers_to_itself_within_is_no_loop(tmp_path: Path) -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "more": {"$dynamicRef": "#node"}}}
    document = tool_with(**{"$defs": {"tree": {"$dynamicAnchor": "node", **tree}}}, properties={"root": {"$ref": "#/$defs/tree"}})
    assert [tool.name for tool in import_tools(write(tmp_path, document))[0]] == ["f"]


def test_a_name_that_openais_api_refuses_is_noted(tmp_path: Path) -> None:
    _, notes = import_tools(write(tmp_path, [{"name": "ns.a/b c"}, {"name": "a-B_9"}, {"name": "a" * 65}]))
    assert [note.partition(": ")[0].rpartition(" ")[2] for note in notes] == ["c", "a" * 65]
    assert "OpenAI's API takes letters, digits, _ and - only, 64 at most" in notes[0]


def test_a_path_that_cannot_be_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    tools = write(tmp_path, [CHAT])
    with pytest.raises(HarnessError, match=r"cannot be read \(Is a directory\); expected a file"):
        import_harness(tmp_path, None, tmp_path / "made")
    with pytest.raises(HarnessError, match=r"tools\.json is a file; expected a folder to write in"):
        import_harness(tools, None, tools / "deep" / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["tools.json"]


def test_a_linked_folder_of_skills_is_copied(tmp_path: Path) -> None:
    (tmp_path / "store" / "sun").mkdir(parents=True)
    (tmp_path / "store" / "sun" / "SKILL.md").write_text(SKILL.format("sun"))
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "sun").symlink_to(tmp_path / "store" / "sun")
    harness, _ = import_harness(write(tmp_path, [CHAT]), tmp_path / "skills", tmp_path / "made")
    assert [skill.name for skill in harness.skills] == ["sun"]


def test_nothing_that_is_there_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    tools = write(tmp_path, [CHAT])
    import_harness(tools, None, tmp_path / "made")
    with pytest.raises(HarnessError, match="made: exists already; expected a new folder"):
        import_harness(tools, None, tmp_path / "made")
    with pytest.raises(HarnessError, match=r"tools\.json: exists already"):
        import_harness(tools, None, tools)


@pytest.mark.parametrize("skills", ["nowhere", "empty"])
def test_a_folder_without_skills_is_refused(tmp_path: Path, skills: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(HarnessError, match=f"{skills}: holds no skill"):
        import_harness(write(tmp_path, [CHAT]), tmp_path / skills, tmp_path / "made")
    assert not (tmp_path / "made").exists()
