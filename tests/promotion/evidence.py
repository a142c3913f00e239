"""Evaluation rows, contexts and requests as the tests of promotion need them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from components.harness import harness_version, load_harness
from components.harness.types import JsonObject
from components.promotion import Context, Decision, PromotionPolicy, Release, build_release, decide, load_policy

HARNESS_FOLDER = Path(__file__).parents[2] / "harness"
HARNESS = harness_version(load_harness(HARNESS_FOLDER))
JUDGE = "judge v1"
DIMENSIONS = ("skill_identifiers", "tool_schemas")
POLICY = load_policy()
MONDAY = datetime(2024, 1, 1, 9, tzinfo=UTC)


def at(moment: datetime) -> Callable[[], datetime]:
    """A clock that stands still."""
    return lambda: moment


def rows(t1: float, t2: float, rooms: int = 10, per_room: int = 10) -> list[JsonObject]:
    """Rows of both suites with a given share of right answers, spread alike over rooms; right is 1 and 1, wrong 0 and 0."""
    made = []
    for suite, share in (("T1", t1), ("T2", t2)):
        for index in range(rooms * per_room):
            room, place = divmod(index, per_room)
            right = place < round(share * per_room)
            made.append(
                {
                    "suite": suite,
                    "case_id": f"case-{index}",
                    "room_id": f"room-{room}",
                    "variant_id": "original" if suite == "T1" else f"variant-{index % 2}",
                    "dimensions": [] if suite == "T1" else [DIMENSIONS[index % 2]],
                    "harness_version": HARNESS if suite == "T1" else f"version-{index % 2}",
                    "judge": JUDGE,
                    "stop_reason": "replied",
                    "accuracy": int(right),
                    "effectiveness": float(right),
                    "reply": "a field that the gate does not read",
                }
            )
    return made


def context(candidate: str = "candidate", champion: str | None = None, **changes: object) -> Context:
    made = Context(candidate, champion, HARNESS, JUDGE, "dataset-1", leak_check_passed=True, git_commit="c0ffee")
    return replace(made, **changes)  # type: ignore[arg-type]


@cache
def decision(
    candidate: str, champion: str | None, t2: float = 0.9, policy: PromotionPolicy = POLICY, **changes: object
) -> Decision:
    """A decision of the real gate: PROMOTE for a `t2` above 0.5, REJECT below."""
    return decide(policy, rows(0.9, t2), rows(0.8, 0.5), context(candidate, champion, **changes))


def release(state_dir: Path, content: str) -> Release:
    """A real release around a model file of a few bytes."""
    model = state_dir / f"model-{content}"
    model.mkdir(exist_ok=True)
    (model / "model.safetensors").write_text(content)
    return build_release(state_dir, model, HARNESS_FOLDER, {"port": 8000}, dataset_hash="dataset-1")
