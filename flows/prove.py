"""`hat harness prove`: variants by the number, each proved to keep the task; the first that does not is shrunk and told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

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
    catalogue_tasks,
    draw_variants,
    schema_tasks,
    shrink,
    told,
)
from components.harness import harness_version, load_harness
from components.harness.types import Harness, HarnessError
from components.judge import check
from components.liveroom import check_room_serves
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.types import Intent
from flows.paths import HARNESS

STRENGTH = 0.5
"""Chance that a variant changes a dimension beside the one whose turn it is."""
SCHEMA_TASKS = 16
"""As many as make every combination of what conditions ask for."""
ROOMS = 4
"""Rooms generated a split, half of them in each language: enough for a case of every intent in both."""


def prove_variants(console: Console, harness_dir: Path | None, count: int, seed: int) -> int:
    """Prove `count` variants of a harness, half of each family. Returns the exit code: 1 after the first that breaks the task.

    A harness that the rooms serve is proved on generated comments of every intent and language and on tasks made from its
    tools' schemas, another one on the latter only. Raises UserError for a harness that cannot be used or proved.
    """
    directory = harness_dir or HARNESS
    base = load_harness(directory)
    console.print(f"[bold]{escape(str(directory))}[/] version {harness_version(base)}", highlight=False, soft_wrap=True)
    with _tasks(console, base, directory, seed) as tasks:
        prover = Prover(base, tasks)
        if prover.unprobed:
            _say(console, f"not probed: {', '.join(prover.unprobed)}: nothing that was tried is refused there")
        proved: list[Variant] = []
        for variant in _progress(console, _variants(base, count, seed), count):
            proof = prover.prove(variant)
            if not proof.holds:
                least = shrink(base, variant, tasks)
                _show(console, proved, variant)
                _say(console, f"{variant.variant_id} breaks the task after {len(proved)} that keep it; the least of it:")
                _say(console, told(base, least, prover.prove(least).problems))
                return 1
            proved.append(variant)
    _show(console, proved, None)
    _say(console, f"{len(proved)} of {count} variants keep the task, each proved on {len(tasks)} tasks")
    return 0


@contextmanager
def _tasks(console: Console, base: Harness, directory: Path, seed: int) -> Iterator[list[Task]]:
    made = schema_tasks(base, SCHEMA_TASKS, seed)
    for sentence in made.left_out:
        _say(console, f"left out: {sentence}")
    try:
        check_room_serves(base, directory)
    except HarnessError as error:
        reason = f"the generated rooms do not serve this harness ({error})"
        _say(console, f"tasks: {len(made.tasks)} from its tools' schemas only, for {reason}")
        yield list(made.tasks)
        return
    with TemporaryDirectory() as folder:
        world = generate(seed, ROOMS, ROOMS, len(Intent), ("en", "zh"))
        with closing(Catalogue.create(Path(folder) / "catalogue.sqlite", world.items, world.rooms, world.coupons)) as catalogue:
            cases = {(case.intent, case.request.language): case for case in world.cases}
            _say(
                console,
                f"tasks: {len(cases)} comments ({len({intent for intent, _ in cases})} of {len(Intent)} intents, in "
                f"{' and '.join(sorted({language for _, language in cases}))}), {len(made.tasks)} from the tools' schemas",
            )
            yield [*catalogue_tasks(cases.values(), catalogue, check), *made.tasks]


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
