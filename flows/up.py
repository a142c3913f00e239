"""The pages of MLflow and Prefect over the checkout's own databases, on the loopback address, until Ctrl-C."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

from components.errors import UserError

HOST = "127.0.0.1"


def serve(mlflow_port: int, prefect_port: int) -> None:
    """Run both servers until one of them ends or the caller is interrupted. Raises UserError for a port in use."""
    for option, port in (("--mlflow-port", mlflow_port), ("--prefect-port", prefect_port)):
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                raise UserError(f"{HOST}:{port}: in use by another program; end it, or pass another {option}")
    commands = [
        [
            "mlflow",
            "server",
            "--backend-store-uri",
            os.environ["MLFLOW_TRACKING_URI"],
            "--host",
            HOST,
            "--port",
            str(mlflow_port),
        ],
        ["prefect", "server", "start", "--host", HOST, "--port", str(prefect_port)],
    ]
    print(f"MLflow   http://{HOST}:{mlflow_port}\nPrefect  http://{HOST}:{prefect_port}\nCtrl-C ends both", flush=True)
    servers = [subprocess.Popen([sys.executable, "-m", *command]) for command in commands]
    try:
        while all(server.poll() is None for server in servers):
            time.sleep(0.5)
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait()
