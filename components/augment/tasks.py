"""Tasks that a proof is made on: a request, the script of a right answer, and the room that the answer is true in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from components.harness import AgentLoop
from components.harness.types import JsonObject, Limits, Request, Room, Trajectory
from components.liveroom.catalogue import Catalogue
from components.liveroom.room import CatalogueRoom
from components.liveroom.truth import truth
from components.liveroom.types import Case
from components.policy.expert import ExpertPolicy, Script

Call = tuple[str, JsonObject]
"""Implementation and canonical arguments."""

LIMITS = Limits(calls=sys.maxsize)
"""Of every episode of a proof: a task may make all calls of a large tool list in one turn."""

Judge = Callable[[Trajectory], object]
"""Its verdicts of two trajectories are compared by `==`."""


@dataclass(frozen=True)
class Answer:
    """A script that no catalogue stands behind."""

    skills: tuple[str, ...]
    strategies: tuple[str, ...]
    calls: tuple[Call, ...]
    reply: str
    unavailable: str = ""


@dataclass(frozen=True)
class Task:
    """Something to be done under a harness and under its variants alike."""

    task_id: str
    request: Request
    script: Script
    """What the expert does: skills and strategies by key, calls by implementation and canonical arguments, the reply."""
    room: Room
    """Answers a call the same way however often, and in whatever order, it is asked."""
    judge: Judge | None = None


def catalogue_tasks(cases: Iterable[Case], catalogue: Catalogue, check: Callable[..., Any] | None = None) -> list[Task]:
    """The cases as tasks, in the rooms of their catalogue. `check(case, truth, trajectory)` judges them, where it is given
    (a judge stands a floor above this one)."""
    tasks = []
    for case in cases:
        right = truth(case, catalogue)
        judge = partial(check, case, right) if check else None
        tasks.append(Task(case.case_id, case.request, right, CatalogueRoom(catalogue, case.request), judge))
    return tasks


async def play(loop: AgentLoop, task: Task) -> Trajectory:
    """The expert's episode. Raises KeyError where the harness has no skill or tool that the script asks for."""
    return await loop.run(task.request, task.room, ExpertPolicy(loop.harness, task.script), task.task_id)
