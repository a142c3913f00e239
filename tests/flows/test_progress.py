"""Progress says which stage, how long, and how long yet, as far as that can be known."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from components.files import write_json
from flows.dvc import StageResult
from flows.progress import OWN, StageProgress, in_words


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_durations_in_words() -> None:
    assert [in_words(seconds) for seconds in (0.4, 59, 61, 3599, 7500)] == [
        "0 s",
        "59 s",
        "1 min 1 s",
        "59 min 59 s",
        "2 h 5 min",
    ]


def test_time_left_comes_from_the_last_run_and_this_run_is_kept_for_the_next() -> None:
    write_json(OWN, {"mine": {"first": 100.0, "second": 20.0}})
    console = Console(file=io.StringIO(), width=200)
    with StageProgress(console, "mine", ["first", "second", "third"]) as progress:
        progress.begin("first")
        progress.end(StageResult("first", "ran", 90.0))
    with StageProgress(console, "mine", ["first", "second"]) as progress:
        progress.begin("first")
        progress.end(StageResult("first", "restored", 1.0))
        progress.begin("second")
        progress.end(StageResult("second", "unchanged", 1.0))
    assert console.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "[1/3] first … time left unknown on a first run",
        "[1/3] first: ran in 1 min 30 s",
        "[1/2] first … about 1 min 50 s left",
        "[1/2] first: taken from the cache of an earlier run",
        "[2/2] second … about 20 s left",
        "[2/2] second: stands after all",
    ]
