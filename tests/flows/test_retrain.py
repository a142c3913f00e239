"""A whole retraining by its command line, with the real Prefect, DVC and MLflow: killed, taken up again, nothing left to do."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

from flows.lock import holder
from flows.paths import STATE

RETRAIN = ["./hat", "retrain", "--profile", "smoke"]


def hat(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["./hat", *arguments], capture_output=True, text=True)


def wait_for_line(log: Path, start: str) -> None:
    while not log.exists() or not any(line.startswith(start) for line in log.read_text().splitlines()):
        time.sleep(0.2)


def test_killed_then_taken_up_again_then_nothing_to_do_then_approved(tiny_checkout: Path) -> None:
    Path("pace.txt").write_text("slow\n")
    with Path("said").open("w") as file, subprocess.Popen(RETRAIN, stdout=file) as killed:
        wait_for_line(STATE / "logs" / "rl@rl_hsa.log", "1/600")

        second = hat("retrain", "--profile", "smoke")
        assert second.returncode == 2
        assert second.stderr.startswith("hat: .hat/retrain.lock: held by the retraining of profile smoke, process")
        assert len(second.stderr.splitlines()) == 1

        killed.send_signal(signal.SIGKILL)
    said = Path("said").read_text()
    assert "[1/4] dataset: ran in" in said and "[2/4] rl@rl_hsa …" in said
    assert not Path("runs/smoke/models/rl_hsa").exists()
    while holder():
        time.sleep(0.2)

    Path("pace.txt").write_text("fast\n")
    resumed = subprocess.run(RETRAIN, capture_output=True, text=True)
    assert resumed.returncode == 0, resumed.stderr
    assert "stand   dataset\n" in resumed.stdout and "[1/3] rl@rl_hsa: ran in" in resumed.stdout
    assert "PROMOTE" in resumed.stdout and "80.3" in resumed.stdout
    (request,) = (path.name for path in (STATE / "requests").iterdir())
    assert f"hat approve {request}" in resumed.stdout

    from mlflow import MlflowClient

    client = MlflowClient(f"sqlite:///{STATE / 'mlflow.db'}")
    experiment = client.get_experiment_by_name("hat-smoke")
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    retrainings = {run.info.status: run for run in runs if run.info.run_name == "retrain"}
    assert set(retrainings) == {"KILLED", "FINISHED"}
    done = retrainings["FINISHED"]
    assert done.data.tags["stages_reused"] == "dataset"
    assert done.data.tags["request"] == request
    assert done.data.params["model.source"] == "tiny"
    assert done.data.metrics["rl_hsa.T2 AVG"] == 1.0
    assert done.info.run_id in resumed.stdout
    assert {file.path for file in client.list_artifacts(done.info.run_id)} == {"report", request}
    stages = {run.info.run_name: run for run in runs if run.data.tags.get("mlflow.parentRunId") == done.info.run_id}
    assert set(stages) == {"rl@rl_hsa", "evaluate", "report"}
    assert stages["evaluate"].data.metrics == {"rl_hsa.T2": 1.0}
    assert "runs/smoke/evaluation" in json.loads(stages["evaluate"].data.tags["outputs"])

    again = hat("retrain", "--profile", "smoke")
    assert again.returncode == 0, again.stderr
    assert "nothing to do: all 4 stages stand" in again.stdout
    assert f"hat approve {request}" in again.stdout
    assert len(client.search_runs([experiment.experiment_id])) == len(runs)

    approved = hat("approve", request, "--by", "Ann", "--reason", "better on every suite")
    assert approved.returncode == 0, approved.stderr
    status = hat("status").stdout
    assert "by Ann: better on every suite" in status and "none waits for an answer" in status
