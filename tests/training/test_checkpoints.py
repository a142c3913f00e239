"""A run goes on only from a whole checkpoint of its own."""

from __future__ import annotations

from pathlib import Path

from components.training.checkpoints import STATE_FILE, claim


def checkpoint(directory: Path, step: int, state: str | None) -> Path:
    path = directory / f"checkpoint-{step}"
    path.mkdir(parents=True)
    if state is not None:
        (path / STATE_FILE).write_text(state)
    return path


def test_the_newest_whole_checkpoint_is_taken(tmp_path: Path) -> None:
    assert claim(tmp_path / "run", {"seed": 1}) is None
    checkpoint(tmp_path / "run", 9, "{}")
    newest = checkpoint(tmp_path / "run", 10, "{}")
    checkpoint(tmp_path / "run", 11, None)
    checkpoint(tmp_path / "run", 12, '{"step": ')
    assert claim(tmp_path / "run", {"seed": 1}) == newest


def test_checkpoints_of_another_run_are_removed(tmp_path: Path) -> None:
    claim(tmp_path / "run", {"seed": 1})
    foreign = checkpoint(tmp_path / "run", 10, "{}")
    assert claim(tmp_path / "run", {"seed": 2}) is None
    assert not foreign.exists()
