"""Which number format this machine multiplies faster: measured, since neither name nor age of a processor tells."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

MARGIN = 1.25
"""bfloat16 must be this much faster to be worth its coarser rounding, and for the choice to be the same on every run."""


@dataclass(frozen=True)
class Precision:
    """The outcome of the probe."""

    dtype: Literal["float32", "bfloat16"]
    device: Literal["cpu", "cuda"]
    float32_gflops: float
    """Matrix products, 10⁹ floating-point operations a second."""
    bfloat16_gflops: float

    def __str__(self) -> str:
        return (
            f"{self.dtype} on {self.device} (measured: float32 {self.float32_gflops:.0f}, "
            f"bfloat16 {self.bfloat16_gflops:.0f} GFLOP/s)"
        )


def measure_precision(clock: Callable[[], float] = time.perf_counter) -> Precision:
    """Multiply matrices in both formats on the device that will be used and choose. Takes well under a second."""
    import torch

    device: Literal["cpu", "cuda"] = "cuda" if torch.cuda.is_available() else "cpu"
    size = 8192 if device == "cuda" else 512

    def gflops(dtype: torch.dtype) -> float:
        left, right = (torch.ones(size, size, dtype=dtype, device=device) for _ in range(2))
        seconds = []
        for _ in range(3):
            start = clock()
            # Reading one number back makes a GPU finish before the clock is read.
            (left @ right)[0, 0].item()
            seconds.append(clock() - start)
        return 2 * size**3 / min(seconds[1:]) / 1e9

    float32, bfloat16 = gflops(torch.float32), gflops(torch.bfloat16)
    return Precision("bfloat16" if bfloat16 > MARGIN * float32 else "float32", device, float32, bfloat16)
