"""Work that has to end in time: as many steps as fit, and how far it has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    """The limits of a stage: whichever is reached first ends it."""

    name: str
    seconds: float
    steps: int
    announce: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic

    def __iter__(self) -> Iterator[float]:
        """How far the stage is before each step, 0 to 1. No step is begun that would, at the longest so far, end too late.

        The first is always begun if there is any time; what it took is told, and how many more fit.
        """
        start = before = self.clock()
        longest = 0.0
        for step in range(self.steps):
            elapsed = before - start
            if elapsed + longest >= self.seconds:
                break
            yield max(step / self.steps, elapsed / self.seconds)
            now = self.clock()
            longest, before = max(longest, now - before), now
            if step == 0:
                fit = min(self.steps, int(self.seconds / max(longest, 1e-9)))
                self.announce(f"{self.name}: a step takes {longest:.2f} s: about {fit} fit into {self.seconds:.0f} s")
