from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.harness import load_harness
from components.harness.types import Harness
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.types import Case


@pytest.fixture(scope="session")
def base() -> Harness:
    return load_harness(Path(__file__).parents[2] / "harness")


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Catalogue, list[Case]]]:
    """A catalogue and one case of each intent."""
    items, rooms, cases = generate(seed=3, train_rooms=1, eval_rooms=1, comments_per_room=8)
    catalogue = Catalogue.create(tmp_path_factory.mktemp("augment") / "catalogue.sqlite", items, rooms)
    yield catalogue, list({case.intent: case for case in cases}.values())
    catalogue.close()
