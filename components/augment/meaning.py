"""What a variant says is what the base harness says: nothing lost, nothing given to another.

The expert goes by keys and would not see two descriptions exchanged; a model, which has only the words, would. So this
reads as the model does: each skill, tool, argument, hook and section must still hold every word of its own base text,
once names and synonyms are read back. What was split is read together, what was merged holds the words of both, and a
distractor must not read like anything that the base harness has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from components.augment.hook_order import binding_order, may_move
from components.augment.mapping import NameMap, is_distractor, stands_for
from components.augment.naming import disjoint, mentioned, rename_mentions, words_of
from components.augment.schemas import Argument, arguments_of
from components.augment.texts import borne_names, is_text, texts_of, told_apart
from components.augment.wording import content_words
from components.harness.types import LOAD_SKILL, Harness, Hook, HookAction, PromptFormat, PromptSection, Skill, Tool

Phrasings = Mapping[str, Sequence[str]]
"""Text of the base harness → other texts that are known to say the same, see `components.augment.paraphrase`."""


_LONGER = 2
"""How many times as long as before a reply may be allowed to be."""


def lost_meaning(base: Harness, variant: Harness, names: NameMap, phrasings: Phrasings | None = None) -> list[str]:
    """One sentence for each thing of `base` that a reader of `variant` could no longer know. Empty: all is kept."""
    return list(_Reader(base, variant, names, phrasings or {}).losses())


class _Reader:
    def __init__(self, base: Harness, variant: Harness, names: NameMap, phrasings: Phrasings) -> None:
        self.base, self.variant, self.names, self.phrasings = base, variant, names, phrasings
        back = names.reversed()
        properties = back.properties()
        own = disjoint(back.skills, back.tools, properties)
        self._read_back = {
            **{name: " ".join(back.skills[name]) for name in own[0]},
            **{name: back.tools[name] for name in own[1]},
            **{name: properties[name] for name in own[2]},
        }

    def losses(self) -> Iterator[str]:
        yield from self._skills()
        yield from self._tools()
        yield from self._distractors()
        yield from self._hooks()
        yield from self._sections()
        yield from self._stale_names()
        if self.variant.fallback_reply != self.base.fallback_reply:
            yield "the fallback reply differs"

    def _skills(self) -> Iterator[str]:
        told = told_apart({s.name: s.description for s in self.base.skills})
        variants = {s.name: s for s in self.variant.skills}
        for skill in self.base.skills:
            parts, what = [variants[name] for name in self.names.skills[skill.name]], f"skill {skill.name}"
            for new in parts:
                yield from self._described(what, skill.name, skill.description, new.name, new.description, skill.name in told)
                if new.kind is not skill.kind:
                    yield f"{what} is of another kind"
                if new.key == skill.key and new.covers != skill.covers:
                    yield f"{what} stands for other skills than before"
                yield from self._files(what, skill, new)
                others = {part.name for part in parts} - {new.name}
                if unnamed := sorted(others - mentioned(new.body, others)):
                    yield f"a part of {what} does not name its other part {unnamed[0]}"
            yield from self._kept(f"the body of {what}", skill.body, "\n".join(new.body for new in parts))

    def _files(self, what: str, skill: Skill, variant: Skill) -> Iterator[str]:
        files = {file.path: file for file in variant.files}
        for file in skill.files:
            new = files.get(file.path)
            if new is None or new.encoding != file.encoding or not (is_text(file) or new.content == file.content):
                yield f"the file {file.path} of {what} is gone"
            elif is_text(file):
                yield from self._kept(f"the file {file.path} of {what}", file.content, new.content)

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
            text = f"{new.description} {' '.join(new.values)}"
            yield from self._described(what, argument.name, argument.description, new.name, text, is_told)
            if tool.implementation != LOAD_SKILL or argument.canonical != "skill":
                yield from self._values(what, argument, new, text)
            elif new.values and set(new.values) != {skill.name for skill in self.variant.skills}:
                yield f"{what} no longer takes the names of the skills"

    def _values(self, what: str, argument: Argument, variant: Argument, text: str) -> Iterator[str]:
        """Every value stays allowed and told; a range may be written out as its values."""
        low, high = argument.schema.get("minimum"), argument.schema.get("maximum")
        count = high - low + 1 if isinstance(low, int) and isinstance(high, int) else 0
        if variant.values and not argument.values and len(variant.values) != count:
            yield f"{what} takes only some of its values"
        elif not variant.values:
            yield from self._kept(f"the description of {what}", " ".join(argument.values), text)
        elif argument.values and set(variant.values) != set(argument.values):
            yield f"{what} takes other values: {', '.join(sorted(set(variant.values) ^ set(argument.values)))}"

    def _distractors(self) -> Iterator[str]:
        of_base = {skill.key: skill for skill in self.base.skills}
        described = [s.description for s in self.base.skills], [t.description for t in self.base.tools]
        implementations = {tool.implementation for tool in self.base.tools}
        strange: list[tuple[str, str, list[str]]] = [
            *((s.name, s.description, described[0]) for s in self.variant.skills if not stands_for(s, of_base)),
            *((t.name, t.description, described[1]) for t in self.variant.tools if is_distractor(t, implementations)),
        ]
        for name, text, others in strange:
            words = content_words(rename_mentions(text, self._read_back))
            if any(content_words(other) <= words for other in others if len(content_words(other)) > 1):
                yield f"the distractor {name} reads like one of the base harness's own"

    def _hooks(self) -> Iterator[str]:
        variants = {h.name: h for h in self.variant.hooks}
        known = {hook.name for hook in self.base.hooks}
        order = binding_order(hook for hook in self.variant.hooks if hook.name in known)
        for name, before in binding_order(self.base.hooks).items():
            if name in order and order[name] != before:
                yield f"hook {name} no longer comes after the same hooks"
        for hook in self.base.hooks:
            new = variants.get(hook.name)
            if new is None or not _same_check(hook, new):
                yield f"hook {hook.name} no longer checks the same"
            elif hook.action is HookAction.RETRY:
                yield from self._kept(f"the message of hook {hook.name}", hook.message, new.message)
            elif hook.action is HookAction.FALL_BACK and new.message != hook.message:
                yield f"hook {hook.name} speaks another message"

    def _sections(self) -> Iterator[str]:
        headings = {s.heading for s in self.variant.prompt.sections}
        if self.variant.prompt.format is PromptFormat.JSON and len(headings) < len(self.variant.prompt.sections):
            yield "two sections share a heading, which is their key in JSON, so one is lost"
        names = {section.name for section in self.base.prompt.sections}
        for section in self.base.prompt.sections:
            parts = [s for s in self.variant.prompt.sections if section.name in sections_in(s, names)]
            if not parts or any((new.source, new.when) != (section.source, section.when) for new in parts):
                yield f"section {section.name} is gone"
            else:
                yield from self._kept(f"the heading of section {section.name}", section.heading, _text(parts))
                yield from self._kept(f"section {section.name}", section.text, _text(parts))

    def _stale_names(self) -> Iterator[str]:
        gone = {*self.names.skills, *self.names.tools, *self.names.properties()} - borne_names(self.variant)
        for text in texts_of(self.variant):
            yield from (f"the text {text[:60]!r} still mentions {name}" for name in sorted(mentioned(text, gone)))

    def _described(self, what: str, name: str, text: str, new_name: str, new_text: str, is_told: bool) -> Iterator[str]:
        """By its description, or, where that does not tell it apart, by the words of its name as well."""
        own_name = " ".join(words_of(new_name))
        yield from self._kept(f"the description of {what}", text, f"{new_text} {own_name}")
        if not is_told:
            yield from self._kept(f"the description of {what}", " ".join(words_of(name)), f"{new_text} {own_name}")

    def _kept(self, what: str, old: str, new: str) -> Iterator[str]:
        found = content_words(rename_mentions(new, self._read_back))
        if any(content_words(text) <= found for text in (old, *self.phrasings.get(old, ()))):
            return
        yield f"{what} no longer says: {', '.join(sorted(content_words(old) - found))}"


def _same_check(hook: Hook, variant: Hook) -> bool:
    """The same check with the same consequences at a point where that is the same; lists of phrases and lengths may grow."""
    same = (variant.check, variant.action, variant.when) == (hook.check, hook.action, hook.when)
    if not (same and may_move(hook, variant.point) and variant.parameters.keys() == hook.parameters.keys()):
        return False
    return all(_covers(hook.check, name, value, variant.parameters[name]) for name, value in hook.parameters.items())


def _covers(check: str, name: str, old: Any, new: Any) -> bool:
    if check == "forbidden_phrases" and name == "phrases":
        return set(old) <= set(new)
    if check == "reply_length" and name.startswith("max_"):
        return bool(old <= new <= _LONGER * old)
    return bool(old == new)


def sections_in(section: PromptSection, of_base: Collection[str]) -> tuple[str, ...]:
    """Names of the base harness's sections that a variant's section holds: its own, or those of which it was made."""
    if section.name in of_base:
        return (section.name,)
    return tuple(part.rpartition("/")[0] or part for part in section.name.split("+"))


def _text(sections: Sequence[PromptSection]) -> str:
    return "\n".join(f"{section.heading}\n{section.text}" for section in sections)
