"""Every test runs with the settings of the command line, its state in a folder that goes away with the test run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from flows.environment import settings

# At import: some tools read their settings when they are imported, which is before any fixture.
_state = tempfile.TemporaryDirectory(prefix="hat-tests-")
os.environ.update(settings(Path(_state.name)))
