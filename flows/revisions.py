"""The harness as it was at a git revision of this checkout."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from components.errors import UserError
from components.harness import load_harness
from components.harness.types import Harness, HarnessError
from flows.paths import HARNESS


def harness_at(revision: str) -> Harness:
    """Load it. Raises UserError where git knows no such revision, or where what it holds cannot be used."""
    found = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        raise UserError(f"{revision}: neither a folder nor a git revision; expected one such as HEAD~1; correct it")
    archive = _git("archive", "--format=tar", found.stdout.decode().strip(), str(HARNESS))
    if archive.returncode:
        raise UserError(f"{revision}: this revision has no folder {HARNESS}/; choose a later one")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
            tar.extractall(folder, filter="data")
        try:
            return load_harness(Path(folder) / HARNESS)
        except HarnessError as error:
            raise HarnessError(str(error).replace(f"{folder}/", f"{revision}:")) from None


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(("git", *arguments), capture_output=True)
