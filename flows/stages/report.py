"""The report of the run: tables and pictures beside the paper's figures."""

from __future__ import annotations

from components.evaluation.report import write_report
from components.files import read_jsonl
from flows.params import Params
from flows.paths import ARMS, EVALUATED, RunPaths
from flows.run_facts import run_facts


def run(params: Params, paths: RunPaths) -> None:
    """Write `report/` (report.html, report.md, summary.json, pictures)."""
    rows = {arm: read_jsonl(paths.evaluation(arm)) for arm in EVALUATED}
    logs = {arm: read_jsonl(paths.training_log(arm)) for arm in ARMS}
    write_report(paths.report, run_facts(params, paths), rows, logs)
