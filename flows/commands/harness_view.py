"""What a person reads of a harness on the console."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from components.harness import harness_version
from components.harness.diff import Change, Touched
from components.harness.diff_words import condition
from components.harness.hooks.context import CheckEntry
from components.harness.messages import tools_to_openai
from components.harness.render import assemble, request_prompt, system_prompt
from components.harness.types import Condition, Harness, Request


def show_check(console: Console, where: Path, harness: Harness, notes: Iterable[str]) -> None:
    """Version, size, and the notes that loading gave (`place: words`), those of the same words together."""
    kinds = Counter(skill.kind.value for skill in harness.skills)
    parts = [
        f"{_count(len(harness.skills), 'skill')} ({', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))})",
        _count(len(harness.tools), "tool"),
        _count(len(harness.hooks), "hook"),
        _count(len(harness.prompt.sections), "prompt section"),
        f"falls back in {', '.join(harness.fallback_reply)}",
    ]
    _print(console, f"{where}: version {harness_version(harness)}, can be used")
    _print(console, f"  {' · '.join(parts)}")
    places: dict[str, list[str]] = {}
    for note in notes:
        place, _, words = note.partition(": ")
        places.setdefault(words, []).append(place)
    for words, found in places.items():
        more = f" and {_count(len(found) - 1, 'other')}" if len(found) > 1 else ""
        _print(console, Text.assemble(("  note ", "yellow"), f"{found[0]}{more}: {words}"))


def show_harness(console: Console, harness: Harness) -> None:
    """The parts of a harness, and the system prompt with all its sections."""
    _print(console, Text(f"harness {harness_version(harness)}", "bold"))
    _table(
        console,
        "skills",
        ((skill.name, skill.kind.value, skill.description, _count(len(skill.files), "file")) for skill in harness.skills),
    )
    _table(
        console,
        "tools",
        ((tool.name, _other("runs", tool.implementation, tool.name), tool.description) for tool in harness.tools),
    )
    _table(
        console, "hooks", ((hook.name, f"{hook.point}: {hook.check}, {hook.action}{_when(hook.when)}") for hook in harness.hooks)
    )
    sections = harness.prompt.sections
    _table(console, "prompt", ((part.name, f"{part.heading}{_when(part.when)}") for part in sections))
    _print(console, Text("\nsystem prompt", "bold"))
    _print(console, assemble(harness, sections))


def show_checks(console: Console, checks: Mapping[str, CheckEntry]) -> None:
    """Each check with where it works, what it may be told, and what it says."""
    for name, entry in checks.items():
        points = "every point of a reply" if len(entry.points) > 1 else entry.points[0]
        _print(console, Text.assemble((name, "bold cyan"), f"  {points}{', can rewrite' if entry.rewrites else ''}"))
        _print(console, f"  {' '.join(inspect.cleandoc(entry.run.__doc__ or '').split())}")
        for parameter in entry.parameters:
            _print(console, f"  {parameter.name}{'' if parameter.required else ' (optional)'}: {parameter.expected}")


def show_changes(console: Console, before: Harness, after: Harness, changes: list[Change]) -> None:
    """Each change in a sentence."""
    versions = f"{harness_version(before)} → {harness_version(after)}"
    _print(console, Text(f"harness {versions}: {_count(len(changes), 'change') or 'no change'}", "bold"))
    for change in changes:
        _print(console, f"  {change.sentence}")


def show_touched(console: Console, hit: Touched, profile: str | None) -> None:
    """How many evaluation cases of a profile, if one was named, the changes touch, intent by intent, and a way to see one."""
    total = sum(there for _, there in hit.by_intent.values())
    _print(console, Text(f"touches {len(hit.cases)} of {total} evaluation cases", "bold"))
    _table(console, "", ((intent, f"{count} of {there}") for intent, (count, there) in hit.by_intent.items() if count))
    if hit.cases:
        of = f" --profile {profile}" if profile else ""
        _print(console, Text(f"see one: hat harness render --case {hit.cases[0]}{of}", "dim"))


def show_opening(console: Console, harness: Harness, request: Request) -> None:
    """The messages that open the conversation, and the tools that go with them."""
    for role, text in (("system", system_prompt(harness, request)), ("user", request_prompt(request))):
        console.rule(f"[bold]{role}", align="left", style="dim")
        _print(console, text)
    console.rule("[bold]tools", align="left", style="dim")
    for tool in tools_to_openai(harness.tools):
        _print(console, json.dumps(tool, ensure_ascii=False))


def _table(console: Console, title: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Names in one column, what is said of them in the others; those fold where the console is narrow."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(Text(f"  {row[0]}", "cyan"), *(Text(text, overflow="fold") for text in row[1:]))
    if title:
        _print(console, Text(title, "bold"))
    console.print(table, highlight=False)


def _print(console: Console, text: str | Text) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _when(when: Condition) -> str:
    return f", {condition(when)}" if when else ""


def _other(word: str, value: str, usual: str) -> str:
    return "" if value == usual else f"{word} {value}"


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}" if count else ""
