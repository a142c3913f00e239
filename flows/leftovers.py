"""What a retraining that was killed leaves behind, and what would otherwise stand in the way of the next one.

Only the holder of the lock of the retraining may call this.
"""

from __future__ import annotations

import json
from pathlib import Path

import psutil

from flows.paths import STATE

SERVER = STATE / "prefect" / "server.pid"
_SERVER_WORD = "prefect.server.api.server:create_app"


def clear() -> None:
    """End the Prefect server that the last retraining started for itself, and remove DVC locks whose holders are gone."""
    if SERVER.exists():
        server = _process(int(SERVER.read_text()), _SERVER_WORD)
        if server is not None:
            server.terminate()
        SERVER.unlink()
    # A killed DVC leaves its process id here, and a later process of that id would block the checkout for good.
    locks = Path(".dvc/tmp/rwlock")
    if locks.exists() and not any(_process(pid, "dvc") for pid in _holders(locks)):
        locks.unlink(missing_ok=True)


def remember_server() -> None:
    """Write down which server Prefect has started for this process; it ends it itself, unless this process is killed."""
    for child in psutil.Process().children():
        if _process(child.pid, _SERVER_WORD):
            SERVER.write_text(str(child.pid))


def _holders(locks: Path) -> list[int]:
    try:
        listed = json.loads(locks.read_text())
    except ValueError:
        return []
    readers = [reader for readers in listed.get("read", {}).values() for reader in readers]
    return [holder["pid"] for holder in [*readers, *listed.get("write", {}).values()]]


def _process(pid: int, word: str) -> psutil.Process | None:
    """The living process of this id, if `word`, or a path that ends in it, is a word of its command line."""
    try:
        process = psutil.Process(pid)
        return process if any(Path(said).name == word for said in process.cmdline()) else None
    except psutil.NoSuchProcess:
        return None
