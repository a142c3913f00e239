"""The words for one difference; an empty string, or nothing, where there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from typing import Any

from components.harness.arguments import leaves
from components.harness.types import Condition, JsonObject, Tool

_SHORT = 60
"""Characters up to which a text is quoted."""
_WORD = re.compile(r"\s+|[\u3040-\u9fff]|[^\s\u3040-\u9fff]+")


def changed(what: str, old: Any, new: Any) -> str:
    """`name a → b`; one of them None: `name a added` or `name a removed`."""
    if old == new:
        return ""
    if old is None:
        return f"{what} {value(new)} added"
    return f"{what} {value(old)} removed" if new is None else f"{what} {value(old)} → {value(new)}"


def reworded(what: str, old: str, new: str) -> str:
    """Quotes the words that differ, or counts them where they are many."""
    if old == new:
        return ""
    a, b = _WORD.findall(old), _WORD.findall(new)
    blocks = [block for block in SequenceMatcher(None, a, b).get_opcodes() if block[0] != "equal"]
    (_, out_from, _, came_from, _), (*_, out_to, _, came_to) = blocks[0], blocks[-1]
    out, came = "".join(a[out_from:out_to]).strip(), "".join(b[came_from:came_to]).strip()
    if out == came:
        return f"{what}: white space changed"
    if "\n" in out + came or max(len(out), len(came)) > _SHORT:
        gone = sum(not word.isspace() for _, start, end, _, _ in blocks for word in a[start:end])
        fresh = sum(not word.isspace() for *_, start, end in blocks for word in b[start:end])
        return f"{what} rewritten: {_count(gone, 'word')} out, {fresh} in"
    if not out or not came:
        return f"{what}: “{out or came}” {'added' if came else 'removed'}"
    return f"{what} “{out}” → “{came}”"


def listed(what: str, old: Collection[str], new: Collection[str]) -> str:
    """`file a, b added; c removed`."""
    added, removed = [name for name in new if name not in old], [name for name in old if name not in new]
    found = "; ".join(f"{', '.join(names)} {word}" for names, word in ((added, "added"), (removed, "removed")) if names)
    return f"{what} {found}" if found else ""


def condition(when: Condition) -> str:
    """`always`, or `only where campaign is true and language is en`."""
    return f"only where {' and '.join(f'{name} is {value(wanted)}' for name, wanted in when.items())}" if when else "always"


def stricter(name: str, old: Any, new: Any) -> str:
    """What a changed parameter makes of a hook: stricter, laxer or different."""
    if old == new:
        return ""
    more: bool | None = None
    words = changed(name, old, new)
    if isinstance(old, list) and isinstance(new, list):
        before, after = [value(one) for one in old], [value(one) for one in new]
        words = listed(name, before, after) or f"{name} in another order"
        if set(before) < set(after) or set(before) > set(after):
            more = (set(before) < set(after)) != (name == "allow")
    elif isinstance(old, int | float) and isinstance(new, int | float) and name.startswith("max_"):
        more = new < old
    return f"is {'different' if more is None else 'stricter' if more else 'laxer'}: {words}"


def schema_changes(old: Tool, new: Tool) -> Iterator[str]:
    """What differs in the arguments, each by the name that the model writes."""
    before, after = _parameters(old), _parameters(new)
    needed_before, needed = _required(old.parameters), _required(new.parameters)
    for name, (path, _) in before.items():
        if name not in after:
            yield f"parameter `{path}` is gone"
    for name, (path, schema) in after.items():
        if name not in before:
            yield f"parameter `{path}` is new and {'required' if path in needed else 'optional'}"
            continue
        old_path, old_schema = before[name]
        words = [
            changed("name", old_path, path),
            *(_keyword(key, old_schema.get(key), schema.get(key)) for key in {**old_schema, **schema}),
            changed("type that the tool takes", old.argument_types.get(name), new.argument_types.get(name)),
        ]
        yield from (f"parameter `{old_path}`: {word}" for word in words if word)
        if (path in needed) != (old_path in needed_before):
            yield f"parameter `{path}` is {'now required' if path in needed else 'no longer required'}"
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield "parameters are in another order"
    objects, of_new = dict(_objects(old.parameters)), dict(_objects(new.parameters))
    for name in objects.keys() & of_new.keys():
        what = f"object `{name}`" if name else "arguments as a whole"
        words = [_keyword(key, objects[name].get(key), of_new[name].get(key)) for key in {**objects[name], **of_new[name]}]
        yield from (f"{what}: {word}" for word in words if word)


def _objects(schema: JsonObject, path: str = "") -> Iterator[tuple[str, JsonObject]]:
    """Path of the root and of each object with properties, and what its schema says beside them."""
    yield path, {key: part for key, part in schema.items() if key not in ("properties", "required")}
    for name, part in schema.get("properties", {}).items():
        if isinstance(part, dict) and part.get("properties"):
            yield from _objects(part, f"{path}.{name}".strip("."))


def _keyword(key: str, old: Any, new: Any) -> str:
    if key == "enum" and isinstance(old, list) and isinstance(new, list):
        return listed("values", [value(one) for one in old], [value(one) for one in new])
    if isinstance(old, str) and isinstance(new, str):
        return reworded(key, old, new)
    return changed(key, old, new)


def _parameters(tool: Tool) -> dict[str, tuple[str, JsonObject]]:
    """Canonical name → path and schema as the tool shows them."""
    canonical = {path: name for name, path in tool.argument_paths.items()}
    return {canonical.get(path, path): (path, schema) for path, schema in leaves(tool.parameters)}


def _required(schema: JsonObject, prefix: str = "") -> set[str]:
    """Paths of the parameters that every call must hold."""
    found = set()
    for name in schema.get("required", ()):
        part = schema.get("properties", {}).get(name, {})
        nested = isinstance(part, dict) and part.get("properties")
        found |= _required(part, f"{prefix}{name}.") if nested else {f"{prefix}{name}"}
    return found


def value(given: Any) -> str:
    """A JSON value, short enough for a sentence."""
    if isinstance(given, list | tuple):
        text = ", ".join(map(value, given)) or "none"
    else:
        text = " ".join(given.split()) if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
