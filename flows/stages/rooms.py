"""The live rooms: a catalogue in SQLite and the viewers' comments as cases, generated or from a company's own logs."""

from __future__ import annotations

from components.files import write_jsonl
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import World, generate
from components.liveroom.logs import has_logs, read_logs
from components.liveroom.records import case_to_dict
from flows.params import Params
from flows.paths import ROOM_LOGS, RunPaths


def run(params: Params, paths: RunPaths) -> None:
    """Write `rooms/catalogue.sqlite` and `rooms/cases.jsonl`."""
    world, source = make_world(params)
    Catalogue.create(paths.catalogue, world.items, world.rooms, world.coupons).close()
    write_jsonl(paths.cases, map(case_to_dict, world.cases))
    print(f"{len(world.rooms)} rooms, {len(world.items)} items, {len(world.cases)} requests, {source}")


def make_world(params: Params) -> tuple[World, str]:
    """The rooms of a run, and where they come from."""
    if has_logs(ROOM_LOGS):
        return read_logs(ROOM_LOGS, params.seed), f"from {ROOM_LOGS}/"
    size = params.rooms
    made = generate(params.seed, size.train_rooms, size.eval_rooms, size.comments_per_room, size.languages)
    return made, "generated"
