"""What a person reads on the console, beside the progress."""

from __future__ import annotations

from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from components.evaluation.arms import ARMS
from components.evaluation.measures import HEADLINE
from components.files import read_json
from components.harness.types import JsonObject
from components.promotion import (
    Change,
    EntryKind,
    Outcome,
    PromotionRequest,
    RequestStatus,
    champion_entry,
    history,
    load_requests,
    request_directory,
    request_status,
)
from components.promotion.ledger import refusals
from components.promotion.types import CheckVerdict, utc_now
from flows import dvc
from flows.conclusion import Conclusion
from flows.lock import holder
from flows.params import active
from flows.paths import STATE, RunPaths, decided_report
from flows.plan import RETRAINING, Plan, needed_for

SHOWN = ("T1 AVG", "T2 AVG", "T3 AVG", "T4 prompt")
"""Of the headline figures, those that fit on a console."""
_COLOURS = {Outcome.PROMOTE: "green", Outcome.REJECT: "red", Outcome.INCONCLUSIVE: "yellow", Outcome.INVALID: "red"}
_MARKS = {CheckVerdict.PASSED: "✓", CheckVerdict.FAILED: "✗", CheckVerdict.UNCLEAR: "?", CheckVerdict.INVALID: "✗"}


def show_plan(console: Console, plan: Plan, run: str = "retrain") -> None:
    """What stands and what will be done."""
    console.print(f"[bold]{run}[/] · profile {escape(plan.params.profile)} · {len(plan.stages)} stages")
    if not plan.todo:
        console.print(f"nothing to do: all {len(plan.stages)} stages stand")
        return
    if plan.standing:
        console.print(f"  stand   {', '.join(plan.standing)}", highlight=False, soft_wrap=True)
    console.print(f"  to do   {', '.join(plan.todo)}", highlight=False, soft_wrap=True)


def show_table(console: Console, paths: RunPaths) -> None:
    """The arms of a run beside the paper's figures. Raises UserError where there is no report yet."""
    summary = read_json(paths.report / "summary.json")
    table = Table(title="Points of 100, with 95 % intervals, beside the paper's", title_justify="left")
    for heading in ("arm", *SHOWN):
        table.add_column(heading, justify="left" if heading == "arm" else "right")
    for arm, figures in sorted(summary["arms"].items(), key=lambda one: list(ARMS).index(one[0])):
        paper = summary["paper"].get(arm, {})
        table.add_row(arm, *(_cell(figures["suites"], label, paper.get(label)) for label in SHOWN))
    console.print(table)
    run = summary["run"]
    counts = ", ".join(f"{count} {what}" for what, count in run["data"].items())
    console.print(f"{run['model']}, taught by {run['teacher']}: {counts}.", highlight=False, markup=False, soft_wrap=True)
    smaller = [line["what"] for line in summary["scale"] if line["state"] != "run"]
    console.print(f"Not at the paper's scale: {', '.join(smaller)}. The report says how far.", highlight=False, soft_wrap=True)


def show_conclusion(console: Console, profile: str, conclusion: Conclusion) -> None:
    """Table, the gate's decision with its reasons, the links, and the command that comes next."""
    paths, request = RunPaths.of(profile), conclusion.request
    show_table(console, paths)
    if request is None:
        gate = f"release {conclusion.release} is the champion already: nothing to decide"
        console.print(f"[bold]gate[/]     {gate}", highlight=False)
    else:
        decision = request.decision
        against = decision.evidence.context.champion or "the base model, which stands in for a champion"
        outcome = f"[bold {_COLOURS[decision.outcome]}]{decision.outcome}[/]"
        console.print(
            f"[bold]gate[/]     {outcome}: release {conclusion.release} against {against}", highlight=False, soft_wrap=True
        )
        for check in decision.checks:
            console.print(f"         {_MARKS[check.verdict]} {escape(check.sentence)}", highlight=False, soft_wrap=True)
    links = {"report": (decided_report(profile) / "report.html").resolve().as_uri(), **conclusion.links}
    if request is not None:
        page = request_directory(STATE, request.request_id) / "decision.html"
        links["evidence"] = page.resolve().as_uri()
    for name, link in links.items():
        console.print(f"[bold]{name:8}[/] {link}", highlight=False, soft_wrap=True)
    for command, what in _next(request):
        console.print(f"[bold]next[/]     {escape(command)}  [dim]{what}[/]", highlight=False, soft_wrap=True)


def _next(request: PromotionRequest | None) -> list[tuple[str, str]]:
    """Commands that a person may want now, and what they do."""
    commands = [("hat up", "serves the pages of MLflow and Prefect")]
    if request is None:
        return commands
    status = request_status(request, history(STATE), utc_now())
    if status is not RequestStatus.PENDING:
        return [("hat status", f"the request was {status} already"), *commands]
    signed = f'{request.request_id} --by NAME --reason "WHY"'
    refused = refusals(history(STATE), request.decision.evidence.context.candidate)
    if request.decision.outcome is Outcome.PROMOTE and not refused:
        return [(f"hat approve {signed}", "makes it champion"), (f"hat reject {signed}", "answers no"), *commands]
    return [(f"hat reject {signed}", "answers no; to promote it all the same: hat approve … --override"), *commands]


def _interval(estimate: JsonObject) -> str:
    if estimate["value"] is None:
        return "no verdict"
    value = f"{100 * estimate['value']:.1f}"
    return value if estimate["low"] is None else f"{value}\n{100 * estimate['low']:.1f} to {100 * estimate['high']:.1f}"


def _cell(suites: JsonObject, label: str, paper: float | None) -> str:
    suite, measure = HEADLINE[label]
    ours = _interval(suites[suite][measure.name]) if suite in suites else "not run"
    return ours if paper is None else f"{ours}\n[dim]paper {paper:.1f}[/]"


def show_stages(console: Console) -> None:
    """Which stages of the active profile stand; while a retraining is at work, who holds the checkout."""
    if busy := holder():
        console.print(f"at work: {busy}", highlight=False, soft_wrap=True)
        return
    profile = active().profile
    needs = needed_for(RETRAINING, dvc.stages())
    changed = dvc.stale(needs)
    console.print(
        f"[bold]profile {escape(profile)}[/]: {len(needs) - len(changed)} of {len(needs)} stages stand", highlight=False
    )
    for stage in needs:
        console.print(f"  {stage:20} {'to do' if stage in changed else 'stands'}", highlight=False)


def show_promotion(console: Console) -> None:
    """Who is champion and by whose word, and the requests that wait for an answer."""
    entry = champion_entry(STATE)
    if entry is None:
        console.print("[bold]champion[/] none yet; the base model stands in for it", highlight=False)
    else:
        override = "" if entry.expires is None else f" [red]OVERRIDE, {_until(entry.expires)}[/]"
        who = f"since {entry.at:%Y-%m-%d %H:%M}, by {escape(entry.by)}: {escape(entry.reason)}"
        console.print(f"[bold]champion[/] release {entry.release} {who}{override}", highlight=False, soft_wrap=True)
    entries = history(STATE)
    waiting = [one for one in load_requests(STATE) if request_status(one, entries, utc_now()) is RequestStatus.PENDING]
    for request in waiting:
        release = request.decision.evidence.context.candidate
        line = f"{request.request_id} release {release}, {request.decision.outcome}, to be answered by {request.expires:%Y-%m-%d}"
        console.print(f"[bold]request[/]  {line}", highlight=False, soft_wrap=True)
    if not waiting:
        console.print("[bold]requests[/] none waits for an answer")


def _until(expires: datetime) -> str:
    expired = utc_now() >= expires
    return f"EXPIRED on {expires:%Y-%m-%d}: replace it or roll back" if expired else f"expires {expires:%Y-%m-%d}"


def say_change(console: Console, change: Change) -> None:
    """What an approval, rejection or rollback came to."""
    entry = change.entry
    if not change.changed:
        console.print(
            f"nothing to do: {entry.kind} by {entry.by} on {entry.at:%Y-%m-%d %H:%M} stands", highlight=False, markup=False
        )
    elif entry.kind is EntryKind.REJECTION:
        console.print(f"release {entry.release} is refused; champion: {entry.replaced or 'none'}", highlight=False)
    else:
        until = "" if entry.expires is None else f"; an override, to be replaced or rolled back by {entry.expires:%Y-%m-%d}"
        console.print(f"release {entry.release} is champion, before it: {entry.replaced or 'none'}{until}", highlight=False)
