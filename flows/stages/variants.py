"""Sample the augmented harnesses of both families, and prove that each keeps the task."""

from __future__ import annotations

from components.augment import Family, prove, sample_variants
from components.augment.records import variant_to_dict
from components.errors import UserError
from components.files import write_json, write_jsonl
from components.harness import harness_version
from components.judge import check
from components.liveroom.catalogue import Catalogue
from flows.params import Params
from flows.paths import RunPaths
from flows.stages.inputs import read_cases, read_harness


def run(params: Params, paths: RunPaths) -> None:
    """Write `variants/train.jsonl`, `variants/heldout.jsonl` and `variants/proof.json`."""
    base = read_harness()
    catalogue = Catalogue.open(paths.catalogue)
    # One case of each intent exercises every skill and tool that the expert ever uses.
    cases = list({case.intent: case for case in read_cases(paths, "train")}.values())
    summary = {"harness_version": harness_version(base), "cases": len(cases)}
    sizes: dict[Family, int] = {"train": params.variants.train, "heldout": params.variants.heldout}
    for family, count in sizes.items():
        variants = sample_variants(base, count, family, params.seed, params.variants.strength)
        for variant in variants:
            proof = prove(base, variant, cases, catalogue, check)
            if not proof.holds:
                raise UserError(f"variant {variant.variant_id}: does not keep the task ({proof.reason}); mend the transformation")
        write_jsonl(paths.variants / f"{family}.jsonl", map(variant_to_dict, variants))
        summary[family] = len(variants)
        print(f"{len(variants)} {family} variants, each proved on {len(cases)} cases")
    write_json(paths.variants / "proof.json", summary)
