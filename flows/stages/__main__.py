"""Run one stage. Bad input ends in one line on standard error and exit code 2, a server that is away in one and code 75."""

from __future__ import annotations

import argparse
import importlib
import sys

from components.errors import Unavailable, UserError
from components.training.launch import end, launch_stage
from flows import dvc
from flows.arms import trained_by
from flows.params import active
from flows.paths import RunPaths

STAGES = (
    *("rooms", "validate", "variants", "base", "collect", "dataset"),
    *("sft", "opd", "rl", "draft", "evaluate", "report", "ablation"),
)
TRAINING = {stage: trained_by(stage) for stage in ("sft", "opd", "rl")}
ARMS_OF = TRAINING | {"evaluate": ["base", *(arm for arms in TRAINING.values() for arm in arms), "champion"]}
"""The stages that work on one arm at a time, and those that they may be given."""
LAUNCHED = (*TRAINING, "draft")
"""The stages that may run on several devices: `launch` in the parameters says how."""


def main() -> int:
    """Parse the command line, run the stage, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m flows.stages", description=__doc__)
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("--arm", help="for the stages sft, opd, rl and evaluate")
    arguments = parser.parse_args()
    try:
        _check_arm(arguments.stage, arguments.arm)
        params = active()
        if arguments.stage in LAUNCHED:
            code = launch_stage(["flows.stages", *sys.argv[1:]], params.launch)
            if code is not None:
                return code
        stage = importlib.import_module(f"flows.stages.{arguments.stage}")
        arm = () if arguments.arm is None else (arguments.arm,)
        stage.run(params, RunPaths.of(params.profile), *arm)
    except UserError as error:
        return end(f"error: {error}", dvc.BAD_INPUT)
    except Unavailable as error:
        return end(f"error: {error}", dvc.TRY_AGAIN)
    return 0


def _check_arm(stage: str, arm: str | None) -> None:
    if stage in ARMS_OF and arm not in ARMS_OF[stage]:
        raise UserError(
            f"--arm: stage {stage} expects one of {', '.join(ARMS_OF[stage])}, found {arm or 'none'}; pass one of them"
        )
    if stage not in ARMS_OF and arm is not None:
        raise UserError(f"--arm: stage {stage} has no arms, found {arm}; leave it out")


if __name__ == "__main__":
    sys.exit(main())
