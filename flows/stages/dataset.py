"""From trajectories to the training sets of the arms: filter, cut retries, check leaks, equal budget, validate."""

from __future__ import annotations

from components.data import ARMS, build_arm, check_leaks, collected_from_dict, filter_collected, validate_frames
from components.data.frames import rows_frame, trajectories_frame, turns_frame
from components.files import read_jsonl, write_json, write_jsonl
from components.harness import harness_version
from components.liveroom.catalogue import Catalogue
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harness, read_variants, teacher_limits


def run(params: Params, paths: RunPaths) -> None:
    """Write `dataset/<arm>.jsonl`, `dataset/manifest.json` and the data docs and summary under `validation/`."""
    base, catalogue = read_harness(), Catalogue.open(paths.catalogue)
    train_cases, eval_cases = read_cases(paths, "train"), read_cases(paths, "eval")
    train_variants, heldout_variants = read_variants(paths, "train"), read_variants(paths, "heldout")
    collected = [collected_from_dict(row) for row in read_jsonl(paths.trajectories)]
    sizes = params.dataset
    filtered = filter_collected(collected, train_cases, catalogue, keep_retry_share=sizes.keep_retry_share, seed=params.seed)
    rows = {arm: build_arm(arm, filtered.kept, sizes.trajectories_per_arm, sizes.hsa_share, params.seed) for arm in ARMS}
    every_row = [row for arm_rows in rows.values() for row in arm_rows]
    searched = check_leaks(base, train_cases, eval_cases, train_variants, heldout_variants, every_row)
    frames = {
        "trajectories": trajectories_frame(filtered.kept, base, teacher_limits(params)),
        "turns": turns_frame(filtered.kept),
        "dataset": rows_frame(rows),
    }
    validation = validate_frames(frames, paths.validation / "dataset")
    for arm, arm_rows in rows.items():
        write_jsonl(paths.dataset / f"{arm}.jsonl", arm_rows)
    manifest = {
        "harness_version": harness_version(base),
        "cases": {"train": len(train_cases), "eval": len(eval_cases)},
        "variants": {"train": len(train_variants), "heldout": len(heldout_variants)},
        "filter": filtered.counts,
        "rows": {arm: len(arm_rows) for arm, arm_rows in rows.items()},
        "leak_check": searched,
    }
    write_json(paths.dataset / "manifest.json", manifest)
    write_json(paths.validation / "dataset.json", validation)
    print(f"{filtered.counts['kept']} of {len(collected)} trajectories kept; rows {manifest['rows']}")
