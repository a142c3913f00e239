"""Judges that reward training: what they say, and that none of them ever scores a release.

The model learns whatever its judge lets pass, so the judge of the release must be another one (hat.md, Evaluation).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol

from components.errors import UserError
from components.harness.types import Trajectory
from components.liveroom.types import Case, Truth


@dataclass(frozen=True)
class RewardVerdict:
    """What a reward judge says of one reply. None: it could not judge, which is no 0."""

    accuracy: float | None
    """0 or 1."""
    effectiveness: float | None
    """0, 0.5 or 1."""


UNJUDGED = RewardVerdict(None, None)
NOTHING = RewardVerdict(0.0, 0.0)


class RewardJudge(Protocol):
    """Called concurrently, once an episode."""

    name: str

    async def judge(self, case: Case, truth: Truth, trajectory: Trajectory) -> RewardVerdict:
        """Judge the reply of an episode. Never raises for what a model wrote."""
        ...


def check_judges(reward_judge: str, final_judge: str) -> None:
    """Raise UserError where the judge that rewards training also scores the release.

    Names of models are compared as models: without case, the folders before them, and a date or `latest` after them.
    """
    if _model(reward_judge) == _model(final_judge):
        raise UserError(
            f"rl.reward_judge: {reward_judge} also scores the release ({final_judge}); expected two different judges; "
            "name another model for one of them"
        )


_RELEASE = re.compile(r"[-_:@](?:latest|\d{4}-?\d{2}-?\d{2}|\d{4})$")


def _model(name: str) -> str:
    """`Org/Judge-Large-2026-01-31` and `judge-large:latest` are both `judge-large`."""
    model = PurePath(name.strip().rstrip("/")).name.casefold()
    while (shorter := _RELEASE.sub("", model)) != model:
        model = shorter
    return model
