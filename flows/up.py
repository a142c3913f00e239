"""The pages of MLflow and Prefect over the checkout's own databases, on the loopback address, until Ctrl-C."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack

from components.errors import UserError
from flows.paths import STATE

HOST = "127.0.0.1"


def serve(mlflow_port: int, prefect_port: int) -> None:
    """Run both servers until the caller is interrupted. Raises UserError for a port in use and for a server that ends."""
    bind = ["--host", HOST, "--port"]
    commands = {
        "mlflow": ["server", "--backend-store-uri", os.environ["MLFLOW_TRACKING_URI"], "--workers", "1", *bind, str(mlflow_port)],
        "prefect": ["server", "start", *bind, str(prefect_port)],
    }
    ports = {"mlflow": mlflow_port, "prefect": prefect_port}
    for name, port in ports.items():
        if _answers(port):
            raise UserError(f"{HOST}:{port}: in use by another program; end it, or pass another --{name}-port")
    logs = {name: STATE / "logs" / f"{name}.log" for name in commands}
    (STATE / "logs").mkdir(exist_ok=True)
    with ExitStack() as stack:
        servers = {}
        for name, command in commands.items():
            log = stack.enter_context(logs[name].open("w"))
            servers[name] = subprocess.Popen([sys.executable, "-m", name, *command], stdout=log, stderr=log)
            stack.callback(_end, servers[name])
        waiting = dict(ports)
        print("starting; Ctrl-C ends it", flush=True)
        while True:
            for name, server in servers.items():
                if server.poll() is not None:
                    raise UserError(f"{logs[name]}: {name} ended with code {server.returncode}; the log says why")
                if name in waiting and _answers(waiting[name]):
                    print(f"{name:8} http://{HOST}:{waiting.pop(name)}", flush=True)
            time.sleep(0.5)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    server.wait()
