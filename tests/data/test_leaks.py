"""Whatever evaluation shares with training is found and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from components.augment.types import Variant
from components.data import Filtered, LeakError, build_arm, check_leaks
from components.harness.types import JsonObject
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


def test_a_phrasing_of_evaluation_inside_several_is_named(world: World) -> None:
    held = next(case for case in world.eval_cases if "+" not in case.phrasing)
    first, *others = world.train_cases
    train = [replace(first, phrasing=f"{first.phrasing}+{held.phrasing}"), *others]
    with pytest.raises(LeakError, match=rf"share 1 phrasings \({held.phrasing}\)"):
        check_leaks(world.base, train, world.eval_cases, world.train_variants, world.heldout_variants)


def test_dialogue_of_evaluation_in_training_is_named(world: World) -> None:
    held = next(case for case in world.eval_cases if case.request.dialogue)
    first, *others = world.train_cases
    train = [replace(first, request=replace(first.request, dialogue=held.request.dialogue)), *others]
    with pytest.raises(LeakError, match=r"\d lines of dialogue \("):
        check_leaks(world.base, train, world.eval_cases, world.train_variants, world.heldout_variants)


@pytest.mark.parametrize("near", ["{} thx", "omg {}!!"])
def test_a_comment_is_named_that_is_inside_one_of_the_other_split(world: World, near: str) -> None:
    comment = next(one for case in world.eval_cases for one in case.request.comments if len(one.split()) > 6)

    def with_comment(cases: list[Case], comment: str) -> list[Case]:
        return [replace(cases[0], request=replace(cases[0].request, comments=(comment,))), *cases[1:]]

    train = with_comment(world.train_cases, near.format(comment))
    with pytest.raises(LeakError, match="share 1 comments"):
        check_leaks(world.base, train, world.eval_cases, world.train_variants, world.heldout_variants)
    train, held = with_comment(world.train_cases, comment), with_comment(world.eval_cases, near.format(comment))
    with pytest.raises(LeakError, match=r"share \d comments"):
        check_leaks(world.base, train, held, world.train_variants, world.heldout_variants)


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


KINDS = dict.fromkeys(("message of a hook", "body of a skill"), "texts of skills, tools, hooks and prompt")


def rows_that_read(world: World, filtered: Filtered, said: str) -> list[JsonObject]:
    rows = build_arm("fixed_sft", filtered.kept, 3, 0.0, seed=0)
    rows[1]["messages"].append({"role": "tool", "content": json.dumps({"instructions": f"Read: {said}"}, ensure_ascii=False)})
    return rows


def evaluation_things(world: World) -> dict[str, str]:
    held = next(case for case in world.eval_cases if case.request.dialogue)
    messages = [hook.message for variant in world.heldout_variants for hook in variant.harness.hooks]
    of_base = {hook.message for hook in world.base.hooks}
    message = next(one for one in messages if one not in of_base and len(one.partition("{reason}")[0].split()) > 5)
    bodies = [skill.body for variant in world.heldout_variants for skill in variant.harness.skills]
    body = next(body for body in bodies if body not in {skill.body for skill in world.base.skills} and "\n" in body)
    return {
        "case ids": held.case_id,
        "item titles": held.request.links[0][1],
        "comments": next(one for case in world.eval_cases for one in case.request.comments if len(one.split()) > 6),
        "lines of dialogue": held.request.dialogue[0].text,
        "message of a hook": message.replace("{reason}", "too long"),
        "body of a skill": body,
    }


@pytest.mark.parametrize(
    "kind",
    ("case ids", "item titles", "comments", "lines of dialogue", "message of a hook", "body of a skill"),
)
def test_what_a_row_holds_of_evaluation_is_named(world: World, filtered: Filtered, kind: str) -> None:
    rows = rows_that_read(world, filtered, f"{evaluation_things(world)[kind]} And more.")
    with pytest.raises(LeakError, match=rf"\d {KINDS.get(kind, kind)} in training rows \("):
        check_leaks(world.base, world.train_cases, world.eval_cases, world.train_variants, world.heldout_variants, rows)


def test_a_chinese_held_out_name_inside_a_sentence_is_named(world: World, filtered: Filtered) -> None:
    first, *others = world.heldout_variants
    skill, *skills = first.harness.skills
    named = replace(first, harness=replace(first.harness, skills=(replace(skill, name="售后问答"), *skills)))
    rows = rows_that_read(world, filtered, "请先加载售后问答再回答。")
    with pytest.raises(LeakError, match=r"1 held-out names in training rows \(售后问答\)"):
        check_leaks(world.base, world.train_cases, world.eval_cases, world.train_variants, [named, *others], rows)


def test_a_title_that_is_part_of_a_training_title_is_no_leak_of_its_row(world: World, filtered: Filtered) -> None:
    def titled(case: Case, title: str) -> Case:
        return replace(case, request=replace(case.request, links=((1, title), *case.request.links[1:])))

    train = [titled(world.train_cases[0], "White Linen Shirt"), *world.train_cases[1:]]
    held = [titled(world.eval_cases[0], "Linen Shirt"), *world.eval_cases[1:]]
    rows = rows_that_read(world, filtered, "The White Linen Shirt is here.")
    check_leaks(world.base, train, held, world.train_variants, world.heldout_variants, rows)
