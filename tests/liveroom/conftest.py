from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.liveroom import Case, Catalogue, Item, RoomRecord, generate

Generated = tuple[list[Item], list[RoomRecord], list[Case]]


@pytest.fixture(scope="session")
def generated() -> Generated:
    return generate(seed=7, train_rooms=12, eval_rooms=10, comments_per_room=16)


@pytest.fixture(scope="session")
def catalogue(generated: Generated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    items, rooms, _ = generated
    path: Path = tmp_path_factory.mktemp("liveroom") / "catalogue.sqlite"
    opened = Catalogue.create(path, items, rooms)
    yield opened
    opened.close()
