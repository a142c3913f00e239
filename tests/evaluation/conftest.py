"""One small world for all tests of evaluation: rooms, cases, held-out variants, and suites over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.augment.sampler import sample_variants
from components.evaluation.suites import build_suites
from components.harness import load_harness
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from tests.evaluation.world import SEED, World


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = generate(SEED, train_rooms=3, eval_rooms=4, comments_per_room=8)
    base = load_harness(Path(__file__).parents[2] / "harness")
    heldout = sample_variants(base, 3, "heldout", SEED, 1.0)
    eval_cases = [case for case in world.cases if case.split == "eval"]
    return World(
        base=base,
        cases=list(world.cases),
        catalogue=Catalogue.create(
            tmp_path_factory.mktemp("world") / "catalogue.sqlite", world.items, world.rooms, world.coupons
        ),
        train_variants=sample_variants(base, 1, "train", SEED, 1.0),
        heldout_variants=heldout,
        suites=build_suites(base, heldout, eval_cases, t1_cases=16, t2_cases=12, t3_cases=10, seed=SEED),
    )
