"""What collection hands to filtering and to the data sets: a trajectory, its case and its variant."""

from __future__ import annotations

from dataclasses import dataclass

from components.harness.records import to_dict, trajectory_from_dict
from components.harness.types import JsonObject, Trajectory

ORIGINAL = "original"
"""Variant id of the harness that was not augmented."""


@dataclass(frozen=True)
class CollectedTrajectory:
    """One episode of the teacher: `case_id` under `variant_id` (`original`, or a train variant)."""

    case_id: str
    variant_id: str
    trajectory: Trajectory

    @property
    def episode_id(self) -> str:
        """`<case_id>@<variant_id>`: unique in a collection."""
        return self.trajectory.episode_id


def episode_id(case_id: str, variant_id: str) -> str:
    """Identity of a case under a variant."""
    return f"{case_id}@{variant_id}"


def collected_to_dict(collected: CollectedTrajectory) -> JsonObject:
    """One line of `collected.jsonl`."""
    return to_dict(collected)


def collected_from_dict(data: JsonObject) -> CollectedTrajectory:
    """Inverse of `collected_to_dict`. Raises KeyError or pydantic.ValidationError for data of another shape."""
    return CollectedTrajectory(data["case_id"], data["variant_id"], trajectory_from_dict(data["trajectory"]))
