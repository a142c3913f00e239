"""A retraining that was killed leaves nothing that stands in the way of the next one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows import leftovers

RWLOCK = Path(".dvc/tmp/rwlock")


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    RWLOCK.parent.mkdir(parents=True)
    leftovers.SERVER.parent.mkdir(parents=True)


def lock_of(pid: int) -> str:
    holder = {"pid": pid, "cmd": "dvc repro"}
    return json.dumps({"write": {"runs/x": holder}, "read": {"runs/y": [holder]}})


# The id of this process: it lives, but it is not the DVC that took the lock.
@pytest.mark.parametrize("text", ["", "{", lock_of(os.getpid())])
def test_dvc_lock_without_a_living_dvc_is_removed(text: str) -> None:
    RWLOCK.write_text(text)
    leftovers.clear()
    assert not RWLOCK.exists()


def test_dvc_lock_of_a_living_dvc_stays() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()", "dvc", "repro"], stdin=subprocess.PIPE) as holder:
        RWLOCK.write_text(lock_of(holder.pid))
        leftovers.clear()
        assert RWLOCK.exists()
        holder.communicate()


def test_server_of_a_killed_retraining_is_ended_and_no_other_process_of_its_id() -> None:
    sleeper = [sys.executable, "-c", "input()"]
    with (
        subprocess.Popen([*sleeper, "prefect.server.api.server:create_app"], stdin=subprocess.PIPE) as server,
        subprocess.Popen(sleeper, stdin=subprocess.PIPE) as other,
    ):
        for process in (other, server):
            leftovers.SERVER.write_text(str(process.pid))
            leftovers.clear()
            assert not leftovers.SERVER.exists()
        assert server.wait() < 0
        assert other.poll() is None
        other.communicate()
