"""Tools that were published elsewhere.

Lists in OpenAI's form (chat completions, `{"type": "function", "function": {...}}`; responses, the same laid flat), and
the result of MCP's `tools/list`, bare or in its JSON-RPC envelope; as JSON or YAML.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NoReturn

from components.harness.check_tool import check_tool
from components.harness.types import LOAD_SKILL, HarnessError, Tool
from components.harness.yaml_text import parse_yaml, read_text, whole_characters

_SCHEMA_KEYS = ("parameters", "inputSchema", "input_schema")
"""Where a tool's schema stands: OpenAI, MCP, and MCP as OpenAI's responses repeat it."""

_SERVED = re.compile(r"[A-Za-z0-9_-]{1,64}")


def import_tools(path: Path) -> tuple[tuple[Tool, ...], list[str]]:
    """Read a published tool list, and say what its tools may lack where they are used.

    What runs is named by the published name, made unique; `load_skill` stays the loop's own. Raises HarnessError naming
    file and tool where an entry is no function, or its schema no JSON Schema (2020-12).
    """
    text = read_text(path)
    data = _parse_json(path, text) if path.suffix == ".json" else parse_yaml(path, text, aliases=False)
    entries, notes = _entries(path, data)
    tools: list[Tool] = []
    names, keys = set[str](), {LOAD_SKILL}
    for index, entry in enumerate(entries):
        tool = _tool(f"{path}: tools[{index}]", entry)
        tool = Tool(unique(tool.name, names), tool.description, tool.parameters, unique(tool.name, keys))
        check_tool(tool, f"{path}: {tool.name}")
        tools.append(tool)
        if not _SERVED.fullmatch(tool.name):
            notes.append(
                f"{path}, tool {tool.name}: OpenAI's API takes letters, digits, _ and - only, 64 at most; rename it there"
            )
    return tuple(tools), notes


def unique(name: str, taken: set[str]) -> str:
    """`name`, or the first of `name_2`, `name_3`, … that is free; it is taken from then on."""
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}_{count}"
    taken.add(free)
    return free


def _entries(path: Path, data: Any) -> tuple[list[Any], list[str]]:
    """The list of tools, in whatever it came, and a note where it is not whole."""
    if isinstance(data, dict) and isinstance(error := data.get("error"), dict):
        raise HarnessError(f"{path}: holds the server's error ({error.get('message')}); expected its tools; ask it again")
    if isinstance(data, dict) and isinstance(data.get("result"), dict):
        data = data["result"]
    has_more = isinstance(data, dict) and data.get("nextCursor") is not None
    if isinstance(data, dict):
        data = data.get("tools")
    if not isinstance(data, list) or not data:
        raise HarnessError(f"{path}: expected a list of tools, OpenAI's or the result of MCP's tools/list; correct the file")
    return data, [f"{path}: nextCursor: the server has more tools than these; ask it for the next page too"] if has_more else []


def _tool(where: str, entry: Any) -> Tool:
    if isinstance(entry, dict) and isinstance(entry.get("function"), dict):
        entry = entry["function"]
    elif isinstance(entry, dict) and entry.get("type", "function") != "function":
        raise HarnessError(f"{where}: {entry['type']} runs at the provider; expected a function; leave this entry out")
    if not isinstance(entry, dict):
        raise HarnessError(f"{where}: expected an object with name, description and parameters; mend it")
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise HarnessError(f"{where}.name: expected the tool's name, found {name!r}; add it")
    annotations = entry.get("annotations")
    titles = (entry.get("title"), annotations.get("title") if isinstance(annotations, dict) else None)
    words = (text for text in (entry.get("description"), *titles) if isinstance(text, str) and text.strip())
    schema: Any = next((entry[key] for key in _SCHEMA_KEYS if entry.get(key) is not None), {})
    if not isinstance(schema, dict):
        raise HarnessError(f"{where}: {name}.parameters: expected a JSON Schema, found {schema!r}; mend it")
    if schema.get("type", "object") != "object":
        raise HarnessError(f"{where}: {name}.parameters.type: expected object, found {schema['type']!r}; mend it")
    # Every schema here is read as draft 2020-12, whatever draft it names; what it holds must be valid there.
    schema = {"type": "object", "properties": {}} | {key: part for key, part in schema.items() if key != "$schema"}
    return Tool(name.strip(), next(words, name).strip(), schema, name)


def _parse_json(path: Path, text: str) -> Any:
    def refuse(constant: str) -> NoReturn:
        raise HarnessError(f"{path}: expected JSON, found {constant}; mend it")

    try:
        return whole_characters(path, json.loads(text, parse_constant=refuse))
    except json.JSONDecodeError as error:
        raise HarnessError(f"{path}:{error.lineno}: expected JSON ({error.msg}); mend this line") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, HarnessError):
            raise
        raise HarnessError(f"{path}: expected JSON ({error}); mend the file") from None
