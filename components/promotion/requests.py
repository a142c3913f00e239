"""Promotion requests: a decision of the gate put before a person, in `requests/<id>/`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter

from components.errors import UserError
from components.files import write_json
from components.harness.records import to_dict
from components.promotion.gate import decision_hash
from components.promotion.ledger import answers, read_ledger
from components.promotion.page import write_page
from components.promotion.policy import PromotionPolicy
from components.promotion.types import Clock, Decision, Entry, EntryKind, PromotionRequest, RequestStatus, utc_now

ID_LENGTH = 12
"""Hexadecimal digits of a request id, the first of its decision's hash."""

_REQUEST = TypeAdapter(PromotionRequest)


def ledger_path(state_dir: Path) -> Path:
    """Where the answers to requests stand."""
    return state_dir / "ledger.jsonl"


def request_directory(state_dir: Path, request_id: str) -> Path:
    """Folder of request.json, decision.md and decision.html."""
    return state_dir / "requests" / request_id


def write_request(state_dir: Path, decision: Decision, requested_by: str, clock: Clock = utc_now) -> PromotionRequest:
    """Put a decision before a person and write its page; the same decision again is the same request.

    One that has expired is put anew. Raises UserError where nobody is named.
    """
    if not requested_by.strip():
        raise UserError("requested_by: expected the name of who asks for the promotion; give one")
    now = clock()
    request_id = decision.evidence_hash[:ID_LENGTH]
    file = request_directory(state_dir, request_id) / "request.json"
    entries = read_ledger(ledger_path(state_dir))
    if file.exists():
        standing = _read(file)
        if now < standing.expires:
            return standing
    policy = PromotionPolicy.model_validate(decision.evidence.policy)
    request = PromotionRequest(request_id, decision, requested_by.strip(), now, now + timedelta(days=policy.request_expiry_days))
    write_json(file, to_dict(request))
    write_page(file.parent, request, entries, now)
    return request


def load_requests(state_dir: Path) -> list[PromotionRequest]:
    """All requests, newest first. Raises UserError naming one that cannot be read."""
    files = (state_dir / "requests").glob("*/request.json")
    return sorted((_read(file) for file in files), key=lambda request: request.created, reverse=True)


def load_request(state_dir: Path, request_id: str) -> PromotionRequest:
    """One request. Raises UserError naming those that there are."""
    file = request_directory(state_dir, request_id) / "request.json"
    if not file.is_file():
        known = ", ".join(path.parent.name for path in sorted((state_dir / "requests").glob("*/request.json")))
        raise UserError(f"request {request_id}: not found; expected one of: {known or 'none yet, run hat retrain'}")
    return _read(file)


def check_evidence(request: PromotionRequest, state_dir: Path) -> None:
    """Raise UserError unless the request still says what the gate decided, on the evidence that it decided on."""
    decision = request.decision
    found = decision_hash(decision.evidence, decision.checks, decision.outcome)
    file = request_directory(state_dir, request.request_id) / "request.json"
    if found != decision.evidence_hash or found[:ID_LENGTH] != request.request_id:
        raise UserError(
            f"{file}: the evidence was changed after the gate decided on it; delete the folder and run hat retrain again"
        )


def request_status(request: PromotionRequest, entries: Iterable[Entry], now: datetime) -> RequestStatus:
    """What became of a request by now; the last answer counts."""
    answered = answers(entries, request.request_id)
    if answered:
        return RequestStatus.REJECTED if answered[-1].kind is EntryKind.REJECTION else RequestStatus.APPROVED
    return RequestStatus.PENDING if now < request.expires else RequestStatus.EXPIRED


def _read(file: Path) -> PromotionRequest:
    try:
        return _REQUEST.validate_json(file.read_bytes())
    except ValueError:
        raise UserError(f"{file}: expected a promotion request; delete the folder and run hat retrain again") from None
