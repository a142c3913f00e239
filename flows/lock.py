"""One retraining at a time in a checkout. The kernel frees the lock when its holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from components.errors import UserError
from flows.paths import STATE

LOCK = STATE / "retrain.lock"


@contextmanager
def one_retraining(profile: str) -> Iterator[None]:
    """Hold the checkout for a retraining. Raises UserError naming the holder where there is one."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{LOCK}: held by {LOCK.read_text().strip()}; wait until it is done, or end it") from None
        # A stage that outlives us goes on holding it.
        os.set_inheritable(file.fileno(), True)
        file.truncate(0)
        file.write(f"the retraining of profile {profile}, process {os.getpid()}, since {datetime.now():%Y-%m-%d %H:%M:%S}\n")
        file.flush()
        yield


def holder() -> str | None:
    """Who retrains now, in words; None where nobody does."""
    if not LOCK.exists():
        return None
    with LOCK.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return file.read().strip()
    return None
