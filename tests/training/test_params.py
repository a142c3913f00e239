"""Parameters are checked before anything is loaded."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from components.training import SftParams

GOOD: dict[str, Any] = {"epochs": 1, "learning_rate": 1e-4, "batch_size": 2, "max_length": 512}


@pytest.mark.parametrize(
    "bad",
    [
        {"learning_rat": 1e-4},
        {"learning_rate": 0},
        {"batch_size": 0},
        {"scheduler": "sideways"},
        {"max_steps": 3},
        {"epochs": None},
        {"max_dropped_share": 2},
        {"lora": {"rank": 8}},
    ],
)
def test_what_makes_no_sense_is_refused(bad: dict[str, Any]) -> None:
    SftParams(**GOOD)
    with pytest.raises(ValidationError):
        SftParams(**GOOD | bad)
