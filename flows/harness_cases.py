"""The cases of the last run, as the commands on the harness need them."""

from __future__ import annotations

import difflib

from components.errors import UserError
from components.files import read_jsonl
from components.harness.diff import Use
from components.liveroom import Catalogue, truth
from components.liveroom.records import case_from_dict
from components.liveroom.types import Case
from flows.params import RESOLVED, active, resolve
from flows.paths import RunPaths
from flows.stages.inputs import read_cases


def uses(profile: str | None) -> dict[str, Use] | None:
    """What the right answer to each evaluation case makes use of; None where no profile is named and no run has made cases.

    Raises UserError for a profile that is not there or has no cases.
    """
    paths = _paths(profile)
    if paths is None or (profile is None and not paths.cases.exists()):
        return None
    catalogue = Catalogue.open(paths.catalogue)
    found = {}
    for case in read_cases(paths, "eval"):
        right = truth(case, catalogue)
        skills, tools = frozenset(right.skills + right.strategies), frozenset(tool for tool, _ in right.calls)
        found[case.case_id] = Use(case.intent.value, case.request, skills, tools)
    catalogue.close()
    return found


def find_case(case_id: str, profile: str | None) -> Case:
    """The case of this id, of either split. Raises UserError with the ids that are near."""
    paths = _paths(profile)
    if paths is None:
        raise UserError("there are no cases yet; run `hat retrain` first, or name a --profile that has run")
    rows = {row.get("case_id", ""): row for row in read_jsonl(paths.cases)}
    if case_id not in rows:
        near = difflib.get_close_matches(case_id, rows, n=3, cutoff=0.0)
        raise UserError(f"{paths.cases}: no case {case_id}; expected an id such as {', '.join(near)}")
    return case_from_dict(rows[case_id])


def _paths(profile: str | None) -> RunPaths | None:
    """None where no profile is named and none was ever retrained. Raises UserError for one that is not there."""
    if profile is None and not RESOLVED.exists():
        return None
    return RunPaths.of(resolve(profile).profile if profile else active().profile)
