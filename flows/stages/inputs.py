"""What several stages share: harnesses, the cases of a split, the variants of a family, the limits of episodes."""

from __future__ import annotations

from components.augment.records import variant_from_dict
from components.augment.types import Family, Variant
from components.data.types import ORIGINAL
from components.files import read_jsonl
from components.harness import load_harness
from components.harness.types import Harness, Limits
from components.liveroom import check_room_serves
from components.liveroom.records import case_from_dict
from components.liveroom.types import Case, Split
from flows.params import Params
from flows.paths import HARNESS, RunPaths


def read_harness() -> Harness:
    """The base harness, checked by itself and against what the room can serve."""
    harness = load_harness(HARNESS)
    check_room_serves(harness, HARNESS)
    return harness


def read_cases(paths: RunPaths, split: Split) -> list[Case]:
    """The cases of one split, in the order they were generated."""
    return [case for case in map(case_from_dict, read_jsonl(paths.cases)) if case.split == split]


def read_variants(paths: RunPaths, family: Family) -> list[Variant]:
    """The augmented harnesses of one family."""
    return [variant_from_dict(row) for row in read_jsonl(paths.variants / f"{family}.jsonl")]


def read_harnesses(paths: RunPaths, family: Family) -> dict[str, Harness]:
    """The base harness as `original`, and the variants of one family by their ids."""
    return {ORIGINAL: read_harness()} | {variant.variant_id: variant.harness for variant in read_variants(paths, family)}


def student_limits(params: Params) -> Limits:
    """Limits of the student's episodes, in training and in evaluation."""
    return Limits(params.loop.turns, params.loop.retries)


def teacher_limits(params: Params) -> Limits:
    """Limits of the teacher's episodes: it needs turns for skill, tools and reply; a shorter limit is the student's only."""
    return Limits(turns=max(params.loop.turns, Limits().turns), retries=params.loop.retries)
