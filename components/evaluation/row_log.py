"""Rows on disk while an evaluation runs: what stands after a crash is not evaluated again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from components.evaluation.types import Row
from components.files import json_line, write_jsonl


class RowLog:
    """Rows in `<out>.partial` until all are there, then in `<out>`.

    The first line carries the fingerprint of everything that the rows depend on; a log with another one is discarded.
    """

    def __init__(self, out_path: Path, fingerprint: str) -> None:
        self._out = out_path
        self._partial = out_path.with_name(out_path.name + ".partial")
        self._header = {"fingerprint": fingerprint}
        self.rows: list[Row] = []
        """Rows that stand from an earlier run."""
        lines = list(_whole_lines(self._partial))
        if lines and lines[0] == self._header:
            self.rows = [row for row in lines[1:] if row["accuracy"] is not None]
        write_jsonl(self._partial, [self._header, *self.rows])

    def append(self, row: Row) -> None:
        """Keep a row as soon as it is known."""
        with self._partial.open("ab") as file:
            file.write(json_line(row))

    def finish(self, rows: list[Row]) -> None:
        """Write the rows in their final order and drop the partial file."""
        write_jsonl(self._out, rows)
        self._partial.unlink()


def _whole_lines(path: Path) -> Iterator[Row]:
    """JSON lines up to the first that a crash cut off."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:
                return
