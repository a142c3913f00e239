"""`hat harness prove` on the base harness, on one that no room serves, and on one whose variants break the task."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from components.augment import TRANSFORMATIONS, AugmentError, Dimension, Transformation
from components.harness import save_harness
from components.harness.types import Hook, HookAction, HookPoint
from flows.prove import prove_variants
from tests.augment.planted import PLANTED
from tests.augment.worlds import FOREIGN


def proved(directory: Path | None, count: int) -> tuple[int, str]:
    text = io.StringIO()
    code = prove_variants(Console(file=text, width=100), directory, count, seed=1)
    return code, text.getvalue()


def test_variants_of_the_base_harness_are_proved_in_the_room_and_by_schemas() -> None:
    code, text = proved(None, 10)
    assert code == 0
    assert "tasks: 34 comments (every intent, in en and zh), 16 from the tools' schemas; and 480 right answers" in text
    assert "10 of 10 variants keep the task" in text
    assert all(dimension in text for dimension in (*Dimension, "train", "heldout"))
    assert "left out" not in text and "not probed" not in text


def test_a_harness_that_no_room_serves_is_proved_by_schemas_only(tmp_path: Path) -> None:
    save_harness(FOREIGN, tmp_path / "foreign")
    code, text = proved(tmp_path / "foreign", 4)
    assert code == 0
    assert "do not serve this harness" in text
    assert "from its tools' schemas only" in text
    assert "4 of 4 variants keep the task" in text


def test_the_first_break_is_shrunk_and_ends_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    (plant,) = (planted.plant for planted in PLANTED if planted.what == "a hook taken away")
    name = "hook_behaviour/lost"
    monkeypatch.setitem(TRANSFORMATIONS, name, Transformation(name, Dimension.HOOK_BEHAVIOUR, "train", lambda h, _: plant(h)))
    code, text = proved(None, 200)
    assert code == 1
    assert "breaks the task after" in text
    assert "hook_behaviour/lost (in hook numbers_from_tools) at seed" in text
    assert "of 200 variants keep the task" not in text


def test_a_harness_that_cannot_answer_is_refused_before_anything_is_proved(tmp_path: Path) -> None:
    deaf = Hook("deaf", HookPoint.INPUT, "comment_length", HookAction.BLOCK, "Too long.", {"max_characters": 1})
    save_harness(replace(FOREIGN, hooks=(deaf,)), tmp_path / "deaf")
    with pytest.raises(AugmentError, match="no task can be made of it"):
        proved(tmp_path / "deaf", 4)
