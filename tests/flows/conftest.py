"""A checkout of its own: the project's code over a pipeline that takes seconds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flows.environment import settings
from flows.params import activate
from flows.plan import write_champion

ROOT = Path(__file__).parents[2]
PIPELINE = Path(__file__).parent / "pipeline"


@pytest.fixture
def tiny_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, made the current one, with profile `smoke` active. `knob.txt` and `pace.txt` steer the stages."""
    without_caches = shutil.ignore_patterns("__pycache__")
    for name in ("components", "flows", "harness", "infra", "mlflow"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=without_caches)
    (tmp_path / ".dvc").mkdir()
    for name in ("hat", "params.yaml", ".dvcignore", ".gitignore", ".dvc/config", ".dvc/.gitignore"):
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(PIPELINE, tmp_path, dirs_exist_ok=True, ignore=without_caches)
    (tmp_path / "knob.txt").write_text("good\n")
    (tmp_path / "pace.txt").write_text("fast\n")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    monkeypatch.chdir(tmp_path)
    # As the launcher and `flows.environment` do it for a real checkout.
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    for name, value in settings(tmp_path).items():
        monkeypatch.setenv(name, value)
    activate("smoke")
    write_champion()
    return tmp_path
