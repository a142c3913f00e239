"""Which rooms train and which evaluate, and that what viewers write in both is of one only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from components.liveroom.logs.cells import Problems
from components.liveroom.logs.reading import Tables
from components.liveroom.types import Case, RoomRecord, Split
from components.liveroom.wordings import lines, repeated

EVAL_SHARE = 0.2
"""Share of the rooms without a split of their own that the hash gives to evaluation."""


def room_splits(tables: Tables, rooms: Sequence[RoomRecord], seed: int, problems: Problems) -> dict[str, Split]:
    """Room → split: what the table says, or else a hash of `seed` and the room, so that a room stays when others come.

    Rooms that share an item share the split, or training would know the items of evaluation.
    """
    given = {record["room_id"]: record for record in tables.get("rooms", ()) if record["split"]}
    splits: dict[str, Split] = {}
    for group in sharing_items(rooms):
        chosen = [given[room_id] for room_id in group if room_id in given]
        for other in chosen[1:]:
            if other["split"] != chosen[0]["split"]:
                wrong = (
                    f"shares items with room {chosen[0]['room_id']}, which is {chosen[0]['split']}; expected one split for both"
                )
                problems.add(other.place("split"), f"{wrong}; correct it or part their items")
        splits |= dict.fromkeys(group, chosen[0]["split"] if chosen else _drawn(seed, min(group)))
    return splits


def sharing_items(rooms: Sequence[RoomRecord]) -> list[list[str]]:
    """The rooms in groups: rooms that share an item, directly or through others, are in one group."""
    head = {room.room_id: room.room_id for room in rooms}
    shown_in: dict[str, str] = {}

    def find(room_id: str) -> str:
        while head[room_id] != room_id:
            head[room_id] = room_id = head[head[room_id]]
        return room_id

    for room in rooms:
        for _, item_id in room.links:
            head[find(room.room_id)] = find(shown_in.setdefault(item_id, room.room_id))
    groups: dict[str, list[str]] = {}
    for room in rooms:
        groups.setdefault(find(room.room_id), []).append(room.room_id)
    return list(groups.values())


def without_shared(cases: Sequence[Case]) -> list[Case]:
    """The cases but those of training in which a line is, holds or stands in one of evaluation, in the same words.

    Viewers of different rooms do write alike, and what training has seen says nothing in an evaluation.
    """
    held = {line for case in cases if case.split == "eval" for line in lines(case)}
    phrasings = {case.phrasing for case in cases if case.split == "eval"}
    trained = {line for case in cases if case.split == "train" for line in lines(case)}
    inside, holding = repeated(trained, held), repeated(held, trained)

    def is_shared(case: Case) -> bool:
        return case.phrasing in phrasings or bool(inside & lines(case) or repeated(holding, lines(case)))

    return [case for case in cases if case.split == "eval" or not is_shared(case)]


def _drawn(seed: int, name: str) -> Split:
    share = int(hashlib.sha256(f"{seed}/{name}".encode()).hexdigest()[:8], 16) / 16**8
    return "eval" if share < EVAL_SHARE else "train"
