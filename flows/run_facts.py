"""What a reader must know of a run, gathered from its parameters and outputs."""

from __future__ import annotations

import os
import platform
import subprocess

from components.evaluation.types import RunFacts
from components.files import read_json
from components.liveroom.logs import has_logs
from flows.params import Params
from flows.paths import ROOM_LOGS, RunPaths

MODEL_NAMES = {"smollm2": "SmolLM2-135M-Instruct", "tiny": "random weights, 2 layers (for tests)"}


EXPERT = "the scripted expert, which reads the truth from the database"


def code_version() -> str:
    """The git commit, marked where the working tree differs from it."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], capture_output=True, text=True
    )
    return described.stdout.strip() or "no git commit"


def run_facts(params: Params, paths: RunPaths) -> RunFacts:
    """Gather the facts of the run under `paths`."""
    manifest = read_json(paths.dataset / "manifest.json")
    counts = manifest["filter"]
    data = {
        "training cases": manifest["cases"]["train"],
        "evaluation cases": manifest["cases"]["eval"],
        "train variants": manifest["variants"]["train"],
        "held-out variants": manifest["variants"]["heldout"],
        "trajectories kept": counts["kept"],
        **{f"rows {arm}": count for arm, count in manifest["rows"].items()},
    }
    return RunFacts(
        profile=params.profile,
        seed=params.seed,
        model=MODEL_NAMES.get(params.model.source, params.model.source),
        teacher=EXPERT if params.collect.teacher == "expert" else params.collect.teacher.model,
        rooms=f"the room logs in {ROOM_LOGS}/" if has_logs(ROOM_LOGS) else "generated rooms",
        harness_version=manifest["harness_version"],
        code_version=code_version(),
        hardware=f"{platform.machine()} {platform.system()}, {os.cpu_count()} CPU cores",
        data=data,
        training={stage: getattr(params, stage).model_dump(mode="json") for stage in ("sft", "opd", "rl")},
    )
