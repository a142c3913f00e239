"""Sides of a comparison, each in a process of its own, so that peak memory is its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence


def run_sides(module: str, sides: Sequence[str]) -> dict[str, dict[str, float]]:
    """Run `module` once a side with `--side` and this process's own options; what it prints last are its figures, as JSON."""
    figures = {}
    for side in sides:
        done = subprocess.run([sys.executable, "-m", module, "--side", side, *sys.argv[1:]], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{side}: ended with {done.returncode}\n{done.stderr}")
        figures[side] = json.loads(done.stdout.splitlines()[-1])
    return figures
