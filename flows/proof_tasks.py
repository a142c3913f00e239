"""What variants are proved on: tasks of generated rooms in both languages, right answers by the hundred, and tools' schemas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from components.augment import SchemaTasks, Task, catalogue_tasks, schema_tasks
from components.harness.types import Harness, HarnessError, Language
from components.judge import check
from components.liveroom import check_room_serves
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from components.liveroom.types import Split

SCHEMA_TASKS = 16
"""As many as make every combination of what conditions ask for."""
ROOMS = 4
"""Rooms generated a split, half of them in each language."""
COMMENTS = 60
"""Comments a room: enough for every answer to every frequent question, and for some hundreds of right replies."""
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True)
class ProofTasks:
    """Tasks that are played under every variant, and answers that every variant must let through."""

    room: list[Task]
    """One of each intent in each language, where rooms serve the harness."""
    made: SchemaTasks
    answers: list[Task]
    unserved: str = ""
    """Why no generated room serves the harness; empty where they do."""

    @property
    def tasks(self) -> list[Task]:
        """All that are played."""
        return [*self.room, *self.made.tasks]


@contextmanager
def proof_tasks(base: Harness, directory: Path, seed: int, splits: tuple[Split, ...] = ("train", "eval")) -> Iterator[ProofTasks]:
    """The tasks for a harness read from `directory`, with comments of these splits only; the rooms are gone afterwards.

    Raises AugmentError where the harness accepts no reply at all.
    """
    made = schema_tasks(base, SCHEMA_TASKS, seed)
    try:
        check_room_serves(base, directory)
    except HarnessError as error:
        yield ProofTasks([], made, [], str(error))
        return
    with TemporaryDirectory() as folder:
        world = generate(seed, ROOMS, ROOMS, COMMENTS, _LANGUAGES)
        path = Path(folder) / "catalogue.sqlite"
        with closing(Catalogue.create(path, world.items, world.rooms, world.coupons)) as catalogue:
            cases = [case for case in world.cases if case.split in splits]
            first = {(case.intent, case.request.language): case for case in cases}
            yield ProofTasks(catalogue_tasks(first.values(), catalogue, check), made, catalogue_tasks(cases, catalogue))
