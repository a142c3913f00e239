"""Start the processes of a stage, wait for them, and end as they ended: the same output, one error line, the same exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from components.files import read_json, write_json
from components.training.launch.command import command, is_launched, node_rank
from components.training.launch.workers import is_worker, join
from components.training.params import LaunchParams

REPORTS = "HAT_WORKER_REPORTS"
"""Environment variable: the folder in which a worker that ends with an error line leaves it."""


def launch_stage(stage_argv: Sequence[str], launch: LaunchParams) -> int | None:
    """Run a stage as `launch` says and return its exit code; None where this process is to do the work itself.

    stage_argv  as for `command`. The processes that are started call this function too, and get None.
    Raises UserError where there are several nodes and the environment does not say which of them this is.
    """
    if is_worker():
        join()
        return None
    if not is_launched(launch):
        return None
    argv = command(stage_argv, launch, node_rank(launch, os.environ))
    with tempfile.TemporaryDirectory(prefix="hat-workers-") as reports:
        return run(argv, Path(reports))


def end(line: str, code: int) -> int:
    """Say why this process ends, and return its exit code. Of many workers with the same to say only one is heard."""
    reports = os.environ.get(REPORTS)
    if is_worker() and reports:
        write_json(Path(reports) / f"{os.environ['RANK']:>06}.json", {"line": line, "code": code})
    else:
        print(line, file=sys.stderr)
    return code


def run(argv: Sequence[str], reports: Path) -> int:
    """Run a launcher whose workers leave their error lines in `reports`; return the exit code of the stage."""
    environment = os.environ | {REPORTS: str(reports)}
    with subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        # Workers must not outlive the stage: the launcher ends them when it is told to.
        before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        try:
            assert process.stderr is not None
            for line in process.stderr:
                # Once a worker has said why it ends, the launcher only adds that it did.
                if not _said(reports):
                    sys.stderr.write(line)
            code = process.wait()
        finally:
            signal.signal(signal.SIGTERM, before)
    if not (said := _said(reports)):
        # As a shell has it where a signal ended the command.
        return code if code >= 0 else 128 - code
    report = read_json(said[0])
    print(report["line"], file=sys.stderr)
    return int(report["code"])


def _said(reports: Path) -> list[Path]:
    return sorted(reports.glob("*.json"))
