"""A company's own rooms instead of generated ones: items, rooms and comments as JSON lines (see room_logs/README.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from components.errors import UserError
from components.files import read_jsonl
from components.harness.types import Request
from components.liveroom.generator import WITHOUT_ITEM, phrasing_id
from components.liveroom.types import Case, Intent, Item, Positive, RoomRecord, Split, Words

FILES = ("items.jsonl", "rooms.jsonl", "comments.jsonl")


@dataclass(frozen=True)
class LoggedRoom:
    """A line of rooms.jsonl."""

    room_id: Words
    split: Split
    links: tuple[tuple[Positive, str], ...]


@dataclass(frozen=True)
class LoggedRequest:
    """A line of comments.jsonl."""

    room_id: str
    comments: Annotated[tuple[str, ...], Field(min_length=1)]
    intent: Intent
    on_screen_link: int
    target_link: int | None = None


def has_logs(directory: Path) -> bool:
    """Whether the folder holds logs. Raises UserError where it holds only some of the files."""
    missing = [name for name in FILES if not (directory / name).exists()]
    if missing and len(missing) < len(FILES):
        raise UserError(f"{directory / missing[0]}: not found; expected {', '.join(FILES)} together; add it or remove the others")
    return not missing


def read_logs(directory: Path) -> tuple[list[Item], list[RoomRecord], list[Case]]:
    """Read a company's rooms. Raises UserError naming file, line and field of the first thing that cannot be used."""
    items = _read(directory / "items.jsonl", Item)
    _once("item_id", ((where, item.item_id) for where, item in items))
    _once("title", ((where, item.title) for where, item in items))
    for where, item in items:
        if item.coupon_cents >= item.price_cents:
            raise UserError(f"{where}: coupon_cents: expected less than price_cents ({item.price_cents}); correct this line")
    titles = {item.item_id: item.title for _, item in items}
    logged_rooms = _read(directory / "rooms.jsonl", LoggedRoom)
    _once("room_id", ((where, room.room_id) for where, room in logged_rooms))
    rooms: dict[str, LoggedRoom] = {}
    for where, room in logged_rooms:
        _once("links", ((where, link) for link, _ in room.links))
        _once("links", ((where, item_id) for _, item_id in room.links))
        unknown = [item_id for _, item_id in room.links if item_id not in titles]
        if unknown:
            raise UserError(f"{where}: links: item {unknown[0]} is not in items.jsonl; add it or correct the link")
        rooms[room.room_id] = room
    cases = []
    for number, (where, logged) in enumerate(_read(directory / "comments.jsonl", LoggedRequest), start=1):
        if logged.room_id not in rooms:
            raise UserError(f"{where}: room_id: {logged.room_id} is not in rooms.jsonl; add it or correct the id")
        cases.append(_case(where, f"{logged.room_id}-{number:06d}", logged, rooms[logged.room_id], titles))
    return [item for _, item in items], [RoomRecord(room.room_id, room.links) for room in rooms.values()], cases


def _case(where: str, case_id: str, logged: LoggedRequest, room: LoggedRoom, titles: dict[str, str]) -> Case:
    links = tuple((link, titles[item_id]) for link, item_id in room.links)
    for field in ("on_screen_link", "target_link"):
        link = getattr(logged, field)
        if link is not None and link not in dict(links):
            raise UserError(f"{where}: {field}: room {room.room_id} has no link {link}; correct it or add the link to the room")
    if (logged.target_link is None) != (logged.intent in WITHOUT_ITEM):
        raise UserError(f"{where}: target_link: expected a link for every intent but {' and '.join(WITHOUT_ITEM)}; correct it")
    request = Request(case_id, room.room_id, logged.comments, logged.on_screen_link, links)
    return Case(case_id, room.split, logged.intent, request, logged.target_link, phrasing_id(" ".join(logged.comments)))


def _once(field: str, values: Iterable[tuple[str, str | int]]) -> None:
    """Raise UserError at the place of the first value that occurred before."""
    seen: set[str | int] = set()
    for where, value in values:
        if value in seen:
            raise UserError(f"{where}: {field}: {value} occurs twice; expected each once; remove or rename one")
        seen.add(value)


def _read(path: Path, kind: type[Any]) -> list[tuple[str, Any]]:
    """(file:line, record) of every line."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    records = []
    for number, row in enumerate(read_jsonl(path), start=1):
        try:
            records.append((f"{path}:{number}", adapter.validate_python(row)))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise UserError(f"{path}:{number}: {place}: {first['msg'].lower()}; correct this line") from None
    return records
