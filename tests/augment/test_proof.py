"""The proof holds for what the sampler makes, and catches every change that breaks the task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from components.augment import AugmentError, NameMap, Variant, build, prove, sample_variants
from components.harness.types import Harness, Hook, HookAction, HookPoint, Skill, Tool
from components.judge import check
from components.liveroom.catalogue import Catalogue
from components.liveroom.types import Case

Room = tuple[Catalogue, list[Case]]


@pytest.fixture(scope="module")
def variant(base: Harness) -> Variant:
    """Changed in every dimension, so that a planted break must be found among honest changes."""
    names = (
        *("skill_identifiers/opaque", "skill_content/other_wording", "tool_schemas/other_names", "tool_schemas/nested"),
        *("tool_schemas/integers_as_text", "prompt_structure/json", "hook_behaviour/other_wording"),
    )
    return Variant("heldout-000-abcdef", "heldout", names, 1, build(base, names, 1))


def test_a_variant_changed_in_every_dimension_keeps_the_task(base: Harness, room: Room, variant: Variant) -> None:
    assert prove(base, variant, room[1], room[0], check).problems == ()


@pytest.mark.parametrize("family", ["train", "heldout"])
def test_sampled_variants_keep_the_task(base: Harness, room: Room, family: Any) -> None:
    for variant in sample_variants(base, 5, family, 11, 0.8):
        proof = prove(base, variant, room[1], room[0], check)
        assert proof.holds, proof.problems
        assert (proof.variant_id, proof.cases, proof.reason) == (variant.variant_id, 8, "")


def test_nothing_is_proved_without_cases(base: Harness, room: Room, variant: Variant) -> None:
    with pytest.raises(AugmentError, match="no cases"):
        prove(base, variant, [], room[0])


def of(harness: Harness, implementation: str) -> Tool:
    return next(tool for tool in harness.tools if tool.implementation == implementation)


def with_tools(harness: Harness, change: Callable[[Tool], Tool]) -> Harness:
    return replace(harness, tools=tuple(map(change, harness.tools)))


def with_skills(harness: Harness, change: Callable[[Skill], Skill]) -> Harness:
    return replace(harness, skills=tuple(map(change, harness.skills)))


def with_hook(harness: Harness, point: HookPoint, check: str, **parameters: Any) -> Harness:
    return replace(harness, hooks=(*harness.hooks, Hook("planted", point, check, HookAction.RETRY, "No: {reason}.", parameters)))


SWAP = {"price_lookup": "stock_lookup", "stock_lookup": "price_lookup", "price_qa": "item_qa", "item_qa": "price_qa"}


def swapped_implementations(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, implementation=SWAP.get(t.implementation, t.implementation)))


def one_implementation_twice(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, implementation="price_lookup") if t.implementation == "stock_lookup" else t)


def swapped_skill_keys(h: Harness) -> Harness:
    return with_skills(h, lambda s: replace(s, key=SWAP.get(s.key, s.key)))


def swapped_skill_bodies(h: Harness) -> Harness:
    bodies = {s.key: s.body for s in h.skills}
    return with_skills(h, lambda s: replace(s, body=bodies[SWAP.get(s.key, s.key)]))


def body_that_names_another_tool(h: Harness) -> Harness:
    price, stock = of(h, "price_lookup").name, of(h, "stock_lookup").name
    return with_skills(h, lambda s: replace(s, body=s.body.replace(price, stock)))


def body_that_names_the_old_tool(h: Harness) -> Harness:
    price = of(h, "price_lookup").name
    return with_skills(h, lambda s: replace(s, body=f"{s.body} Or call price_lookup, that is {price}."))


def lost_description(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, description="A tool.") if t.implementation == "price_lookup" else t)


def lost_skill(h: Harness) -> Harness:
    return replace(h, skills=h.skills[1:])


def argument_at_a_path_that_is_not_there(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, argument_paths={name: f"{path}_x" for name, path in t.argument_paths.items()}))


def argument_no_longer_required(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, parameters={**t.parameters, "required": []}))


def argument_of_another_type(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, argument_types={"link_id": "string"}))


def reply_skill_made_strategy(h: Harness) -> Harness:
    return with_skills(h, lambda s: replace(s, kind=h.skills[-2].kind) if s.key == "price_qa" else s)


def hook_that_forbids_the_right_answer(h: Harness) -> Harness:
    return with_hook(h, HookPoint.FACTUAL_RISK, "forbidden_phrases", phrases=["yuan"])


def hook_too_strict_for_the_right_answer(h: Harness) -> Harness:
    return with_hook(h, HookPoint.REPLY_FORMAT, "reply_length", max_words=3)


def hook_taken_away(h: Harness) -> Harness:
    return replace(h, hooks=tuple(hook for hook in h.hooks if hook.check != "numbers_supported"))


def unknown_check(h: Harness) -> Harness:
    return with_hook(h, HookPoint.REPLY_FORMAT, "no_such_check")


def section_taken_away(h: Harness) -> Harness:
    return replace(h, prompt=replace(h.prompt, sections=tuple(s for s in h.prompt.sections if s.name != "steps")))


def two_tools_of_one_name(h: Harness) -> Harness:
    return with_tools(h, lambda t: replace(t, name="same"))


def other_fallback(h: Harness) -> Harness:
    return replace(h, fallback_reply="Everything is free today.")


@pytest.mark.parametrize(
    ("plant", "reason"),
    [
        (swapped_implementations, "the description of tool price_lookup no longer says: after, and, coupon, price"),
        (one_implementation_twice, "tool: base and variant have different ones (stock_lookup)"),
        (swapped_skill_keys, "the description of skill item_qa no longer says: colour"),
        (swapped_skill_bodies, "the body of skill item_qa no longer says: asked"),
        (body_that_names_another_tool, "the body of skill price_qa no longer says: price_lookup"),
        (body_that_names_the_old_tool, "still mentions price_lookup"),
        (lost_description, "the description of tool price_lookup no longer says"),
        (lost_skill, "skill: base and variant have different ones (after_sales_qa)"),
        (argument_at_a_path_that_is_not_there, "argument_paths"),
        (argument_no_longer_required, "argument skill of tool load_skill is required in one of the two only"),
        (argument_of_another_type, "the expert did skill"),
        (reply_skill_made_strategy, "skill price_qa is of another kind"),
        (hook_that_forbids_the_right_answer, "the episode ends with retry_limit instead of replied"),
        (hook_too_strict_for_the_right_answer, "the episode ends with retry_limit instead of replied"),
        (hook_taken_away, "hook numbers_from_tools no longer checks the same"),
        (unknown_check, "no_such_check is unknown"),
        (section_taken_away, "section steps is gone"),
        (two_tools_of_one_name, "tool same occurs 6 times"),
        (other_fallback, "the fallback reply differs"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_planted_break_is_caught(
    base: Harness, room: Room, variant: Variant, plant: Callable[[Harness], Harness], reason: str
) -> None:
    proof = prove(base, replace(variant, harness=plant(variant.harness)), room[1], room[0])
    assert not proof.holds
    assert any(reason in problem for problem in proof.problems), proof.problems


def two_arguments(base: Harness) -> Harness:
    schema = {
        "type": "object",
        "properties": {"link_id": {"type": "integer"}, "shop_id": {"type": "integer"}},
        "required": ["link_id"],
    }
    return with_tools(base, lambda t: replace(t, parameters=schema) if t.implementation == "price_lookup" else t)


@pytest.mark.parametrize("described", [True, False])
def test_swapped_argument_paths_are_caught(base: Harness, room: Room, described: bool) -> None:
    """The expert writes and reads by the same paths, so only the words can tell."""
    with_two = two_arguments(base)
    if described:
        parts = {
            "link_id": {"type": "integer", "description": "Number on screen"},
            "shop_id": {"type": "integer", "description": "Who sells"},
        }
        with_two = with_tools(
            with_two,
            lambda t: replace(t, parameters={**t.parameters, "properties": parts}) if t.implementation == "price_lookup" else t,
        )
    variant = sample_variants(with_two, 3, "heldout", 2, 1.0)[2]
    assert prove(with_two, variant, room[1], room[0]).holds

    def swapped(tool: Tool) -> Tool:
        if tool.implementation != "price_lookup":
            return tool
        path = {name: tool.argument_paths.get(name, name) for name in ("link_id", "shop_id")}
        return replace(tool, argument_paths={"link_id": path["shop_id"], "shop_id": path["link_id"]})

    broken = replace(variant, harness=with_tools(variant.harness, swapped))
    problems = prove(with_two, broken, room[1], room[0]).problems
    assert any("the description of argument link_id of tool price_lookup no longer says" in problem for problem in problems), (
        problems
    )


def test_a_base_harness_that_forbids_its_own_answer_proves_nothing(base: Harness, room: Room, variant: Variant) -> None:
    mute = hook_that_forbids_the_right_answer(base)
    same = replace(variant, harness=mute)
    assert "the base harness itself gives no reply (retry_limit)" in prove(mute, same, room[1], room[0]).reason


def test_verdicts_are_compared_where_a_judge_is_given(base: Harness, room: Room, variant: Variant) -> None:
    proof = prove(base, variant, room[1], room[0], lambda case, truth, trajectory: trajectory.harness_version)
    assert len(proof.problems) == 8
    assert proof.reason.endswith("the verdicts differ")


def test_names_map_both_ways(base: Harness, variant: Variant) -> None:
    there = NameMap.between(base, variant.harness)
    back = there.reversed()
    for name in there.skills:
        assert back.skills[there.skills[name]] == name
    for name in there.tools:
        written = {"skill": "x"} if name == "load_skill" else {"link_id": 3}
        new = there.arguments(name, written)
        assert new != written
        assert back.arguments(there.tools[name], new) == written
