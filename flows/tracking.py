"""The record in MLflow: one run a retraining, and nested in it one run a stage."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from components.errors import UserError
from components.files import read_json, write_atomic
from components.harness.types import JsonObject
from flows import dvc
from flows.paths import STATE

if TYPE_CHECKING:
    from mlflow import MlflowClient

UI = "http://127.0.0.1:5000"
"""Where `hat up` serves the pages of MLflow."""


@dataclass(frozen=True)
class Record:
    """The MLflow run of one retraining."""

    client: MlflowClient
    experiment_id: str
    run_id: str

    @property
    def url(self) -> str:
        """Its page, as served by `hat up`."""
        return f"{UI}/#/experiments/{self.experiment_id}/runs/{self.run_id}"

    @contextmanager
    def stage(self, stage: str) -> Iterator[str]:
        """Open a nested run for a stage, which logs into it by MLFLOW_RUN_ID; on leaving add what its outputs say."""
        tags = {"mlflow.runName": stage, "mlflow.parentRunId": self.run_id, "stage": stage}
        run_id: str = self.client.create_run(self.experiment_id, tags=tags).info.run_id
        with _ended(self.client, run_id):
            yield run_id
            self._log(run_id, params=dvc.parameters(stage), tags={"outputs": json.dumps(dvc.outputs(stage))})
            for path in map(Path, dvc.outputs(stage)):
                if path.suffix == ".json":
                    self._log(run_id, metrics=numbers(read_json(path)))
                    self.client.log_artifact(run_id, str(path))

    def conclude(self, metrics: Mapping[str, float], tags: Mapping[str, str], folders: list[Path]) -> None:
        """Put on the run what the retraining came to; `folders` hold pages that a person will want to read."""
        self._log(self.run_id, metrics=metrics, tags=tags)
        for folder in folders:
            self.client.log_artifacts(self.run_id, str(folder), folder.name)

    def _log(
        self,
        run_id: str,
        metrics: Mapping[str, float] | None = None,
        params: JsonObject | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        from mlflow.entities import Metric, Param, RunTag
        from mlflow.utils.time import get_current_time_millis

        now = get_current_time_millis()
        self.client.log_batch(
            run_id,
            [Metric(name, value, now, 0) for name, value in (metrics or {}).items()],
            [Param(name, str(value)) for name, value in flat(params or {}).items()],
            [RunTag(name, value) for name, value in (tags or {}).items()],
        )


@contextmanager
def record(profile: str, params: JsonObject, tags: Mapping[str, str]) -> Iterator[Record]:
    """Open the run of a retraining in the experiment `hat-<profile>`. It ends as finished, failed or killed with the block.

    Runs that an earlier, killed retraining of this checkout left open are closed first.
    """
    client, experiment_id = _open(f"hat-{profile}")
    here = {"checkout": f"{platform.node()}:{Path.cwd()}"}
    for left in client.search_runs([experiment_id], f"attributes.status = 'RUNNING' and tags.checkout = '{here['checkout']}'"):
        for nested in client.search_runs([experiment_id], f"tags.`mlflow.parentRunId` = '{left.info.run_id}'"):
            if nested.info.status == "RUNNING":
                client.set_terminated(nested.info.run_id, "KILLED")
        client.set_terminated(left.info.run_id, "KILLED")
    run_id = client.create_run(experiment_id, tags={"mlflow.runName": "retrain", **here}).info.run_id
    opened = Record(client, experiment_id, run_id)
    with _ended(client, run_id):
        opened._log(run_id, params=params, tags=tags)
        yield opened


def flat(values: JsonObject, prefix: str = "") -> JsonObject:
    """Nested objects as one, keys joined by dots."""
    found: JsonObject = {}
    for name, value in values.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return found


def numbers(values: Any) -> dict[str, float]:
    """The numbers in a JSON object by their dotted names; what is neither a number nor an object is left out."""
    found = flat(values) if isinstance(values, dict) else {}
    return {_name(key): float(value) for key, value in found.items() if isinstance(value, int | float)}


def _name(key: str) -> str:
    """MLflow takes letters, digits and a few marks in names."""
    return "".join(letter if letter.isalnum() or letter in "_-. /" else "_" for letter in key)


@contextmanager
def _ended(client: MlflowClient, run_id: str) -> Iterator[None]:
    status = "KILLED"
    try:
        yield
        status = "FINISHED"
    except Exception:
        status = "FAILED"
        raise
    finally:
        client.set_terminated(run_id, status)


def _open(experiment: str) -> tuple[MlflowClient, str]:
    """MLflow on the checkout's database, its tables up to date, with the experiment. First uses at the same time take turns."""
    import mlflow

    database, stamp = STATE / "mlflow.db", STATE / "mlflow.version"
    with FileLock(STATE / "mlflow.lock"):
        if database.exists() and (not stamp.exists() or stamp.read_text() != mlflow.__version__):
            _upgrade(mlflow.get_tracking_uri())
        client = mlflow.MlflowClient()
        found = client.get_experiment_by_name(experiment)
        experiment_id = found.experiment_id if found else client.create_experiment(experiment, _artifacts(experiment))
        write_atomic(stamp, mlflow.__version__)
    return client, str(experiment_id)


def _artifacts(experiment: str) -> str:
    return (STATE / "mlartifacts" / experiment).resolve().as_uri()


def _upgrade(uri: str) -> None:
    done = subprocess.run([sys.executable, "-m", "mlflow", "db", "upgrade", uri], capture_output=True, text=True)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["it gave no reason"]
        raise UserError(f"{STATE / 'mlflow.db'}: mlflow db upgrade failed ({last[0]}); restore it from a backup or move it away")
