"""`hat harness prove`: variants by the number, each proved to keep the task; the first that does not is shrunk and told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from components.augment import (
    TRANSFORMATIONS,
    Dimension,
    Family,
    Prover,
    Task,
    Variant,
    draw_variants,
    shrink,
    told,
)
from components.harness import harness_version, load_harness
from components.harness.types import Harness
from flows.paths import HARNESS
from flows.proof_tasks import ProofTasks, proof_tasks

STRENGTH = 0.5
"""Chance that a variant changes a dimension beside the one whose turn it is."""


def prove_variants(console: Console, harness_dir: Path | None, count: int, seed: int) -> int:
    """Prove `count` variants of a harness, half of each family. Returns the exit code: 1 after the first that breaks the task.

    A harness that the rooms serve is proved on generated comments of every intent and language and on tasks made from its
    tools' schemas, another one on the latter only. Raises UserError for a harness that cannot be used or proved.
    """
    directory = harness_dir or HARNESS
    base = load_harness(directory)
    console.print(f"[bold]{escape(str(directory))}[/] version {harness_version(base)}", highlight=False, soft_wrap=True)
    with proof_tasks(base, directory, seed) as given:
        tasks = _told(console, given)
        prover = Prover(base, tasks, answers=given.answers)
        if prover.unprobed:
            _say(console, f"not probed: {', '.join(prover.unprobed)}: nothing that was tried is refused there")
        proved: list[Variant] = []
        for variant in _progress(console, _variants(base, count, seed), count):
            proof = prover.prove(variant)
            if not proof.holds:
                least = shrink(base, variant, tasks, answers=given.answers)
                _show(console, proved, variant)
                _say(console, f"{variant.variant_id} breaks the task after {len(proved)} that keep it; the least of it:")
                _say(console, told(base, least, prover.prove(least).problems))
                return 1
            proved.append(variant)
    _show(console, proved, None)
    _say(console, f"{len(proved)} of {count} variants keep the task, each proved on {len(tasks)} tasks")
    return 0


def _told(console: Console, given: ProofTasks) -> list[Task]:
    """What the proof is made on, in words."""
    for sentence in given.made.left_out:
        _say(console, f"left out: {sentence}")
    made = len(given.made.tasks)
    if given.unserved:
        reason = f"the generated rooms do not serve this harness ({given.unserved})"
        _say(console, f"tasks: {made} from its tools' schemas only, for {reason}")
    else:
        languages = " and ".join(sorted({task.request.language for task in given.room}))
        _say(
            console,
            f"tasks: {len(given.room)} comments (every intent, in {languages}), {made} from the tools' schemas; "
            f"and {len(given.answers)} right answers that no hook may refuse",
        )
    return given.tasks


def _variants(base: Harness, count: int, seed: int) -> Iterator[Variant]:
    """Half of each family, in turn."""
    families: tuple[Family, Family] = ("train", "heldout")
    drawn = [draw_variants(base, (count + 1 - place) // 2, family, seed, STRENGTH) for place, family in enumerate(families)]
    for number in range(count):
        yield next(drawn[number % 2])


def _progress(console: Console, variants: Iterator[Variant], count: int) -> Iterator[Variant]:
    """The variants, with a bar on a terminal."""
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(variants, total=count, description="proving")


def _show(console: Console, proved: list[Variant], broken: Variant | None) -> None:
    """What was met, and what held, by dimension and by family."""
    table = Table(title="variants that keep the task", title_justify="left")
    for heading in ("", "transformations met", "variants", "held"):
        table.add_column(heading, justify="right" if heading else "left")
    tried = [*proved, broken] if broken else proved
    for dimension in Dimension:
        _row(table, dimension, tried, proved, {name for name, t in TRANSFORMATIONS.items() if t.dimension is dimension})
    table.add_section()
    for family in ("train", "heldout"):
        _row(table, family, tried, proved, {name for name, t in TRANSFORMATIONS.items() if t.family == family})
    console.print(table)


def _row(table: Table, heading: str, tried: list[Variant], proved: list[Variant], names: set[str]) -> None:
    met = {name for variant in tried for name in variant.transformations if name in names}
    counts = [sum(not names.isdisjoint(variant.transformations) for variant in variants) for variants in (tried, proved)]
    table.add_row(heading, f"{len(met)} of {len(names)}", *map(str, counts))


def _say(console: Console, sentence: str) -> None:
    console.print(sentence, highlight=False, markup=False, soft_wrap=True)
