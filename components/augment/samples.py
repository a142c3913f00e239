"""Arguments that a tool's JSON Schema allows, and some that it refuses, for tools whose meaning nobody here knows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from jsonschema import Draft202012Validator

from components.augment.schema_values import SchemaValues
from components.harness.types import JsonObject

_MOST = 60
"""Samples of one tool at the most."""
_WRONG: tuple[Any, ...] = (None, True, "", "~", "~" * 400, -1e9, 0, 0.3, 1e9, [], {}, ["~"] * 400)
"""Put in the place of right values; `spoilt` keeps what the schema refuses."""

_STRETCHED: tuple[Any, ...] = (0, -1, 13, 100, 10**9, -(10**9), 1e15 + 0.5, "13", "~", "~" * 400, [1] * 60, ["~"] * 60)
"""Put in the place of right values; `stretched` keeps what the schema allows."""


def samples(schema: JsonObject) -> tuple[list[JsonObject], tuple[str, ...]]:
    """Valid arguments for a tool with these parameters, and a sentence for each part of them that could not be made.

    Between them every enum value occurs, every branch of a choice, both ends of every range, and every argument that may be
    left out is left out and given. None are found where a part that must be given cannot be made.
    """
    values = SchemaValues(schema)
    found = [value for value in values.of(schema) if isinstance(value, dict)]
    missed = dict.fromkeys(values.missed)
    if len(found) > _MOST:
        missed[f"only {_MOST} of {len(found)} kinds of arguments are tried"] = None
    return found[:_MOST], tuple(missed)


def without_empty(arguments: JsonObject) -> JsonObject:
    """The arguments without objects that hold nothing: those say no more than their absence."""
    inner = {name: without_empty(value) if isinstance(value, dict) else value for name, value in arguments.items()}
    return {name: value for name, value in inner.items() if value != {}}


def spoilt(schema: JsonObject, valid: list[JsonObject]) -> Iterator[tuple[JsonObject, str]]:
    """Arguments that the schema refuses, made from valid ones by one change each, with the keyword that refuses them.

    One for each rule of the schema, but for enums: a variant may write their values out in words.
    """
    validator = Draft202012Validator(schema)
    broken = set()
    for sample in sorted(valid, key=lambda value: -len(json.dumps(value)))[:2]:
        for changed, change in _changed(sample):
            errors = list(validator.iter_errors(changed))
            if len(errors) != 1 or errors[0].validator in ("enum", "const"):
                continue
            (error,) = errors
            # Of a choice only the whole is known to be broken, so each change of a part counts; else the rule itself does.
            detail = change if error.context else error.message if error.validator == "required" else ""
            rule = (*error.absolute_schema_path, detail)
            if rule not in broken:
                broken.add(rule)
                yield changed, str(error.validator)


def stretched(schema: JsonObject, valid: list[JsonObject]) -> Iterator[JsonObject]:
    """Arguments that the schema allows with a large, small or long value in one place, which `samples` do not show."""
    validator = Draft202012Validator(schema)
    fullest = max(valid, key=lambda value: len(json.dumps(value)), default={})
    for path in _paths(fullest):
        *parents, last = path
        for value in _STRETCHED:
            changed = deepcopy(fullest)
            _at(changed, parents)[last] = value
            if validator.is_valid(changed):
                yield changed


def _changed(value: JsonObject) -> Iterator[tuple[JsonObject, str]]:
    """The value with one change, at every depth: a part left out, another in its place, one more; and what was changed."""
    for path in list(_paths(value)):
        *parents, last = path
        old = _at(value, path)
        more = [{**old, "odd": "~"}] if isinstance(old, dict) else [old * 60] if isinstance(old, list | str) else []
        for wrong in (*more, *_WRONG):
            changed = deepcopy(value)
            _at(changed, parents)[last] = wrong
            yield changed, f"{path} {'grown' if wrong in more else 'replaced'}"
        changed = deepcopy(value)
        del _at(changed, parents)[last]
        yield changed, f"{path} left out"


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*before, key)
        yield from _paths(part, (*before, key))


def _at(value: Any, path: Iterable[Any]) -> Any:
    for key in path:
        value = value[key]
    return value
