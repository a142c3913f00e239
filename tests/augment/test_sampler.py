from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from components.augment import (
    TRANSFORMATIONS,
    AugmentError,
    Dimension,
    Family,
    Variant,
    build,
    sample_variants,
    variant_from_dict,
    variant_to_dict,
)
from components.augment.naming import words_of
from components.harness import harness_version
from components.harness.records import to_dict
from components.harness.render import system_prompt
from components.harness.types import Harness, PromptFormat, PromptPipeline, PromptSection, Request
from tests.augment.worlds import FOREIGN


@pytest.fixture(scope="module")
def variants(base: Harness) -> dict[str, list[Variant]]:
    return {"train": sample_variants(base, 20, "train", 7, 0.6), "heldout": sample_variants(base, 12, "heldout", 7, 0.6)}


def new_names(base: Harness, variants: list[Variant]) -> set[str]:
    def names(harness: Harness) -> set[str]:
        return {skill.name for skill in harness.skills} | {tool.name for tool in harness.tools}

    return set().union(*(names(variant.harness) for variant in variants)) - names(base)


def test_variants_are_all_different_from_each_other_and_from_the_base(base: Harness, variants: dict[str, list[Variant]]) -> None:
    all_variants = [*variants["train"], *variants["heldout"]]
    versions = {harness_version(variant.harness) for variant in all_variants}
    assert len(versions) == len({variant.variant_id for variant in all_variants}) == 32
    assert harness_version(base) not in versions


def test_heldout_variants_use_no_name_of_train_variants(base: Harness, variants: dict[str, list[Variant]]) -> None:
    train, heldout = (new_names(base, variants[family]) for family in ("train", "heldout"))
    assert len(train) > 20 and len(heldout) > 20
    assert not {name.casefold() for name in train} & {name.casefold() for name in heldout}


REQUEST = Request("r", "room", ("Hello",), 1, ((1, "Mug"),), campaign="Mug Days")
KEYS = ("distractor",)
"""What a harness holds and no model reads: keys of what stands for nothing."""


def words(*harnesses: Harness) -> set[str]:
    """Of all that they hold, and of the prompt as it is laid out: Chinese by the character, names word by word, no numbers."""
    texts = (json.dumps(to_dict(harness), ensure_ascii=False) + system_prompt(harness, REQUEST) for harness in harnesses)
    found = {token for text in texts for token in re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", text.replace("\\n", " "))}
    return {word for token in found for word in words_of(token) if not word.isdecimal()}


@pytest.fixture(scope="module")
def many(base: Harness) -> dict[Family, list[Harness]]:
    """Many variants of each family, and each of its transformations alone, of the base harness and of a foreign one."""
    families: dict[Family, list[Harness]] = {"train": [], "heldout": []}
    for family, made in families.items():
        made += [variant.harness for seed in range(2) for variant in sample_variants(base, 15, family, seed, 0.8)]
        made += [variant.harness for variant in sample_variants(FOREIGN, 15, family, 9, 0.8)]
        names = [name for name, transformation in TRANSFORMATIONS.items() if transformation.family == family]
        made += [build(base, [name], seed) for name in names for seed in range(8)]
    return families


def test_families_add_no_word_that_the_other_one_adds(base: Harness, many: dict[Family, list[Harness]]) -> None:
    known = words(base, FOREIGN).union(KEYS)
    train, heldout = (words(*many[family]) - known for family in ("train", "heldout"))
    assert min(len(train), len(heldout)) > 200
    assert sorted(train & heldout) == []


@pytest.mark.parametrize(
    ("form", "family"),
    [
        (r"^\d+\. ", "train"),
        (r"^[*-] (?!.*: )", "train"),
        (r"^#+ (?:Scope|Instructions)$", "train"),
        (r"^</?\w+>", "train"),
        (r"\(.*\)$", "train"),
        (r"^\|.*\|$", "heldout"),
        (r"^\{\n? ?\"", "heldout"),
        ("[«»—]", "heldout"),
        (r"\?$", "heldout"),
    ],
)
def test_a_form_of_one_family_is_unknown_to_the_other(many: dict[Family, list[Harness]], form: str, family: Family) -> None:
    """Forms of bodies, messages and the prompt: numbered steps, bullets, headings, tags, tables, JSON, quotations, questions."""
    seen = {name for name, made in many.items() for harness in made if re.search(form, laid_out(harness), re.MULTILINE)}
    assert seen == {family}


def laid_out(harness: Harness) -> str:
    bodies = (skill.body for skill in harness.skills)
    return "\n".join([system_prompt(harness, REQUEST), *bodies, *(hook.message for hook in harness.hooks)])


def test_a_family_uses_its_own_transformations_and_meets_every_dimension(variants: dict[str, list[Variant]]) -> None:
    for family, sampled in variants.items():
        assert {TRANSFORMATIONS[name].family for variant in sampled for name in variant.transformations} == {family}
        for dimension in Dimension:
            assert sum(dimension in variant.dimensions for variant in sampled) >= len(sampled) // len(Dimension)


def test_seed_and_transformations_give_the_harness_again(base: Harness, variants: dict[str, list[Variant]]) -> None:
    for variant in [*variants["train"], *variants["heldout"]]:
        assert build(base, variant.transformations, variant.seed) == variant.harness


def test_the_record_names_only_transformations_that_can_be_seen(base: Harness, variants: dict[str, list[Variant]]) -> None:
    for variant in variants["heldout"]:
        for name in variant.transformations:
            others = [other for other in variant.transformations if other != name]
            assert build(base, others, variant.seed) != variant.harness


def test_the_same_seed_gives_the_same_variants_and_another_seed_others(base: Harness) -> None:
    first, again, other = (sample_variants(base, 3, "train", seed, 0.5) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize(("strength", "expected"), [(0.0, {1}), (1.0, {5})])
def test_strength_is_the_chance_of_each_dimension(base: Harness, strength: float, expected: set[int]) -> None:
    assert {len(variant.dimensions) for variant in sample_variants(base, 6, "heldout", 5, strength)} == expected


def test_the_mixture_says_how_often_a_dimension_changes(base: Harness) -> None:
    mixture = {Dimension.TOOL_SCHEMAS: 3.0, Dimension.HOOK_BEHAVIOUR: 1.0} | dict.fromkeys(
        (Dimension.SKILL_IDENTIFIERS, Dimension.SKILL_CONTENT, Dimension.PROMPT_STRUCTURE), 0.0
    )
    changed = Counter(d for variant in sample_variants(base, 12, "train", 5, 0.0, mixture) for d in variant.dimensions)
    assert changed == {Dimension.TOOL_SCHEMAS: 9, Dimension.HOOK_BEHAVIOUR: 3}


def test_a_mixture_that_lets_nothing_change_is_refused(base: Harness) -> None:
    with pytest.raises(AugmentError, match=r"variants\.mixture: every dimension has weight 0"):
        sample_variants(base, 1, "train", 0, 0.5, dict.fromkeys(Dimension, 0.0))


def test_more_variants_than_a_harness_has_are_refused(base: Harness) -> None:
    mixture = {dimension: float(dimension is Dimension.SKILL_IDENTIFIERS) for dimension in Dimension}
    with pytest.raises(AugmentError, match=r"variants\.heldout: 3 asked for, .* only 0 different"):
        sample_variants(bare(base), 3, "heldout", 0, 0.0, mixture)


def bare(base: Harness) -> Harness:
    """Nothing but one skill and the tool that loads it, of one name, which therefore has to stay."""
    tool = replace(base.tools[0], name="skill", description="", parameters={"type": "object", "properties": {"skill": {}}})
    skill = replace(base.skills[0], name="skill", description="", body="")
    return Harness((skill,), (tool,), (), PromptPipeline((PromptSection("s", "", "skills"),), PromptFormat.JSON), {"en": "Wait."})


def test_a_variant_survives_json(variants: dict[str, list[Variant]]) -> None:
    for variant in variants["heldout"]:
        assert variant_from_dict(json.loads(json.dumps(variant_to_dict(variant)))) == variant


def test_a_broken_record_is_refused_with_its_variant_and_field(variants: dict[str, list[Variant]]) -> None:
    record = variant_to_dict(variants["train"][0])
    record["harness"]["skills"][0]["kind"] = "song"
    with pytest.raises(
        AugmentError, match=rf"variant {record['variant_id']}: harness\.skills\.0\.kind: .*sample the variants again"
    ):
        variant_from_dict(record)
