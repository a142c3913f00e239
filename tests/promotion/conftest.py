"""One empty MLflow database for all tests of promotion: making one takes many seconds, copying it none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        patch.setenv("DO_NOT_TRACK", "true")
        from components.promotion.mlflow_registry import champion_release, client

        directory = tmp_path_factory.mktemp("database")
        assert champion_release(client(directory)) is None
    return directory / "mlflow.db"


@pytest.fixture
def state_dir(tmp_path: Path, empty_database: Path) -> Path:
    shutil.copy(empty_database, tmp_path / "mlflow.db")
    return tmp_path
