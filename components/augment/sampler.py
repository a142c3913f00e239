"""Variants by the number: transformations drawn from one family, composed, and kept where they make a new harness."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from components.augment import hook_behaviour, prompt_structure, skill_content, skill_identifiers, tool_schemas
from components.augment.types import AugmentError, Dimension, Family, Transformation, Variant
from components.harness.records import harness_version
from components.harness.types import Harness

TRANSFORMATIONS: dict[str, Transformation] = {
    transformation.name: transformation
    for module in (skill_identifiers, skill_content, tool_schemas, prompt_structure, hook_behaviour)
    for transformation in module.TRANSFORMATIONS
}
"""Every transformation by name, in the order in which a variant applies them."""

_TRIES = 30
"""Draws a variant before the sampler gives up: most fail only when the harness has no more variants to give."""


def sample_variants(base: Harness, count: int, family: Family, seed: int, strength: float) -> list[Variant]:
    """Draw `count` variants of `base`, all different from it and from each other.

    `strength` (0 to 1) is the chance that a variant changes a dimension. Variant i changes dimension i mod 5 in any
    case, as far as the harness allows, so that every dimension is met. Raises AugmentError where `base` has too few.
    """
    variants: list[Variant] = []
    seen = {harness_version(base)}
    for attempt in range(count * _TRIES):
        if len(variants) == count:
            break
        random = Random(f"{family}:{seed}:{attempt}")
        certain = list(Dimension)[len(variants) % len(Dimension)]
        names = [name for d in Dimension if d is certain or random.random() < strength for name in _draw(d, family, random)]
        own_seed = random.getrandbits(32)
        names = visible(base, names, own_seed)
        harness = build(base, names, own_seed)
        version = harness_version(harness)
        if version not in seen:
            seen.add(version)
            variants.append(Variant(f"{family}-{len(variants):03d}-{version[:6]}", family, tuple(names), own_seed, harness))
    if len(variants) < count:
        raise AugmentError(
            f"variants.{family}: {count} asked for, but the harness gave only {len(variants)} different ones; "
            "ask for fewer or raise variants.strength"
        )
    return variants


def build(base: Harness, names: Sequence[str], seed: int) -> Harness:
    """Apply the named transformations to `base` in order. What each one chooses depends on its name and `seed` only."""
    harness = base
    for name in names:
        harness = TRANSFORMATIONS[name].apply(harness, Random(f"{seed}:{name}"))
    return harness


def visible(base: Harness, names: Sequence[str], seed: int) -> list[str]:
    """Leave out each transformation without which the harness comes out the same: it found nothing, or was undone."""
    kept = list(names)
    for name in names:
        others = [other for other in kept if other != name]
        if build(base, others, seed) == build(base, kept, seed):
            kept = others
    return kept


def _draw(dimension: Dimension, family: Family, random: Random) -> list[str]:
    """Each of the dimension's transformations by the toss of a coin, but at least one."""
    names = [t.name for t in TRANSFORMATIONS.values() if t.dimension is dimension and t.family == family]
    return [name for name in names if random.random() < 0.5] or [random.choice(names)]
