"""What an edit of a harness changes, in plain words, and which evaluation cases it touches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from components.harness.conditions import holds
from components.harness.diff_words import changed, condition, listed, reworded, schema_changes, stricter, value
from components.harness.records import covered
from components.harness.types import LOAD_SKILL, Condition, Harness, Hook, HookPoint, PromptSection, Request, Skill, Tool

Part = Literal["skill", "tool", "hook", "prompt"]
K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class Change:
    """One thing that differs between two harnesses."""

    part: Part
    name: str
    """Skill key, tool implementation, hook or section name; empty where it is said of all of them."""
    sentence: str
    """What changed, in words that need no other."""
    covers: frozenset[str] = frozenset()
    """Part `skill`: keys of the base harness's skills that the skill stood or stands for."""
    when: tuple[Condition, ...] = ()
    """Parts `hook` and `prompt`: it was or is in force where one of these holds; empty is everywhere."""
    of_results: bool = False
    """Part `hook`: it looks at nothing but what tools of the room return."""


@dataclass(frozen=True)
class Use:
    """What the right answer to an evaluation case makes use of."""

    intent: str
    request: Request
    skills: frozenset[str]
    """Keys of the skills to load."""
    tools: frozenset[str]
    """Implementations of the tools to call."""


@dataclass(frozen=True)
class Touched:
    """The evaluation cases whose answer an edit may change."""

    cases: tuple[str, ...]
    """Ids, in the order given."""
    by_intent: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Intent → (cases touched, cases there are), intents with the most touched first."""


def diff(before: Harness, after: Harness) -> list[Change]:
    """Every difference, skills first, then tools, hooks and prompt. Empty exactly where the harnesses are equal."""
    return [*_skills(before, after), *_tools(before, after), *_hooks(before, after), *_prompt(before, after)]


def touches(change: Change, use: Use) -> bool:
    """Whether the case makes use of what changed: of a skill or a tool where its right answer needs it."""
    match change.part:
        case "skill" if change.name:
            return bool(change.covers & use.skills)
        case "tool" if change.name not in ("", LOAD_SKILL):
            return change.name in use.tools
        case _ if change.of_results and not use.tools:
            return False
        case _:
            return not change.when or any(holds(when, use.request) for when in change.when)


def touched(changes: Iterable[Change], uses: Mapping[str, Use]) -> Touched:
    """Which of the cases (id → what it uses) the changes touch."""
    changes = tuple(changes)
    cases = tuple(case for case, use in uses.items() if any(touches(change, use) for change in changes))
    there, hit = Counter(use.intent for use in uses.values()), Counter(uses[case].intent for case in cases)
    order = sorted(there, key=lambda intent: -hit[intent])
    return Touched(cases, {intent: (hit[intent], there[intent]) for intent in order})


def _compare(
    old: Mapping[K, T],
    new: Mapping[K, T],
    label: Callable[[T], str],
    told: Callable[[T], str],
    words: Callable[[T, T], list[str]],
    joint: str = ": ",
) -> Iterator[tuple[K, str]]:
    """Key and sentence for what is gone, what is new (`told` says what it is), and each difference (`words`) of the others."""
    for key in {**old, **new}:
        if key not in new:
            yield key, f"{label(old[key])} is gone"
        elif key not in old:
            yield key, f"{label(new[key])} is new: {value(told(new[key]))}"
        else:
            found = [word for word in words(old[key], new[key]) if word]
            if not found and old[key] != new[key]:
                found = ["differs in a detail"]
            yield from ((key, f"{label(old[key])}{joint}{word}") for word in found)


def _moved(part: Part, sentence: str, old: Collection[K], new: Collection[K]) -> list[Change]:
    return [Change(part, "", sentence)] if [key for key in old if key in new] != [key for key in new if key in old] else []


def _skills(before: Harness, after: Harness) -> list[Change]:
    old, new = ({skill.key: skill for skill in harness.skills} for harness in (before, after))
    found = _compare(old, new, lambda skill: f"skill `{skill.key}`", lambda skill: skill.description, _skill)
    covers = {
        key: frozenset(base for skills in (old, new) if key in skills for base in covered(skills[key])) for key in old | new
    }
    changes = [Change("skill", key, sentence, covers[key]) for key, sentence in found]
    return changes + _moved("skill", "skills are listed in another order", old, new)


def _skill(old: Skill, new: Skill) -> list[str]:
    files = {file.path: file for file in old.files}, {file.path: file for file in new.files}
    return [
        changed("name", old.name, new.name),
        changed("kind", old.kind.value, new.kind.value),
        reworded("description", old.description, new.description),
        reworded("instructions", old.body, new.body),
        changed("covers", old.covers, new.covers),
        *(changed(f"front matter {key}", old.front.get(key), new.front.get(key)) for key in old.front | new.front),
        listed("file", *files),
        *(f"file {path} changed" for path, file in files[0].items() if files[1].get(path, file) != file),
    ]


def _tools(before: Harness, after: Harness) -> list[Change]:
    old, new = _by_implementation(before), _by_implementation(after)
    found = _compare(old, new, lambda tool: f"tool `{tool.name}`", lambda tool: tool.description, _tool)
    changes = [Change("tool", implementation, sentence) for (implementation, _), sentence in found]
    return changes + _moved("tool", "tools are listed in another order", old, new)


def _by_implementation(harness: Harness) -> dict[tuple[str, int], Tool]:
    """Several tools of one implementation are told apart by their order."""
    seen: Counter[str] = Counter()
    found = {}
    for tool in harness.tools:
        found[tool.implementation, seen[tool.implementation]] = tool
        seen[tool.implementation] += 1
    return found


def _tool(old: Tool, new: Tool) -> list[str]:
    return [
        changed("name", old.name, new.name),
        reworded("description", old.description, new.description),
        *schema_changes(old, new),
    ]


def _hooks(before: Harness, after: Harness) -> list[Change]:
    old, new = ({hook.name: hook for hook in harness.hooks} for harness in (before, after))
    found = _compare(
        old, new, lambda hook: f"hook `{hook.name}`", lambda hook: f"{hook.check} at {hook.point}, {hook.action}", _hook, " "
    )
    changes = []
    for name, sentence in found:
        both = [hooks[name] for hooks in (old, new) if name in hooks]
        of_results = all(hook.point is HookPoint.TOOL_RESULT for hook in both)
        changes.append(Change("hook", name, sentence, when=_when(*both), of_results=of_results))
    return changes + _moved("hook", "hooks run in another order", old, new)


def _hook(old: Hook, new: Hook) -> list[str]:
    return [
        changed("looks at", old.point.value, new.point.value),
        changed("checks", old.check, new.check),
        changed("has the action", old.action.value, new.action.value),
        *(stricter(name, old.parameters.get(name), new.parameters.get(name)) for name in old.parameters | new.parameters),
        changed("is in force", condition(old.when), condition(new.when)),
        reworded("says", old.message, new.message),
    ]


def _prompt(before: Harness, after: Harness) -> list[Change]:
    old, new = ({section.name: section for section in harness.prompt.sections} for harness in (before, after))
    found = _compare(
        old, new, lambda part: f"prompt section `{part.name}`", lambda part: f"“{part.heading}”, {condition(part.when)}", _section
    )
    changes = [
        Change("prompt", name, sentence, when=_when(*(parts[name] for parts in (old, new) if name in parts)))
        for name, sentence in found
    ]
    changes += _moved("prompt", f"prompt sections are in another order: {', '.join(new)}", old, new)
    replies = before.fallback_reply, after.fallback_reply
    words = [
        changed("prompt format", before.prompt.format.value, after.prompt.format.value),
        changed("prompt's list of skills", before.prompt.skill_list.value, after.prompt.skill_list.value),
        *(changed(f"fallback reply ({key})", replies[0].get(key), replies[1].get(key)) for key in replies[0] | replies[1]),
    ]
    return changes + [Change("prompt", "", word) for word in words if word]


def _section(old: PromptSection, new: PromptSection) -> list[str]:
    return [
        changed("heading", old.heading, new.heading),
        changed("source", old.source, new.source),
        reworded("text", old.text, new.text),
        changed("is there", condition(old.when), condition(new.when)),
    ]


def _when(*either: Hook | PromptSection) -> tuple[Condition, ...]:
    """Where any is in force; empty as soon as one of them always is."""
    conditions = tuple(one.when for one in either)
    return conditions if all(conditions) else ()
