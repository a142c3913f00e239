"""Generate the live rooms: a catalogue in SQLite and the viewers' comments as cases."""

from __future__ import annotations

from components.files import write_jsonl
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.records import case_to_dict
from flows.params import Params
from flows.paths import RunPaths


def run(params: Params, paths: RunPaths) -> None:
    """Write `rooms/catalogue.sqlite` and `rooms/cases.jsonl`."""
    size = params.rooms
    items, rooms, cases = generate(params.seed, size.train_rooms, size.eval_rooms, size.comments_per_room)
    Catalogue.create(paths.catalogue, items, rooms).close()
    write_jsonl(paths.cases, map(case_to_dict, cases))
    print(f"{len(rooms)} rooms, {len(items)} items, {len(cases)} comments")
