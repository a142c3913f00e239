"""The stages of a pipeline that takes seconds: what the flows read of the outputs is there, the work is not."""

import os
import sys
import time
from pathlib import Path

from components.files import write_atomic, write_json, write_jsonl
from components.harness import harness_version, load_harness
from components.judge import JUDGE
from flows.arms import CANDIDATE, RETRAINED
from flows.params import active
from flows.paths import RunPaths
from flows.reporting import report_run

RUN = Path("runs/smoke")


def dataset() -> None:
    knob = Path("knob.txt").read_text().strip()
    print(f"the knob says {knob}", flush=True)
    if knob == "bad":
        sys.exit(_refuse("knob.txt:1: bad: expected good; turn it"))
    if knob == "broken":
        raise RuntimeError("something broke")
    manifest = {
        "harness_version": harness_version(load_harness(Path("harness"))),
        "cases": {"train": 2, "eval": 240},
        "variants": {"train": 1, "heldout": 1},
        "filter": {"kept": 2},
        "rows": {"fixed_sft": 2, "hsa_sft": 2},
        "leak_check": {"items": 1},
    }
    write_json(RUN / "dataset" / "manifest.json", manifest)


def rl() -> None:
    print("MLFLOW_RUN_ID" in os.environ, flush=True)
    if Path("pace.txt").read_text().strip() == "slow":
        for second in range(600):
            print(f"{second}/600", flush=True)
            time.sleep(1)
    write_atomic(RUN / "models" / CANDIDATE / "model.safetensors", "weights")
    for arm in RETRAINED[1:]:
        write_jsonl(RUN / "training" / f"{arm}.jsonl", [{"step": step, "loss": 1 / step} for step in (1, 2)])


def evaluate() -> None:
    version = harness_version(load_harness(Path("harness")))
    for arm in (*RETRAINED, "champion"):
        rows = (
            []
            if arm in ("fixed_sft", "hsa_sft", "hsa_opd", "champion")
            else [_row(suite, case, version, arm) for suite in ("T1", "T2") for case in range(120)]
        )
        write_jsonl(RUN / "evaluation" / f"{arm}.jsonl", rows)
    write_json(RUN / "evaluation.json", {CANDIDATE: {"T2": 1.0}})


def report() -> None:
    report_run(active(), RunPaths.of("smoke"), RUN / "report")


def _row(suite: str, case: int, version: str, arm: str) -> dict[str, object]:
    right = arm == CANDIDATE or case % 3 == 0
    variant = (
        {"variant_id": "original", "dimensions": []} if suite == "T1" else {"variant_id": "v", "dimensions": ["tool_schemas"]}
    )
    verdict = {"judge": JUDGE, "accuracy": int(right), "effectiveness": float(right), "reasons": []}
    episode = {"reply": "Hello.", "stop_reason": "replied", "tool_correct": right, "skill_correct": right, "trajectory": None}
    recovery = {"fault": None, "tool_faults": [], "refused": 0, "recovered_from_fault": None, "recovered_from_refusal": None}
    thinking = {"thinking": {"tool_calls": [12, 9], "reply": [7]}}
    cost = {"turns": 3, "prompt_tokens": 900, "completion_tokens": 60, "latency_s": 1.0}
    identity = {"arm": arm, "suite": suite, "case_id": f"c{case}", "room_id": f"r{case % 12}", "intent": "price"}
    return {**identity, "harness_version": version, **variant, **verdict, **episode, **recovery, **thinking, **cost}


def _refuse(words: str) -> int:
    print(f"error: {words}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    {"dataset": dataset, "rl": rl, "evaluate": evaluate, "report": report}[sys.argv[1]]()
