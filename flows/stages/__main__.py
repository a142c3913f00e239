"""Run one stage. Bad input ends in one line on standard error and exit code 2."""

from __future__ import annotations

import argparse
import importlib
import sys

from components.errors import UserError
from flows.params import active
from flows.paths import EVALUATED, RunPaths

STAGES = ("rooms", "validate", "variants", "base", "collect", "dataset", "sft", "evaluate", "report")


def main() -> int:
    """Parse the command line, run the stage, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m flows.stages", description=__doc__)
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("--arm", choices=EVALUATED, help="for the stages sft and evaluate")
    arguments = parser.parse_args()
    try:
        params = active()
        stage = importlib.import_module(f"flows.stages.{arguments.stage}")
        arm = () if arguments.arm is None else (arguments.arm,)
        stage.run(params, RunPaths.of(params.profile), *arm)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
