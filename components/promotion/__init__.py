"""From an evaluated candidate to the champion that serves: the gate, the request to a person, the release, the registry.

`decide` → `write_request` → `approve` or `reject`; `rollback` goes back to the champion before. All of it in one state folder.
"""

from components.promotion.gate import decide
from components.promotion.policy import PromotionPolicy, load_policy
from components.promotion.registry import approve, champion, champion_entry, history, reject, rollback
from components.promotion.releases import build_release, load_release
from components.promotion.requests import load_request, load_requests, request_directory, request_status, write_request
from components.promotion.types import (
    Change,
    Context,
    Decision,
    Entry,
    EntryKind,
    Outcome,
    PromotionRequest,
    Release,
    RequestStatus,
)

__all__ = [
    "Change",
    "Context",
    "Decision",
    "Entry",
    "EntryKind",
    "Outcome",
    "PromotionPolicy",
    "PromotionRequest",
    "Release",
    "RequestStatus",
    "approve",
    "build_release",
    "champion",
    "champion_entry",
    "decide",
    "history",
    "load_policy",
    "load_release",
    "load_request",
    "load_requests",
    "reject",
    "request_directory",
    "request_status",
    "rollback",
    "write_request",
]
