from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.augment import Prover, Task, catalogue_tasks, schema_tasks
from components.harness import load_harness
from components.harness.types import Harness
from components.judge import check
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.types import Case


@pytest.fixture(scope="session")
def base() -> Harness:
    return load_harness(Path(__file__).parents[2] / "harness")


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Catalogue, list[Case]]]:
    """A catalogue and one case of each intent and language."""
    world = generate(seed=3, train_rooms=2, eval_rooms=2, comments_per_room=20, languages=("en", "zh"))
    path = tmp_path_factory.mktemp("augment") / "catalogue.sqlite"
    catalogue = Catalogue.create(path, world.items, world.rooms, world.coupons)
    yield catalogue, list({(case.intent, case.request.language): case for case in world.cases}.values())
    catalogue.close()


@pytest.fixture(scope="session")
def tasks(base: Harness, room: tuple[Catalogue, list[Case]]) -> list[Task]:
    catalogue, cases = room
    return [*catalogue_tasks(cases, catalogue, check), *schema_tasks(base, 16, 1).tasks]


@pytest.fixture(scope="session")
def answers(room: tuple[Catalogue, list[Case]]) -> list[Task]:
    """Right answers that are looked at and not played."""
    catalogue, cases = room
    return catalogue_tasks(cases, catalogue)


@pytest.fixture(scope="session")
def prover(base: Harness, tasks: list[Task], answers: list[Task]) -> Prover:
    return Prover(base, tasks, answers=answers)
