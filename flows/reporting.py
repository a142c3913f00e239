"""The report of a run, as its stage writes it and again once the gate has decided."""

from __future__ import annotations

from pathlib import Path

from components.evaluation.report import write_report
from components.files import read_jsonl
from components.harness.types import JsonObject
from flows.arms import RETRAINED
from flows.params import Params
from flows.paths import RunPaths
from flows.run_facts import run_facts


def report_run(params: Params, paths: RunPaths, directory: Path, decision: JsonObject | None = None) -> Path:
    """Write report.html, report.md, summary.json and the pictures from the run's outputs; returns the page."""
    rows = {arm: read_jsonl(paths.evaluation(arm)) for arm in (*RETRAINED, "champion")}
    logs = {arm: read_jsonl(paths.training_log(arm)) for arm in RETRAINED if arm != "base"}
    return write_report(directory, run_facts(params, paths), rows, logs, decision)
