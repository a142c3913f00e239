"""Who is champion: approve, reject, roll back. One writer at a time, each change whole or completed by the next call.

A change is first written to `pending.json`, then done step by step (MLflow version, aliases, ledger, page), each step
repeatable, then `pending.json` is removed. Whoever takes the lock next finishes what a crash left there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import TypeAdapter

from components.errors import UserError
from components.files import write_json
from components.harness.records import to_dict
from components.promotion import ledger, mlflow_registry
from components.promotion.page import model_card, write_page
from components.promotion.policy import PromotionPolicy
from components.promotion.releases import load_release
from components.promotion.requests import check_evidence, ledger_path, load_request, request_directory, request_status
from components.promotion.types import (
    Change,
    Clock,
    Entry,
    EntryKind,
    Outcome,
    PromotionRequest,
    Release,
    RequestStatus,
    utc_now,
)

LOCK_TIMEOUT_S = 60.0

_ENTRY = TypeAdapter(Entry)
_DONE = {
    EntryKind.PROMOTION: "promoted",
    EntryKind.OVERRIDE: "promoted",
    EntryKind.REJECTION: "rejected",
    EntryKind.ROLLBACK: "rolled back",
}


def approve(state_dir: Path, request_id: str, by: str, reason: str, override: bool = False, clock: Clock = utc_now) -> Change:
    """Make the request's release champion. Approving twice changes nothing.

    Raises UserError, and changes nothing, where name or reason is missing, the evidence or the release was changed,
    the request expired, the policy does not let this person approve, or the champion is not the one judged against.
    `override` approves what the gate did not decide to promote, or a release that was rejected or rolled back before, be
    it on another request: an entry of its own kind, with an expiry.
    """
    by, reason = _signed(by, reason)
    with _exclusive(state_dir):
        request, entries, now = load_request(state_dir, request_id), history(state_dir), clock()
        check_evidence(request, state_dir)
        decision, context = request.decision, request.decision.evidence.context
        policy = PromotionPolicy.model_validate(decision.evidence.policy)
        status, answered = request_status(request, entries, now), ledger.answers(entries, request_id)
        present = _agreed_champion(state_dir, entries)
        if status is RequestStatus.APPROVED and present == context.candidate:
            return Change(answered[-1], changed=False)
        if now >= request.expires:
            raise UserError(f"request {request_id}: expired on {request.expires:%Y-%m-%d}; run hat retrain again")
        _may_approve(policy, request, by)
        before = ledger.refusals(entries, context.candidate) or answered
        regular = decision.outcome is Outcome.PROMOTE and not before
        if not regular and not override:
            done = f"release {context.candidate} was {_DONE[before[-1].kind]} by {before[-1].by} before" if before else ""
            raise UserError(
                f"request {request_id}: {done or f'the gate decided {decision.outcome}'}; expected PROMOTE of a release that "
                "nobody decided on yet; read its page, or approve with override"
            )
        if present != context.champion:
            judged, now_is = context.champion or "the base model", present or "none"
            raise UserError(
                f"request {request_id}: champion changed since the gate decided (judged against {judged}, now {now_is}); "
                "run hat retrain again"
            )
        release = load_release(state_dir, context.candidate)
        if (release.harness_version, release.dataset_hash) != (context.harness_version, context.dataset_hash):
            raise UserError(
                f"request {request_id}: harness or training data of release {release.release_id} are not those that the gate "
                "was told of; run hat retrain again"
            )
        kind = EntryKind.PROMOTION if regular else EntryKind.OVERRIDE
        expires = None if regular else now + timedelta(days=policy.override_expiry_days)
        entry = _answer(request, entries, kind, now, by, reason, expires)
        _commit(state_dir, entry)
        return Change(entry, changed=True)


def reject(state_dir: Path, request_id: str, by: str, reason: str, clock: Clock = utc_now) -> Change:
    """Answer a request with no. Rejecting twice changes nothing. Raises UserError where it was approved already."""
    by, reason = _signed(by, reason)
    with _exclusive(state_dir):
        request, entries, now = load_request(state_dir, request_id), history(state_dir), clock()
        status = request_status(request, entries, now)
        if status is RequestStatus.REJECTED:
            return Change(ledger.answers(entries, request_id)[-1], changed=False)
        if status is RequestStatus.APPROVED:
            raise UserError(f"request {request_id}: approved already; expected a request without an answer; use hat rollback")
        entry = _answer(request, entries, EntryKind.REJECTION, now, by, reason)
        _commit(state_dir, entry)
        return Change(entry, changed=True)


def rollback(state_dir: Path, by: str, reason: str, leaving: str | None = None, clock: Clock = utc_now) -> Change:
    """Make the release champion that was it before the present one. Nothing is deleted.

    A rollback that a crash cut short is completed, not followed by a second one. With `leaving` (the release to get
    away from) nothing is done once another release is champion, so that a call may be repeated safely. Raises UserError
    where no release was champion before, or that release is damaged.
    """
    by, reason = _signed(by, reason)
    with _exclusive(state_dir) as completed:
        if completed is not None and completed.kind is EntryKind.ROLLBACK:
            return Change(completed, changed=True)
        entries = history(state_dir)
        present = _agreed_champion(state_dir, entries)
        if leaving is not None and leaving != present:
            undone = [entry for entry in entries if entry.kind is EntryKind.ROLLBACK and entry.replaced == leaving]
            if not undone:
                raise UserError(f"release {leaving}: not the champion; expected {present or 'none, there is no champion'}")
            return Change(undone[-1], changed=False)
        standing = ledger.champions(entries)
        if len(standing) < 2:
            file = ledger_path(state_dir)
            raise UserError(f"{file}: no release was champion before {present or 'now'}; expected two promotions to go back from")
        target = standing[-2].release
        load_release(state_dir, target)
        entry = Entry(len(entries) + 1, clock(), EntryKind.ROLLBACK, by, reason, target, present)
        _commit(state_dir, entry)
        return Change(entry, changed=True)


def champion(state_dir: Path) -> Release | None:
    """The champion's release, every file held against its hash; None where nothing was promoted yet.

    Raises UserError for a damaged release and where MLflow's alias and the ledger name different releases.
    """
    if not ledger_path(state_dir).exists() and not _pending(state_dir).exists():
        return None
    with _exclusive(state_dir):
        release_id = _agreed_champion(state_dir, history(state_dir))
    return load_release(state_dir, release_id) if release_id else None


def champion_entry(state_dir: Path) -> Entry | None:
    """The promotion or override that the champion stands by; None where there is no champion."""
    standing = ledger.champions(history(state_dir))
    return standing[-1] if standing else None


def history(state_dir: Path) -> list[Entry]:
    """The ledger, oldest entry first."""
    return ledger.read_ledger(ledger_path(state_dir))


def _signed(by: str, reason: str) -> tuple[str, str]:
    for field, value in (("by", by), ("reason", reason)):
        if not value.strip():
            raise UserError(f"{field}: expected {'a name' if field == 'by' else 'a reason in words'}, found nothing; give one")
    return " ".join(by.split()), " ".join(reason.split())


def _may_approve(policy: PromotionPolicy, request: PromotionRequest, by: str) -> None:
    if policy.approvers and by not in policy.approvers:
        raise UserError(f"by: {by} is not an approver; the policy of this request expects one of {', '.join(policy.approvers)}")
    if not policy.requester_may_approve and by.casefold() == request.requested_by.casefold():
        raise UserError(f"by: {by} asked for this promotion; the policy of this request expects another person to approve it")


def _answer(
    request: PromotionRequest,
    entries: list[Entry],
    kind: EntryKind,
    now: datetime,
    by: str,
    reason: str,
    expires: datetime | None = None,
) -> Entry:
    return Entry(
        number=len(entries) + 1,
        at=now,
        kind=kind,
        by=by,
        reason=reason,
        release=request.decision.evidence.context.candidate,
        replaced=_last(entries),
        request_id=request.request_id,
        evidence_hash=request.decision.evidence_hash,
        outcome=request.decision.outcome,
        expires=expires,
    )


def _agreed_champion(state_dir: Path, entries: list[Entry]) -> str | None:
    """The champion by MLflow's alias. Raises UserError where somebody moved it past the ledger."""
    alias, last = mlflow_registry.champion_release(mlflow_registry.client(state_dir)), _last(entries)
    if alias != last:
        raise UserError(
            f"{state_dir / 'mlflow.db'}: alias champion of {mlflow_registry.MODEL} points at {alias or 'nothing'}, "
            f"the ledger says {last or 'nothing'}: it was moved outside hat; move it back in MLflow"
        )
    return alias


def _last(entries: list[Entry]) -> str | None:
    standing = ledger.champions(entries)
    return standing[-1].release if standing else None


def _pending(state_dir: Path) -> Path:
    return state_dir / "pending.json"


@contextmanager
def _exclusive(state_dir: Path) -> Iterator[Entry | None]:
    """Hold the registry alone; yields the entry that a crash had left and that was completed just now."""
    state_dir.mkdir(parents=True, exist_ok=True)
    lock = FileLock(state_dir / "registry.lock", timeout=LOCK_TIMEOUT_S)
    try:
        lock.acquire()
    except Timeout:
        raise UserError(
            f"{lock.lock_file}: held by another approval or rollback for {LOCK_TIMEOUT_S:.0f} s; try again once it is done"
        ) from None
    try:
        pending = _pending(state_dir)
        entry = _ENTRY.validate_json(pending.read_bytes()) if pending.exists() else None
        if entry is not None:
            _complete(state_dir, entry)
        yield entry
    finally:
        lock.release()


def _commit(state_dir: Path, entry: Entry) -> None:
    write_json(_pending(state_dir), to_dict(entry))
    _complete(state_dir, entry)


def _complete(state_dir: Path, entry: Entry) -> None:
    """Do what the entry says, every step again if need be."""
    entries = [*(past for past in history(state_dir) if past.number < entry.number), entry]
    request = load_request(state_dir, entry.request_id) if entry.request_id else None
    if entry.kind is not EntryKind.REJECTION:
        store = mlflow_registry.client(state_dir)
        if request is not None:
            context = request.decision.evidence.context
            tags = {
                "harness_version": context.harness_version,
                "dataset_hash": context.dataset_hash,
                "git_commit": context.git_commit,
                "evidence_hash": request.decision.evidence_hash,
                "approver": entry.by,
                "reason": entry.reason,
                "kind": entry.kind.value,
            }
            mlflow_registry.ensure_version(store, state_dir / "releases" / entry.release, tags, model_card(request, entry))
        standing = ledger.champions(entries)
        mlflow_registry.move_aliases(store, entry.release, standing[-2].release if len(standing) > 1 else None)
    ledger.append(ledger_path(state_dir), entry)
    if request is not None:
        write_page(request_directory(state_dir, request.request_id), request, entries, entry.at)
    _pending(state_dir).unlink()
