"""Tools that fail as real ones do, at seeded rates."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from random import Random
from typing import Any

from components.errors import UserError
from components.harness.types import JsonObject, Room, ToolError

SLOW_SECONDS = 3.0
"""How long a slow answer takes: as long as a whole reply may."""

_MONEY = re.compile(r"\d+\.\d\d")
_PRICES = frozenset({"list_price", "price_after_coupon", "list_total", "total"})
"""Fields that an old answer has otherwise; what coupons take off is the same, so that it still adds up."""


class Fault(StrEnum):
    """How a tool fails. All but `permission_denied` are gone when the same call is made again."""

    TIME_OUT = "time_out"
    """A ToolError at once, as after a wait."""
    MALFORMED = "malformed"
    """JSON text that breaks off, under `data`."""
    PERMISSION_DENIED = "permission_denied"
    """A ToolError, however often it is tried."""
    EMPTY = "empty"
    """An object with nothing in it."""
    STALE = "stale"
    """The answer of some hours ago, with its age in `as_of_minutes_ago`."""
    SLOW = "slow"
    """The right answer, `SLOW_SECONDS` late."""


class FaultyRoom:
    """A room some of whose tools fail. Make one for each episode: it counts how often a call was made."""

    def __init__(
        self,
        room: Room,
        rates: Mapping[str, float],
        seed: int | str,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`rates`: `Fault` → share of calls; `seed` names the episode. Raises UserError for rates that are none.

        What happens to a call is a pure function of `seed`, its tool and arguments, and how often it was made before.
        """
        check_rates(rates)
        self._room = room
        self._rates = rates
        self._seed = seed
        self._sleep = sleep
        self._made: Counter[str] = Counter()
        self.struck: list[Fault] = []
        """What went wrong so far: one entry for each call that did not get its answer at once."""

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        """The answer of the room inside, or a fault. Raises ToolError."""
        identity = f"{self._seed}:{implementation}:{json.dumps(arguments, sort_keys=True)}"
        random = Random(identity)
        fault = self._draw(random)
        again = self._made[identity] > 0
        self._made[identity] += 1
        if fault is Fault.PERMISSION_DENIED:
            self.struck.append(fault)
            raise ToolError("permission denied: this tool may not answer in this room; trying again does not help")
        if fault is Fault.TIME_OUT and not again:
            self.struck.append(fault)
            raise ToolError("timed out; try again")
        result = await self._room.call(implementation, arguments)
        if fault is None or again:
            return result
        self.struck.append(fault)
        if fault is Fault.SLOW:
            await self._sleep(SLOW_SECONDS)
            return result
        return _spoilt(result, fault, random)

    def _draw(self, random: Random) -> Fault | None:
        place = random.random()
        for fault in Fault:
            place -= self._rates.get(fault, 0.0)
            if place < 0:
                return fault
        return None


def check_rates(rates: Mapping[str, float]) -> None:
    """Raise UserError where a key is no fault, a rate is no share, or all together are more than 1."""
    for name, rate in rates.items():
        if name not in (*Fault,):
            raise UserError(f"faults: {name} is unknown; expected some of {', '.join(Fault)}")
        if not 0 <= rate <= 1:
            raise UserError(f"faults: {name}: expected a share from 0 to 1, found {rate}; correct it")
    # Tenths do not add up exactly.
    if (total := sum(rates.values())) > 1 + 1e-9:
        raise UserError(f"faults: expected rates that add up to 1 at most, found {total:g}; lower some")


def _spoilt(result: JsonObject, fault: Fault, random: Random) -> JsonObject:
    match fault:
        case Fault.MALFORMED:
            text = json.dumps(result, ensure_ascii=False)
            return {"data": text[: random.randint(1, max(1, len(text) - 1))]}
        case Fault.STALE:
            return {**_older(result, random.randint(1, 30)), "as_of_minutes_ago": random.randint(61, 1440)}
    return {}


def _older(value: Any, by: int, key: str = "") -> Any:
    """A result as it was: every price `by` yuan higher, `by` units more."""
    if isinstance(value, dict):
        return {name: _older(one, by, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_older(one, by, key) for one in value]
    if key == "in_stock":
        return True
    if key == "units" and isinstance(value, int):
        return value + by
    if key in _PRICES and isinstance(value, str) and _MONEY.fullmatch(value):
        whole, _, cents = value.partition(".")
        return f"{int(whole) + by}.{cents}"
    return value
