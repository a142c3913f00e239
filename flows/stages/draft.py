"""The candidate's draft head: trained on its own episodes, measured by speculative decoding on held-out ones."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from random import Random

from components.files import write_json
from components.judge import FactMatcher
from components.liveroom.catalogue import Catalogue
from components.policy.speculative import Acceptance
from components.training.draft import collect_rollouts, measure_acceptance, train_draft
from components.training.draft.files import has_head
from flows.arms import CANDIDATE
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harnesses, student_limits


def run(params: Params, paths: RunPaths) -> None:
    """Write `models/draft/` (the candidate with its head), the curve, and `evaluation/draft_head.json` (acceptance)."""
    draft, generation, limits = params.draft, params.generation, student_limits(params)
    harnesses = list(read_harnesses(paths, "train").values())
    with closing(Catalogue.open(paths.catalogue)) as catalogue:
        cases = read_cases(paths, "train")
        rollouts = asyncio.run(
            collect_rollouts(
                paths.model(CANDIDATE),
                Random(params.seed).choices(cases, k=draft.rollouts),
                harnesses,
                catalogue,
                limits=limits,
                max_new_tokens=generation.max_new_tokens,
                batch_size=generation.batch_size,
                seed=params.seed,
                judge=FactMatcher() if draft.train_main else None,
            )
        )
        train_draft(
            paths.model(CANDIDATE),
            paths.model("base"),
            rollouts,
            paths.draft,
            paths.checkpoints("draft"),
            paths.training_log("draft"),
            draft,
            params.seed,
        )
        held_out = Random(params.seed).sample(read_cases(paths, "eval"), draft.measured_cases)
        held_out_harnesses = list(read_harnesses(paths, "heldout").values())

        def measure(head: Path | None) -> Acceptance:
            return asyncio.run(
                measure_acceptance(
                    paths.draft,
                    head,
                    held_out,
                    held_out_harnesses,
                    catalogue,
                    limits=limits,
                    max_new_tokens=generation.max_new_tokens,
                    tokens=draft.tokens,
                )
            )

        before = paths.model("base") if has_head(paths.model("base")) else None
        write_json(paths.draft_summary, {"trained": _plain(measure(paths.draft)), "untrained": _plain(measure(before))})


def _plain(acceptance: Acceptance) -> dict[str, float]:
    return asdict(acceptance) | {"rate": acceptance.rate, "mean_length": acceptance.mean_length}
