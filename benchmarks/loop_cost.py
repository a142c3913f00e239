"""The loop's own cost a turn, beside peer frameworks driven by the same script in the same run.

    python -m benchmarks.loop_cost [--rounds 12] [--episodes 60]

Rounds take turns between the frameworks, so that a slow minute of the machine falls on all of them; the ratio is taken round
by round and the median given with its range.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from statistics import median

from benchmarks.peers import FRAMEWORKS, REPLY, Runner


async def _seconds_per_turn(run: Runner, turns: int, episodes: int) -> float:
    started = time.process_time()
    for _ in range(episodes):
        assert await run() == REPLY
    return (time.process_time() - started) / (episodes * turns)


async def measure(rounds: int, episodes: int) -> dict[str, list[float]]:
    """CPU seconds a turn of every framework, round by round; a first round that warms up is left out."""
    runners = {name: make() for name, make in FRAMEWORKS.items()}
    costs: dict[str, list[float]] = {name: [] for name in runners}
    for number in range(rounds + 1):
        for name, (run, turns) in runners.items():
            cost = await _seconds_per_turn(run, turns, episodes)
            if number:
                costs[name].append(cost)
    return costs


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--episodes", type=int, default=60)
    arguments = parser.parse_args()
    costs = asyncio.run(measure(arguments.rounds, arguments.episodes))
    own = costs["this project"]
    print("| framework | CPU a turn, ms (median) | this project's share of it (median, range over rounds) |\n| --- | --- | --- |")
    for name, cost in costs.items():
        shares = sorted(a / b for a, b in zip(own, cost, strict=True))
        share = "–" if name == "this project" else f"{median(shares):.2f} ({shares[0]:.2f} to {shares[-1]:.2f})"
        print(f"| {name} | {1000 * median(cost):.3f} | {share} |")


if __name__ == "__main__":
    main()
