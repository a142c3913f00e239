"""Bring the student's weights, tokenizer and chat template into the run."""

from __future__ import annotations

from components.harness.render import request_prompt, system_prompt
from components.policy.base_models import prepare_base
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harness


def run(params: Params, paths: RunPaths) -> None:
    """Write `models/base/`. The texts are what a `tiny` model's tokenizer is trained on."""
    harness, requests = read_harness(), [case.request for case in read_cases(paths, "train")]
    texts = [*{system_prompt(harness, request): None for request in requests}, *map(request_prompt, requests)]
    prepare_base(params.model.source, paths.model("base"), params.seed, texts)
