"""A variant that breaks the task is cut down to what breaks it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from components.augment import (
    TRANSFORMATIONS,
    AugmentError,
    Dimension,
    Prover,
    Task,
    Transformation,
    Variant,
    build,
    shrink,
    told,
)
from components.harness.types import Harness, SkillKind
from tests.augment.planted import PLANTED

HONEST = [name for name, transformation in TRANSFORMATIONS.items() if transformation.family == "train"]


def planted(base: Harness, names: list[str]) -> Variant:
    return Variant("train-000-abcdef", "train", tuple(names), 5, build(base, names, 5))


@pytest.fixture
def lost_hook(monkeypatch: pytest.MonkeyPatch) -> str:
    (plant,) = (planted.plant for planted in PLANTED if planted.what == "a hook taken away")
    name = "hook_behaviour/lost"
    monkeypatch.setitem(TRANSFORMATIONS, name, Transformation(name, Dimension.HOOK_BEHAVIOUR, "train", lambda h, _: plant(h)))
    return name


def test_one_guilty_transformation_is_found_among_honest_ones(base: Harness, tasks: list[Task], lost_hook: str) -> None:
    least = shrink(base, planted(base, [*HONEST[:4], lost_hook, *HONEST[4:9]]), tasks[:2])
    assert least.transformations == (lost_hook,)
    assert least.harness == build(base, [lost_hook], 5)


def test_two_that_break_the_task_only_together_are_both_kept(
    base: Harness, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    def marked(harness: Harness, random: Random) -> Harness:
        return replace(harness, tools=tuple(replace(tool, description=f"Function: {tool.description}") for tool in harness.tools))

    def broken_where_marked(harness: Harness, random: Random) -> Harness:
        if not harness.tools[0].description.startswith("Function: "):
            return harness
        strategy = SkillKind.STRATEGY
        return replace(harness, skills=tuple(replace(s, kind=strategy) if s.key == "price-qa" else s for s in harness.skills))

    names = ["tool_schemas/marked", "skill_content/broken_where_marked"]
    for name, apply in zip(names, (marked, broken_where_marked), strict=True):
        transformation = Transformation(name, Dimension(name.partition("/")[0]), "train", apply)
        monkeypatch.setitem(TRANSFORMATIONS, name, transformation)
    prompt = [name for name in HONEST if name.startswith("prompt_structure/")]
    least = shrink(base, planted(base, [*prompt, names[0], *prompt[:0], names[1]]), tasks[:2])
    assert least.transformations == tuple(names)


def test_a_variant_that_keeps_the_task_has_nothing_to_shrink(base: Harness, tasks: list[Task]) -> None:
    with pytest.raises(AugmentError, match="keeps the task, so there is nothing to shrink"):
        shrink(base, planted(base, HONEST[:3]), tasks[:2])


def test_the_sentence_names_transformation_part_and_problem(base: Harness, tasks: list[Task], lost_hook: str) -> None:
    least = planted(base, [lost_hook])
    sentence = told(base, least, Prover(base, tasks[:2]).prove(least).problems)
    assert sentence.startswith("hook_behaviour/lost (in hook numbers_from_tools) at seed 5: hook ")
