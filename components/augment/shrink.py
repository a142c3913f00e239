"""From a variant that breaks the task to the least of it that still does, and a sentence on who is to blame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from components.augment.bank import Bank, phrasings
from components.augment.proof import Prover
from components.augment.sampler import build
from components.augment.tasks import Task
from components.augment.types import AugmentError, Variant
from components.harness.types import Harness


def shrink(base: Harness, variant: Variant, tasks: Sequence[Task], bank: Bank = (), answers: Sequence[Task] = ()) -> Variant:
    """The variant with the fewest of its transformations that still breaks the task: none of them can be left out.

    Delta debugging (Zeller and Hildebrandt 2002): halves first, then ever smaller parts. Raises AugmentError where the
    proof of `variant` holds.
    """
    prover = Prover(base, tasks, phrasings(bank), answers)

    def built(names: Sequence[str]) -> Variant:
        return replace(variant, transformations=tuple(names), harness=build(base, names, variant.seed, bank))

    def breaks(names: Sequence[str]) -> bool:
        return bool(names) and not prover.prove(built(names)).holds

    names = list(variant.transformations)
    if not breaks(names):
        raise AugmentError(f"variant {variant.variant_id}: keeps the task, so there is nothing to shrink")
    parts = 2
    while len(names) > 1:
        size = -(-len(names) // parts)
        pieces = [names[start : start + size] for start in range(0, len(names), size)]
        rests = [[name for name in names if name not in piece] for piece in pieces]
        smaller = next((candidate for candidate in (*pieces, *rests) if len(candidate) < len(names) and breaks(candidate)), None)
        if smaller is not None:
            names, parts = smaller, max(parts - 1, 2) if smaller in rests else 2
        elif parts >= len(names):
            break
        else:
            parts = min(len(names), 2 * parts)
    return built(names)


def told(base: Harness, variant: Variant, problems: Iterable[str], bank: Bank = ()) -> str:
    """One sentence on a shrunk variant: which transformations break the task, by changing which part, and how it shows."""
    problem = next(iter(problems))
    steps, harness = [], base
    for name in variant.transformations:
        changed = build(harness, [name], variant.seed, bank)
        parts = _changed(harness, changed)
        # The parts that the problem names, where it names any.
        blamed = [part for part in parts if part.partition(" ")[2] in problem] or parts
        steps.append(f"{name} (in {_listed(blamed)})")
        harness = changed
    return f"{' with '.join(steps)} at seed {variant.seed}: {problem}"


def _changed(before: Harness, after: Harness) -> list[str]:
    """The parts in which two harnesses differ, by kind and name in the first."""
    found = []
    for what, old, new in (
        ("skill", {s.key: s for s in before.skills}, {s.key: s for s in after.skills}),
        ("tool", {t.implementation: t for t in before.tools}, {t.implementation: t for t in after.tools}),
        ("hook", {h.name: h for h in before.hooks}, {h.name: h for h in after.hooks}),
        ("section", {s.name: s for s in before.prompt.sections}, {s.name: s for s in after.prompt.sections}),
    ):
        found += [f"{what} {key}" for key in {**old, **new} if old.get(key) != new.get(key)]
    return found or ["the order of its parts"]


def _listed(parts: Sequence[str], most: int = 3) -> str:
    more = f" and {len(parts) - most} more" if len(parts) > most else ""
    return f"{', '.join(parts[:most])}{more}"
