"""The ablation: every arm with its repeats, trained and evaluated, then one table and one figure.

Arms that do not need each other may run side by side. DVC keeps what stands, so a stopped ablation goes on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from prefect import flow, task
from prefect.artifacts import create_link_artifact, create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture, wait
from prefect.task_runners import ThreadPoolTaskRunner
from rich.console import Console

from components.files import read_json
from components.harness import harness_version
from flows import dvc, leftovers
from flows.arms import ARMS, repeats, split
from flows.params import active
from flows.paths import STATE, RunPaths
from flows.progress import in_words
from flows.run_facts import code_version
from flows.stages.inputs import read_harness
from flows.tracking import Record, numbers, record

TABLE = "ablation"
"""The stage that draws table and figure from whatever arms were evaluated."""


def goals(count: int) -> list[str]:
    """The stages that an ablation with `count` repeats an arm is for."""
    return [f"evaluate@{name}" for arm in ("base", *ARMS) for name in repeats(arm, count)]


def run(profile: str, needs: Mapping[str, set[str]], todo: list[str], jobs: int) -> None:
    """Make `todo` stand, at most `jobs` at once, each after those it needs (`needs`); then the table."""
    runner: Any = ThreadPoolTaskRunner(max_workers=jobs)
    ablate.with_options(task_runner=runner)(profile, dict(needs), todo)


@flow(flow_run_name="ablate {profile}")
def ablate(profile: str, needs: dict[str, set[str]], todo: list[str]) -> None:
    """Raises UserError where a stage refuses its input, StageFailed where one fails; the others run to their end first."""
    leftovers.remember_server()
    params, paths = active(), RunPaths.of(profile)
    tags = {"run": "ablation", "profile": profile, "git_commit": code_version()}
    tags["harness_version"] = harness_version(read_harness())
    with record(profile, params.model_dump(mode="json"), tags) as opened:
        console, done = Console(), count(1)

        @task(cache_policy=NO_CACHE)
        def make_stand(stage: str) -> None:
            with opened.stage(stage) as run_id:
                result = dvc.reproduce(stage, STATE / "logs" / f"{stage}.log", {"MLFLOW_RUN_ID": run_id}, lambda line: None)
            how = f"{result.state} ({in_words(result.seconds)})"
            console.print(f"[{next(done)}/{len(todo) + 1}] {stage}: {how}", highlight=False, markup=False)

        begun: dict[str, PrefectFuture[None]] = {}
        for stage in sorted(todo, key=_repeat):
            before = [begun[needed] for needed in needs[stage] if needed in begun]
            begun[stage] = make_stand.with_options(task_run_name=stage).submit(stage, wait_for=before, return_state=False)
        wait(list(begun.values()))
        for future in begun.values():
            future.result()
        make_stand(TABLE)
        publish(opened, paths)


def _repeat(stage: str) -> int:
    """The first of every arm before the second of any, so that a table can be had early."""
    return split(stage.partition("@")[2])[1]


@task(cache_policy=NO_CACHE)
def publish(opened: Record, paths: RunPaths) -> None:
    """Show the table on the run in MLflow and as artifacts in Prefect."""
    opened.conclude(numbers(read_json(paths.ablation / "ablation.json")), {}, [paths.ablation])
    create_markdown_artifact((paths.ablation / "ablation.md").read_text(), key="ablation", description="Arms and effects")
    page = (paths.ablation / "ablation.html").resolve().as_uri()
    create_link_artifact(page, link_text="ablation", key="ablation-page")
