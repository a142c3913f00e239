"""Variants a second and expert episodes a second, each beside a peer of the same run.

    python -m benchmarks.throughput [--rounds 5] [--count 40]

Variants: sampling `count` of them, beside reading the base harness from its files as often. Episodes: the expert over
generated cases with a catalogue behind its tools, beside the scripted episodes of peer frameworks (see `peers.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.peers import inspect_ai, pydantic_ai
from components.augment import sample_variants
from components.harness import AgentLoop, load_harness
from components.liveroom import Catalogue, CatalogueRoom, generate, truth
from components.policy.expert import ExpertPolicy

HARNESS = Path(__file__).parents[1] / "harness"


def _rate(count: int, work: Callable[[], None]) -> float:
    started = time.process_time()
    work()
    return count / (time.process_time() - started)


def measure(rounds: int, count: int, folder: Path) -> dict[str, list[float]]:
    """Things a CPU second, round by round, by what was made."""
    base = load_harness(HARNESS)
    world = generate(1, 6, 6, 17, ("en", "zh"))
    catalogue = Catalogue.create(folder / "catalogue.sqlite", world.items, world.rooms, world.coupons)
    cases = world.cases[:count]
    right = [(case, truth(case, catalogue)) for case in cases]
    loop = AgentLoop(base)

    async def episodes() -> None:
        for case, answer in right:
            room = CatalogueRoom(catalogue, case.request)
            trajectory = await loop.run(case.request, room, ExpertPolicy(base, answer), case.case_id)
            assert trajectory.reply == answer.reply

    peers = {"inspect_ai": inspect_ai()[0], "pydantic-ai": pydantic_ai()[0]}

    async def peer(name: str) -> None:
        for _ in cases:
            await peers[name]()

    rates: dict[str, list[float]] = {}
    with asyncio.Runner() as runner:
        for number in range(rounds + 1):
            made = {
                "variants sampled": _rate(count, lambda seed=number: sample_variants(base, count, "train", seed, 0.5)),  # type: ignore[misc]
                "harness read from its files": _rate(count, lambda: [load_harness(HARNESS) for _ in range(count)]),  # type: ignore[func-returns-value]
                "expert episodes": _rate(len(cases), lambda: runner.run(episodes())),
                **{f"scripted episodes, {name}": _rate(len(cases), lambda n=name: runner.run(peer(n))) for name in peers},  # type: ignore[misc]
            }
            if number:
                for what, rate in made.items():
                    rates.setdefault(what, []).append(rate)
    catalogue.close()
    return rates


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rates = measure(arguments.rounds, arguments.count, Path(folder))
    peer_of = {"variants sampled": "harness read from its files"}
    peer_of |= {"expert episodes": max((n for n in rates if n.startswith("scripted")), key=lambda n: median(rates[n]))}
    print("| what | a CPU second (median) | against its peer, round by round |\n| --- | --- | --- |")
    for what, rate in rates.items():
        ratio = "–"
        if what in peer_of:
            ratios = sorted(a / b for a, b in zip(rate, rates[peer_of[what]], strict=True))
            ratio = f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) times `{peer_of[what]}`"
        print(f"| {what} | {median(rate):.0f} | {ratio} |")


if __name__ == "__main__":
    main()
