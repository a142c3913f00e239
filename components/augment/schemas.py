"""The parameters of a tool as a tree: its arguments are the leaves, each with the canonical name the room knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from components.harness.types import JsonObject, Tool

_PLAIN_KEYS = {"type", "properties", "required", "additionalProperties", "description", "title"}


@dataclass(frozen=True)
class Argument:
    """One leaf of a tool's parameters."""

    canonical: str
    path: str
    """Dotted names from the root of what the model writes."""
    schema: JsonObject
    required: bool
    """Whether it must be given, and every object around it."""

    @property
    def name(self) -> str:
        """What the model reads at the leaf."""
        return self.path.rpartition(".")[2]

    @property
    def description(self) -> str:
        """Empty where the schema has none."""
        return str(self.schema.get("description", ""))

    @property
    def values(self) -> tuple[str, ...]:
        """The values that it may take, as text, or its entries where it is an array; empty where any will do."""
        items = self.schema.get("items")
        listed = self.schema.get("enum") or (items.get("enum") if isinstance(items, dict) else None)
        return tuple(map(str, listed or ()))


def arguments_of(tool: Tool) -> list[Argument]:
    """Every argument of a tool, in the order of the schema."""
    canonical = {path: name for name, path in tool.argument_paths.items()}
    leaves = _leaves(tool.parameters, "", True)
    return [Argument(canonical.get(path, path), path, schema, required) for path, schema, required in leaves]


def _leaves(schema: JsonObject, prefix: str, required: bool) -> Iterator[tuple[str, JsonObject, bool]]:
    for name, part in schema.get("properties", {}).items():
        is_required = required and name in schema.get("required", ())
        if part.get("properties"):
            yield from _leaves(part, f"{prefix}{name}.", is_required)
        else:
            yield f"{prefix}{name}", part, is_required


def is_plain(tool: Tool) -> bool:
    """Whether the parameters are objects within objects and nothing more, so that names can change without a trace.

    References, combinations (`anyOf`, `if`, …) and names with a dot are left alone by every transformation.
    """
    schema = {key: part for key, part in tool.parameters.items() if key != "$schema"}
    return _is_plain(schema) and not _holds_reference(schema)


def _is_plain(schema: JsonObject) -> bool:
    return (
        schema.get("type", "object") == "object"
        and schema.keys() <= _PLAIN_KEYS
        and isinstance(schema.get("additionalProperties", False), bool)
        and all("." not in name for name in schema.get("properties", {}))
        and all(_is_plain(part) for part in schema.get("properties", {}).values() if part.get("properties"))
    )


def _holds_reference(value: Any) -> bool:
    if isinstance(value, dict):
        return "$ref" in value or "$dynamicRef" in value or any(map(_holds_reference, value.values()))
    return isinstance(value, list) and any(map(_holds_reference, value))


def property_names(tool: Tool) -> set[str]:
    """The names at every level of a tool's parameters."""
    return {name for path, _, _ in _leaves(tool.parameters, "", True) for name in path.split(".")}


def rename_properties(tool: Tool, names: Mapping[str, str]) -> Tool:
    """Rename properties at every level of a plain tool; canonical names stay."""

    def renamed(schema: JsonObject) -> JsonObject:
        new = dict(schema)
        if "properties" in schema:
            new["properties"] = {names.get(name, name): renamed(part) for name, part in schema["properties"].items()}
        if "required" in schema:
            new["required"] = [names.get(name, name) for name in schema["required"]]
        return new

    return with_paths(
        replace(tool, parameters=renamed(tool.parameters)),
        {a.canonical: ".".join(names.get(part, part) for part in a.path.split(".")) for a in arguments_of(tool)},
    )


def nest(tool: Tool, name: str, wanted: Callable[[str], bool] = lambda _: True) -> Tool:
    """Put those outermost properties of a plain tool whose name is `wanted` into one object called `name`."""
    parts = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", [])
    inner = {key: part for key, part in parts.items() if wanted(key)}
    inside = [key for key in required if key in inner]
    closed = {key: tool.parameters[key] for key in ("additionalProperties",) if key in tool.parameters}
    outer = {
        **{key: value for key, value in tool.parameters.items() if key != "required"},
        "properties": {
            **{key: part for key, part in parts.items() if key not in inner},
            name: {"type": "object", "properties": inner, "required": inside, **closed},
        },
        "required": [*(key for key in required if key not in inner), *([name] if inside else [])],
    }
    paths = {a.canonical: f"{name}.{a.path}" if a.path.split(".")[0] in inner else a.path for a in arguments_of(tool)}
    return with_paths(replace(tool, parameters=outer), paths)


def is_flattenable(tool: Tool) -> bool:
    """Whether arguments stand within objects from which they can come to the top, and nothing is allowed that was not before."""
    arguments = arguments_of(tool)
    names = {argument.name for argument in arguments}
    return len(names) == len(arguments) > 0 and any("." in a.path for a in arguments) and _asks_alike(tool.parameters)


def _asks_alike(schema: JsonObject) -> bool:
    """Whether no object that may be left out asks for anything where it is given."""
    return all(
        (name in schema.get("required", ()) or not part.get("required")) and _asks_alike(part)
        for name, part in schema["properties"].items()
        if part.get("properties")
    )


def flatten(tool: Tool, described: Callable[[Argument], JsonObject]) -> Tool:
    """Put every argument of a plain, flattenable tool at the top, its schema as `described` gives it."""
    arguments = arguments_of(tool)
    flat = {
        **tool.parameters,
        "properties": {argument.name: described(argument) for argument in arguments},
        "required": [argument.name for argument in arguments if argument.required],
    }
    return with_paths(replace(tool, parameters=flat), {argument.canonical: argument.name for argument in arguments})


def map_leaves(tool: Tool, change: Callable[[Argument], JsonObject]) -> Tool:
    """Give each argument of a plain tool the schema that `change` returns."""
    changed = {argument.path: change(argument) for argument in arguments_of(tool)}

    def mapped(schema: JsonObject, prefix: str) -> JsonObject:
        if "properties" not in schema:
            return schema
        parts = {
            name: changed[f"{prefix}{name}"] if f"{prefix}{name}" in changed else mapped(part, f"{prefix}{name}.")
            for name, part in schema["properties"].items()
        }
        return {**schema, "properties": parts}

    return replace(tool, parameters=mapped(tool.parameters, ""))


def map_objects(tool: Tool, change: Callable[[JsonObject], JsonObject]) -> Tool:
    """Change each object of a plain tool's parameters that has properties, from the inside out."""

    def mapped(schema: JsonObject) -> JsonObject:
        if not schema.get("properties"):
            return schema
        return change({**schema, "properties": {name: mapped(part) for name, part in schema["properties"].items()}})

    return replace(tool, parameters=mapped(tool.parameters))


def with_paths(tool: Tool, paths: Mapping[str, str]) -> Tool:
    """Set where canonical arguments stand, leaving out those that stand under their own name."""
    return replace(tool, argument_paths={name: path for name, path in paths.items() if name != path})


def without(schema: JsonObject, *keys: str) -> JsonObject:
    """The schema without some of its keywords."""
    return {key: part for key, part in schema.items() if key not in keys}
