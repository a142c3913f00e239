from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.liveroom import Catalogue, World, generate


@pytest.fixture(scope="session")
def world() -> World:
    return generate(seed=7, train_rooms=14, eval_rooms=10, comments_per_room=17, languages=("en", "zh"))


@pytest.fixture(scope="session")
def catalogue(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalogue]:
    path: Path = tmp_path_factory.mktemp("liveroom") / "catalogue.sqlite"
    opened = Catalogue.create(path, world.items, world.rooms, world.coupons)
    yield opened
    opened.close()
