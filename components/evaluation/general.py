"""Suite T4: general instructions that a program can check. No room and no harness: a user's message and an answer."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from components.data.general import GeneralPrompt, check_scorable, score
from components.evaluation.row_log import RowLog
from components.evaluation.types import Row, Suite
from components.harness.types import Conversation, Message, Policy


async def evaluate_general(
    arm: str,
    policy: Policy,
    prompts: Sequence[GeneralPrompt],
    out_path: Path,
    *,
    fingerprint: str,
    concurrency: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Ask a policy every prompt and write its rows to `out_path` (JSONL, in the order of `prompts`); returns them.

    A row's fields stand in `components.evaluation.types.Row`; verdicts are strict, by IFEval's official checkers.
    Rows stream to `<out_path>.partial`, and a run that finds one of the same `fingerprint` (hash of the model's weights),
    arm, prompts and checkers keeps its rows, except those without a verdict: where the policy raised. `progress` is told
    (rows done, rows in all). Raises UserError for prompts that cannot be checked here, before anything is asked.
    """
    check_scorable(prompts)
    log = RowLog(out_path, _fingerprint(fingerprint, arm, prompts))
    rows = {row["case_id"]: row for row in log.rows}

    async def work(queue: Iterator[GeneralPrompt]) -> None:
        for prompt in queue:
            row = {"arm": arm, **await _row(prompt, policy)}
            rows[prompt.prompt_id] = row
            log.append(row)
            if progress is not None:
                progress(len(rows), len(prompts))

    queue = iter([prompt for prompt in prompts if prompt.prompt_id not in rows])
    async with asyncio.TaskGroup() as workers:
        for _ in range(concurrency):
            workers.create_task(work(queue))
    ordered = [rows[prompt.prompt_id] for prompt in prompts]
    log.finish(ordered)
    return ordered


async def _row(prompt: GeneralPrompt, policy: Policy) -> Row:
    row: Row = {
        "suite": Suite.T4.value,
        "case_id": prompt.prompt_id,
        "prompt": prompt.prompt,
        "instruction_ids": list(prompt.instruction_ids),
        "response": "",
        "completion_tokens": 0,
        "accuracy": None,
        "instructions": None,
        "reasons": [],
    }
    # One failure must neither stop the others nor count as a wrong answer: it becomes a missing verdict.
    try:
        completion = await policy.complete(Conversation(f"T4/{prompt.prompt_id}", (Message("user", prompt.prompt),), ()))
    except Exception as error:
        return row | {"reasons": [f"policy raised {type(error).__name__}: {error}"]}
    response = completion.message.content
    verdict = score(prompt, response)
    return row | {
        "response": response,
        "completion_tokens": completion.completion_tokens,
        "accuracy": int(verdict.prompt),
        "instructions": list(verdict.instructions),
    }


def _fingerprint(outside: str, arm: str, prompts: Sequence[GeneralPrompt]) -> str:
    text = json.dumps([outside, arm, version("if-verifiable"), [asdict(prompt) for prompt in prompts]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
