"""Tool arguments between the names a variant shows and the names the implementation knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from components.harness.types import JsonObject, Tool

_INTEGER = re.compile(r"-?[0-9]{1,4000}")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string"}


def to_canonical(tool: Tool, arguments: JsonObject) -> JsonObject:
    """Arguments as the model wrote them → canonical arguments. Absent ones stay absent; nothing is invented."""
    canonical_names = {path: name for name, path in tool.argument_paths.items()}
    result: JsonObject = {}
    for keys, _ in _places(tool.parameters):
        found, value = _get(arguments, keys)
        if found:
            path = ".".join(keys)
            name = canonical_names.get(path, path)
            result[name] = _coerce(value, tool.argument_types.get(name))
    return result


def from_canonical(tool: Tool, canonical: JsonObject) -> JsonObject:
    """Canonical arguments → arguments as this tool's schema wants them. Inverse of `to_canonical`.

    Raises KeyError where the schema has no place for a canonical argument.
    """
    places = {".".join(keys): (keys, schema) for keys, schema in _places(tool.parameters)}
    result: JsonObject = {}
    for name, value in canonical.items():
        path = tool.argument_paths.get(name, name)
        if path not in places:
            raise KeyError(f"tool {tool.name} has no parameter for {name} (looked at {path})")
        keys, schema = places[path]
        _put(result, keys, _coerce(value, _type_of(schema)))
    return result


def fit_types(schema: JsonObject, arguments: JsonObject) -> JsonObject:
    """The same arguments, scalars in the types that the schema wants where that loses nothing (`"3"` → 3, 3 → `"3"`)."""
    result: JsonObject = {}
    for name, value in arguments.items():
        part = schema.get("properties", {}).get(name)
        if isinstance(part, dict):
            nested = isinstance(value, dict) and part.get("properties")
            value = fit_types(part, value) if nested else _coerce(value, _type_of(part))
        result[name] = value
    return result


def leaves(schema: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Dotted path and schema of every parameter that is not itself an object with properties."""
    return ((".".join(keys), part) for keys, part in _places(schema))


def _places(schema: JsonObject, parents: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], JsonObject]]:
    for name, part in schema.get("properties", {}).items():
        if isinstance(part, dict) and part.get("properties"):
            yield from _places(part, (*parents, name))
        else:
            yield (*parents, name), part


def _get(arguments: JsonObject, keys: tuple[str, ...]) -> tuple[bool, Any]:
    value: Any = arguments
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False, None
        value = value[key]
    return True, value


def _put(arguments: JsonObject, keys: tuple[str, ...], value: Any) -> None:
    for key in keys[:-1]:
        arguments = arguments.setdefault(key, {})
    arguments[keys[-1]] = value


def _type_of(schema: JsonObject) -> str | None:
    """The JSON type of a parameter, of an array that of its items; None where the schema leaves it open."""
    wanted = schema.get("type")
    if wanted == "array":
        items = schema.get("items")
        return _type_of(items) if isinstance(items, dict) else None
    if wanted is None and schema.get("enum"):
        types = {_SCALARS.get(type(value)) for value in schema["enum"]}
        return types.pop() if len(types) == 1 else None
    return wanted if isinstance(wanted, str) else None


def _coerce(value: Any, json_type: str | None) -> Any:
    """A scalar, or every item of a list, in the wanted JSON type where that loses nothing; else left for the schema check."""
    if isinstance(value, list):
        return [_coerce(item, json_type) for item in value]
    match json_type:
        case "string" if isinstance(value, bool):
            return "true" if value else "false"
        case "string" if isinstance(value, int | float):
            return str(value)
        case "integer" if isinstance(value, str) and _INTEGER.fullmatch(value):
            return int(value)
        case "number" if isinstance(value, str) and _NUMBER.fullmatch(value):
            return float(value) if "." in value else int(value)
        case "boolean" if value in ("true", "false"):
            return value == "true"
    return value
