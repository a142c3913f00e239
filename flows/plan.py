"""What a run has to do: which stages its goals need, which of them stand and which do not, for the present champion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from components.files import read_json, write_json
from components.judge import JUDGE, check_judges
from components.promotion import champion, load_policy
from flows import dvc, leftovers
from flows.params import Params, activate
from flows.paths import CHAMPION, STATE
from flows.stages.inputs import read_harness

RETRAINING = ("report", "evaluate-champion", "draft")
"""The stages that a retraining is for."""


@dataclass(frozen=True)
class Plan:
    """Stages in the order in which they run."""

    params: Params
    stages: dict[str, set[str]]
    """With the names of those that each needs."""
    todo: list[str]
    """Those that do not stand, and those that may not stand after them."""

    @property
    def standing(self) -> list[str]:
        return [stage for stage in self.stages if stage not in self.todo]


def make_plan(profile: str, goals: Iterable[str] = RETRAINING) -> Plan:
    """Make the profile the active one, write down who is champion, and ask DVC what of `goals` and all that they need does
    not stand. Call it under the lock.

    Raises UserError for parameters, a harness, a promotion policy, a dvc.yaml or a champion that cannot be used, before
    anything has been run.
    """
    params = activate(profile)
    judge = params.rl.reward_judge
    check_judges(judge if isinstance(judge, str) else judge.model, JUDGE)
    read_harness()
    # Needed by the gate only: a mistake in it shall not come out after hours of training.
    load_policy()
    write_champion()
    leftovers.clear()
    needs = needed_for(goals, dvc.stages())
    return Plan(params, needs, dvc.stale(needs))


def needed_for(goals: Iterable[str], stages: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The goals and all stages that they need, in the order of `stages`. Goals that a pipeline lacks are passed over."""
    wanted = set(goals)
    for stage in reversed(list(stages)):
        if stage in wanted:
            wanted |= stages[stage]
    return {stage: needs for stage, needs in stages.items() if stage in wanted}


def write_champion() -> None:
    """Tell the stages who is champion: `{"release": id, "model": folder}`, both null where nothing was promoted yet."""
    release = champion(STATE)
    written = {"release": release and release.release_id, "model": release and str(release.model)}
    if not CHAMPION.exists() or read_json(CHAMPION) != written:
        write_json(CHAMPION, written)
