"""Which name in the base harness is which name in a variant, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from components.augment.schemas import arguments_of
from components.augment.types import DISTRACTOR_SKILL, DISTRACTOR_TOOL, AugmentError
from components.harness.arguments import from_canonical, to_canonical
from components.harness.records import covered
from components.harness.types import Harness, JsonObject, Skill, Tool


@dataclass(frozen=True)
class NameMap:
    """Names of the base harness against those of a variant: skills by key, tools by implementation, arguments by path.

    Distractors stand for nothing and have no entry.
    """

    skills: Mapping[str, tuple[str, ...]]
    """Name → the names that stand for it on the other side, one unless skills were split or merged."""
    tools: Mapping[str, str]
    """Base name → variant name."""
    _base_tools: Mapping[str, Tool]
    _variant_tools: Mapping[str, Tool]

    @classmethod
    def between(cls, base: Harness, variant: Harness) -> NameMap:
        """Match the two. Raises AugmentError where one has a skill, tool or argument that the other lacks."""
        skills = _skills(base, variant)
        of_base = {tool.implementation for tool in base.tools}
        tools = _match(
            "tool",
            [(t.implementation, t.name) for t in base.tools],
            [(t.implementation, t.name) for t in variant.tools if not is_distractor(t, of_base)],
        )
        base_tools, variant_tools = {t.name: t for t in base.tools}, {t.name: t for t in variant.tools}
        for name, new in tools.items():
            _match(f"argument of {name}", _arguments(base_tools[name]), _arguments(variant_tools[new]))
        return cls(skills, tools, base_tools, variant_tools)

    def reversed(self) -> NameMap:
        """The same map read from the variant to the base harness."""
        skills: dict[str, tuple[str, ...]] = {}
        for old, new in self.skills.items():
            skills |= {name: (*skills.get(name, ()), old) for name in new}
        return NameMap(skills, {new: old for old, new in self.tools.items()}, self._variant_tools, self._base_tools)

    def arguments(self, tool: str, arguments: JsonObject) -> JsonObject:
        """Arguments written for the base tool named `tool` → the same arguments as the variant's tool wants them.

        Raises KeyError for a name that the base harness does not have.
        """
        canonical = to_canonical(self._base_tools[tool], arguments)
        return from_canonical(self._variant_tools[self.tools[tool]], canonical)

    def properties(self) -> dict[str, str]:
        """Base name → variant name in the parameters of all tools, without names that differ from tool to tool.

        Objects around arguments are matched from the inside out, as far as both sides have them.
        """
        pairs = {
            pair
            for name, tool in self._base_tools.items()
            if name in self.tools
            for argument in arguments_of(tool)
            for new in arguments_of(self._variant_tools[self.tools[name]])
            if argument.canonical == new.canonical
            for pair in zip(reversed(argument.path.split(".")), reversed(new.path.split(".")), strict=False)
        }
        return {old: new for old, new in pairs if sum(old == o or new == n for o, n in pairs) == 1}


def is_distractor(tool: Tool, of_base: Iterable[str]) -> bool:
    """Whether a variant's tool is one that the base harness, with these implementations, does not have on purpose."""
    return tool.implementation.startswith(DISTRACTOR_TOOL) and tool.implementation not in of_base


def stands_for(skill: Skill, of_base: Mapping[str, Skill]) -> tuple[str, ...]:
    """Keys of the base harness's skills whose place a variant's skill takes: its own, or those of which it is made."""
    if skill.key in of_base:
        return (skill.key,)
    return () if skill.covers == () and skill.key.startswith(DISTRACTOR_SKILL) else covered(skill) or (skill.key,)


def _skills(base: Harness, variant: Harness) -> dict[str, tuple[str, ...]]:
    """Base name → the names of the variant's skills that stand for it."""
    of_base = {skill.key: skill for skill in base.skills}
    names: dict[str, list[str]] = {key: [] for key in of_base}
    strange: list[str] = []
    for skill in variant.skills:
        for key in stands_for(skill, of_base):
            names[key].append(skill.name) if key in names else strange.append(key)
    if differ := sorted({*strange, *(key for key, new in names.items() if not new)}):
        raise _different("skill", ", ".join(differ))
    return {skill.name: tuple(names[skill.key]) for skill in base.skills}


def _arguments(tool: Tool) -> list[tuple[str, str]]:
    return [(argument.canonical, argument.path) for argument in arguments_of(tool)]


def _match(what: str, base: Iterable[tuple[str, str]], variant: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Pair names by their stable key; the key must be unique and the same on both sides."""
    old, new = list(base), dict(variant)
    if sorted(key for key, _ in old) != sorted(key for key, _ in variant):
        raise _different(what, ", ".join(sorted({key for key, _ in old} ^ set(new))) or "one occurs twice")
    return {name: new[key] for key, name in old}


def _different(what: str, differ: str) -> AugmentError:
    return AugmentError(
        f"{what}: base and variant have different ones ({differ}); a variant keeps them all; mend the transformation"
    )
