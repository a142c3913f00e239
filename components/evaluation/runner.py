"""Every case of T1, T2 and T3 of an arm through the agent loop and the judge: one row a case, whatever happens."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from components.evaluation.recovery import recovered_from_fault, recovered_from_refusal, refusals
from components.evaluation.row_log import RowLog
from components.evaluation.thinking import thinking
from components.evaluation.types import CRASHED, SEGMENTS, EvalCase, Row
from components.harness.loop import AgentLoop
from components.harness.records import harness_version, to_dict
from components.harness.render import system_prompt
from components.harness.types import Limits, Policy, Trajectory
from components.judge import JUDGE, Verdict, check
from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import Fault, FaultyRoom
from components.liveroom.room import CatalogueRoom
from components.liveroom.truth import truth
from components.liveroom.types import Truth

T3_FAULT_RATE = 0.8
"""Chance that the first answer to a call goes wrong in T3, in the one way that the case is given."""

PolicyFor = Callable[[EvalCase], Policy]
"""Who answers a case: one shared model, or an expert of the case's own."""


async def evaluate(
    arm: str,
    policy_for: PolicyFor,
    cases: Sequence[EvalCase],
    catalogue: Catalogue,
    limits: Limits,
    out_path: Path,
    *,
    fingerprint: str,
    concurrency: int,
    clock: Callable[[], float] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Evaluate one arm and write its rows to `out_path` (JSONL, in the order of `cases`); returns them.

    Cases of one system prompt run together, `concurrency` at a time, so that a policy can encode it once.
    Rows stream to `<out_path>.partial`. A run that finds one of the same `fingerprint` (hash of what the runner cannot
    see: model weights, catalogue), arm, limits, cases and judge keeps its rows, except those without a verdict.
    An episode or a judge that raises gives a row without a verdict. `progress` is told (rows done, rows in all).
    """
    log = RowLog(out_path, _fingerprint(fingerprint, arm, limits, cases))
    rows = {_key(row["suite"], row["case_id"], row["variant_id"]): row for row in log.rows}
    groups: dict[tuple[str, str], list[EvalCase]] = defaultdict(list)
    for case in cases:
        if _case_key(case) not in rows:
            groups[harness_version(case.harness), system_prompt(case.harness, case.case.request)].append(case)

    async def work(queue: Iterator[EvalCase], loop: AgentLoop, version: str) -> None:
        for case in queue:
            row = {"arm": arm, **await _row(case, loop, version, policy_for, catalogue)}
            rows[_case_key(case)] = row
            log.append(row)
            if progress is not None:
                progress(len(rows), len(cases))

    for (version, _), group in groups.items():
        loop, queue = AgentLoop(group[0].harness, limits, clock), iter(group)
        async with asyncio.TaskGroup() as workers:
            for _ in range(min(concurrency, len(group))):
                workers.create_task(work(queue, loop, version))
    ordered = [rows[_case_key(case)] for case in cases]
    log.finish(ordered)
    return ordered


async def _row(case: EvalCase, loop: AgentLoop, version: str, policy_for: PolicyFor, catalogue: Catalogue) -> Row:
    request = case.case.request
    row: Row = {
        "suite": case.suite.value,
        "case_id": case.case.case_id,
        "room_id": request.room_id,
        "intent": case.case.intent.value,
        "variant_id": case.variant_id,
        "dimensions": list(case.dimensions),
        "harness_version": version,
        "fault": case.fault.value if case.fault else None,
        "tool_faults": [],
        **_outcome(None, None),
        **_judged(None, None, ()),
    }
    episode = f"{case.suite}/{case.case.case_id}/{case.variant_id}"
    rates = {case.fault.value: T3_FAULT_RATE} if case.fault else {}
    # One broken episode must neither stop the others nor count as a wrong answer: it becomes a missing verdict.
    try:
        room = FaultyRoom(CatalogueRoom(catalogue, request), rates, episode)
        trajectory = await loop.run(request, room, policy_for(case), episode)
    except Exception as error:
        return row | {"reasons": [f"episode raised {type(error).__name__}: {error}"]}
    row["tool_faults"] = [fault.value for fault in room.struck]
    try:
        expected = truth(case.case, catalogue)
        verdict = check(case.case, expected, trajectory)
    except Exception as error:
        return row | _outcome(trajectory, None) | {"reasons": [f"judge raised {type(error).__name__}: {error}"]}
    return row | _outcome(trajectory, expected) | _judged(verdict, trajectory, room.struck)


def _judged(verdict: Verdict | None, trajectory: Trajectory | None, struck: Sequence[Fault]) -> Row:
    """The part of a row that the judge tells; without a verdict, nothing is known."""
    return {
        "accuracy": verdict.accuracy if verdict else None,
        "effectiveness": verdict.effectiveness if verdict else None,
        "reasons": list(verdict.reasons) if verdict else [],
        "judge": JUDGE,
        "recovered_from_fault": recovered_from_fault(verdict, trajectory, struck) if verdict and trajectory else None,
        "recovered_from_refusal": recovered_from_refusal(verdict, trajectory) if verdict and trajectory else None,
    }


def _outcome(trajectory: Trajectory | None, expected: Truth | None) -> Row:
    """The part of a row that the trajectory tells; without one, the row of a crash."""
    return {
        "reply": trajectory.reply if trajectory else "",
        "stop_reason": trajectory.stop_reason.value if trajectory else CRASHED,
        "tool_correct": _looked_up(trajectory, expected) if trajectory and expected else None,
        "skill_correct": _loaded(trajectory, expected) if trajectory and expected else None,
        "refused": refusals(trajectory) if trajectory else 0,
        "thinking": thinking(trajectory) if trajectory else {segment: [] for segment in SEGMENTS},
        "turns": sum(m.role == "assistant" for m in trajectory.messages) if trajectory else 0,
        "prompt_tokens": trajectory.prompt_tokens if trajectory else 0,
        "completion_tokens": trajectory.completion_tokens if trajectory else 0,
        "latency_s": trajectory.latency_s if trajectory else 0.0,
        "trajectory": to_dict(trajectory) if trajectory else None,
    }


def _looked_up(trajectory: Trajectory, expected: Truth) -> bool:
    made = {json.dumps([e.name, e.arguments], sort_keys=True) for e in trajectory.events if e.kind == "tool"}
    return made == {json.dumps(list(call), sort_keys=True) for call in expected.calls}


def _loaded(trajectory: Trajectory, expected: Truth) -> bool:
    loaded = {key for e in trajectory.events if e.kind == "skill" for key in e.arguments["covers"]}
    return loaded.issuperset(expected.skills)


def _case_key(case: EvalCase) -> str:
    return _key(case.suite.value, case.case.case_id, case.variant_id)


def _key(suite: str, case_id: str, variant_id: str) -> str:
    return f"{suite}/{case_id}/{variant_id}"


def _fingerprint(outside: str, arm: str, limits: Limits, cases: Sequence[EvalCase]) -> str:
    plan = [[_case_key(c), harness_version(c.harness), c.fault, to_dict(c.case.request)] for c in cases]
    text = json.dumps([outside, arm, to_dict(limits), JUDGE, T3_FAULT_RATE, plan], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
