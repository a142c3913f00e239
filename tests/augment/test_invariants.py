"""What every transformation keeps, on any valid harness."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from components.augment import TRANSFORMATIONS, AugmentError, Dimension, NameMap, Prover, Variant, build, schema_tasks
from components.augment.meaning import lost_meaning
from components.augment.samples import samples
from components.harness import check_harness, harness_version
from components.harness.arguments import from_canonical, to_canonical
from components.harness.records import covered
from components.harness.types import LOAD_SKILL, Harness
from tests.augment.harnesses import harnesses

quick = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])

FAMILIES = {
    family: [name for name, transformation in TRANSFORMATIONS.items() if transformation.family == family]
    for family in ("train", "heldout")
}


def check_kept(base: Harness, variant: Harness) -> None:
    check_harness(variant, "variant")
    assert {key for skill in variant.skills for key in covered(skill)} == {skill.key for skill in base.skills}
    names = NameMap.between(base, variant)
    losses = lost_meaning(base, variant, names)
    assert not losses, losses
    tools = {tool.name: tool for tool in variant.tools}
    for tool in base.tools:
        new_tool = tools[names.tools[tool.name]]
        for written in samples(tool.parameters)[0]:
            new = names.arguments(tool.name, written)
            # An empty object says nothing in canonical terms, and what loads skills may list the skills there are.
            if from_canonical(tool, to_canonical(tool, written)) == written and tool.implementation != LOAD_SKILL:
                Draft202012Validator(new_tool.parameters).validate(new)
            assert to_canonical(new_tool, new) == to_canonical(tool, written)


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32))
def test_each_transformation_keeps_what_a_harness_says(base: Harness, seed: int) -> None:
    for transformation in TRANSFORMATIONS.values():
        check_kept(base, transformation.apply(base, Random(seed)))


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32), names=st.sampled_from(list(FAMILIES.values())).flatmap(st.permutations))
def test_any_composition_keeps_what_a_harness_says(base: Harness, seed: int, names: list[str]) -> None:
    names = sorted(names[: seed % len(names) + 1], key=list(TRANSFORMATIONS).index)
    variant = build(base, names, seed)
    check_kept(base, variant)
    assert (harness_version(variant) == harness_version(base)) == (variant == base)


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32), family=st.sampled_from(("train", "heldout")))
def test_the_proof_holds_for_any_variant_of_any_harness(base: Harness, seed: int, family: str) -> None:
    try:
        made = schema_tasks(base, 4, seed)
    except AugmentError:
        assume(False)
    prover = Prover(base, made.tasks)
    for names in (FAMILIES[family], FAMILIES[family][seed % 3 :: 3]):
        proof = prover.prove(Variant("random", family, tuple(names), seed, build(base, names, seed)))  # type: ignore[arg-type]
        assert proof.holds, proof.problems


@quick
@given(base=harnesses(), seed=st.integers(0, 2**32))
def test_a_transformation_stays_in_its_dimension(base: Harness, seed: int) -> None:
    for transformation in TRANSFORMATIONS.values():
        variant = build(base, [transformation.name], seed)
        kept = {
            Dimension.SKILL_IDENTIFIERS: [(t.name, t.implementation) for t in base.tools]
            == [(t.name, t.implementation) for t in variant.tools],
            Dimension.SKILL_CONTENT: [h.name for h in variant.hooks] == [h.name for h in base.hooks]
            and variant.prompt.format == base.prompt.format,
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
