"""The ledger: every approval, override, rejection and rollback, one JSON line each, only ever added to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter

from components.errors import UserError
from components.harness.records import to_dict
from components.promotion.types import Entry, EntryKind

_ENTRY = TypeAdapter(Entry)


def read_ledger(path: Path) -> list[Entry]:
    """All entries, oldest first. Raises UserError naming the line that cannot be read."""
    entries = []
    for number, line in enumerate(_whole_lines(path).splitlines(), start=1):
        try:
            entries.append(_ENTRY.validate_json(line))
        except ValueError:
            raise UserError(f"{path}:{number}: expected an entry of the ledger; restore the file from a backup") from None
    return entries


def append(path: Path, entry: Entry) -> None:
    """Add an entry and wait until it is on the disk; an entry that stands already is not added again."""
    whole = _whole_lines(path)
    if len(whole.splitlines()) >= entry.number:
        return
    with path.open("ab") as file:
        # What a crash cut off was never an entry.
        file.truncate(len(whole))
        file.write((json.dumps(to_dict(entry), sort_keys=True, ensure_ascii=False) + "\n").encode())
        file.flush()
        os.fsync(file.fileno())


def answers(entries: Iterable[Entry], request_id: str) -> list[Entry]:
    """What was answered to a request, oldest first."""
    return [entry for entry in entries if entry.request_id == request_id]


def refusals(entries: Iterable[Entry], release: str) -> list[Entry]:
    """The rejections of a release, whichever request they answered, and the rollbacks away from it, oldest first."""
    return [
        entry
        for entry in entries
        if (entry.kind is EntryKind.REJECTION and entry.release == release)
        or (entry.kind is EntryKind.ROLLBACK and entry.replaced == release)
    ]


def champions(entries: Iterable[Entry]) -> list[Entry]:
    """The promotions and overrides that were not rolled back, the present champion's last."""
    standing: list[Entry] = []
    for entry in entries:
        if entry.kind in (EntryKind.PROMOTION, EntryKind.OVERRIDE):
            standing.append(entry)
        elif entry.kind is EntryKind.ROLLBACK:
            standing.pop()
    return standing


def _whole_lines(path: Path) -> bytes:
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1]
