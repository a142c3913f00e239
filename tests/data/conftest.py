"""One small world for all tests of data: rooms, cases, variants, and what the expert did in them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from components.augment.sampler import sample_variants
from components.data import CollectedTrajectory, Filtered, collect, filter_collected
from components.harness import load_harness
from components.liveroom.catalogue import Catalogue
from components.liveroom.generator import generate
from tests.data.world import SEED, World


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = generate(SEED, train_rooms=3, eval_rooms=3, comments_per_room=8)
    base = load_harness(Path(__file__).parents[2] / "harness")
    return World(
        base=base,
        items=list(world.items),
        cases=list(world.cases),
        catalogue=Catalogue.create(
            tmp_path_factory.mktemp("world") / "catalogue.sqlite", world.items, world.rooms, world.coupons
        ),
        train_variants=sample_variants(base, 4, "train", SEED, 1.0),
        heldout_variants=sample_variants(base, 3, "heldout", SEED, 1.0),
    )


@pytest.fixture(scope="session")
def collected(world: World) -> list[CollectedTrajectory]:
    return asyncio.run(
        collect(
            world.base,
            world.train_variants,
            world.train_cases,
            world.catalogue,
            variants_per_case=2,
            seed=SEED,
            concurrency=4,
        )
    )


@pytest.fixture(scope="session")
def filtered(world: World, collected: list[CollectedTrajectory]) -> Filtered:
    return filter_collected(collected, world.train_cases, world.catalogue, keep_retry_share=0.0, seed=SEED)
