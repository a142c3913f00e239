"""What a person decides about a release, as flows: short, repeatable, each on record in Prefect beside the ledger."""

from __future__ import annotations

from prefect import flow

from components import promotion
from components.promotion import Change
from flows.paths import STATE


@flow(flow_run_name="approve {request_id}")
def approve(request_id: str, by: str, reason: str, override: bool) -> Change:
    """Make the request's release champion. Raises UserError, with nothing changed, where that is not allowed."""
    return promotion.approve(STATE, request_id, by, reason, override)


@flow(flow_run_name="reject {request_id}")
def reject(request_id: str, by: str, reason: str) -> Change:
    """Answer a request with no."""
    return promotion.reject(STATE, request_id, by, reason)


@flow(flow_run_name="roll back")
def rollback(by: str, reason: str, leaving: str | None) -> Change:
    """Make the champion before the present one champion again."""
    return promotion.rollback(STATE, by, reason, leaving)
