"""Where one talks: the rooms of a profile, and the state of the one room."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from components.errors import UserError
from components.harness.types import Language, Request, Utterance
from components.liveroom import Catalogue
from components.liveroom.types import Case
from flows.params import resolve
from flows.stages.rooms import make_world

VIEWERS = 100
"""How many watch a room at first."""
REMEMBERED = 8
"""Utterances of the dialogue that a request carries."""


@dataclass(frozen=True)
class Rooms:
    """Where to talk."""

    catalogue: Catalogue
    cases: tuple[Case, ...]
    source: str
    """Where they come from, in words."""

    def first(self, language: Language | None) -> str:
        """The first room that no training saw and that speaks `language`, if that is given. Raises UserError for none."""
        for case in self.cases:
            if case.split == "eval" and language in (None, case.request.language):
                return case.request.room_id
        raise UserError(f"--language {language}: no room of the split eval speaks it; name another one, or a --room")


@contextmanager
def open_rooms(profile: str, language: Language | None) -> Iterator[Rooms]:
    """The rooms that a run of `profile` has; generated ones of `language` where it would have none of it.

    Raises UserError for an unknown profile and for logs that cannot be used.
    """
    params = resolve(profile)
    if language and language not in params.rooms.languages:
        params = params.model_copy(update={"rooms": params.rooms.model_copy(update={"languages": (language,)})})
    world, source = make_world(params)
    with tempfile.TemporaryDirectory(prefix="hat-chat-") as directory:
        catalogue = Catalogue.create(Path(directory) / "catalogue.sqlite", world.items, world.rooms, world.coupons)
        yield Rooms(catalogue, world.cases, source)
        catalogue.close()


class Talk:
    """What a request carries beside its comments: the room, the item on screen, what was said before."""

    def __init__(self, catalogue: Catalogue, room_id: str) -> None:
        """Enter a room, with its first item on screen. Raises UserError for a room that is not in the catalogue."""
        room = catalogue.room(room_id)
        if room is None:
            rooms = ", ".join(one.room_id for one in catalogue.rooms())
            raise UserError(f"room {room_id}: not in the catalogue; expected one of {rooms}")
        self.room = room
        self._links = catalogue.links(room_id)
        self._on_screen = self._links[0][0]
        self._viewers = VIEWERS
        self._dialogue: tuple[Utterance, ...] = ()
        self._requests = 0

    def show(self, link: str) -> None:
        """Put the item at a link on screen. Raises UserError for a link that the room has not."""
        numbers = [str(number) for number, _ in self._links]
        if link not in numbers:
            raise UserError(f"/link {link}: no such link here; expected one of {', '.join(numbers)}")
        self._on_screen = int(link)

    def watch(self, viewers: str) -> None:
        """Let so many viewers watch. Raises UserError for what is no whole number."""
        if not (viewers.isascii() and viewers.isdecimal() and len(viewers) < 10):
            raise UserError(f"/viewers {viewers}: expected a whole number of at most 9 digits; give one")
        self._viewers = int(viewers)

    def joined_by(self, request: Request) -> Request:
        """A request of this room as it comes up in this dialogue; what it says was said before was said last."""
        self._on_screen = request.on_screen_link
        return replace(request, dialogue=(*self._dialogue, *request.dialogue)[-REMEMBERED:])

    def request(self, comments: tuple[str, ...]) -> Request:
        """The comments of one window as a request."""
        self._requests += 1
        return Request(
            request_id=f"chat-{self._requests:03d}",
            room_id=self.room.room_id,
            comments=comments,
            on_screen_link=self._on_screen,
            links=self._links,
            language=self.room.language,
            dialogue=self._dialogue,
            campaign=self.room.campaign.name if self.room.campaign else "",
            audience={"viewers": self._viewers},
        )

    def remember(self, request: Request, reply: str) -> None:
        """What was said before the request, its comments and the reply are the dialogue from now on, as far as it goes back."""
        exchange = (*(Utterance("viewer", comment) for comment in request.comments), Utterance("host", reply))
        self._dialogue = (*request.dialogue, *exchange)[-REMEMBERED:]

    def __str__(self) -> str:
        """Where one is."""
        title = dict(self._links)[self._on_screen]
        return (
            f"room {self.room.room_id} ({self.room.language}), {self._viewers} viewers, on screen: link {self._on_screen} {title}"
        )
