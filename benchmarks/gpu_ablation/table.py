"""The ablation's table and figure from the rows of a run, and in words at what size it ran."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.gpu_ablation.rows import Finished, read_finished, read_prompts
from components.data.general.types import GeneralPrompt
from components.errors import UserError
from components.evaluation.ablation import write_ablation
from components.evaluation.general import evaluate_general
from components.evaluation.types import Row, RunFacts
from components.files import read_json, write_atomic
from components.harness.types import Completion, Conversation, JsonObject, Message
from flows.arms import ARMS


class Said:
    """Says again what a model said to each prompt, so that the checkers can read it."""

    def __init__(self, answers: Sequence[JsonObject]) -> None:
        self.name, self._answers = "said", {f"T4/{one['prompt_id']}": one for one in answers}

    async def complete(self, conversation: Conversation) -> Completion:
        """The answer of before."""
        one = self._answers[conversation.episode_id]
        return Completion(Message("assistant", one["response"]), 0, one["completion_tokens"], one["finish_reason"])


def table(packed: Path, out: Path, announce: Callable[[str], None] = print) -> None:
    """Write `out/ablation/` (page, Markdown, JSON, figure) and `out/size.md`. Raises UserError where no arm finished a round."""
    facts, run = read_json(packed / "pack.json")["facts"], read_json(out / "run.json")
    rounds, arms = read_finished(out)
    if not arms:
        raise UserError(f"{out}: no arm finished a round; expected the folder of a run; give it more --minutes")
    prompts = read_prompts(packed / "prompts" / "eval.jsonl")
    rows = {arm: [[*found.rows, *_scored(arm, found, prompts, out)]] for arm, found in arms.items()}
    trained = {arm: read_json(path) for arm in ARMS if (path := out / "arms" / f"{arm}.json").is_file()}
    facts |= {
        "profile": f"{facts['profile']}, gpu_ablation at scale {run['scale']} in {run['minutes']:g} minutes",
        "hardware": run["hardware"],
        "data": facts["data"] | {f"steps {arm}": record["steps"] for arm, record in trained.items()},
        "training": _as_run(facts["training"], trained),
    }
    write_ablation(out / "ablation", rows, RunFacts(**facts))
    words = _in_words(run, facts["model"], rounds, arms, trained)
    write_atomic(out / "size.md", words)
    announce(words)
    announce((out / "ablation" / "ablation.md").read_text())


def _scored(arm: str, found: Finished, prompts: Sequence[GeneralPrompt], out: Path) -> list[Row]:
    said = {one["prompt_id"] for one in found.answers}
    asked = [prompt for prompt in prompts if prompt.prompt_id in said]
    path = out / "scored" / f"{arm}.jsonl"
    return asyncio.run(evaluate_general(arm, Said(found.answers), asked, path, fingerprint=arm, concurrency=1))


def _as_run(training: JsonObject, trained: Mapping[str, JsonObject]) -> JsonObject:
    """The parameters, with what was drawn in the time there was; a stage that no arm reached is left out."""
    drawn: dict[str, int] = {}
    for arm, record in trained.items():
        stage = ARMS[arm].stage
        drawn[stage] = max(drawn.get(stage, 0), record["drawn"])
    named = {"sft": "rows", "opd": "count", "rl": "tasks"}
    return {stage: training[stage] | {named[stage]: count} for stage, count in drawn.items()}


def _in_words(run: JsonObject, model: str, rounds: int, arms: Mapping[str, Finished], trained: Mapping[str, JsonObject]) -> str:
    took = f"took {run['seconds']:.0f} s" if "seconds" in run else "was stopped before its end"
    lines = [
        f"{model}; {run['hardware']}. Asked for {run['minutes']:g} minutes; {took}. One seed; batches {run['scale']} times the "
        f"profile's. Figures are over the {rounds} rounds that all arms here finished.",
        "",
    ]
    for arm, found in arms.items():
        record = trained.get(arm)
        words = f"{record['steps']} steps of {record['stage']} in {record['training_seconds']:.0f} s" if record else "as it was"
        for name in ("loss", "reward"):
            if record and f"{name}_first" in record:
                words += f", {name} {record[f'{name}_first']:.3g} to {record[f'{name}_last']:.3g}"
        lines.append(f"- {arm}: {words}; {found.rounds} rounds, {len(found.rows) + len(found.answers)} of their cases counted")
    return "\n".join(lines) + "\n"
