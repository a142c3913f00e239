"""The small world that tests of data run in."""

from __future__ import annotations

from dataclasses import dataclass

from components.augment.types import Variant
from components.harness.types import Harness
from components.liveroom.catalogue import Catalogue
from components.liveroom.types import Case, Item

SEED = 7


@dataclass(frozen=True)
class World:
    """What the stages before collection leave behind."""

    base: Harness
    items: list[Item]
    cases: list[Case]
    catalogue: Catalogue
    train_variants: list[Variant]
    heldout_variants: list[Variant]

    @property
    def train_cases(self) -> list[Case]:
        return [case for case in self.cases if case.split == "train"]

    @property
    def eval_cases(self) -> list[Case]:
        return [case for case in self.cases if case.split == "eval"]
