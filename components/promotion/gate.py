"""The gate: is the candidate good enough to take the champion's place? Anything that it cannot be sure of is a no."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter, ValidationError

from components.errors import UserError
from components.evaluation.statistics import paired_difference
from components.evaluation.types import Suite
from components.harness.records import to_dict
from components.harness.types import JsonObject
from components.promotion.policy import PromotionPolicy
from components.promotion.types import Check, CheckVerdict, Context, Decision, Evidence, JudgedCase, Outcome

Pairs = Sequence[tuple[JudgedCase, JudgedCase]]
"""Candidate's and champion's case, the same case of the same suite under the same variant."""

_ROWS = TypeAdapter(JudgedCase)
_PASSED_OVER = (Suite.T3, Suite.T4)
"""Suites that the policy says nothing of."""
_FIELDS = frozenset(JudgedCase.__dataclass_fields__)
_SEVERITY = (CheckVerdict.PASSED, CheckVerdict.UNCLEAR, CheckVerdict.FAILED)


def decide(
    policy: PromotionPolicy, candidate_rows: Iterable[JsonObject], champion_rows: Iterable[JsonObject], context: Context
) -> Decision:
    """Decide on evaluation rows (`components.evaluation.types.Row`) of both sides; their order does not matter.
    Rows of T3 and T4 are passed over.

    Where `context.champion` is None the champion rows are the base model's. INVALID: the sides cannot be compared.
    INCONCLUSIVE: too few cases, or an interval on both sides of its threshold. REJECT: a check failed.
    Raises UserError for a row that lacks a field or has one of another type.
    """
    evidence = Evidence(to_dict(policy), context, _judged("candidate", candidate_rows), _judged("champion", champion_rows))
    checks = _comparable(evidence)
    if all(check.verdict is CheckVerdict.PASSED for check in checks):
        pairs = list(zip(evidence.candidate, evidence.champion, strict=True))
        enough = _enough(policy, pairs)
        measured = _measured(policy, pairs, "the base model" if context.base_stands_in else "the champion")
        outcome = _outcome(enough, measured)
        checks += enough + measured
    else:
        outcome = Outcome.INVALID
    return Decision(outcome, tuple(checks), evidence, decision_hash(evidence, checks, outcome))


def decision_hash(evidence: Evidence, checks: Sequence[Check], outcome: Outcome) -> str:
    """SHA-256 of all that was decided on and of what was decided."""
    canonical = json.dumps(to_dict([evidence, list(checks), outcome]), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _judged(side: str, rows: Iterable[JsonObject]) -> tuple[JudgedCase, ...]:
    cases = []
    for number, row in enumerate(rows, start=1):
        if row.get("suite") in _PASSED_OVER:
            continue
        try:
            cases.append(_ROWS.validate_python({name: value for name, value in row.items() if name in _FIELDS}))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise UserError(f"{side} row {number}: {field}: {first['msg'].lower()}; evaluate the {side} again") from None
    return tuple(sorted(cases, key=lambda case: case.key))


def _comparable(evidence: Evidence) -> list[Check]:
    """Questions of yes and no: unless all pass, no figure of one side may be held against the other's."""
    context, sides = evidence.context, (evidence.candidate, evidence.champion)
    both = [case for side in sides for case in side]
    candidate, champion = ({case.key: case for case in side} for side in sides)
    shared = candidate.keys() & champion.keys()
    unpaired = len(candidate.keys() ^ champion.keys())
    repeated = len(both) - len(candidate) - len(champion)
    moved = sum(candidate[key].room_id != champion[key].room_id for key in shared)
    # T1 runs under the release's own harness; any other one would prove a release that nobody is going to serve.
    foreign = {case.harness_version for case in both if case.suite == "T1"} - {context.harness_version}
    unlike = sum(candidate[key].harness_version != champion[key].harness_version for key in shared)
    judges = {case.judge for case in both} - {context.judge}
    odd = sum(case.accuracy not in (0, 1, None) or case.effectiveness not in (0, 0.5, 1, None) for case in both)
    missing = [{case.key for case in side if case.average is None} for side in sides]
    return [
        _holds("no leak", context.leak_check_passed, "the check of training against evaluation data did not pass"),
        _holds("a new release", context.candidate != context.champion, "the candidate is the champion itself"),
        _holds(
            "same cases",
            not (unpaired or repeated or moved),
            f"{unpaired} cases are on one side only, {repeated} occur twice, {moved} in another room; evaluate both sides alike",
        ),
        _holds(
            "same harness",
            not (foreign or unlike),
            f"{unlike} cases ran under another version on the other side; the release has {context.harness_version}, "
            f"T1 ran under {_names(foreign) or 'the same'}; evaluate both sides under the release's harness",
        ),
        _holds("same judge", not judges, f"expected {context.judge}, found {_names(judges)}; judge both sides again"),
        _holds("verdicts in range", not odd, f"{odd} are off the scale (accuracy 0, 1; effectiveness 0, 0.5, 1)"),
        _holds(
            "same verdicts missing",
            missing[0] == missing[1],
            f"the candidate lacks {len(missing[0])}, the champion {len(missing[1])}, not of the same cases; "
            "evaluate again, which redoes only these",
        ),
    ]


def _holds(name: str, holds: bool, problem: str) -> Check:
    if holds:
        return Check(name, CheckVerdict.PASSED, f"{name}: yes")
    return Check(name, CheckVerdict.INVALID, f"{name}: no: {problem}")


def _names(values: set[str]) -> str:
    return ", ".join(sorted(values))


def _enough(policy: PromotionPolicy, pairs: Pairs) -> list[Check]:
    """Are there cases and rooms enough to believe an interval?"""
    checks = []
    for suite in sorted({policy.superiority.suite, policy.non_inferiority.suite}):
        judged = [case for case, _ in pairs if case.suite == suite and case.average is not None]
        rooms = len({case.room_id for case in judged})
        checks += [
            _at_least(f"{suite} cases", len(judged), policy.minimum_cases, cases_each=1),
            _at_least(f"{suite} rooms", rooms, policy.minimum_rooms, cases_each=math.ceil(len(judged) / rooms) if rooms else 1),
        ]
    return checks


def _at_least(name: str, count: int, minimum: int, cases_each: int) -> Check:
    lacking = max(minimum - count, 0)
    sentence = f"{name} with a verdict: {count}, at least {minimum} are needed"
    if not lacking:
        return Check(name, CheckVerdict.PASSED, sentence, float(count), float(minimum))
    more = lacking * cases_each
    return Check(name, CheckVerdict.UNCLEAR, f"{sentence}: {lacking} more", float(count), float(minimum), more_cases=more)


def _measured(policy: PromotionPolicy, pairs: Pairs, against: str) -> list[Check]:
    """Paired differences held to their thresholds; `against` says in words who stands on the other side."""
    better, no_worse, rails = policy.superiority, policy.non_inferiority, policy.guardrails
    varied = [pair for pair in pairs if pair[0].suite == better.suite]
    plain = [pair for pair in pairs if pair[0].suite == no_worse.suite]
    dimensions = sorted({dimension for case, _ in varied for dimension in case.dimensions})
    by_dimension = []
    for dimension in dimensions:
        under = [pair for pair in varied if dimension in pair[0].dimensions]
        by_dimension.append(_difference(policy, against, f"worst dimension ({dimension})", under, -rails.worst_dimension))
    if not by_dimension:
        sentence = f"{better.suite} has no case under a changed harness: nothing is known of any dimension"
        by_dimension = [Check("worst dimension", CheckVerdict.UNCLEAR, sentence)]
    return [
        _difference(policy, against, f"{better.suite} AVG better", varied, better.margin),
        _difference(policy, against, f"{no_worse.suite} AVG no worse", plain, -no_worse.margin),
        _difference(policy, against, "replies no rarer", pairs, -rails.replied, replied=True),
        max(by_dimension, key=lambda check: (_SEVERITY.index(check.verdict), math.inf if check.low is None else -check.low)),
    ]


def _difference(policy: PromotionPolicy, against: str, name: str, pairs: Pairs, threshold: float, replied: bool = False) -> Check:
    """Candidate - champion, case by case with rooms as clusters; passes where the whole interval lies above the threshold."""
    first, second = ([case.replied if replied else case.average for case in (pair[side] for pair in pairs)] for side in (0, 1))
    estimate = paired_difference(first, second, [case.room_id for case, _ in pairs], policy.bootstrap_seed)
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        sentence = f"{name}: cannot be measured, fewer than two rooms have verdicts"
        return Check(name, CheckVerdict.UNCLEAR, sentence, value, threshold)
    verdict, more = _side(low, high, threshold), None
    sentence = (
        f"{name}: {_points(value)} points against {against} (95 % interval {_points(low)} to {_points(high)}), "
        f"above {_points(threshold)} is needed"
    )
    if verdict is CheckVerdict.UNCLEAR:
        more = _more_cases(value, low, high, threshold, estimate.n)
        sentence += (
            f"; up to about {more} more cases would settle it" if more else "; no number of cases like these would settle it"
        )
    return Check(name, verdict, sentence, value, threshold, low, high, more)


def _side(low: float, high: float, threshold: float) -> CheckVerdict:
    if low > threshold:
        return CheckVerdict.PASSED
    return CheckVerdict.FAILED if high <= threshold else CheckVerdict.UNCLEAR


def _more_cases(value: float, low: float, high: float, threshold: float, n: int) -> int | None:
    """Cases missing until the interval, which shrinks with the root of their number, ends at the threshold."""
    gap, reach = abs(value - threshold), value - low if value > threshold else high - value
    return max(math.ceil(n * ((reach / gap) ** 2 - 1)), 1) if gap else None


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _outcome(enough: Sequence[Check], measured: Sequence[Check]) -> Outcome:
    """Too few cases say nothing, not even no; one failed check is a no; one unclear check is not yet a yes."""
    found = {check.verdict for check in measured}
    if any(check.verdict is CheckVerdict.UNCLEAR for check in enough):
        return Outcome.INCONCLUSIVE
    if CheckVerdict.FAILED in found:
        return Outcome.REJECT
    return Outcome.INCONCLUSIVE if CheckVerdict.UNCLEAR in found else Outcome.PROMOTE
