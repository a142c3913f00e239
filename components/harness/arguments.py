"""Tool arguments between the names a variant shows and the names the implementation knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from components.harness.types import JsonObject, Tool


def to_canonical(tool: Tool, arguments: JsonObject) -> JsonObject:
    """Arguments as the model wrote them → canonical arguments. Absent ones stay absent; nothing is invented."""
    canonical_names = {path: name for name, path in tool.argument_paths.items()}
    result: JsonObject = {}
    for path, _ in leaves(tool.parameters):
        found, value = _get(arguments, path)
        if found:
            name = canonical_names.get(path, path)
            result[name] = _coerce(value, tool.argument_types.get(name))
    return result


def from_canonical(tool: Tool, canonical: JsonObject) -> JsonObject:
    """Canonical arguments → arguments as this tool's schema wants them. Inverse of `to_canonical`.

    Raises KeyError where the schema has no place for a canonical argument.
    """
    types = {path: schema.get("type") for path, schema in leaves(tool.parameters)}
    result: JsonObject = {}
    for name, value in canonical.items():
        path = tool.argument_paths.get(name, name)
        if path not in types:
            raise KeyError(f"tool {tool.name} has no parameter for {name} (looked at {path})")
        *parents, leaf = path.split(".")
        place = result
        for parent in parents:
            place = place.setdefault(parent, {})
        place[leaf] = _coerce(value, types[path])
    return result


def leaves(schema: JsonObject, prefix: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Dotted path and schema of every parameter that is not itself an object with properties."""
    for name, part in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        if isinstance(part, dict) and part.get("properties"):
            yield from leaves(part, f"{path}.")
        else:
            yield path, part


def _get(arguments: JsonObject, path: str) -> tuple[bool, Any]:
    value: Any = arguments
    for part in path.split("."):
        if not isinstance(value, dict) or part not in value:
            return False, None
        value = value[part]
    return True, value


def _coerce(value: Any, json_type: str | None) -> Any:
    """Turn a scalar into the wanted JSON type where that loses nothing; otherwise leave it for the schema check."""
    match json_type:
        case "string" if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        case "integer" | "number" if isinstance(value, str):
            try:
                return int(value) if json_type == "integer" else float(value)
            except ValueError:
                return value
        case "boolean" if value in ("true", "false"):
            return value == "true"
    return value
