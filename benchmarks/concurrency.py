"""The memory of many episodes at once in one process.

    python -m benchmarks.concurrency [--episodes 1000]

All episodes wait for their policy at the same moment, so every one of them is open; then all go on to the end.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
from pathlib import Path

from components.harness import AgentLoop, load_harness
from components.harness.types import Completion, Conversation
from components.liveroom import Case, Catalogue, CatalogueRoom, generate, truth
from components.policy.expert import ExpertPolicy

HARNESS = Path(__file__).parents[1] / "harness"


class Together:
    """The expert, who answers nobody before everybody has asked."""

    def __init__(self, expert: ExpertPolicy, everybody: asyncio.Barrier) -> None:
        self.name = expert.name
        self._expert, self._everybody, self._waited = expert, everybody, False

    async def complete(self, conversation: Conversation) -> Completion:
        """The expert's next message; the first one when all are there."""
        if not self._waited:
            self._waited = True
            await self._everybody.wait()
        return await self._expert.complete(conversation)


async def run(episodes: int, folder: Path) -> None:
    """Run so many episodes at once, every one to its right reply."""
    base = load_harness(HARNESS)
    world = generate(1, 10, 10, 17, ("en", "zh"))
    catalogue = Catalogue.create(folder / "catalogue.sqlite", world.items, world.rooms, world.coupons)
    loop, everybody = AgentLoop(base), asyncio.Barrier(episodes)

    async def one(number: int, case: Case) -> None:
        answer = truth(case, catalogue)
        policy = Together(ExpertPolicy(base, answer), everybody)
        trajectory = await loop.run(case.request, CatalogueRoom(catalogue, case.request), policy, f"episode-{number}")
        assert trajectory.reply == answer.reply

    async with asyncio.TaskGroup() as group:
        for number in range(episodes):
            group.create_task(one(number, world.cases[number % len(world.cases)]))
    catalogue.close()


def main() -> None:
    """Run and print the process's peak memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(arguments.episodes, Path(folder)))
    # Linux counts in KiB.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{arguments.episodes} episodes at once: {peak:.0f} MiB at the most, of which a bare interpreter takes about 10")


if __name__ == "__main__":
    main()
