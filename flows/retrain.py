"""Retraining: every stage that does not stand, in order, then the gate.

Prefect runs it, DVC knows how to do each stage, MLflow keeps the record. Stages that stand are not touched, so a
retraining that was stopped, by whatever, goes on where it was when it is started again.
"""

from __future__ import annotations

from typing import Any

from prefect import flow, task
from prefect.artifacts import create_link_artifact, create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.runtime import flow_run
from rich.console import Console

from components.evaluation.measures import HEADLINE
from components.files import read_json
from components.harness import harness_version
from components.promotion import request_directory
from flows import dvc, leftovers
from flows.conclusion import Conclusion, conclude
from flows.params import active
from flows.paths import STATE, RunPaths, decided_report
from flows.plan import RETRAINING, needed_for
from flows.progress import StageProgress
from flows.run_facts import code_version
from flows.stages.inputs import read_harness
from flows.tracking import Record, numbers, record

UI = "http://127.0.0.1:4200"
"""Where `hat up` serves the pages of Prefect."""


@flow(flow_run_name="retrain {profile}")
def retrain(profile: str, todo: list[str]) -> Conclusion:
    """Make the stages `todo` of the active profile stand, in this order, and draw the conclusion.

    Raises UserError where a stage refuses its input, StageFailed where one fails; what stood before still stands then.
    """
    leftovers.remember_server()
    params = active()
    tags = {"profile": profile, "harness_version": harness_version(read_harness()), "git_commit": code_version()}
    with record(profile, params.model_dump(mode="json"), tags) as opened:
        reused = [stage for stage in needed_for(RETRAINING, dvc.stages()) if stage not in todo]
        with StageProgress(Console(), profile, todo) as progress:
            for stage in todo:
                progress.begin(stage)
                with opened.stage(stage) as run_id:
                    result = make_stand.with_options(task_run_name=stage)(stage, run_id, progress)
                progress.end(result)
                if result.state != "ran":
                    reused.append(stage)
        links = {"MLflow": opened.url, "Prefect": f"{UI}/runs/flow-run/{flow_run.id}"}
        conclusion = draw_conclusion(links)
        publish(opened, profile, conclusion, reused)
    return conclusion


def _worth_another_try(task_: object, run: TaskRun, state: State[Any]) -> bool:
    error = state.result(raise_on_failure=False)
    return isinstance(error, dvc.StageFailed) and error.code == dvc.TRY_AGAIN


@task(cache_policy=NO_CACHE, retries=2, retry_delay_seconds=[10, 60], retry_condition_fn=_worth_another_try)
def make_stand(stage: str, run_id: str, progress: StageProgress) -> dvc.StageResult:
    """Let DVC reproduce one stage, which logs into the MLflow run `run_id`. DVC keeps its outputs, so Prefect caches nothing."""
    return dvc.reproduce(stage, STATE / "logs" / f"{stage}.log", {"MLFLOW_RUN_ID": run_id}, progress.line)


@task(cache_policy=NO_CACHE)
def draw_conclusion(links: dict[str, str]) -> Conclusion:
    """Release, gate, request."""
    return conclude(active(), links)


@task(cache_policy=NO_CACHE)
def publish(opened: Record, profile: str, conclusion: Conclusion, reused: list[str]) -> None:
    """Show what the retraining came to where people look for it: on its run in MLflow and as artifacts in Prefect."""
    paths, report, request = RunPaths.of(profile), decided_report(profile), conclusion.request
    summary = read_json(report / "summary.json")
    values = {
        arm: {
            label: figures["suites"][suite][measure.name]["value"]
            for label, (suite, measure) in HEADLINE.items()
            if suite in figures["suites"]
        }
        for arm, figures in summary["arms"].items()
    }
    tags = {
        "data_hash": dvc.outputs("dataset")[str(paths.dataset)],
        "stages_reused": ", ".join(reused),
        "release": conclusion.release,
        "gate": request.decision.outcome.value if request else "the candidate is the champion already",
    }
    pages = [report]
    if request is not None:
        tags["request"] = request.request_id
        pages.append(request_directory(STATE, request.request_id))
        create_markdown_artifact((pages[-1] / "decision.md").read_text(), key="gate", description="The gate's decision")
    opened.conclude(numbers(values), tags, pages)
    create_table_artifact([{"arm": arm, **of_arm} for arm, of_arm in values.items()], key="arms", description="Headline figures")
    create_link_artifact((report / "report.html").resolve().as_uri(), link_text="report", key="report")
