"""Whether a tool's parameters are a schema that can be used, and its arguments are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import JsonValue, TypeAdapter, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from components.harness.arguments import leaves
from components.harness.types import HarnessError, JsonObject, Tool

_TYPES = ("string", "integer", "number", "boolean")
"""JSON types that arguments can be turned into."""
_JSON: TypeAdapter[JsonObject] = TypeAdapter(dict[str, JsonValue])


def check_tool(tool: Tool, where: str) -> None:
    """It has a name, and as parameters a JSON Schema that needs no looking up elsewhere. Raises HarnessError naming `where`."""
    if not tool.name.strip():
        raise HarnessError(f"{where}.name: expected some text, found nothing; add it")
    try:
        _JSON.validate_python(tool.parameters)
        Draft202012Validator.check_schema(tool.parameters)
        resolver = Registry().with_resource("", DRAFT202012.create_resource(tool.parameters)).resolver()
        for reference in _references(tool.parameters):
            resolver.lookup(reference)
            list(Draft202012Validator(tool.parameters).evolve(schema={"$ref": reference}).iter_errors(None))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part not in ("dict", "list", "[key]"))
        raise HarnessError(f"{where}.parameters: {place}: not JSON ({first['msg'].lower()}); mend it") from None
    except SchemaError as error:
        raise HarnessError(f"{where}.parameters: not a JSON Schema ({error.message}); mend it") from None
    except Unresolvable:
        raise HarnessError(f"{where}.parameters: $ref {reference} leads nowhere in this schema; correct it") from None
    except RecursionError:
        raise HarnessError(f"{where}.parameters: $ref {reference} leads back to itself; correct it") from None
    parameters = dict(leaves(tool.parameters))
    for path, schema in parameters.items():
        if not isinstance(schema, dict):
            raise HarnessError(
                f"{where}.parameters: {path}: expected an object such as {{type: string}}, found {schema}; mend it"
            )
    for name, path in tool.argument_paths.items():
        if path not in parameters:
            raise HarnessError(f"{where}.argument_paths.{name}: {path} is no parameter; correct it")
    canonical = {path: name for name, path in tool.argument_paths.items()}
    names = Counter(canonical.get(path, path) for path, _ in leaves(tool.parameters))
    for name, wanted in tool.argument_types.items():
        if name not in names:
            raise HarnessError(f"{where}.argument_types.{name}: no argument; expected some of {', '.join(names)}; correct it")
        if wanted not in _TYPES:
            raise HarnessError(f"{where}.argument_types.{name}: expected {' or '.join(_TYPES)}, found {wanted!r}; correct it")
    for name, count in names.items():
        if count > 1:
            raise HarnessError(
                f"{where}: canonical argument {name} occurs {count} times; expected unique names; rename or remove one"
            )


def _references(schema: Any) -> Iterator[str]:
    """Every `$ref` and `$dynamicRef` anywhere in a schema."""
    if isinstance(schema, dict):
        yield from (schema[key] for key in ("$ref", "$dynamicRef") if isinstance(schema.get(key), str))
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _references(part)
