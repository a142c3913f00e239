"""One process environment for every tool: state in `.hat/`, no telemetry, no hub, the environment's commands first on PATH."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from flows.paths import STATE

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""


def settings(root: Path) -> dict[str, str]:
    """What every tool is told for the checkout at `root`."""
    state = root / STATE
    return {
        "DO_NOT_TRACK": "1",
        "DVC_NO_ANALYTICS": "true",
        "DVC_SITE_CACHE_DIR": str(state / "dvc"),
        "GX_ANALYTICS_ENABLED": "false",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_OFFLINE": "1",
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
        "MLFLOW_LOGGING_LEVEL": "WARNING",
        "MLFLOW_TRACKING_URI": f"sqlite:///{state / 'mlflow.db'}",
        "PREFECT_HOME": str(state / "prefect"),
        # Slow machines need minutes for what the defaults allow seconds.
        "PREFECT_API_REQUEST_TIMEOUT": "300",
        "PREFECT_SERVER_DATABASE_CONNECTION_TIMEOUT": "60",
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "600",
        "PREFECT_SERVER_EPHEMERAL_ENABLED": "true",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        # The console belongs to `hat`; what Prefect has to say stands in its own log of the run.
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    }


def activate(root: Path) -> None:
    """Put the settings into this process and all that it starts, whatever the caller's shell says; twice is harmless."""
    (root / STATE).mkdir(exist_ok=True)
    os.environ.update(settings(root))
    commands = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if path[0] != commands:
        os.environ["PATH"] = os.pathsep.join([commands, *path])
