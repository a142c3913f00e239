"""Whatever evaluation shares with training is found and named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from components.augment.types import Variant
from components.data import Filtered, LeakError, build_arm, check_leaks
from components.liveroom.types import Case
from tests.data.world import World


def test_the_world_does_not_leak(world: World, filtered: Filtered) -> None:
    rows = build_arm("hsa_sft", filtered.kept, 100, 0.5, seed=0)
    looked_for = check_leaks(world.base, world.train_cases, world.eval_cases, world.train_variants, world.heldout_variants, rows)
    assert looked_for["item titles"] == 18
    assert all(number > 0 for number in looked_for.values())


def shouted(case: Case, comments: tuple[str, ...]) -> Case:
    return replace(case, request=replace(case.request, comments=tuple(f"  {c.upper()}!! " for c in comments)))


@pytest.mark.parametrize(
    ("kind", "leak"),
    [
        ("case ids", lambda train, held: replace(held, case_id=train.case_id)),
        ("rooms", lambda train, held: replace(held, request=replace(held.request, room_id=train.request.room_id))),
        ("item titles", lambda train, held: replace(held, request=replace(held.request, links=train.request.links))),
        ("comments", lambda train, held: shouted(held, train.request.comments)),
        ("phrasings", lambda train, held: replace(held, phrasing=train.phrasing)),
    ],
)
def test_a_leak_between_cases_is_named(world: World, kind: str, leak: Callable[[Case, Case], Case]) -> None:
    leaking = [leak(world.train_cases[0], world.eval_cases[0]), *world.eval_cases[1:]]
    with pytest.raises(LeakError, match=rf"share \d+ {kind} \("):
        check_leaks(world.base, world.train_cases, leaking, world.train_variants, world.heldout_variants)


def test_a_held_out_variant_in_training_is_named(world: World) -> None:
    train = [*world.train_variants, world.heldout_variants[0]]
    with pytest.raises(LeakError, match=r"1 variant ids .*; 1 harness versions"):
        check_leaks(world.base, world.train_cases, world.eval_cases, train, world.heldout_variants)


def test_a_held_out_name_in_a_train_variant_is_named(world: World) -> None:
    def renamed(variant: Variant) -> Variant:
        first, *others = variant.harness.tools
        return replace(variant, harness=replace(variant.harness, tools=(replace(first, name="peek"), *others)))

    train = [renamed(world.train_variants[0]), *world.train_variants[1:]]
    heldout = [renamed(world.heldout_variants[0]), *world.heldout_variants[1:]]
    with pytest.raises(LeakError, match=r"1 skill, tool and parameter names \(peek\)"):
        check_leaks(world.base, world.train_cases, world.eval_cases, train, heldout)


def test_names_of_the_base_harness_are_no_leak(world: World) -> None:
    variant = replace(world.train_variants[0], harness=replace(world.base, fallback_reply={"en": "One moment."}))
    heldout = replace(world.heldout_variants[0], harness=replace(world.base, fallback_reply={"en": "Just a second."}))
    check_leaks(world.base, world.train_cases, world.eval_cases, [variant], [heldout])


def test_a_row_from_elsewhere_is_named(world: World, filtered: Filtered) -> None:
    rows = build_arm("fixed_sft", filtered.kept, 3, 0.0, seed=0)
    rows[0]["variant_id"] = world.heldout_variants[0].variant_id
    with pytest.raises(LeakError, match="1 training rows of other cases or variants"):
        check_leaks(world.base, world.train_cases, world.eval_cases, world.train_variants, world.heldout_variants, rows)


def test_a_held_out_name_anywhere_in_what_the_student_reads_is_named(world: World, filtered: Filtered) -> None:
    rows = build_arm("fixed_sft", filtered.kept, 3, 0.0, seed=0)
    base_names = {skill.name for skill in world.base.skills}
    renamed = next(v for v in world.heldout_variants if any(s.name not in base_names for s in v.harness.skills))
    name = next(skill.name for skill in renamed.harness.skills if skill.name not in base_names)
    rows[0]["messages"][0]["content"] += f" Load {name}."
    with pytest.raises(LeakError, match=rf"1 held-out names in training rows \({name}\)"):
        check_leaks(world.base, world.train_cases, world.eval_cases, world.train_variants, world.heldout_variants, rows)
