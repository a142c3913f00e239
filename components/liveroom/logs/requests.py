"""Comments out of their tables: windows become requests, and those whose every comment is labelled become cases."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from components.harness.types import Request, Utterance
from components.liveroom.logs.cells import Problems
from components.liveroom.logs.reading import Record, Tables
from components.liveroom.logs.references import check_known, grouped
from components.liveroom.logs.tables import BYSTANDER
from components.liveroom.types import Ask, Case, Intent, Item, RoomRecord, Split

NEEDS: dict[Intent, tuple[str, ...]] = {
    **dict.fromkeys((Intent.PRODUCT, Intent.PRICE, Intent.COUPON, Intent.STOCK, Intent.SHIPPING), ("link",)),
    **dict.fromkeys((Intent.AFTER_SALES, Intent.PURCHASE), ("link",)),
    Intent.SPECIFICATION: ("link", "topic"),
    Intent.COMPARISON: ("link", "other_link"),
    Intent.FAQ: ("topic",),
    **dict.fromkeys((Intent.RISKY_CLAIM, Intent.INJECTION), ("payload",)),
}
"""Intent → columns that must be filled; none for an intent that is not here."""
MAY: dict[Intent, tuple[str, ...]] = {
    **dict.fromkeys((Intent.PRICE, Intent.STOCK), ("colour", "size")),
    **dict.fromkeys((Intent.COUPON, Intent.PURCHASE), ("colour", "size", "quantity")),
    **dict.fromkeys((Intent.COMPLAINT, Intent.RISKY_CLAIM, Intent.INJECTION), ("link",)),
}
"""Intent → columns that may be filled beside those; the others stay empty."""
MOST_ASKS = 2
"""A spoken reply has no room for more."""
_OF_ASK = {"link": None, "other_link": None, "colour": "", "size": "", "quantity": 1, "topic": "", "payload": ""}
_AUDIENCE = ("viewers", "orders_last_minute")
_OF_REQUEST = ("room_id", "on_screen_link", *_AUDIENCE)


def read_cases(
    tables: Tables, rooms: Sequence[RoomRecord], items: Sequence[Item], splits: Mapping[str, Split], problems: Problems
) -> dict[str, Case]:
    """Place of its intent → case, of every request whose comments all have an intent. The others have no truth."""
    of_room = {room.room_id: room for room in rooms}
    titles = {item.item_id: item.title for item in items}
    windows = _windows(tables["comments"])
    dialogue = grouped(tables, "dialogue", "request_id")
    check_known(tables.get("dialogue", ()), "request_id", windows, "comments", problems)
    cases: dict[str, Case] = {}
    for request_id, records in windows.items():
        if _labelled(records) and _fits(records, of_room, problems):
            room = of_room[records[0]["room_id"]]
            request = _request(request_id, records, dialogue[request_id], room, titles)
            cases[records[0].place("intent")] = _case(request, records, splits[room.room_id])
    return cases


def count_unlabelled(tables: Tables) -> int:
    """Comments of requests in which some comment has no intent."""
    windows = _windows(tables.get("comments", [])).values()
    return sum(len(records) for records in windows if not _labelled(records))


def _labelled(records: Sequence[Record]) -> bool:
    return all(record["intent"] for record in records)


def _windows(comments: Sequence[Record]) -> dict[str, list[Record]]:
    """Request → its comments, in order. A comment without a request has one of its own, named by room and number."""
    windows: dict[str, list[Record]] = {}
    for number, record in enumerate(comments, start=1):
        own = f"{record['room_id'] or 'comment'}-{number:06d}"
        windows.setdefault(record["request_id"] or own, []).append(record)
    return windows


def _fits(records: Sequence[Record], rooms: Mapping[str, RoomRecord], problems: Problems) -> bool:
    """Whether a request's comments can be a case; what stands against it is named."""
    first, *others = records
    wrong: list[tuple[str, str]] = []
    for field in _OF_REQUEST:
        wrong += [
            (other.place(field), f"differs from {first.where}, of the same request; expected one value for both; correct one")
            for other in others
            if other[field] != first[field]
        ]
    room = rooms.get(first["room_id"])
    if room is None:
        named = f"room {first['room_id']} is not in links" if first["room_id"] else "found an empty cell beside an intent"
        problems.add(first.place("room_id"), f"{named}; expected a room; add it or correct this cell")
        return False
    asks = [record for record in records if record["intent"] != BYSTANDER]
    if not asks:
        wrong.append((first.place("intent"), f"only {BYSTANDER} in this request; expected an intent; label it or remove it"))
    if len(asks) > MOST_ASKS:
        wrong.append((asks[MOST_ASKS].place("intent"), f"expected at most {MOST_ASKS} intents in a request; part it"))
    if first["on_screen_link"] is None:
        wrong.append((first.place("on_screen_link"), "found an empty cell beside an intent; fill it"))
    numbers = {number for number, _ in room.links}
    for record in records:
        wrong += _wrong_cells(record)
        for field in ("on_screen_link", "link", "other_link"):
            if record[field] is not None and record[field] not in numbers:
                wrong.append(
                    (record.place(field), f"room {room.room_id} has no link {record[field]}; correct it or add the link")
                )
    for place, words in wrong:
        problems.add(place, words)
    return not wrong


def _wrong_cells(record: Record) -> list[tuple[str, str]]:
    """Columns that the intent needs and are empty, or that mean nothing beside it and are filled."""
    intent = record["intent"]
    needed = NEEDS.get(intent, ())
    empty = [field for field in needed if record[field] in (None, "")]
    idle = [field for field, unset in _OF_ASK.items() if field not in (*needed, *MAY.get(intent, ())) and record[field] != unset]
    same = ["other_link"] if record["link"] is not None and record["link"] == record["other_link"] else []
    return [
        *((record.place(field), f"found an empty cell; intent {intent} needs one; fill it") for field in empty),
        *((record.place(field), f"intent {intent} has no use for it; expected an empty cell; empty it") for field in idle),
        *((record.place(field), "is link too; expected another item to compare with; correct one") for field in same),
    ]


def _request(
    request_id: str, records: Sequence[Record], dialogue: Sequence[Record], room: RoomRecord, titles: Mapping[str, str]
) -> Request:
    return Request(
        request_id=request_id,
        room_id=room.room_id,
        comments=tuple(record["comment"] for record in records),
        on_screen_link=records[0]["on_screen_link"],
        # A link to an item that is missing was named already; nothing is made of what is read then.
        links=tuple((number, titles.get(item_id, "")) for number, item_id in room.links),
        language=room.language,
        dialogue=tuple(Utterance(one["speaker"], one["text"]) for one in dialogue),
        campaign=room.campaign.name if room.campaign else "",
        audience={signal: records[0][signal] for signal in _AUDIENCE if records[0][signal] is not None},
    )


def _case(request: Request, records: Sequence[Record], split: Split) -> Case:
    asks = tuple(_ask(record) for record in records if record["intent"] != BYSTANDER)
    intent = asks[0].intent if len(asks) == 1 else Intent.SEVERAL
    # Viewers' own words come from no template: the words are their phrasing.
    phrasing = hashlib.sha256("\n".join(request.comments).casefold().encode()).hexdigest()[:8]
    return Case(request.request_id, split, intent, request, asks, phrasing)


def _ask(record: Record) -> Ask:
    return Ask(Intent(record["intent"]), **{field: record[field] for field in _OF_ASK})
