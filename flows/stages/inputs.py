"""What several stages read: the base harness, the cases of a split, the variants of a family."""

from __future__ import annotations

from components.augment.records import variant_from_dict
from components.augment.types import Family, Variant
from components.files import read_jsonl
from components.liveroom.records import case_from_dict
from components.liveroom.types import Case, Split
from flows.paths import RunPaths


def read_cases(paths: RunPaths, split: Split) -> list[Case]:
    """The cases of one split, in the order they were generated."""
    return [case for case in map(case_from_dict, read_jsonl(paths.cases)) if case.split == split]


def read_variants(paths: RunPaths, family: Family) -> list[Variant]:
    """The augmented harnesses of one family."""
    return [variant_from_dict(row) for row in read_jsonl(paths.variants / f"{family}.jsonl")]
