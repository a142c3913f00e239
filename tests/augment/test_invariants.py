"""What every transformation keeps, on any valid harness."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.augment import TRANSFORMATIONS, Dimension, NameMap, build
from components.augment.meaning import lost_meaning
from components.harness import check_harness, harness_version
from components.harness.types import Harness
from tests.augment.harnesses import arguments_for, harnesses

quick = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

FAMILIES = {
    family: [name for name, transformation in TRANSFORMATIONS.items() if transformation.family == family]
    for family in ("train", "heldout")
}


def check_kept(base: Harness, variant: Harness) -> None:
    check_harness(variant, "variant")
    assert {skill.key: skill.kind for skill in variant.skills} == {skill.key: skill.kind for skill in base.skills}
    assert {tool.implementation for tool in variant.tools} == {tool.implementation for tool in base.tools}
    names = NameMap.between(base, variant)
    losses = lost_meaning(base, variant, names)
    assert not losses, losses
    for tool in base.tools:
        written = arguments_for(tool, 7)
        new = names.arguments(tool.name, written)
        assert names.reversed().arguments(names.tools[tool.name], new) == written


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32))
def test_each_transformation_keeps_what_a_harness_says(base: Harness, seed: int) -> None:
    for transformation in TRANSFORMATIONS.values():
        check_kept(base, transformation.apply(base, Random(seed)))


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32), names=st.sampled_from(list(FAMILIES.values())).flatmap(st.permutations))
def test_any_composition_keeps_what_a_harness_says(base: Harness, seed: int, names: list[str]) -> None:
    names = names[: seed % len(names) + 1]
    variant = build(base, names, seed)
    check_kept(base, variant)
    assert (harness_version(variant) == harness_version(base)) == (variant == base)


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32))
def test_a_transformation_stays_in_its_dimension(base: Harness, seed: int) -> None:
    for transformation in TRANSFORMATIONS.values():
        variant = build(base, [transformation.name], seed)
        kept = {
            Dimension.SKILL_IDENTIFIERS: [(t.name, t.implementation) for t in base.tools]
            == [(t.name, t.implementation) for t in variant.tools],
            Dimension.SKILL_CONTENT: (variant.tools, variant.hooks, variant.prompt) == (base.tools, base.hooks, base.prompt),
            Dimension.TOOL_SCHEMAS: [s.name for s in variant.skills] == [s.name for s in base.skills],
            Dimension.PROMPT_STRUCTURE: (variant.tools, variant.hooks) == (base.tools, base.hooks),
            Dimension.HOOK_BEHAVIOUR: (variant.skills, variant.tools, variant.prompt) == (base.skills, base.tools, base.prompt),
        }
        assert kept[transformation.dimension], transformation.name
        assert transformation.name.partition("/")[0] == transformation.dimension


@pytest.mark.parametrize("family", FAMILIES)
@quick
@given(base=harnesses(), seed=st.integers(0, 2**32))
def test_a_harness_depends_on_nothing_but_base_names_and_seed(family: str, base: Harness, seed: int) -> None:
    assert build(base, FAMILIES[family], seed) == build(base, FAMILIES[family], seed)
