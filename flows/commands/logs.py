"""`hat room import`: a company's own files made into the tables of room_logs/."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from components.liveroom.logs import Imported

_SHOWN = 20
"""Bad cells that are printed; the others are counted."""


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--mapping", required=True, type=click.Path(path_type=Path), help="YAML: their columns → ours.")
@click.option("--to", "directory", type=click.Path(path_type=Path), help="Folder of the tables.  [default: room_logs]")
@click.option("--replace", is_flag=True, help="Replace tables that are there already.")
@click.pass_obj
def import_logs(caller: Path | None, source: Path, mapping: Path, directory: Path | None, replace: bool) -> None:
    """Make the tables of room_logs/ out of SOURCE, a file or a folder in CSV, JSONL, JSON or Parquet.

    Nothing is written unless every cell can be used; room_logs/README.md documents the tables and the mapping.
    """
    from components.liveroom.logs import BadCells
    from components.liveroom.logs import import_logs as carry_out
    from flows.paths import ROOM_LOGS

    here = caller or Path()
    to = here / directory if directory else ROOM_LOGS
    try:
        imported = carry_out(here / source, here / mapping, to, replace)
    except BadCells as error:
        for problem in error.problems[1:_SHOWN]:
            click.echo(problem, err=True)
        raise
    _say(imported, to)


def _say(imported: Imported, to: Path) -> None:
    for table in imported.tables:
        dropped = [(table.skipped, "left out by the mapping's skip"), (table.repeated, "that repeat another row counted once")]
        left = "".join(f", {count} {why}" for count, why in dropped if count)
        click.echo(f"{to / table.table}.csv: {table.rows} rows{left}")
    for file, columns in imported.unused.items():
        if columns:
            click.echo(f"{file}: columns not used: {', '.join(columns)}")
    world = imported.logs.world
    there = f"{len(world.items)} items, {len(world.rooms)} rooms, {len(world.coupons)} coupons"
    click.echo(f"now in {to}: {there}, {len(world.cases)} requests whose right answer is known")
    linked = {item_id for room in world.rooms for _, item_id in room.links}
    if idle := [item.item_id for item in world.items if item.item_id not in linked]:
        click.echo(f"{len(idle)} items stand in no room, e.g. {idle[0]}")
    if imported.logs.unlabelled:
        click.echo(f"{imported.logs.unlabelled} comments have no intent, or share a request with one: kept out of training")
    if imported.missing:
        click.echo(f"still missing, and no run takes {to} without: {', '.join(imported.missing)}")
