"""Paraphrases as data: the sampler draws from a bank, and who reads a variant knows what each paraphrase says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

from pydantic import TypeAdapter, ValidationError

from components.augment.meaning import Phrasings
from components.augment.types import Apply, AugmentError, Dimension, Family, Transformation
from components.files import read_jsonl, write_jsonl
from components.harness.types import Harness, HookAction


@dataclass(frozen=True)
class Paraphrase:
    """One text of the base harness in other words."""

    dimension: Dimension
    family: Family
    text: str
    says: str


Bank = tuple[Paraphrase, ...]

_PARAPHRASE = TypeAdapter(Paraphrase)


def phrasings(bank: Bank) -> Phrasings:
    """The bank as `lost_meaning` reads it."""
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for one in bank:
        found[one.text] += (one.says,)
    return dict(found)


def transformations(bank: Bank) -> tuple[Transformation, ...]:
    """One for each dimension and family that the bank has texts for; they go before all others, which change the texts."""
    by_place: defaultdict[tuple[Dimension, Family], list[Paraphrase]] = defaultdict(list)
    for one in bank:
        by_place[one.dimension, one.family].append(one)
    names = {"train": "paraphrased", "heldout": "other_paraphrases"}
    return tuple(Transformation(f"{d}/{names[f]}", d, f, _apply(d, own)) for (d, f), own in sorted(by_place.items()))


def write_bank(path: Path, bank: Bank) -> None:
    """One paraphrase a line of JSON."""
    write_jsonl(path, (asdict(one) for one in bank))


def read_bank(path: Path) -> Bank:
    """Inverse of `write_bank`. Raises AugmentError naming the line for one of another shape."""
    bank = []
    for number, row in enumerate(read_jsonl(path), 1):
        try:
            bank.append(_PARAPHRASE.validate_python(row))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise AugmentError(f"{path}:{number}: {place}: {first['msg'].lower()}; collect the paraphrases again") from None
    return tuple(bank)


def texts_by_dimension(harness: Harness) -> Iterator[tuple[Dimension, str]]:
    """The texts that may be paraphrased, each once: what the model reads as sentences, never what a viewer hears."""
    texts = [
        *((Dimension.SKILL_CONTENT, text) for s in harness.skills for text in (s.description, s.body)),
        *((Dimension.TOOL_SCHEMAS, tool.description) for tool in harness.tools),
        *((Dimension.PROMPT_STRUCTURE, section.text) for section in harness.prompt.sections),
        *((Dimension.HOOK_BEHAVIOUR, hook.message) for hook in harness.hooks if hook.action is HookAction.RETRY),
    ]
    yield from dict.fromkeys((dimension, text) for dimension, text in texts if text.strip())


def _apply(dimension: Dimension, own: list[Paraphrase]) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        chosen = {text: random.choice(says) for text, says in phrasings(tuple(own)).items()}
        return rephrased(harness, chosen, dimension)

    return apply


def rephrased(harness: Harness, says: Mapping[str, str], dimension: Dimension) -> Harness:
    """The harness with those of its texts in one dimension replaced that `says` has another for."""

    def new(text: str) -> str:
        return says.get(text, text)

    match dimension:
        case Dimension.SKILL_CONTENT:
            skills = (replace(s, description=new(s.description), body=new(s.body)) for s in harness.skills)
            return replace(harness, skills=tuple(skills))
        case Dimension.TOOL_SCHEMAS:
            return replace(harness, tools=tuple(replace(t, description=new(t.description)) for t in harness.tools))
        case Dimension.PROMPT_STRUCTURE:
            sections = tuple(replace(s, text=new(s.text)) for s in harness.prompt.sections)
            return replace(harness, prompt=replace(harness.prompt, sections=sections))
        case Dimension.HOOK_BEHAVIOUR:
            hooks = (replace(h, message=new(h.message)) if h.action is HookAction.RETRY else h for h in harness.hooks)
            return replace(harness, hooks=tuple(hooks))
        case Dimension.SKILL_IDENTIFIERS:
            return harness
