"""The words of promotion.

JudgedCase        what one case of one arm came to, as far as the gate reads it.
Evidence          everything that a decision rests on: policy, context, the judged cases of both sides.
Check, Decision   what the gate found and what follows; the decision carries the hash of all of it.
PromotionRequest  a decision put before a person, for a limited time.
Release           model, harness and serving configuration in one folder that never changes.
Entry             one line of the ledger: who did what, when and why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from components.harness.types import JsonObject, StopReason

Clock = Callable[[], datetime]
"""Returns the time with its time zone."""


def utc_now() -> datetime:
    """The clock on the wall, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True)
class JudgedCase:
    """What one case of one arm came to, as far as the gate reads it."""

    suite: str
    case_id: str
    room_id: str
    variant_id: str
    dimensions: tuple[str, ...]
    """Dimensions in which the case's harness differs from the base harness."""
    harness_version: str
    judge: str
    stop_reason: str
    accuracy: float | None
    """0 or 1; None where the verdict is missing."""
    effectiveness: float | None
    """0, 0.5 or 1; None where the verdict is missing."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What pairs a candidate's case with the champion's."""
        return self.suite, self.case_id, self.variant_id

    @property
    def average(self) -> float | None:
        """Mean of accuracy and effectiveness; None where either is missing."""
        if self.accuracy is None or self.effectiveness is None:
            return None
        return (self.accuracy + self.effectiveness) / 2

    @property
    def replied(self) -> float:
        """1 where the episode ended in a reply that passed every hook, else 0."""
        return float(self.stop_reason == StopReason.REPLIED)


@dataclass(frozen=True)
class Context:
    """What the gate must know beside the judged cases."""

    candidate: str
    """Release id."""
    champion: str | None
    """Release id of the champion judged against; None: there is none yet and the base model stands in for it."""
    harness_version: str
    """Of the candidate's release."""
    judge: str
    """The judge that has to have judged every case of both sides."""
    dataset_hash: str
    """Of the data that the candidate was trained on."""
    leak_check_passed: bool
    """Nothing of the evaluation was found in the training data."""
    git_commit: str

    @property
    def base_stands_in(self) -> bool:
        """There is no champion yet: the base model's cases stand in for it."""
        return self.champion is None


@dataclass(frozen=True)
class Evidence:
    """Everything that a decision rests on."""

    policy: JsonObject
    context: Context
    candidate: tuple[JudgedCase, ...]
    champion: tuple[JudgedCase, ...]


class CheckVerdict(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNCLEAR = "unclear"
    """Too few cases, or an interval so wide that it reaches both sides of the threshold."""
    INVALID = "invalid"
    """The two sides cannot be compared."""


@dataclass(frozen=True)
class Check:
    """One question that the gate asked. Numbers are shares, or counts of cases or rooms; None where there is none."""

    name: str
    verdict: CheckVerdict
    sentence: str
    measured: float | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    """Ends of the two-sided 95 % interval."""
    more_cases: int | None = None
    """Where unclear: how many more cases like these would settle it, either way. None where no number would."""


class Outcome(StrEnum):
    PROMOTE = "PROMOTE"
    REJECT = "REJECT"
    INCONCLUSIVE = "INCONCLUSIVE"
    """Nothing failed, but not everything could be shown with the cases there are."""
    INVALID = "INVALID"
    """The evidence cannot be used at all."""


@dataclass(frozen=True)
class Decision:
    """What the gate decided, on what, and the hash of both."""

    outcome: Outcome
    checks: tuple[Check, ...]
    evidence: Evidence
    evidence_hash: str
    """SHA-256 of evidence, checks and outcome; an approval quotes it."""


@dataclass(frozen=True)
class PromotionRequest:
    """A decision put before a person. What became of it stands in the ledger."""

    request_id: str
    decision: Decision
    requested_by: str
    created: datetime
    expires: datetime


class RequestStatus(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Release:
    """Model, harness and serving configuration in one folder that never changes."""

    release_id: str
    """First digits of the SHA-256 of manifest.json, which holds the SHA-256 of every other file."""
    directory: Path
    harness_version: str
    dataset_hash: str

    @property
    def model(self) -> Path:
        """Folder of the model, its tokenizer and its chat template."""
        return self.directory / "model"

    @property
    def harness(self) -> Path:
        """Folder of the harness that the model was evaluated with."""
        return self.directory / "harness"

    @property
    def serving(self) -> Path:
        """The serving configuration, YAML."""
        return self.directory / "serving.yaml"


class EntryKind(StrEnum):
    PROMOTION = "promotion"
    OVERRIDE = "override"
    """A promotion that the gate's decision, or an earlier answer to the request, does not support."""
    REJECTION = "rejection"
    ROLLBACK = "rollback"


@dataclass(frozen=True)
class Entry:
    """One line of the ledger."""

    number: int
    """1 for the first line, without gaps."""
    at: datetime
    kind: EntryKind
    by: str
    reason: str
    release: str
    """The champion from here on; of a rejection: the release that was refused."""
    replaced: str | None
    """The champion until here; None where there was none."""
    request_id: str | None = None
    """None for a rollback, as the next two."""
    evidence_hash: str | None = None
    outcome: Outcome | None = None
    expires: datetime | None = None
    """Of an override: when it has to have been replaced by a regular promotion or rolled back."""


@dataclass(frozen=True)
class Change:
    """What an approval, rejection or rollback came to."""

    entry: Entry
    changed: bool
    """False where the ledger already said so and nothing was done."""
