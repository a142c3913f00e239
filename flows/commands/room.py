"""`hat room`: what the rooms of a run hold, counted and looked at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flows.commands.logs import import_logs

if TYPE_CHECKING:
    from components.liveroom import Catalogue, World
    from flows.params import Params

profile = click.option("--profile", default="laptop", show_default=True, help="Whose rooms: a file of infra/profiles/.")
seed = click.option("--seed", type=click.IntRange(min=0), help="Another seed than the profile's.")
COUNT = click.IntRange(min=1)


@click.group()
def room() -> None:
    """The live rooms: generated, or from a company's own logs."""


room.add_command(import_logs)


@room.command()
@profile
@seed
@click.option("--train-rooms", type=COUNT, help="Another number than the profile's.")
@click.option("--eval-rooms", type=COUNT, help="Another number than the profile's.")
@click.option("--comments-per-room", type=COUNT, help="Another number than the profile's.")
@click.option("--language", "languages", multiple=True, type=click.Choice(["en", "zh"]), help="Give it once for each language.")
@click.option("--picture", type=click.Path(path_type=Path), help="PNG file.  [default: runs/PROFILE/rooms.png]")
@click.pass_obj
def stats(
    caller: Path | None, /, profile: str, seed: int | None, picture: Path | None, **size: int | tuple[str, ...] | None
) -> None:
    """Count the rooms and draw the counts.

    Intents, languages, lengths, faults, and what train and eval share. Nothing but the picture is written. The exit code
    is 1 where the two splits share anything.
    """
    import asyncio

    from rich.console import Console

    from components.errors import UserError
    from components.files import write_atomic
    from components.liveroom.stats import room_stats
    from components.liveroom.stats_plot import draw_stats
    from flows.commands.room_view import show_stats
    from flows.paths import RunPaths

    params = _params(profile, seed, **size)
    with _opened(params) as (world, catalogue, source):
        counted = asyncio.run(room_stats(world.cases, catalogue, params.faults.model_dump(), params.seed))
    path = (caller or Path()) / picture if picture else RunPaths.of(profile).root / "rooms.png"
    try:
        write_atomic(path, draw_stats(counted))
    except OSError as error:
        raise UserError(f"--picture: {path}: cannot be written ({error.strerror}); name another file") from None
    show_stats(Console(), counted, f"{len(world.rooms)} rooms, seed {params.seed}, {source}")
    click.echo(f"picture: {path}")
    if not counted.apart:
        sys.exit(1)


@room.command()
@click.argument("room_id", metavar="ROOM")
@profile
@seed
@click.option("--requests", type=click.IntRange(min=0), default=6, show_default=True, help="How many to show.")
def show(room_id: str, profile: str, seed: int | None, requests: int) -> None:
    """Show one room.

    What stands in ROOM, e.g. train-en-001, and some of its requests with their right answers.
    """
    from rich.console import Console

    from components.errors import UserError
    from flows.commands.room_view import show_room

    with _opened(_params(profile, seed)) as (world, catalogue, _):
        record = catalogue.room(room_id)
        if record is None:
            known = ", ".join(one.room_id for one in world.rooms[:3])
            raise UserError(f"{room_id}: no room of profile {profile}; expected one of {known}, …")
        cases = [case for case in world.cases if case.request.room_id == room_id]
        show_room(Console(), record, catalogue, cases[:requests])


def _params(profile: str, seed: int | None, **size: int | tuple[str, ...] | None) -> Params:
    from components.errors import UserError
    from components.liveroom.logs import has_logs
    from flows.params import resolve
    from flows.paths import ROOM_LOGS

    params = resolve(profile)
    if any(size.values()) and has_logs(ROOM_LOGS):
        raise UserError(f"{ROOM_LOGS}/: holds rooms of your own, which are as many as they are; leave out the size or the logs")
    rooms = params.rooms.model_copy(update={name: value for name, value in size.items() if value})
    return params.model_copy(update={"rooms": rooms, "seed": params.seed if seed is None else seed})


@contextmanager
def _opened(params: Params) -> Iterator[tuple[World, Catalogue, str]]:
    """The rooms that a run with these parameters has, in a catalogue of their own."""
    import tempfile

    from components.liveroom import Catalogue
    from flows.stages.rooms import make_world

    world, source = make_world(params)
    with tempfile.TemporaryDirectory() as directory:
        catalogue = Catalogue.create(Path(directory) / "catalogue.sqlite", world.items, world.rooms, world.coupons)
        yield world, catalogue, source
        catalogue.close()
