"""Which cases are asked under which harness: drawn once from a seed, the same for every arm."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from components.augment.types import Variant
from components.data.types import ORIGINAL
from components.evaluation.types import EvalCase, EvaluationError, Suite
from components.harness.types import Harness
from components.liveroom.faults import Fault
from components.liveroom.truth import calls
from components.liveroom.types import Case

T3_FAULTS = (Fault.TIME_OUT, Fault.MALFORMED, Fault.PERMISSION_DENIED, Fault.EMPTY, Fault.STALE)
"""All ways to fail but the right answer that comes late, from which there is nothing to recover."""


def build_suites(
    base: Harness,
    heldout_variants: Sequence[Variant],
    eval_cases: Sequence[Case],
    t1_cases: int,
    t2_cases: int,
    t3_cases: int,
    seed: int,
) -> list[EvalCase]:
    """Draw T1, T2 and T3 from one shuffle of the evaluation cases, so that they share their cases as far as they reach.

    T2 case i runs under held-out variant i mod n; T3 takes the cases that need a look-up, case i with fault i mod n.
    Raises EvaluationError for cases of another split, variants of another family, and suites larger than the cases there are.
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
    with_look_up = [case for case in shuffled if calls(case.asks)]
    if t3_cases > len(with_look_up):
        raise EvaluationError(
            f"suites: {t3_cases} T3 cases asked for, {len(with_look_up)} evaluation cases need a tool; "
            "ask for fewer or generate more rooms"
        )
    t3 = [
        EvalCase(Suite.T3, case, ORIGINAL, (), base, T3_FAULTS[index % len(T3_FAULTS)])
        for index, case in enumerate(with_look_up[:t3_cases])
    ]
    return t1 + t2 + t3
