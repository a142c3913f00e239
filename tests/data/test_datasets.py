"""Both arms have equal budgets over the same cases, whatever the filter kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.data import ORIGINAL, CollectedTrajectory, build_arm, collected_from_dict, collected_to_dict
from components.data.types import episode_id
from components.errors import UserError
from components.harness.types import Message, Request, StopReason, Tool, ToolCall, Trajectory

VARIANTS = ("v1", "v2", "v3")


def collected(case_id: str, variant_id: str) -> CollectedTrajectory:
    call = ToolCall("call_0_0", "load_skill", {"skill": "item-qa"})
    messages = (
        Message("system", "You answer viewers."),
        Message("user", f"Viewer: {case_id}"),
        Message("assistant", "", (call,)),
        Message("tool", "{}", call_id="call_0_0", name="load_skill"),
        Message("assistant", "It is linen."),
    )
    trajectory = Trajectory(
        episode_id=episode_id(case_id, variant_id),
        request=Request(case_id, "room", (case_id,), 1, ((1, "Shirt"),)),
        harness_version="0123456789ab",
        policy="expert",
        messages=messages,
        tools=(Tool("load_skill", "Load a skill.", {"type": "object"}, "load_skill"),),
        events=(),
        reply="It is linen.",
        stop_reason=StopReason.REPLIED,
    )
    return CollectedTrajectory(case_id, variant_id, trajectory)


def full(cases: int) -> list[CollectedTrajectory]:
    return [collected(f"c{number:02d}", variant) for number in range(cases) for variant in (ORIGINAL, *VARIANTS)]


def test_a_row_is_in_the_openai_chat_format() -> None:
    [row] = build_arm("fixed_sft", full(1), 1, 0.5, seed=0)
    assert row == {
        "id": "c00@original",
        "case_id": "c00",
        "variant_id": "original",
        "harness_version": "0123456789ab",
        "messages": [
            {"role": "system", "content": "You answer viewers."},
            {"role": "user", "content": "Viewer: c00"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "id": "call_0_0",
                        "type": "function",
                        "function": {"name": "load_skill", "arguments": {"skill": "item-qa"}},
                    }
                ],
            },
            {"role": "tool", "content": "{}", "tool_call_id": "call_0_0", "name": "load_skill"},
            {"role": "assistant", "content": "It is linen."},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "load_skill", "description": "Load a skill.", "parameters": {"type": "object"}},
            }
        ],
    }


@given(
    kept=st.sets(st.tuples(st.integers(0, 9), st.sampled_from((ORIGINAL, *VARIANTS)))),
    budget=st.integers(1, 12),
    share=st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_arms_are_paired_whatever_was_kept(kept: set[tuple[int, str]], budget: int, share: float, seed: int) -> None:
    found = [collected(f"c{number}", variant) for number, variant in sorted(kept)]
    paired = {n for n, variant in kept if variant != ORIGINAL} & {n for n, variant in kept if variant == ORIGINAL}
    if not paired:
        with pytest.raises(UserError, match="no case has a kept trajectory both"):
            build_arm("fixed_sft", found, budget, share, seed)
        return
    fixed, hsa = (build_arm(arm, found, budget, share, seed) for arm in ("fixed_sft", "hsa_sft"))
    assert len(fixed) == len(hsa) == min(budget, len(paired))
    assert [row["case_id"] for row in fixed] == [row["case_id"] for row in hsa]
    assert len({row["case_id"] for row in fixed}) == len(fixed)
    assert {row["variant_id"] for row in fixed} == {ORIGINAL}
    assert sum(row["variant_id"] != ORIGINAL for row in hsa) == round(share * len(hsa))
    assert {row["id"] for row in fixed + hsa} <= {one.episode_id for one in found}


def test_the_order_of_collection_does_not_matter() -> None:
    kept = full(8)
    assert build_arm("hsa_sft", kept, 6, 0.5, seed=3) == build_arm("hsa_sft", kept[::-1], 6, 0.5, seed=3)


def test_another_seed_draws_other_cases() -> None:
    kept = full(20)
    assert build_arm("hsa_sft", kept, 10, 0.5, seed=1) != build_arm("hsa_sft", kept, 10, 0.5, seed=2)


def test_the_mixture_uses_every_variant() -> None:
    rows = build_arm("hsa_sft", full(40), 40, 1.0, seed=0)
    assert {row["variant_id"] for row in rows} == set(VARIANTS)


def test_an_unknown_arm_is_refused() -> None:
    with pytest.raises(UserError, match="arm: base has no data set; expected one of fixed_sft, hsa_sft"):
        build_arm("base", full(1), 1, 0.5, seed=0)


def test_a_collected_trajectory_survives_its_record() -> None:
    one = collected("c1", "v1")
    assert collected_from_dict(collected_to_dict(one)) == one
