"""The words of evaluation.

Suite      T1: live-stream questions under the base harness. T2: the same questions under held-out variants.
EvalCase   one case of one suite and the harness that it runs under.
Row        what one case of one arm came to: verdict, cost and trajectory, as plain JSON.
RunFacts   what a reader must know of a run before reading a figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from components.errors import UserError
from components.harness.types import Harness, JsonObject
from components.liveroom.types import Case

CRASHED = "crashed"
"""`stop_reason` of a row whose episode raised: there is no trajectory and no verdict."""

JUDGE_IN_WORDS = "deterministic fact-and-intent checker"
"""The judge wherever a person reads of it: no language model and no human label stands behind a verdict."""


class EvaluationError(UserError):
    """Cases or rows that cannot be evaluated; the message says what was expected and the mend."""


class Suite(StrEnum):
    T1 = "T1"
    """Live-stream questions under the base harness."""
    T2 = "T2"
    """The questions of T1 again, under harness variants that no training saw."""


@dataclass(frozen=True)
class EvalCase:
    """One case of one suite. The same list of these is given to every arm."""

    suite: Suite
    case: Case
    variant_id: str
    """`original`, or the held-out variant that the harness is."""
    dimensions: tuple[str, ...]
    """Dimensions in which the harness differs from the base harness; empty for T1."""
    harness: Harness


Row = JsonObject
"""What one case came to, with these fields:

arm, suite, case_id, room_id, intent, variant_id, dimensions, harness_version
reply, stop_reason       of the trajectory; `crashed` and an empty reply where the episode raised
accuracy                 0 or 1, or null: the verdict is missing
effectiveness            0, 0.5 or 1, or null: the verdict is missing
reasons, judge           why, in the judge's words; or why there is no verdict
tool_correct             exactly the needed look-ups were made, with the right arguments; null after a crash
skill_correct            every reply skill that the case needs was loaded; null after a crash
turns                    assistant messages
prompt_tokens, completion_tokens, latency_s   (latency in seconds by the caller's clock)
trajectory               `components.harness.records.to_dict` of it, or null after a crash
"""


@dataclass(frozen=True)
class RunFacts:
    """What a reader must know of a run before reading a figure."""

    profile: str
    seed: int
    model: str
    """The model that every arm starts from, as a person would name it."""
    teacher: str
    """Who wrote the training trajectories."""
    rooms: str
    """Where rooms, items and comments come from, in words that go on "cases from …"."""
    harness_version: str
    code_version: str
    """Git commit, or how it differs from one."""
    hardware: str
    """Where it ran, in words; latencies are meaningless without it."""
    data: dict[str, int]
    """Label → count: rooms, items, cases, variants, trajectories collected and kept, rows an arm."""
    training: dict[str, Any]
    """The parameters that both arms were trained with."""
