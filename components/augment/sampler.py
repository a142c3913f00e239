"""Variants by the number: transformations drawn from one family, composed, and kept where they make a new harness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from components.augment import hook_behaviour, prompt_structure, skill_content, skill_identifiers, tool_schemas
from components.augment.bank import Bank, transformations
from components.augment.types import AugmentError, Dimension, Family, Transformation, Variant
from components.harness.records import harness_version
from components.harness.types import Harness

TRANSFORMATIONS: dict[str, Transformation] = {
    transformation.name: transformation
    for module in (skill_identifiers, skill_content, tool_schemas, prompt_structure, hook_behaviour)
    for transformation in module.TRANSFORMATIONS
}
"""Every transformation that needs no bank of paraphrases, see `available`."""

_TRIES = 30
"""Draws a variant before the sampler gives up: most fail only when the harness has no more variants to give."""


def sample_variants(
    base: Harness,
    count: int,
    family: Family,
    seed: int,
    strength: float,
    mixture: Mapping[Dimension, float] | None = None,
    bank: Bank = (),
) -> list[Variant]:
    """Draw `count` variants of `base`, all different from it and from each other.

    `strength` (0 to 1) is the chance that a variant changes a dimension, multiplied by the dimension's weight in
    `mixture` (1 where it has none; 0 leaves the dimension alone). Beside those, each variant changes one dimension in
    any case, as far as the harness allows: they take turns in proportion to their weights. Paraphrases come from `bank`.
    Raises AugmentError where `base` has too few variants, and where no dimension has a weight.
    """
    return list(draw_variants(base, count, family, seed, strength, mixture, bank))


def draw_variants(
    base: Harness,
    count: int,
    family: Family,
    seed: int,
    strength: float,
    mixture: Mapping[Dimension, float] | None = None,
    bank: Bank = (),
) -> Iterator[Variant]:
    """The variants of `sample_variants`, one at a time."""
    weights = {dimension: (mixture or {}).get(dimension, 1.0) for dimension in Dimension}
    if not any(weights.values()):
        raise AugmentError("variants.mixture: every dimension has weight 0, so nothing may change; raise one")
    seen, drawn = {harness_version(base)}, 0
    turns, pool = dict.fromkeys(Dimension, 0), available(bank)
    for attempt in range(count * _TRIES):
        if drawn == count:
            return
        random = Random(f"{family}:{seed}:{attempt}")
        # Turns are taken by attempts, so that a dimension that the harness leaves no room to change blocks no other.
        certain = max(Dimension, key=lambda d: weights[d] / (turns[d] + 1))
        turns[certain] += 1
        names = [
            name
            for dimension in Dimension
            if dimension is certain or random.random() < strength * weights[dimension]
            for name in _draw(pool, dimension, family, random)
        ]
        own_seed = random.getrandbits(32)
        names, harness = visible(base, sorted(names, key=list(pool).index), own_seed, pool)
        version = harness_version(harness)
        if version not in seen:
            seen.add(version)
            yield Variant(f"{family}-{drawn:03d}-{version[:6]}", family, tuple(names), own_seed, harness)
            drawn += 1
    if drawn < count:
        raise AugmentError(
            f"variants.{family}: {count} asked for, but the harness gave only {drawn} different ones; "
            "ask for fewer or raise variants.strength"
        )


def available(bank: Bank = ()) -> Mapping[str, Transformation]:
    """Every transformation by name, in the order in which a variant applies them, those of a bank of paraphrases first."""
    return {**{transformation.name: transformation for transformation in transformations(bank)}, **TRANSFORMATIONS}


def build(base: Harness, names: Sequence[str], seed: int, bank: Bank = ()) -> Harness:
    """Apply the named transformations to `base` in order. What each one chooses depends on its name, `seed` and `bank` only."""
    return _built(base, names, seed, available(bank))


def _built(base: Harness, names: Sequence[str], seed: int, pool: Mapping[str, Transformation]) -> Harness:
    harness = base
    for name in names:
        harness = _applied(harness, name, seed, pool)
    return harness


def visible(base: Harness, names: Sequence[str], seed: int, pool: Mapping[str, Transformation]) -> tuple[list[str], Harness]:
    """The transformations without which the harness would come out otherwise, and the harness that they make.

    Left out is one that finds nothing to change, and one that a later one of its own dimension undoes: no other can.
    """
    kept: list[str] = []
    harness = base
    for name in names:
        before, harness = harness, _applied(harness, name, seed, pool)
        kept += [name] if harness != before else []
    for dimension in Dimension:
        for name in [name for name in kept if pool[name].dimension is dimension][:-1]:
            own = [other for other in kept if pool[other].dimension is dimension]
            if _built(base, [other for other in own if other != name], seed, pool) == _built(base, own, seed, pool):
                kept.remove(name)
    return kept, harness


def _applied(harness: Harness, name: str, seed: int, pool: Mapping[str, Transformation]) -> Harness:
    return pool[name].apply(harness, Random(f"{seed}:{name}"))


def _draw(pool: Mapping[str, Transformation], dimension: Dimension, family: Family, random: Random) -> list[str]:
    """Each of the dimension's transformations by the toss of a coin, but at least one."""
    names = [t.name for t in pool.values() if t.dimension is dimension and t.family == family]
    return [name for name in names if random.random() < 0.5] or [random.choice(names)]
