"""Everything that a run needs and a bare machine cannot make: rooms, harnesses, training rows, base model, packages."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks.gpu_ablation.packages import gather
from components.data.general import general_prompts
from components.files import write_json, write_jsonl
from components.policy.base_models import new_directory
from flows.params import Params, resolve
from flows.paths import RunPaths
from flows.run_facts import run_facts
from flows.stages import base, collect, dataset, rooms, variants

SHARD = "60MB"
"""Of the base model's weights: the largest tensor of SmolLM2 just fits."""
PROMPTS = 1024
"""General prompts for distillation; a run takes as many as its time allows."""
UNCARRIED = ("trajectories", "validation")
"""What the stages write and a run does not read."""


def pack(
    directory: Path,
    params: Params,
    python: str,
    carry: tuple[str, ...],
    announce: Callable[[str], None] = print,
) -> None:
    """Fill `directory`, whole or not at all, by the project's own stages; `python` and `carry`: see `packages.gather`."""
    with new_directory(directory) as new:
        paths = RunPaths(new)
        for stage in (rooms, variants, base, collect, dataset):
            stage.run(params, paths)
        for name in UNCARRIED:
            shutil.rmtree(new / name)
        _shard(paths.model("base"))
        train, asked = general_prompts(params.seed, PROMPTS), general_prompts(params.seed, params.evaluation.t4_prompts, "eval")
        write_jsonl(new / "prompts" / "train.jsonl", map(asdict, train))
        write_jsonl(new / "prompts" / "eval.jsonl", map(asdict, asked))
        write_json(new / "params.json", params.model_dump(mode="json"))
        names = gather(new / "packages.zip", python, carry)
        write_json(new / "pack.json", {"facts": asdict(run_facts(params, paths)), "packages": names} | _versions())
    announce(f"packages for Python {python}: {', '.join(names)}")
    sizes = {path: path.stat().st_size / 2**20 for path in directory.rglob("*") if path.is_file()}
    weights = {path: size for path, size in sizes.items() if path.suffix == ".safetensors"}
    announce(f"{directory}: {sum(sizes.values()):.0f} MiB, of which weights {sum(weights.values()):.0f} MiB")
    announce(f"weights in files of at most {max(weights.values()):.0f} MiB; all else {_rest(sizes, weights):.0f} MiB")


def sized(profile: str, rows: int, heldout: int) -> Params:
    """The parameters of a profile, with at most `rows` training rows an arm and `heldout` harness variants in T2."""
    params = resolve(profile)
    of_arm = params.dataset.model_copy(update={"trajectories_per_arm": rows})
    return params.model_copy(update={"dataset": of_arm, "variants": params.variants.model_copy(update={"heldout": heldout})})


def _shard(model: Path) -> None:
    """Weights in several files, so that they can be carried one by one."""
    from transformers import AutoModelForCausalLM

    loaded = AutoModelForCausalLM.from_pretrained(model)
    (model / "model.safetensors").unlink()
    loaded.save_pretrained(model, max_shard_size=SHARD)


def _versions() -> dict[str, str]:
    import transformers

    return {"transformers": transformers.__version__}


def _rest(sizes: dict[Path, float], weights: dict[Path, float]) -> float:
    return sum(sizes.values()) - sum(weights.values())
