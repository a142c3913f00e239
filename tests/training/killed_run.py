"""Run by a test in a process of its own: a training run that is killed, as by the machine, once step 3 of 4 is done."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from tests.training.test_sft import PARAMS, SEED


def kill_at_step_3(line: str) -> None:
    if line.startswith("step 3/"):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    import torch

    from components.training import train_sft

    torch.set_num_threads(1)
    model, dataset, output, checkpoints, log = map(Path, sys.argv[1:])
    train_sft(model, dataset, output, checkpoints, log, PARAMS, SEED, announce=kill_at_step_3)
