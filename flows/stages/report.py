"""The report of the run: tables and pictures beside the paper's figures."""

from __future__ import annotations

from flows.params import Params
from flows.paths import RunPaths
from flows.reporting import report_run


def run(params: Params, paths: RunPaths) -> None:
    """Write `report/` (report.html, report.md, summary.json, pictures)."""
    report_run(params, paths, paths.report)
