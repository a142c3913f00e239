"""The live rooms: a catalogue in SQLite and the viewers' comments as cases, generated or from a company's own logs."""

from __future__ import annotations

from components.files import write_jsonl
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.logs import has_logs, read_logs
from components.liveroom.records import case_to_dict
from flows.params import Params
from flows.paths import ROOM_LOGS, RunPaths


def run(params: Params, paths: RunPaths) -> None:
    """Write `rooms/catalogue.sqlite` and `rooms/cases.jsonl`."""
    size = params.rooms
    own = has_logs(ROOM_LOGS)
    items, rooms, cases = (
        read_logs(ROOM_LOGS) if own else generate(params.seed, size.train_rooms, size.eval_rooms, size.comments_per_room)
    )
    Catalogue.create(paths.catalogue, items, rooms).close()
    write_jsonl(paths.cases, map(case_to_dict, cases))
    print(f"{len(rooms)} rooms, {len(items)} items, {len(cases)} comments, {f'from {ROOM_LOGS}/' if own else 'generated'}")
