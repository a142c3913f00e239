"""Which name in the base harness is which name in a variant, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from components.augment.schemas import arguments_of
from components.augment.types import AugmentError
from components.harness.arguments import from_canonical, to_canonical
from components.harness.types import Harness, JsonObject, Tool


@dataclass(frozen=True)
class NameMap:
    """Names of the base harness against those of a variant: skills by key, tools by implementation, arguments by path."""

    skills: Mapping[str, str]
    """Base name → variant name."""
    tools: Mapping[str, str]
    """Base name → variant name."""
    _base_tools: Mapping[str, Tool]
    _variant_tools: Mapping[str, Tool]

    @classmethod
    def between(cls, base: Harness, variant: Harness) -> NameMap:
        """Match the two. Raises AugmentError where one has a skill, tool or argument that the other lacks."""
        skills = _match("skill", [(s.key, s.name) for s in base.skills], [(s.key, s.name) for s in variant.skills])
        tools = _match(
            "tool", [(t.implementation, t.name) for t in base.tools], [(t.implementation, t.name) for t in variant.tools]
        )
        base_tools, variant_tools = {t.name: t for t in base.tools}, {t.name: t for t in variant.tools}
        for name, new in tools.items():
            _match(f"argument of {name}", _arguments(base_tools[name]), _arguments(variant_tools[new]))
        return cls(skills, tools, base_tools, variant_tools)

    def reversed(self) -> NameMap:
        """The same map read from the variant to the base harness."""
        return NameMap(
            {new: old for old, new in self.skills.items()},
            {new: old for old, new in self.tools.items()},
            self._variant_tools,
            self._base_tools,
        )

    def arguments(self, tool: str, arguments: JsonObject) -> JsonObject:
        """Arguments written for the base tool named `tool` → the same arguments as the variant's tool wants them.

        Raises KeyError for a name that the base harness does not have.
        """
        canonical = to_canonical(self._base_tools[tool], arguments)
        return from_canonical(self._variant_tools[self.tools[tool]], canonical)

    def properties(self) -> dict[str, str]:
        """Base name → variant name of the leaves of all tools, without names that differ from tool to tool."""
        pairs = {
            (argument.name, new.name)
            for name, tool in self._base_tools.items()
            for argument in arguments_of(tool)
            for new in arguments_of(self._variant_tools[self.tools[name]])
            if argument.canonical == new.canonical
        }
        return {old: new for old, new in pairs if sum(old == o or new == n for o, n in pairs) == 1}


def _arguments(tool: Tool) -> list[tuple[str, str]]:
    return [(argument.canonical, argument.path) for argument in arguments_of(tool)]


def _match(what: str, base: Iterable[tuple[str, str]], variant: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Pair names by their stable key; the key must be unique and the same on both sides."""
    old, new = list(base), dict(variant)
    if sorted(key for key, _ in old) != sorted(key for key, _ in variant):
        differ = ", ".join(sorted({key for key, _ in old} ^ set(new))) or "one occurs twice"
        raise AugmentError(
            f"{what}: base and variant have different ones ({differ}); a variant keeps them all; mend the transformation"
        )
    return {name: new[key] for key, name in old}
