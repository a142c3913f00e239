"""What a retraining comes to: the candidate as a release, the gate's decision on it, the request to a person.

Kept in `.hat/conclusions/<profile>.json`, so that a retraining that had nothing to do can show it again.
"""

from __future__ import annotations

import getpass
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from components.files import read_json, read_jsonl, write_json
from components.harness import to_dict
from components.judge import JUDGE
from components.promotion import (
    Context,
    PromotionRequest,
    RequestStatus,
    build_release,
    decide,
    history,
    load_policy,
    load_request,
    request_directory,
    request_status,
    write_request,
)
from components.promotion.policy import POLICY
from components.promotion.types import utc_now
from flows import dvc
from flows.arms import CANDIDATE
from flows.params import Params
from flows.paths import CHAMPION, HARNESS, STATE, RunPaths, decided_report
from flows.reporting import report_run
from flows.run_facts import code_version


@dataclass(frozen=True)
class Conclusion:
    """What the outputs of one profile come to."""

    drawn_from: str
    """Hash of what it was drawn from."""
    release: str
    """The candidate's."""
    request_id: str | None
    """The gate's decision, put before a person; None where the candidate is the champion already."""
    links: dict[str, str]
    """Where the record of the retraining lies: by name of the tool."""

    @property
    def request(self) -> PromotionRequest | None:
        """The request with the decision. Raises UserError where its file is missing or cannot be read."""
        return load_request(STATE, self.request_id) if self.request_id else None


def conclude(params: Params, links: Mapping[str, str]) -> Conclusion:
    """Build the candidate's release, let the gate decide, put its decision before a person. The same outputs give the same."""
    paths, champion = RunPaths.of(params.profile), read_json(CHAMPION)["release"]
    dataset_hash = dvc.outputs("dataset")[str(paths.dataset)]
    serving = {"generation": params.generation.model_dump(mode="json"), "loop": params.loop.model_dump(mode="json")}
    release = build_release(STATE, paths.model(CANDIDATE), HARNESS, serving, dataset_hash)
    request_id, decided = None, None
    if release.release_id != champion:
        context = Context(
            candidate=release.release_id,
            champion=champion,
            harness_version=release.harness_version,
            judge=JUDGE,
            dataset_hash=dataset_hash,
            # The stage `dataset` fails on a leak; what it searched stands in the manifest.
            leak_check_passed=bool(read_json(paths.dataset / "manifest.json")["leak_check"]),
            git_commit=code_version(),
        )
        against = "champion" if champion else "base"
        candidate_rows, champion_rows = (read_jsonl(paths.evaluation(arm)) for arm in (CANDIDATE, against))
        decision = decide(load_policy(), candidate_rows, champion_rows, context)
        request_id = write_request(STATE, decision, _caller()).request_id
        decided = to_dict(decision)
    report_run(params, paths, decided_report(params.profile), decided)
    conclusion = Conclusion(_drawn_from(), release.release_id, request_id, dict(links))
    write_json(_file(params.profile), asdict(conclusion))
    return conclusion


def standing(profile: str) -> Conclusion | None:
    """The conclusion drawn before, if the outputs still give the same, what it points at is there, and its request has not
    expired unanswered."""
    file = _file(profile)
    if not file.exists():
        return None
    conclusion = Conclusion(**read_json(file))
    needed = [decided_report(profile) / "report.html", STATE / "releases" / conclusion.release]
    if conclusion.request_id:
        needed.append(request_directory(STATE, conclusion.request_id) / "request.json")
    if conclusion.drawn_from != _drawn_from() or not all(path.exists() for path in needed):
        return None
    request = conclusion.request
    expired = request is not None and request_status(request, history(STATE), utc_now()) is RequestStatus.EXPIRED
    return None if expired else conclusion


def _file(profile: str) -> Path:
    return STATE / "conclusions" / f"{profile}.json"


def _drawn_from() -> str:
    digest = hashlib.sha256()
    for path in (Path("dvc.lock"), CHAMPION, POLICY):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _caller() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "a retraining without a user's name"
