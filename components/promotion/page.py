"""The decision page: one page of evidence for who approves or rejects, in Markdown and in HTML, and the model card."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from components.evaluation.statistics import Estimate, mean_interval
from components.files import write_atomic
from components.promotion.ledger import answers, champions, refusals
from components.promotion.types import Check, Entry, Evidence, PromotionRequest

TEMPLATES = (Path(__file__).parent / "templates", Path(__file__).parents[2] / "mlflow")


def write_page(directory: Path, request: PromotionRequest, entries: Sequence[Entry], now: datetime) -> None:
    """Write decision.md and decision.html: the decision, its reasons and figures, and what the ledger says of it by now."""
    context = request.decision.evidence.context
    values = {
        "answers": answers(entries, request.request_id),
        "refusals": refusals(entries, context.candidate),
        # What it says of the champion that the candidate was judged against, where that one stands by an override.
        "standing_overrides": [one for one in champions(entries) if one.release == context.champion and one.expires][-1:],
        "now": now,
    }
    for name in ("decision.md", "decision.html"):
        write_atomic(directory / name, _render(name, request, **values))


def model_card(request: PromotionRequest, entry: Entry) -> str:
    """The Markdown that stands beside a model version in MLflow."""
    return _render("model_card.md", request, entry=entry)


def _render(name: str, request: PromotionRequest, **values: Any) -> str:
    decision, template = request.decision, _templates().get_template(f"{name}.j2")
    evidence = decision.evidence
    return template.render(
        request=request,
        decision=decision,
        context=evidence.context,
        policy=evidence.policy,
        figures=_figures(evidence),
        **values,
    )


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda template: template is not None and ".html" in template,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"share": _share, "bar": _bar}
    return environment


def _figures(evidence: Evidence) -> list[tuple[str, str, Estimate, Estimate]]:
    """Suite, measure, and what the candidate and the champion reach in it."""
    rows = []
    for suite in sorted({case.suite for case in (*evidence.candidate, *evidence.champion)}):
        for measure in ("accuracy", "effectiveness", "average"):
            candidate, champion = (
                mean_interval(
                    [getattr(case, measure) for case in side if case.suite == suite],
                    [case.room_id for case in side if case.suite == suite],
                    evidence.policy["bootstrap_seed"],
                )
                for side in (evidence.candidate, evidence.champion)
            )
            rows.append((suite, measure, candidate, champion))
    return rows


def _share(estimate: Estimate) -> str:
    """A mean of shares in per cent with its interval."""
    if estimate.value is None:
        return "no verdict"
    interval = (
        "" if estimate.low is None or estimate.high is None else f" ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"
    )
    return f"{100 * estimate.value:.1f}{interval}"


def _bar(check: Check) -> dict[str, float] | None:
    """Where interval, estimate and threshold lie on a line from -reach to +reach, in per cent of its length."""
    if check.low is None or check.high is None or check.measured is None or check.threshold is None:
        return None
    reach = max(abs(check.low), abs(check.high), abs(check.threshold), 0.01) * 1.1
    ends = {"low": check.low, "high": check.high, "measured": check.measured, "threshold": check.threshold, "zero": 0.0}
    return {name: round(50 + 50 * value / reach, 2) for name, value in ends.items()}
