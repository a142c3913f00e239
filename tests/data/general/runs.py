"""Runs of words that two texts share, found by their hashes: so a test set can be held against without its text.

`ifeval_runs.bin` is `run_hashes` of all official prompts of IFEval.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

OFFICIAL_HASHES = Path(__file__).with_name("ifeval_runs.bin")
WIDTH = 5
"""Bytes of a hash: of a hundred thousand runs that IFEval lacks, one passes for its own once in some seven hundred times."""


def runs(text: str, length: int = 6) -> list[str]:
    """Every run of `length` words, whatever stands between them, in lower case. A longer shared run holds a shared one."""
    words = re.findall(r"\w+", text.lower())
    return [" ".join(words[start : start + length]) for start in range(len(words) - length + 1)]


def run_hashes(texts: Iterable[str]) -> bytes:
    """Hashes of all runs in the texts, sorted, without gaps."""
    return b"".join(sorted({_digest(run) for text in texts for run in runs(text)}))


def repeated_runs(texts: Iterable[str], hashes: bytes) -> set[str]:
    """Runs in `texts` whose hash is among `hashes`."""
    known = {hashes[start : start + WIDTH] for start in range(0, len(hashes), WIDTH)}
    return {run for text in texts for run in runs(text) if _digest(run) in known}


def _digest(run: str) -> bytes:
    return hashlib.sha256(run.encode()).digest()[:WIDTH]
