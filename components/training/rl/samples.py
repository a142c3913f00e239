"""Sample trajectories beside the numbers: what the model really did, for people. Loaded with transformers, on use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from components.files import read_jsonl, write_jsonl
from components.harness.records import to_dict
from components.harness.types import JsonObject, Trajectory
from components.training.rl.simulator import Rollout


class Samples(TrainerCallback):  # type: ignore[misc]
    """Each time a checkpoint is written: some episodes of the step to a JSONL file and, as Markdown, to the MLflow run."""

    def __init__(self, path: Path, count: int, latest: Callable[[], Sequence[Rollout]]) -> None:
        """`latest` gives the step's episodes; `count` of them are kept, of different tasks as far as there are."""
        self._path, self._count, self._latest = path, count, latest
        self._mlflow_run = os.environ.get("MLFLOW_RUN_ID")

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """A checkpoint stands. Samples of a step that a broken run made before are replaced."""
        if not state.is_world_process_zero or not self._count:
            return
        chosen = _of_different_tasks(self._latest())[: self._count]
        earlier = [row for row in read_jsonl(self._path) if row["step"] < state.global_step] if self._path.exists() else []
        write_jsonl(self._path, [*earlier, *(_row(rollout, state.global_step) for rollout in chosen)])
        if self._mlflow_run:
            import mlflow

            text = "\n\n".join(markdown(rollout) for rollout in chosen)
            mlflow.MlflowClient().log_text(self._mlflow_run, text, f"samples/step-{state.global_step:06d}.md")


def markdown(rollout: Rollout) -> str:
    """An episode as a person reads it: what it earned, then every message but the system prompt."""
    outcome = rollout.outcome
    earned = ", ".join(f"{name} {value}" for name, value in asdict(outcome.scores).items())
    lines = [f"## {outcome.task.task_id}", f"{outcome.stop_reason}; {earned}; reasoning {outcome.thinking}"]
    return "\n\n".join([*lines, rollout.error or _conversation(rollout.trajectory)])


def _conversation(trajectory: Trajectory | None) -> str:
    parts = []
    for message in trajectory.messages[1:] if trajectory else ():
        calls = [f"{call.name} {call.arguments}" for call in message.tool_calls]
        body = "\n".join(part for part in (message.content, *calls) if part)
        # Longer than any fence that a model is likely to write.
        parts.append(f"**{message.role}**\n\n~~~~~~text\n{body}\n~~~~~~")
    return "\n\n".join(parts)


def _of_different_tasks(rollouts: Sequence[Rollout]) -> list[Rollout]:
    """One of each task, then the second of each, and so on."""
    seen: dict[str, int] = {}
    ranked = []
    for place, rollout in enumerate(rollouts):
        name = rollout.outcome.task.task_id
        seen[name] = seen.get(name, 0) + 1
        ranked.append((seen[name], place, rollout))
    return [rollout for *_, rollout in sorted(ranked, key=lambda one: one[:2])]


def _row(rollout: Rollout, step: int) -> JsonObject:
    outcome = rollout.outcome
    return {
        "step": step,
        "task_id": outcome.task.task_id,
        "variant_id": outcome.task.variant_id,
        "faults": outcome.task.faults,
        "stop_reason": outcome.stop_reason,
        "scores": asdict(outcome.scores),
        "thinking": {"tool_calls": outcome.thinking[0], "reply": outcome.thinking[1]},
        "trajectory": to_dict(rollout.trajectory),
        "error": rollout.error,
    }
