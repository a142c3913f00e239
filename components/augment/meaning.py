"""What a variant says is what the base harness says: nothing lost, nothing added, nothing given to another.

The expert goes by keys and would not see two descriptions exchanged; a model, which has only the words, would. So this
reads as the model does, see `reading`: each skill, tool, argument, hook and section holds the sentences of its own base text,
once names are read back, and beside them only what `frames` knows. What was split is read together, what was merged holds the
sentences of both, and what the base harness does not have is one of the known distractors, sections or checks.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from components.augment.distractors import SKILLS, TOOLS, distractor_skill, distractor_tool
from components.augment.frames import EXTRA_CHECKS, MORE_PHRASES
from components.augment.hook_order import binding_order, may_move
from components.augment.mapping import NameMap, is_distractor, stands_for
from components.augment.naming import disjoint, mentioned, rename_mentions, words_of
from components.augment.reading import Words, blocks, fault, loss, sentence, tokens
from components.augment.schemas import Argument, arguments_of
from components.augment.texts import borne_names, is_text, texts_of, told_apart
from components.augment.types import DISTRACTOR_SKILL, DISTRACTOR_TOOL
from components.augment.wording import content_words
from components.harness.types import LOAD_SKILL, Harness, Hook, HookAction, PromptFormat, PromptSection, Skill, Tool

Phrasings = Mapping[str, Sequence[str]]
"""Text of the base harness → other texts that are known to say the same, see `components.augment.paraphrase`."""

_LONGER = 2
"""How many times as long as before a reply may be allowed to be."""
_NOTES = frozenset({"$comment", "default", "deprecated", "examples", "readOnly", "title", "writeOnly"})
"""What a schema says to its reader, beside descriptions, and to no validator."""


def lost_meaning(base: Harness, variant: Harness, names: NameMap, phrasings: Phrasings | None = None) -> list[str]:
    """One sentence for each thing of `base` that a reader of `variant` could no longer know, and for each thing that he would
    be told beside. Empty: the two say the same."""
    return list(_Reader(base, variant, names, phrasings or {}).losses())


class _Reader:
    def __init__(self, base: Harness, variant: Harness, names: NameMap, phrasings: Phrasings) -> None:
        self.base, self.variant, self.names, self.phrasings = base, variant, names, phrasings
        back = names.reversed()
        properties = back.properties()
        own = disjoint(back.skills, back.tools, properties)
        # Skills that were merged are one to who reads, so their names count as the same, in the base texts as well.
        as_one = {old: "+".join(back.skills[new[0]]) for old, new in names.skills.items()}
        self._read_back = {
            **{name: as_one[back.skills[name][0]] for name in own[0]},
            **{name: back.tools[name] for name in own[1]},
            **{name: properties[name] for name in own[2]},
        }
        self._read_base = {old: new for old, new in as_one.items() if old != new and names.skills[old][0] in own[0]}

    def losses(self) -> Iterator[str]:
        yield from self._skills()
        yield from self._tools()
        yield from self._distractors()
        yield from self._hooks()
        yield from self._sections()
        yield from self._names()
        if self.variant.fallback_reply != self.base.fallback_reply:
            yield "the fallback reply differs"

    def _skills(self) -> Iterator[str]:
        told = told_apart({s.name: s.description for s in self.base.skills})
        distinct = _distinct((s.name, s.name, s.description) for s in self.base.skills)
        variants = {s.name: s for s in self.variant.skills}
        wholes: dict[tuple[str, ...], list[Skill]] = {}
        for skill in self.base.skills:
            wholes.setdefault(self.names.skills[skill.name], []).append(skill)
        for part_names, wanted in wholes.items():
            # Halves are numbered by their keys; in which order the harness lists them says nothing.
            parts = sorted((variants[name] for name in part_names), key=lambda part: part.key)
            own = {skill.name for skill in wanted}
            yield from self._skill(wanted, parts, own - told, own <= distinct)

    def _skill(
        self, wanted: Sequence[Skill], parts: Sequence[Skill], untold: Collection[str] = (), is_distinct: bool = True
    ) -> Iterator[str]:
        """Skills of the base harness that are one to who reads, in the parts that tell them."""
        what = f"skill {' and '.join(skill.name for skill in wanted)}"
        descriptions = [skill.description for skill in wanted]
        named = [tokens(" ".join(words_of(name))) for skill in (*wanted, *parts) for name in (skill.name,)]
        for new in parts:
            yield from self._described(what, descriptions, untold, new.name, new.description, named, is_distinct)
            for skill in wanted:
                if new.kind is not skill.kind:
                    yield f"skill {skill.name} is of another kind"
                if new.key == skill.key and new.covers != skill.covers:
                    yield f"skill {skill.name} stands for other skills than before"
                yield from self._files(skill, new)
            if extra := sorted({file.path for file in new.files} - {file.path for skill in wanted for file in skill.files}):
                yield f"{what} has a file of its own: {extra[0]}"
            others = {part.name for part in parts} - {new.name}
            if unnamed := sorted(others - mentioned(new.body, others)):
                yield f"a part of {what} does not name its other part {unnamed[0]}"
        # A body may say once more what the skill is for, and a half says which half goes on.
        again = [one for text in descriptions for other in self._said(text) for block in blocks(other) for one in block]
        halves = [sentence(self._back(part.name)) for part in parts if len(parts) > 1]
        body = "\n".join(new.body for new in parts)
        more = [*again, *named, *halves]
        yield from self._kept(f"the body of {what}", [skill.body for skill in wanted], body, more, is_distinct)

    def _files(self, skill: Skill, variant: Skill) -> Iterator[str]:
        files = {file.path: file for file in variant.files}
        for file in skill.files:
            new, what = files.get(file.path), f"the file {file.path} of skill {skill.name}"
            if new is None or new.encoding != file.encoding or not (is_text(file) or new.content == file.content):
                yield f"{what} is gone"
            elif is_text(file):
                yield from self._kept(what, [file.content], new.content)

    def _tools(self) -> Iterator[str]:
        told = told_apart({t.name: t.description for t in self.base.tools})
        distinct = _distinct((t.name, t.name, t.description) for t in self.base.tools)
        variants = {t.name: t for t in self.variant.tools}
        for tool in self.base.tools:
            yield from self._tool(tool, variants[self.names.tools[tool.name]], tool.name in told, tool.name in distinct)

    def _tool(self, tool: Tool, variant: Tool, is_told: bool, is_distinct: bool = True) -> Iterator[str]:
        what = f"tool {tool.name}"
        named = [tokens(" ".join(words_of(tool.name)))]
        new = variant.description
        untold = [] if is_told else [tool.name]
        yield from self._described(what, [tool.description], untold, variant.name, new, named, is_distinct)
        yield from self._arguments(tool, variant)
        known = {sentence(self._back(text)) for text in _descriptions(tool.parameters)}
        leaves = {argument.description for argument in arguments_of(variant)}
        for text in _descriptions(variant.parameters):
            if text not in leaves and sentence(self._back(text)) not in known:
                yield f"{what} says more within its parameters: {text}"

    def _arguments(self, tool: Tool, variant: Tool) -> Iterator[str]:
        told = told_apart({a.path: a.description for a in arguments_of(tool)})
        distinct = _distinct((a.path, a.name, a.description) for a in arguments_of(tool))
        variants = {a.canonical: a for a in arguments_of(variant)}
        for argument in arguments_of(tool):
            new, what = variants.pop(argument.canonical, None), f"argument {argument.canonical} of tool {tool.name}"
            if new is None:
                yield f"{what} is gone"
                continue
            if new.required is not argument.required:
                yield f"{what} is required in one of the two only"
            yield from self._described(
                what,
                [argument.description],
                [] if argument.path in told else [argument.name],
                new.name,
                new.description,
                [*_named(argument), *_named(new), *map(sentence, argument.values)],
                argument.path in distinct,
            )
            title = tokens(str(new.schema.get("title", "")))
            if title and new.schema["title"] != argument.schema.get("title") and title not in (*_named(argument), *_named(new)):
                yield f"{what} has another title: {new.schema['title']}"
            if (noted := _noted(new.schema)) != _noted(argument.schema):
                yield f"{what} says more: {noted}"
            text = f"{new.description} {' '.join(new.values)}"
            if tool.implementation != LOAD_SKILL or argument.canonical != "skill":
                yield from self._values(what, argument, new, text)
            elif new.values and set(new.values) != {skill.name for skill in self.variant.skills}:
                yield f"{what} no longer takes the names of the skills"
        yield from (f"argument {name} of tool {tool.name} is new" for name in variants)

    def _values(self, what: str, argument: Argument, variant: Argument, text: str) -> Iterator[str]:
        """Every value stays allowed and told; a range may be written out as its values."""
        low, high = argument.schema.get("minimum"), argument.schema.get("maximum")
        count = high - low + 1 if isinstance(low, int) and isinstance(high, int) else 0
        if variant.values and not argument.values and len(variant.values) != count:
            yield f"{what} takes only some of its values"
        elif not variant.values and (untold := _untold(" ".join(argument.values), text)):
            yield f"the description of {what} no longer says: {untold}"
        elif variant.values and argument.values and set(variant.values) != set(argument.values):
            yield f"{what} takes other values: {', '.join(sorted(set(variant.values) ^ set(argument.values)))}"

    def _distractors(self) -> Iterator[str]:
        of_base = {skill.key: skill for skill in self.base.skills}
        implementations = {tool.implementation for tool in self.base.tools}
        for skill in self.variant.skills:
            if not stands_for(skill, of_base):
                name = skill.key.removeprefix(DISTRACTOR_SKILL)
                yield from self._skill([distractor_skill(name)], [skill]) if name in SKILLS else [_strange(skill.name)]
        for tool in self.variant.tools:
            if is_distractor(tool, implementations):
                name = tool.implementation.removeprefix(DISTRACTOR_TOOL)
                yield from self._tool(distractor_tool(name), tool, True) if name in TOOLS else [_strange(tool.name)]

    def _hooks(self) -> Iterator[str]:
        variants = {h.name: h for h in self.variant.hooks}
        known = {hook.name for hook in self.base.hooks}
        order = binding_order(hook for hook in self.variant.hooks if hook.name in known)
        for name, before in binding_order(self.base.hooks).items():
            if name in order and order[name] != before:
                yield f"hook {name} no longer comes after the same hooks"
        for hook in self.base.hooks:
            new = variants.pop(hook.name, None)
            if new is None or not _same_check(hook, new):
                yield f"hook {hook.name} no longer checks the same"
            elif hook.action is not HookAction.FALL_BACK:
                yield from self._kept(f"the message of hook {hook.name}", [hook.message], new.message)
            elif new.message != hook.message:
                yield f"hook {hook.name} speaks another message"
        for hook in variants.values():
            if (hook.check, hook.parameters) not in [("forbidden_phrases", {"phrases": [*p]}) for p, _ in EXTRA_CHECKS]:
                yield f"hook {hook.name} checks what the base harness does not"
            yield from self._kept(f"the message of hook {hook.name}", [], hook.message)

    def _sections(self) -> Iterator[str]:
        headings = {s.heading for s in self.variant.prompt.sections}
        if self.variant.prompt.format is PromptFormat.JSON and len(headings) < len(self.variant.prompt.sections):
            yield "two sections share a heading, which is their key in JSON, so one is lost"
        of_base = {section.name: section for section in self.base.prompt.sections}
        wholes: dict[tuple[str, ...], list[PromptSection]] = {}
        for new in self.variant.prompt.sections:
            held = tuple(name for name in sections_in(new, of_base) if name in of_base)
            what = f"the heading of section {' and '.join(held) or new.name}"
            yield from self._kept(what, [of_base[name].heading for name in held], new.heading)
            wholes.setdefault(held, []).append(new)
        for held, parts in wholes.items():
            text = "\n".join(new.text for new in parts)
            whole = " and ".join(held) or " and ".join(new.name for new in parts)
            yield from self._kept(f"section {whole}", [of_base[name].text for name in held], text)
        for name, section in of_base.items():
            places = [(held, new) for held, parts in wholes.items() for new in parts if name in held]
            same = all((new.source, new.when) == (section.source, section.when) for _, new in places)
            if not places or not same or len({held for held, _ in places}) > 1:
                yield f"section {name} is gone"

    def _names(self) -> Iterator[str]:
        """Nothing bears a name that something else had, and no text mentions one that is gone."""
        for old, new in ((old, new) for names in (self.names.skills, self.names.tools) for old, new in _pairs(names)):
            if new != old and new in {*self.names.skills, *self.names.tools}:
                yield f"{old} is called {new}, which is another's name"
        gone = {*self.names.skills, *self.names.tools, *self.names.properties()} - borne_names(self.variant)
        for text in texts_of(self.variant):
            yield from (f"the text {text[:60]!r} still mentions {name}" for name in sorted(mentioned(text, gone)))

    def _described(
        self,
        what: str,
        texts: Sequence[str],
        untold: Collection[str],
        new_name: str,
        new_text: str,
        more: Iterable[Words] = (),
        is_distinct: bool = True,
    ) -> Iterator[str]:
        """By its description, and by the words of the names `untold`, which that does not tell apart, as well."""
        yield from self._kept(f"the description of {what}", texts, new_text, more, is_distinct)
        own_words = self._back(f"{new_text} {' '.join(words_of(new_name))}")
        if lost := _untold(" ".join(word for name in untold for word in words_of(name)), own_words):
            yield f"the description of {what} no longer says: {lost}"

    def _kept(
        self, what: str, old: Sequence[str], new: str, more: Iterable[Words] = (), is_distinct: bool = True
    ) -> Iterator[str]:
        """Each base text in any of its phrasings; of what is not distinct, only that nothing is lost."""
        text, words, look = self._back(new), tuple(more), fault if is_distinct else loss
        faults = [look([blocks(one) for one in said], text, words) for said in product(*map(self._said, old))]
        if all(faults):
            yield f"{what} {faults[0]}"

    def _said(self, text: str) -> list[str]:
        return [rename_mentions(one, self._read_base) for one in (text, *self.phrasings.get(text, ()))]

    def _back(self, text: str) -> str:
        return rename_mentions(text, self._read_back)


def _distinct(described: Iterable[tuple[str, str, str]]) -> set[str]:
    """Of (which, name, description), those that description and name together tell apart, in words.

    Nothing but case or punctuation tells another from its siblings (`priceQa`, `price_qa`), so that a variant may have to tell
    it by any name that it ever had.
    """
    return told_apart({which: f"{' '.join(words_of(name))} {text}" for which, name, text in described})


def _pairs(names: Mapping[str, Sequence[str] | str]) -> Iterator[tuple[str, str]]:
    for old, new in names.items():
        yield from ((old, one) for one in ([new] if isinstance(new, str) else new))


def _strange(name: str) -> str:
    return f"{name} stands for nothing in the base harness, and is no known distractor"


def _named(argument: Argument) -> Iterator[Words]:
    """The words of an argument's name, and of those of the objects around it."""
    *around, name = argument.path.split(".")
    yield tokens(" ".join(words_of(name)))
    yield tokens(" ".join(word for parent in around for word in words_of(parent)))


def _untold(old: str, new: str) -> str:
    return ", ".join(sorted(content_words(old) - content_words(new)))


def _noted(schema: Any) -> list[str]:
    """Everything below a schema that is written for its reader only, but for descriptions and its own title."""
    found: list[str] = []
    if isinstance(schema, dict):
        parts = {key: part for key, part in schema.items() if key not in ("description", "title")}
        found += [f"{key} {json.dumps(part, ensure_ascii=False)}" for key, part in parts.items() if key in _NOTES]
        found += [note for part in parts.values() for note in _noted(part)]
    elif isinstance(schema, list):
        found += [note for part in schema for note in _noted(part)]
    return found


def _descriptions(schema: Any) -> Iterator[str]:
    """Every description in a schema."""
    if isinstance(schema, dict):
        if isinstance(text := schema.get("description"), str):
            yield text
        for part in schema.values():
            yield from _descriptions(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _descriptions(part)


def _same_check(hook: Hook, variant: Hook) -> bool:
    """The same check with the same consequences at a point where that is the same; known phrases and lengths may grow."""
    same = (variant.check, variant.action, variant.when) == (hook.check, hook.action, hook.when)
    if not (same and may_move(hook, variant.point) and variant.parameters.keys() == hook.parameters.keys()):
        return False
    return all(_covers(hook.check, name, value, variant.parameters[name]) for name, value in hook.parameters.items())


def _covers(check: str, name: str, old: Any, new: Any) -> bool:
    if check == "forbidden_phrases" and name == "phrases":
        return set(old) <= set(new) <= {*old, *(phrase for phrases in MORE_PHRASES for phrase in phrases)}
    if check == "reply_length" and name.startswith("max_"):
        return bool(old <= new <= _LONGER * old)
    return bool(old == new)


def sections_in(section: PromptSection, of_base: Collection[str]) -> tuple[str, ...]:
    """Names of the base harness's sections that a variant's section holds: its own, or those of which it was made."""
    if section.name in of_base:
        return (section.name,)
    return tuple(part.rpartition("/")[0] or part for part in section.name.split("+"))
