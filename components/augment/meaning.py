"""What a variant says is what the base harness says: nothing lost, nothing given to another.

The expert goes by keys and would not see two descriptions exchanged; a model, which has only the words, would. So this
reads as the model does: each skill, tool, argument, hook and section must still hold every word of its own base text,
once names and synonyms are read back.
"""

from __future__ import annotations

from collections.abc import Iterator

from components.augment.mapping import NameMap
from components.augment.naming import disjoint, rename_mentions, words_of
from components.augment.schemas import arguments_of
from components.augment.texts import texts_of, told_apart
from components.augment.wording import content_words
from components.harness.types import Harness, PromptFormat, Tool


def lost_meaning(base: Harness, variant: Harness, names: NameMap) -> list[str]:
    """One sentence for each thing of `base` that a reader of `variant` could no longer know. Empty: all is kept."""
    return list(_Reader(base, variant, names).losses())


class _Reader:
    def __init__(self, base: Harness, variant: Harness, names: NameMap) -> None:
        self.base, self.variant, self.names = base, variant, names
        back = names.reversed()
        skills, tools, properties = disjoint(back.skills, back.tools, back.properties())
        self._read_back = {
            **{name: back.skills[name] for name in skills},
            **{name: back.tools[name] for name in tools},
            **{name: back.properties()[name] for name in properties},
        }

    def losses(self) -> Iterator[str]:
        yield from self._skills()
        yield from self._tools()
        yield from self._hooks()
        yield from self._sections()
        yield from self._stale_names()
        if self.variant.fallback_reply != self.base.fallback_reply:
            yield "the fallback reply differs"

    def _skills(self) -> Iterator[str]:
        told = told_apart({s.name: s.description for s in self.base.skills})
        variants = {s.key: s for s in self.variant.skills}
        for skill in self.base.skills:
            new, what = variants[skill.key], f"skill {skill.name}"
            yield from self._described(what, skill.name, skill.description, new.name, new.description, skill.name in told)
            yield from self._kept(f"the body of {what}", skill.body, new.body)
            if new.kind is not skill.kind:
                yield f"{what} is of another kind"

    def _tools(self) -> Iterator[str]:
        told = told_apart({t.name: t.description for t in self.base.tools})
        variants = {t.name: t for t in self.variant.tools}
        for tool in self.base.tools:
            new, what = variants[self.names.tools[tool.name]], f"tool {tool.name}"
            yield from self._described(what, tool.name, tool.description, new.name, new.description, tool.name in told)
            yield from self._arguments(tool, new)

    def _arguments(self, tool: Tool, variant: Tool) -> Iterator[str]:
        told = told_apart({a.path: a.description for a in arguments_of(tool)})
        variants = {a.canonical: a for a in arguments_of(variant)}
        for argument in arguments_of(tool):
            new, what = variants[argument.canonical], f"argument {argument.canonical} of tool {tool.name}"
            if new.required is not argument.required:
                yield f"{what} is required in one of the two only"
            is_told = argument.path in told
            yield from self._described(what, argument.name, argument.description, new.name, new.description, is_told)

    def _hooks(self) -> Iterator[str]:
        variants = {h.name: h for h in self.variant.hooks}
        for hook in self.base.hooks:
            new = variants.get(hook.name)
            if new is None or (new.point, new.check, new.action) != (hook.point, hook.check, hook.action):
                yield f"hook {hook.name} no longer checks the same"
            else:
                yield from self._kept(f"the message of hook {hook.name}", hook.message, new.message)

    def _sections(self) -> Iterator[str]:
        variants = {s.name: s for s in self.variant.prompt.sections}
        headings = {s.heading for s in variants.values()}
        if self.variant.prompt.format is PromptFormat.JSON and len(headings) < len(variants):
            yield "two sections share a heading, which is their key in JSON, so one is lost"
        for section in self.base.prompt.sections:
            new = variants.get(section.name)
            if new is None or new.source != section.source:
                yield f"section {section.name} is gone"
            else:
                yield from self._kept(f"section {section.name}", f"{section.heading} {section.text}", f"{new.heading} {new.text}")

    def _stale_names(self) -> Iterator[str]:
        pairs = [*self.names.skills.items(), *self.names.tools.items(), *self.names.properties().items()]
        gone = {old for old, _ in pairs} - {new for _, new in pairs}
        for text in texts_of(self.variant):
            yield from (
                f"the text {text[:60]!r} still mentions {old}"
                for old in sorted(gone)
                if rename_mentions(text, {old: f"{old}_"}) != text
            )

    def _described(self, what: str, name: str, text: str, new_name: str, new_text: str, is_told: bool) -> Iterator[str]:
        """By its description, or, where that does not tell it apart, by the words of its name as well."""
        old = text if is_told else f"{text} {' '.join(words_of(name))}"
        yield from self._kept(f"the description of {what}", old, f"{new_text} {' '.join(words_of(new_name))}")

    def _kept(self, what: str, old: str, new: str) -> Iterator[str]:
        lost = content_words(old) - content_words(rename_mentions(new, self._read_back))
        if lost:
            yield f"{what} no longer says: {', '.join(sorted(lost))}"
