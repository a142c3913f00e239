"""Sample the augmented harnesses of both families, and prove that each keeps the task."""

from __future__ import annotations

from contextlib import closing

from components.augment import Dimension, Family, Prover, Task, catalogue_tasks, phrasings, sample_variants, write_bank
from components.augment.records import variant_to_dict
from components.errors import UserError
from components.files import write_json, write_jsonl
from components.harness import harness_version
from components.harness.types import Harness
from components.judge import check
from components.liveroom.catalogue import Catalogue
from flows.params import Params
from flows.paraphrases import collect_bank
from flows.paths import HARNESS, RunPaths
from flows.proof_tasks import proof_tasks
from flows.stages.inputs import read_cases, read_harness


def run(params: Params, paths: RunPaths) -> None:
    """Write `variants/train.jsonl`, `variants/heldout.jsonl`, `variants/proof.json` and the bank of paraphrases, if any."""
    base = read_harness()
    # One case of each intent in each language exercises every skill and tool that the expert ever uses; cases of evaluation
    # stay unseen.
    cases = {(case.intent, case.request.language): case for case in read_cases(paths, "train")}
    with closing(Catalogue.open(paths.catalogue)) as catalogue, proof_tasks(base, HARNESS, params.seed, ("train",)) as given:
        own = catalogue_tasks(list(cases.values()), catalogue, check)
        _prove(params, paths, base, [*own, *given.tasks], given.answers)


def _prove(params: Params, paths: RunPaths, base: Harness, tasks: list[Task], answers: list[Task]) -> None:
    mixture = {Dimension(name): weight for name, weight in params.variants.mixture}
    source = params.variants.paraphrases
    bank = () if source == "templates" else collect_bank(source, base, tasks)
    if bank:
        write_bank(paths.variants / "paraphrases.jsonl", bank)
        print(f"{len(bank)} paraphrases hold")
    prover = Prover(base, tasks, phrasings(bank), answers)
    summary = {"harness_version": harness_version(base), "tasks": len(tasks), "answers": len(answers), "paraphrases": len(bank)}
    sizes: dict[Family, int] = {"train": params.variants.train, "heldout": params.variants.heldout}
    for family, count in sizes.items():
        variants = sample_variants(base, count, family, params.seed, params.variants.strength, mixture, bank)
        for variant in variants:
            proof = prover.prove(variant)
            if not proof.holds:
                raise UserError(f"variant {variant.variant_id}: does not keep the task ({proof.reason}); mend the transformation")
        write_jsonl(paths.variants / f"{family}.jsonl", map(variant_to_dict, variants))
        summary[family] = len(variants)
        print(f"{len(variants)} {family} variants, each proved on {len(tasks)} tasks")
    write_json(paths.variants / "proof.json", summary)
