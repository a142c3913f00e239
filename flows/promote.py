"""What a person decides about a release, as flows: short, and repeatable without a second effect. The ledger is the record."""

from __future__ import annotations

import os
from typing import ParamSpec

from prefect import Flow, flow

from components import promotion
from components.promotion import Change
from flows.paths import STATE

Decided = ParamSpec("Decided")


@flow(flow_run_name="approve {request_id}")
def approve(request_id: str, by: str, reason: str, override: bool) -> Change:
    """Make the request's release champion. Raises UserError, with nothing changed, where that is not allowed."""
    return promotion.approve(STATE, request_id, by, reason, override)


@flow(flow_run_name="reject {request_id}")
def reject(request_id: str, by: str, reason: str) -> Change:
    """Answer a request with no. Raises UserError where it was approved already."""
    return promotion.reject(STATE, request_id, by, reason)


@flow(flow_run_name="roll back")
def rollback(by: str, reason: str, leaving: str | None) -> Change:
    """Make the champion before the present one champion again. Raises UserError where there was none."""
    return promotion.rollback(STATE, by, reason, leaving)


def carry_out(decision: Flow[Decided, Change], *arguments: Decided.args, **named: Decided.kwargs) -> Change:
    """Run one of the flows; under Prefect only where a server is named, in PREFECT_API_URL.

    A rollback has to work when nothing else does, so it neither waits for nor depends on a server that it starts itself.
    """
    run = decision if "PREFECT_API_URL" in os.environ else decision.fn
    return run(*arguments, **named)
