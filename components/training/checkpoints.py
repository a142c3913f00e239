"""Checkpoints of one run: which to resume from, and when they belong to another run."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from components.errors import UserError
from components.files import read_json, write_json
from components.harness.types import JsonObject

IDENTITY_FILE = "run.json"
STATE_FILE = "trainer_state.json"
"""The file that the trainer writes last: a checkpoint without it is a part."""


def claim(directory: Path, identity: JsonObject) -> Path | None:
    """The checkpoint to go on from, or None for a fresh start.

    `identity` is all that decides the outcome (data, base model, parameters, seed, versions). Checkpoints made under
    another identity are removed: going on from them would be a run that nobody asked for.
    """
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    mark = directory / IDENTITY_FILE
    if not mark.is_file() or read_json(mark) != {"identity": digest}:
        shutil.rmtree(directory, ignore_errors=True)
        write_json(mark, {"identity": digest})
        return None
    whole = [path for path in directory.glob("checkpoint-*") if _is_whole(path)]
    return max(whole, key=_step, default=None)


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])


def _is_whole(checkpoint: Path) -> bool:
    try:
        read_json(checkpoint / STATE_FILE)
    except UserError:
        return False
    return True
