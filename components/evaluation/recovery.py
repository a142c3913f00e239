"""Whether an episode came right after something in it went wrong: a tool that failed, a reply that hooks sent back."""

from __future__ import annotations

from collections.abc import Sequence

from components.harness.types import Trajectory
from components.judge import Verdict
from components.judge.phrases import either_language
from components.liveroom.faults import Fault
from components.liveroom.spoken import normal

ADMITS = either_language(
    (
        r"(?:cannot|could not|unable to|not able to|no way to) (?:\w+ ){0,3}?"
        r"(?:look|check|see|tell|say|find|confirm|verify|answer|access|reach|open|get|read|know)",
        r"(?:do|does|did) not (?:\w+ )?(?:know|have (?:\w+ ){0,3}?(?:information|details?|data|access|figures?|answer))",
        r"(?:not sure|rather not (?:guess|say)|no (?:access|information)|unavailable right now|not available right now)",
    ),
    (
        r"查不(?:到|了|出)|看不到|(?:无法|没法|没办法|不能)[^,.!?]{0,4}(?:查|看|确认|回答|告诉|获取)|不(?:清楚|知道|确定|乱说)|说不[准好]",
    ),
)
"""Words with which a host says that it has not got the answer."""


def recovered_from_fault(verdict: Verdict, trajectory: Trajectory, struck: Sequence[Fault]) -> bool | None:
    """Whether the reply is accurate and effective or, where a tool refuses for good, accurate and honest about what is lacking.

    None where no tool failed.
    """
    if not struck:
        return None
    honest = Fault.PERMISSION_DENIED in struck and ADMITS.search(normal(trajectory.reply)) is not None
    return _right(verdict) or (verdict.accuracy == 1 and honest)


def refusals(trajectory: Trajectory) -> int:
    """Proposed replies that were sent back: each puts one more message beside the viewer's."""
    return sum(message.role == "user" for message in trajectory.messages) - 1


def recovered_from_refusal(verdict: Verdict, trajectory: Trajectory) -> bool | None:
    """Whether an accurate and effective reply came after one that was sent back. None where none was."""
    return _right(verdict) if refusals(trajectory) else None


def _right(verdict: Verdict) -> bool:
    return verdict.accuracy == 1 and verdict.effectiveness == 1
