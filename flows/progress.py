"""Progress on the console: which stage of how many, how long it has taken, how long it may take yet.

A terminal gets a live line; anything else (a log, cron's mail) gets one line when a stage starts and one when it is done.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from components.files import read_json, write_json
from flows.dvc import StageResult
from flows.environment import ROOT
from flows.paths import STATE

OWN = STATE / "durations.json"
"""Seconds that each stage took here the last time: profile → stage → seconds."""
SHIPPED = ROOT / "infra" / "durations.json"
"""The same, from a machine with two cores: better than nothing on a first run."""

_COUNT = re.compile(r"\b(?P<done>\d+)/(?P<total>\d+)\b")
_WORDS = {"ran": "ran in {}", "unchanged": "stands after all", "restored": "taken from the cache of an earlier run"}


class StageProgress:
    """Follows the stages of one retraining. Use as a context manager; call `begin`, `line` and `end` as a stage goes on."""

    def __init__(self, console: Console, profile: str, todo: Sequence[str]) -> None:
        self._console, self._profile, self._todo = console, profile, list(todo)
        self._number, self._started, self._share = 0, 0.0, 0.0
        self._begun = time.monotonic()
        self._expected = _durations(SHIPPED).get(profile, {}) | _durations(OWN).get(profile, {})
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[times]}"),
            TextColumn("[dim]{task.fields[line]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=1.0, times="", line="")

    def __enter__(self) -> StageProgress:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bar.stop()

    def begin(self, stage: str) -> None:
        """A stage starts."""
        self._number, self._started, self._share = self._todo.index(stage) + 1, time.monotonic(), 0.0
        if not self._console.is_terminal:
            self._console.print(f"{self._title(stage)} … {self._time_left()}", highlight=False)
        self._show(stage, "")

    def line(self, words: str) -> None:
        """The stage printed a line. One with `done/total` in it tells how far the stage is."""
        count = _COUNT.search(words)
        if count and int(count["total"]) > 0:
            self._share = min(int(count["done"]) / int(count["total"]), 1.0)
        self._show(self._todo[self._number - 1], words)

    def end(self, result: StageResult) -> None:
        """The stage stands; its duration is kept for the next run's estimate."""
        how = _WORDS[result.state].format(in_words(result.seconds))
        self._console.print(f"{self._title(result.stage)}: {how}", highlight=False)
        if result.state == "ran":
            self._expected[result.stage] = result.seconds
            kept = _durations(OWN)
            kept.setdefault(self._profile, {})[result.stage] = round(result.seconds, 1)
            write_json(OWN, kept)

    def _title(self, stage: str) -> str:
        return escape(f"[{self._number}/{len(self._todo)}] {stage}")

    def _show(self, stage: str, words: str) -> None:
        self._bar.update(
            self._task,
            description=self._title(stage),
            completed=(self._number - 1 + self._share) / len(self._todo),
            times=f"{in_words(time.monotonic() - self._begun)}, {self._time_left()}",
            line=escape(words[: max(self._console.width - 80, 10)]),
        )

    def _time_left(self) -> str:
        unknown = [stage for stage in self._todo[self._number - 1 :] if stage not in self._expected]
        if unknown:
            return "time left unknown on a first run"
        passed = time.monotonic() - self._started
        stage = self._expected[self._todo[self._number - 1]]
        # A tenth of a stage says more about its duration than any earlier run.
        left = passed / self._share - passed if self._share > 0.1 else max(stage - passed, 0.0)
        return f"about {in_words(left + sum(self._expected[later] for later in self._todo[self._number :]))} left"


def in_words(seconds: float) -> str:
    """A duration as a person says it: 8 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _durations(path: Path) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = read_json(path) if path.exists() else {}
    return found
