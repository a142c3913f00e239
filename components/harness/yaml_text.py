"""The text of harness files, and YAML as JSON has it: what is read can be written as JSON and be read back the same."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from components.harness.types import HarnessError, JsonObject

_CONTROL = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML refuses, and that no prompt should hold."""
_TAG = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """Values are those of JSON: `on` and `no`, dates and `12:30` stay the text they are, and so does every key.

    A key that occurs twice is refused, as the second would silently win. Published front matter has no need of aliases,
    which let a small file unfold into a huge one, and means by `1.10` a version.
    """

    aliases = True
    versions = False

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if not self.aliases and self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(problem="an alias is not allowed", problem_mark=self.get_mark())
        return super().compose_node(parent, index)

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != f"{_TAG}merge":
                key.tag = f"{_TAG}str"
                if key.value in seen:
                    raise yaml.composer.ComposerError(problem=f"the key {key.value!r} occurs twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return node

    def construct_number(self, node: yaml.ScalarNode) -> float | str:
        number: float = self.construct_yaml_float(node)
        as_written = yaml.representer.SafeRepresenter().represent_float(number).value == node.value
        return number if as_written or not self.versions else str(node.value)


_Loader.yaml_constructors = {
    tag: constructor
    for tag, constructor in yaml.SafeLoader.yaml_constructors.items()
    if tag is None or tag.removeprefix(_TAG) in ("null", "bool", "int", "float", "str", "seq", "map")
}
_Loader.add_constructor(f"{_TAG}float", _Loader.construct_number)
_Loader.yaml_implicit_resolvers = {}
# Each matches a part of what PyYAML's own resolver matches, so that the dumper quotes every text that would match here.
for _name, _pattern, _first in (
    ("null", r"~|null|", ["~", "n", ""]),
    ("bool", r"true|false|True|False", list("tfTF")),
    ("int", r"-?(?:0|[1-9][0-9]*)", list("-0123456789")),
    ("float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+][0-9]+)?", list("-0123456789")),
    ("merge", r"<<", ["<"]),
):
    _Loader.add_implicit_resolver(f"{_TAG}{_name}", re.compile(rf"(?:{_pattern})\Z"), _first)


class _Dumper(yaml.SafeDumper):
    """Writes text so that it is read back the same."""


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    # PyYAML would write these line breaks as they are and read them back as spaces.
    style = '"' if set(text) & set("\x85\u2028\u2029") else "|" if "\n" in text else None
    return dumper.represent_scalar(f"{_TAG}str", text, style)


_Dumper.add_representer(str, _represent_text)


def read_text(path: Path) -> str:
    """Text of a file: UTF-8, with or without a byte order mark; lines end in `\\n` only. Raises HarnessError."""
    try:
        # A form feed parts pages, as a line break parts lines.
        text = path.read_text(encoding="utf-8-sig").replace("\f", "\n")
    except FileNotFoundError:
        raise HarnessError(f"{path}: not found; add the file or correct its name") from None
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror}); expected a file; correct the path") from None
    except UnicodeDecodeError as error:
        raise HarnessError(f"{path}: expected UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise HarnessError(f"{path}:{line}: expected text, found the character {found.group(0)!r}; remove it")
    return text


def parse_yaml(path: Path, text: str, first_line: int = 1, aliases: bool = True, published: bool = False) -> Any:
    """Read YAML that starts at `first_line` of `path`, as JSON values. Raises HarnessError naming the line.

    `published` front matter has no aliases, and what is no number as it stands, such as `1.10`, is text.
    """
    loader = _Loader(text)
    loader.aliases, loader.versions = aliases and not published, published
    try:
        return whole_characters(path, loader.get_single_data())
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise HarnessError(f"{path}:{line}: expected YAML ({error.problem}); mend this line") from None
    # Such as a whole number of thousands of digits: PyYAML lets the errors of its own conversions through.
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise HarnessError(f"{path}:{first_line}: expected YAML ({' '.join(str(error).split())}); mend the file") from None


def whole_characters(path: Path, data: Any) -> Any:
    """`data` itself. Raises HarnessError where a text holds half of a character, which an escape can write and UTF-8 cannot."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.end]
        raise HarnessError(f"{path}: expected text, found half of a character, {half!a}; remove it") from None
    return data


def read_mapping(path: Path) -> JsonObject:
    """Read a YAML file that holds a mapping. Raises HarnessError."""
    return as_mapping(path, parse_yaml(path, read_text(path)))


def as_mapping(path: Path, data: Any, first_line: int = 1) -> JsonObject:
    """`data` itself. Raises HarnessError where it is no mapping."""
    if not isinstance(data, dict):
        raise HarnessError(f"{path}:{first_line}: expected a mapping of keys to values; mend the file")
    return data


def dump_yaml(data: JsonObject) -> str:
    """Inverse of `parse_yaml` for JSON values; text of several lines keeps its lines."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
