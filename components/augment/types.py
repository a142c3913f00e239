"""The words of Harness-State Augmentation, each defined once.

Dimension       one of the five sides of a harness that may change while the task stays.
Family          `train` transformations make training variants, `heldout` ones the variants of evaluation; they share no word.
Transformation  one change of a harness in one dimension.
Distractor      a skill or tool that a variant has beside the base harness's own, plainly about something else.
Variant         a harness that some transformations made of the base harness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Literal

from components.errors import UserError
from components.harness.types import Harness
from components.liveroom.serves import DISTRACTOR_TOOL as DISTRACTOR_TOOL

Family = Literal["train", "heldout"]

Apply = Callable[[Harness, Random], Harness]
"""A pure change of a harness; every choice it makes comes from the generator it is given."""


DISTRACTOR_SKILL = "distractor/"
"""Key of a skill that stands for none of the base harness's begins so."""


class AugmentError(UserError):
    """Variants that cannot be made or read; the message says what was asked, what was found, and the mend."""


class Dimension(StrEnum):
    SKILL_IDENTIFIERS = "skill_identifiers"
    """Names of skills."""
    SKILL_CONTENT = "skill_content"
    """Wording and layout of their descriptions and bodies; how the content is shared out among skills."""
    TOOL_SCHEMAS = "tool_schemas"
    """Names, parameters, descriptions, order, nesting and types of tools; tools that have nothing to do with the room."""
    PROMPT_STRUCTURE = "prompt_structure"
    """Order, headings, division and format of the system prompt."""
    HOOK_BEHAVIOUR = "hook_behaviour"
    """Which checks there are, their points, order, bounds and messages."""


@dataclass(frozen=True)
class Transformation:
    """One change in one dimension. Leaves a harness as it is where there is nothing to change."""

    name: str
    """`<dimension>/<what it does>`, unique among all transformations."""
    dimension: Dimension
    family: Family
    apply: Apply


def in_dimension(dimension: Dimension, *made: tuple[str, Family, Apply]) -> tuple[Transformation, ...]:
    """Transformations of one dimension: what each does, its family, and the change."""
    return tuple(Transformation(f"{dimension}/{what}", dimension, family, apply) for what, family, apply in made)


@dataclass(frozen=True)
class Variant:
    """An augmented harness and how it came to be."""

    variant_id: str
    family: Family
    transformations: tuple[str, ...]
    """Names of those whose effect can be seen in `harness`, in the order they were applied."""
    seed: int
    """With `transformations` it gives the harness again, see `sampler.build`."""
    harness: Harness

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions in which the variant differs from the base harness, each once."""
        return tuple(dict.fromkeys(Dimension(name.partition("/")[0]) for name in self.transformations))
