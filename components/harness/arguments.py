"""Tool arguments between the names a variant shows and the names the implementation knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from components.harness.types import JsonObject, Tool

_INTEGER = re.compile(r"-?[0-9]{1,4000}")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_OPENING = {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"}
"""Keywords by which an object may take arguments that its `properties` do not name."""
_Keys = tuple[str, ...]
_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string"}


def to_canonical(tool: Tool, arguments: JsonObject) -> JsonObject:
    """Arguments as the model wrote them → canonical arguments, objects within objects as the implementation takes them.

    Moved is what `argument_paths` names; a dot in a canonical name leads into an object. All else stays where it stands,
    and nothing is invented. Left out are objects that hold none of the arguments the schema spells out for them, and what
    would pass for an argument that the tool shows elsewhere.
    """
    return _carried(arguments, [(shown, inner, tool.argument_types.get(name)) for name, inner, shown, _ in _pairs(tool)])


def from_canonical(tool: Tool, canonical: JsonObject) -> JsonObject:
    """Canonical arguments → arguments as this tool's schema wants them. Inverse of `to_canonical`.

    Raises KeyError for an argument that is none of those which the schema spells out.
    """
    written = _carried(canonical, [(inner, shown, _type_of(schema)) for _, inner, shown, schema in _pairs(tool)])
    if stray := next(_strays(tool.parameters, written), None):
        raise KeyError(f"tool {tool.name} has no parameter for {stray}")
    return written


def one_argument(tool: Tool, name: str, value: Any) -> JsonObject:
    """Canonical arguments that hold one argument of the tool, by its canonical name. Raises KeyError for another name."""
    result: JsonObject = {}
    _put(result, {known: inner for known, inner, _, _ in _pairs(tool)}[name], value)
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


def _places(schema: JsonObject, parents: _Keys = ()) -> Iterator[tuple[_Keys, JsonObject]]:
    for name, part in schema.get("properties", {}).items():
        if isinstance(part, dict) and part.get("properties"):
            yield from _places(part, (*parents, name))
        else:
            yield (*parents, name), part


def _pairs(tool: Tool) -> Iterator[tuple[str, _Keys, _Keys, JsonObject]]:
    """Canonical name of each parameter, where it stands among canonical arguments and among those shown, and its schema."""
    names = {path: name for name, path in tool.argument_paths.items()}
    for shown, schema in _places(tool.parameters):
        name = names.get(".".join(shown))
        yield name or ".".join(shown), tuple(name.split(".")) if name else shown, shown, schema


def _carried(arguments: JsonObject, ways: list[tuple[_Keys, _Keys, str | None]]) -> JsonObject:
    """The arguments with what stands at the start of each way put at its end, in the wanted type; the rest as it is."""
    found = [(end, value, wanted) for start, end, wanted in ways for value in _get(arguments, start)]
    result = deepcopy(arguments)
    for keys in {keys for start, end, _ in ways for keys in (start, end)}:
        _drop(result, keys)
    for end, value, wanted in found:
        _put(result, end, _coerce(value, wanted))
    return result


def _get(arguments: JsonObject, keys: _Keys) -> list[Any]:
    """The one value that stands there, or none."""
    value: Any = arguments
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return []
        value = value[key]
    return [value]


def _put(arguments: JsonObject, keys: _Keys, value: Any) -> None:
    for key in keys[:-1]:
        if not isinstance(arguments.get(key), dict):
            arguments[key] = {}
        arguments = arguments[key]
    arguments[keys[-1]] = value


def _drop(arguments: JsonObject, keys: _Keys) -> None:
    """Take out what stands there, and the objects that then hold nothing."""
    key, *rest = keys
    if rest and isinstance(inner := arguments.get(key), dict):
        _drop(inner, tuple(rest))
        if inner:
            return
    elif rest:
        return
    arguments.pop(key, None)


def _strays(schema: JsonObject, arguments: JsonObject) -> Iterator[str]:
    """Dotted paths of arguments that are none of those which the schema spells out."""
    if schema.keys() & _OPENING or schema.get("additionalProperties") or not schema.get("properties"):
        return
    for name, value in arguments.items():
        part = schema["properties"].get(name)
        if part is None:
            yield name
        elif isinstance(part, dict) and isinstance(value, dict):
            yield from (f"{name}.{stray}" for stray in _strays(part, value))


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
