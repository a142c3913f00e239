"""The words of the judge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """What a judge says of one episode."""

    accuracy: int
    """0 or 1; 0 where the reply says anything false, unsupported or forbidden."""
    effectiveness: float
    """How much of what the viewer wanted the reply states: 1 all, 0.5 some, 0 nothing."""
    reasons: tuple[str, ...]
    """One sentence for each thing held against the reply; empty for a perfect one."""
    judge: str
    """Which judge, with its version."""
