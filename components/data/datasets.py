"""The data set of each arm: equal budgets over the same cases, so that only the harness's variety differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from components.data.types import ORIGINAL, CollectedTrajectory
from components.errors import UserError
from components.harness.messages import to_openai, tools_to_openai
from components.harness.types import JsonObject

ARMS = ("fixed_sft", "hsa_sft")
"""`fixed_sft` learns under the original harness only, `hsa_sft` under the original and its train variants."""


def build_arm(
    arm: str, kept: Sequence[CollectedTrajectory], trajectories_per_arm: int, hsa_share: float, seed: int
) -> list[JsonObject]:
    """Training rows of one arm, one a case; every arm has the same cases in the same order.

    Cases are drawn (by `seed`) from those with a kept trajectory both under the original and under a variant, at most
    `trajectories_per_arm` of them. In `hsa_sft` a share `hsa_share` (0 to 1) of the rows, rounded, is under a variant
    chosen by `seed`. Raises UserError for an unknown arm and where no case can be drawn.
    """
    if arm not in ARMS:
        raise UserError(f"arm: {arm} has no data set; expected one of {', '.join(ARMS)}")
    by_case: defaultdict[str, dict[str, CollectedTrajectory]] = defaultdict(dict)
    for one in kept:
        by_case[one.case_id][one.variant_id] = one
    cases = sorted(case_id for case_id, found in by_case.items() if ORIGINAL in found and len(found) > 1)
    if not cases:
        raise UserError(
            "no case has a kept trajectory both under the original harness and under a variant; "
            "raise collect.variants_per_case or look at the counts of the filter"
        )
    random = Random(seed)
    random.shuffle(cases)
    cases = cases[:trajectories_per_arm]
    augmented = set(random.sample(cases, round(hsa_share * len(cases)))) if arm == "hsa_sft" else set()

    def choose(case_id: str) -> CollectedTrajectory:
        if case_id not in augmented:
            return by_case[case_id][ORIGINAL]
        variant_ids = sorted(by_case[case_id].keys() - {ORIGINAL})
        return by_case[case_id][Random(f"{seed}:{case_id}").choice(variant_ids)]

    return [to_row(choose(case_id)) for case_id in cases]


def to_row(collected: CollectedTrajectory) -> JsonObject:
    """A training row: identities, and `messages` and `tools` in the OpenAI chat format."""
    trajectory = collected.trajectory
    return {
        "id": collected.episode_id,
        "case_id": collected.case_id,
        "variant_id": collected.variant_id,
        "harness_version": trajectory.harness_version,
        "messages": to_openai(trajectory.messages),
        "tools": tools_to_openai(trajectory.tools),
    }
