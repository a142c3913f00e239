"""Bring the student's weights, tokenizer and chat template into the run."""

from __future__ import annotations

from components.harness import load_harness
from components.harness.render import request_prompt, system_prompt
from components.policy.base_models import prepare_base
from flows.params import Params
from flows.paths import HARNESS, RunPaths
from flows.stages.inputs import read_cases


def run(params: Params, paths: RunPaths) -> None:
    """Write `models/base/`. The texts are what a `tiny` model's tokenizer is trained on."""
    texts = [system_prompt(load_harness(HARNESS)), *(request_prompt(case.request) for case in read_cases(paths, "train"))]
    prepare_base(params.model.source, paths.model("base"), params.seed, texts)
