"""DVC as the flows use it: what are the stages, which do not stand, make one of them stand.

Everything goes through the command `dvc`, which is DVC's public interface. The current folder is the checkout.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml

from components.errors import UserError
from components.harness.types import JsonObject

State = Literal["ran", "unchanged", "restored"]
BAD_INPUT = 2
"""Exit code of a stage whose input a person has to mend."""
TRY_AGAIN = 75
"""Exit code of a stage that may succeed when it is run again (`EX_TEMPFAIL` of sysexits.h): a server did not answer."""

_EDGE = re.compile(r'^"(?P<first>[^"]+)"(?: -> "(?P<second>[^"]+)")?;$')
_EXITED = re.compile(r"failed to run: .*, exited with (?P<code>-?\d+)$")
_STATES: dict[str, State] = {"didn't change, skipping": "unchanged", "is cached - skipping run": "restored"}
_GRACE_S = 10.0


@dataclass(frozen=True)
class StageResult:
    """How a stage came to stand, and the seconds it took."""

    stage: str
    state: State
    seconds: float


class StageFailed(RuntimeError):
    """A stage ended with an error that is no one's bad input. `code` is its own exit code, `log` what it printed."""

    def __init__(self, stage: str, code: int, line: str, log: Path) -> None:
        super().__init__(f"{stage}: {line} (exit code {code}; all it printed: {log})")
        self.code = code


def stages() -> dict[str, set[str]]:
    """Every stage with the names of those it needs, which come before it; else in the order of dvc.yaml.

    Matrix stages have names such as `sft@hsa_sft`. Raises UserError where dvc.yaml cannot be used.
    """
    needs: dict[str, set[str]] = {}
    for line in _dvc("dag", "--dot").splitlines():
        if edge := _EDGE.match(line):
            first, second = edge.group("first", "second")
            needs.setdefault(first, set())
            if second:
                needs.setdefault(second, set()).add(first)
    ordered: dict[str, set[str]] = {}
    while len(ordered) < len(needs):
        stage = next(stage for stage in needs if stage not in ordered and needs[stage] <= ordered.keys())
        ordered[stage] = needs[stage]
    return ordered


def stale(needs: Mapping[str, set[str]]) -> list[str]:
    """Stages that do not stand, in the order of `needs`, and those that need one of them and so may not stand afterwards."""
    changed = json.loads(_dvc("status", "--json"))
    found: set[str] = set()
    for stage, needed in needs.items():
        if stage in changed or needed & found:
            found.add(stage)
    return [stage for stage in needs if stage in found]


def reproduce(stage: str, log: Path, environment: Mapping[str, str], on_line: Callable[[str], None]) -> StageResult:
    """Make one stage stand; those it needs have to stand already. Each line that it prints goes to `log` and `on_line`.

    Raises UserError with the stage's own line where it refuses its input, StageFailed for any other failure. Whatever ends
    this call early ends the stage too.
    """
    start = time.monotonic()
    state: State = "ran"
    last, code = "", 1
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "dvc", "--wait-for-lock", "repro", "--single-item", stage]
    with log.open("w") as file, _running(command, environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            file.flush()
            words = line.strip()
            state = next((found for mark, found in _STATES.items() if words.startswith(f"Stage '{stage}' {mark}")), state)
            if exited := _EXITED.search(words):
                code = int(exited["code"])
            elif words:
                last = words
                on_line(words)
    if process.returncode == 0:
        return StageResult(stage, state, time.monotonic() - start)
    if code == BAD_INPUT:
        raise UserError(last.removeprefix("error: "))
    raise StageFailed(stage, code, last.removeprefix("ERROR: ").removeprefix("error: "), log)


def outputs(stage: str) -> dict[str, str]:
    """Paths of a stage's outputs with the hashes of their content, as of the last time that it stood."""
    return {out["path"]: out["md5"] for out in _locked(stage).get("outs", [])}


def parameters(stage: str) -> JsonObject:
    """The parameters that a stage last stood with, by their dotted names."""
    return {name: value for file in _locked(stage).get("params", {}).values() for name, value in file.items()}


def _dvc(*arguments: str) -> str:
    """What a command of DVC that changes nothing prints."""
    done = subprocess.run([sys.executable, "-m", "dvc", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise UserError(f"dvc {arguments[0]}: {' '.join(said) or 'failed without a word'}")
    return done.stdout


def _locked(stage: str) -> JsonObject:
    path = Path("dvc.lock")
    locked = yaml.safe_load(path.read_text()) if path.exists() else {}
    entry: JsonObject = locked.get("stages", {}).get(stage, {})
    return entry


@contextmanager
def _running(command: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a process group of its own, which ends with this block whatever ends the block."""
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        # Hands on the lock of the retraining, so that it is held for as long as a stage is at work, even if we are killed.
        close_fds=False,
    )
    with process:
        try:
            yield process
        except BaseException:
            _end_group(process)
            raise


def _end_group(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)
    # The stage is a child of DVC and may be at work still.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
