"""Which cases are asked under which harness: drawn once from a seed, the same for every arm."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from components.augment.types import Variant
from components.data.types import ORIGINAL
from components.evaluation.types import EvalCase, EvaluationError, Suite
from components.harness.types import Harness
from components.liveroom.types import Case


def build_suites(
    base: Harness, heldout_variants: Sequence[Variant], eval_cases: Sequence[Case], t1_cases: int, t2_cases: int, seed: int
) -> list[EvalCase]:
    """Draw both suites from one shuffle of the evaluation cases, so that T1 and T2 share their cases as far as they reach.

    T2 case i runs under held-out variant i mod n. Raises EvaluationError for cases of another split, variants of
    another family, and suites larger than the cases there are.
    """
    for case in eval_cases:
        if case.split != "eval":
            raise EvaluationError(f"case {case.case_id}: split is {case.split}, expected eval; suites never take training cases")
    for variant in heldout_variants:
        if variant.family != "heldout":
            raise EvaluationError(
                f"variant {variant.variant_id}: family is {variant.family}, expected heldout; T2 never takes training variants"
            )
    if max(t1_cases, t2_cases) > len(eval_cases):
        raise EvaluationError(
            f"suites: {t1_cases} T1 and {t2_cases} T2 cases asked for, {len(eval_cases)} evaluation cases exist; "
            "ask for fewer or generate more rooms"
        )
    if t2_cases and not heldout_variants:
        raise EvaluationError("suites: T2 needs held-out variants and there are none; sample some or set T2 cases to 0")
    shuffled = Random(seed).sample(list(eval_cases), len(eval_cases))
    t1 = [EvalCase(Suite.T1, case, ORIGINAL, (), base) for case in shuffled[:t1_cases]]
    t2 = []
    for index, case in enumerate(shuffled[:t2_cases]):
        variant = heldout_variants[index % len(heldout_variants)]
        t2.append(EvalCase(Suite.T2, case, variant.variant_id, tuple(variant.dimensions), variant.harness))
    return t1 + t2
