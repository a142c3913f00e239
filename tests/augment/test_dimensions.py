"""What the transformations make of the base harness, and of harnesses that none of us wrote."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from components.augment import TRANSFORMATIONS, Dimension, NameMap, build
from components.harness.arguments import from_canonical, to_canonical
from components.harness.render import system_prompt
from components.harness.types import Harness, HookAction, HookPoint, PromptFormat, Tool
from tests.augment.worlds import FOREIGN


def test_every_dimension_has_both_families_and_transformations_are_unique() -> None:
    counts = Counter((t.dimension, t.family) for t in TRANSFORMATIONS.values())
    assert all(counts[dimension, family] >= 2 for dimension in Dimension for family in ("train", "heldout"))
    assert len({id(t.apply) for t in TRANSFORMATIONS.values()}) == len(TRANSFORMATIONS)


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_every_transformation_changes_the_base_harness(base: Harness, name: str) -> None:
    assert any(build(base, [name], seed) != base for seed in range(5))


@pytest.mark.parametrize("dimension", Dimension)
def test_train_and_heldout_never_make_the_same_harness(base: Harness, dimension: Dimension) -> None:
    made = {
        family: [
            build(base, [t.name], seed)
            for t in TRANSFORMATIONS.values()
            if (t.dimension, t.family) == (dimension, family)
            for seed in range(8)
        ]
        for family in ("train", "heldout")
    }
    assert not [harness for harness in made["train"] if harness != base and harness in made["heldout"]]


def test_opaque_names_replace_every_mention_and_leave_the_descriptions() -> None:
    variant = build(FOREIGN, ["skill_identifiers/opaque"], 3)
    refunds, parcels = variant.skills
    assert re.fullmatch(r"sk_[0-9a-f]{4}", refunds.name)
    assert refunds.description == "Money back."
    assert parcels.body == f"For a broken parcel load `{refunds.name}` instead. Refunds take days."
    assert variant.hooks[0].message == f"Load the {refunds.name} skill or {parcels.name}: {{refunds}}."
    assert variant.prompt.sections[0].text == f"Use track_parcel and **{refunds.name}**."


def test_a_name_that_alone_told_a_skill_apart_goes_into_the_description() -> None:
    silent = replace(FOREIGN, skills=tuple(replace(skill, description="Helps.") for skill in FOREIGN.skills))
    variant = build(silent, ["skill_identifiers/opaque"], 3)
    assert [skill.description for skill in variant.skills] == ["refunds: Helps.", "parcel status: Helps."]


def test_renamed_tools_and_parameters_are_renamed_in_every_text() -> None:
    variant = build(FOREIGN, ["tool_schemas/renamed"], 5)
    names = NameMap.between(FOREIGN, variant)
    track, number = names.tools["track_parcel"], names.properties()["parcel_id"]
    tool = next(tool for tool in variant.tools if tool.name == track)
    assert track != "track_parcel" and number != "parcel_id"
    assert tool.description == f"Where a parcel is; give `{number}`."
    assert list(tool.parameters["properties"]) == [number]
    assert tool.parameters["required"] == [number]
    assert tool.parameters["properties"][number]["description"] == "parcel id"
    assert track in variant.prompt.sections[0].text


def test_nesting_and_text_integers_reach_the_same_canonical_arguments() -> None:
    tool = build(FOREIGN, ["tool_schemas/other_names", "tool_schemas/nested", "tool_schemas/integers_as_text"], 1).tools[1]
    written = from_canonical(tool, {"parcel_id": 12})
    ((envelope, inner),) = written.items()
    assert list(inner.values()) == ["12"]
    assert tool.parameters["required"] == [envelope]
    assert to_canonical(tool, written) == {"parcel_id": 12}


def test_schemas_that_are_more_than_plain_objects_keep_their_parameters() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "integer"}}}
    harness = replace(FOREIGN, tools=(*FOREIGN.tools, Tool("odd_tool", "Odd.", schema, "odd")))
    for name in TRANSFORMATIONS:
        (odd,) = (tool for tool in build(harness, [name], 1).tools if tool.implementation == "odd")
        assert odd.parameters == schema


def test_a_parameter_that_such_a_schema_shares_keeps_its_name_everywhere() -> None:
    schema = {"type": "object", "properties": {"parcel_id": {"type": "integer"}}, "anyOf": [{"required": ["parcel_id"]}]}
    harness = replace(FOREIGN, tools=(*FOREIGN.tools, Tool("odd_tool", "Odd.", schema, "odd")))
    assert "parcel_id" in build(harness, ["tool_schemas/renamed"], 1).tools[1].parameters["properties"]


def test_formats_of_the_system_prompt(base: Harness) -> None:
    formats = {name: {build(base, [name], seed).prompt.format for seed in range(10)} for name in TRANSFORMATIONS}
    assert formats["prompt_structure/xml_or_plain"] == {PromptFormat.XML, PromptFormat.PLAIN}
    assert formats["prompt_structure/json"] == {PromptFormat.JSON}


def test_sections_that_share_a_heading_never_become_json(base: Harness) -> None:
    sections = tuple(replace(section, heading="Same") for section in base.prompt.sections)
    same = replace(base, prompt=replace(base.prompt, sections=sections))
    assert build(same, ["prompt_structure/json"], 0) == same


def test_hooks_swap_places_only_where_all_of_a_point_act_alike(base: Harness) -> None:
    orders = {tuple(h.name for h in build(base, ["hook_behaviour/reordered"], seed).hooks) for seed in range(20)}
    points = {tuple(h.point for h in build(base, ["hook_behaviour/reordered"], seed).hooks) for seed in range(20)}
    assert len(orders) == 4
    assert len(points) == 1
    mixed = replace(
        base,
        hooks=tuple(replace(h, action=HookAction.BLOCK) if h.name in ("no_promises", "short_reply") else h for h in base.hooks),
    )
    assert all(build(mixed, ["hook_behaviour/reordered"], seed) == mixed for seed in range(5))


def test_bounds_are_only_ever_raised(base: Harness) -> None:
    bounds = {
        h.parameters["max_words"]
        for seed in range(20)
        for h in build(base, ["hook_behaviour/looser"], seed).hooks
        if "max_words" in h.parameters
    }
    assert bounds == {50, 60, 80}


def test_the_extra_check_comes_beside_the_others(base: Harness) -> None:
    *others, extra = build(base, ["hook_behaviour/extra_check"], 0).hooks
    assert tuple(others) == base.hooks
    assert (extra.point, extra.check, extra.action) == (HookPoint.FACTUAL_RISK, "forbidden_phrases", HookAction.RETRY)


def test_a_variant_stays_short(base: Harness) -> None:
    """A small model with a short context reads it: whatever is composed, texts grow by less than a third."""

    def size(harness: Harness) -> int:
        return len(
            " ".join([system_prompt(harness), *(s.body for s in harness.skills), *(h.message for h in harness.hooks)]).split()
        )

    for family in ("train", "heldout"):
        names = [t.name for t in TRANSFORMATIONS.values() if t.family == family]
        assert max(size(build(base, names, seed)) for seed in range(10)) < 1.34 * size(base)
