"""A live room: what may be asked of it, and the answer from the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from components.harness.types import JsonObject, Request, ToolError
from components.liveroom.catalogue import Catalogue
from components.liveroom.tools import TOOLS, RoomFacts
from components.liveroom.types import FaqTopic


@dataclass(frozen=True)
class Argument:
    """A canonical argument of the room's tools."""

    expected: str
    """What it is, for who got it wrong."""
    examples: tuple[Any, ...]
    """Values that every harness must let through; the first tells the type."""
    fits: Callable[[Any], bool] = lambda value: isinstance(value, str)


ARGUMENTS = {
    "link_id": Argument("a link number", (1,), lambda value: type(value) is int),
    "link_ids": Argument(
        "two different link numbers",
        ([1, 2],),
        lambda value: isinstance(value, list) and [type(one) for one in value] == [int, int] and value[0] != value[1],
    ),
    "quantity": Argument("a number of pieces from 1 to 9999", (1, 12), lambda value: type(value) is int and 0 < value < 10_000),
    "colour": Argument("the name of a colour", ("lilac mist", "雾霾蓝")),
    "size": Argument("the name of a size", ("XL", "大号")),
    "topic": Argument("a topic in words", get_args(FaqTopic)),
}
"""Canonical argument → what fits it."""


class CatalogueRoom:
    """The `Room` of one request, over a catalogue: `TOOLS` are what it can be asked."""

    def __init__(self, catalogue: Catalogue, request: Request) -> None:
        """The room that `request` came from. Raises UserError where the catalogue lacks it."""
        self._facts = RoomFacts(catalogue, request)

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        """The tool's answer. Raises ToolError for an unknown tool, an argument that does not fit, or what is not there."""
        tool = TOOLS.get(implementation)
        if tool is None:
            raise ToolError(f"no tool {implementation} in this room")
        given = {name: value for name, value in arguments.items() if name not in tool.optional or value not in (None, "")}
        known = (*tool.required, *tool.optional)
        for name in (*tool.required, *given):
            if name not in known:
                raise ToolError(f"{name}: no such argument; expected {', '.join(known) or 'none'}")
            if not ARGUMENTS[name].fits(given.get(name)):
                raise ToolError(f"{name}: expected {ARGUMENTS[name].expected}, found {given.get(name)!r}")
        return tool.answer(self._facts, **given)
