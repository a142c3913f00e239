"""The number format is chosen by what was measured."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from components.policy.precision import MARGIN, measure_precision


def clock_with(*seconds: float) -> Callable[[], float]:
    """A clock by which the first half of the products take `seconds[0]` each and the others `seconds[1]`."""
    ticks = [0.0]
    for duration in seconds:
        for _ in range(3):
            ticks += [ticks[-1], ticks[-1] + duration]
    return iter(ticks[1:]).__next__


@pytest.mark.parametrize(
    ("float32_s", "bfloat16_s", "chosen"),
    [(2.0, 1.0, "bfloat16"), (1.0, 5.0, "float32"), (1.0, 1.0, "float32"), (1.0, 1.01 / MARGIN, "float32")],
)
def test_bfloat16_is_chosen_only_where_it_is_clearly_faster(float32_s: float, bfloat16_s: float, chosen: str) -> None:
    precision = measure_precision(clock_with(float32_s, bfloat16_s))
    assert precision.dtype == chosen
    assert precision.float32_gflops / precision.bfloat16_gflops == pytest.approx(bfloat16_s / float32_s)
    assert str(precision).startswith(f"{chosen} on ")
