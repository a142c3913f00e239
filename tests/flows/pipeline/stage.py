"""The stages of a pipeline that takes seconds: what the flows read of the outputs is there, the work is not."""

import os
import sys
import time
from pathlib import Path

from components.files import write_atomic, write_json, write_jsonl
from components.harness import harness_version, load_harness
from components.judge import JUDGE

RUN = Path("runs/smoke")


def dataset() -> None:
    knob = Path("knob.txt").read_text().strip()
    print(f"the knob says {knob}", flush=True)
    if knob == "bad":
        sys.exit(_refuse("knob.txt:1: bad: expected good; turn it"))
    if knob == "broken":
        raise RuntimeError("something broke")
    write_json(RUN / "dataset" / "manifest.json", {"leak_check": {"items": 1}})


def sft() -> None:
    print("MLFLOW_RUN_ID" in os.environ, flush=True)
    if Path("pace.txt").read_text().strip() == "slow":
        for second in range(600):
            print(f"{second}/600", flush=True)
            time.sleep(1)
    write_atomic(RUN / "models" / "hsa_sft" / "model.safetensors", "weights")


def evaluate() -> None:
    version = harness_version(load_harness(Path("harness")))
    for arm in ("base", "hsa_sft", "champion"):
        rows = [] if arm == "champion" else [_row(suite, case, version, arm) for suite in ("T1", "T2") for case in range(120)]
        write_jsonl(RUN / "evaluation" / f"{arm}.jsonl", rows)
    write_json(RUN / "evaluation.json", {"hsa_sft": {"T2": 1.0}})


def report() -> None:
    estimate = {"value": 0.5, "low": 0.4, "high": 0.6}
    arm = {"suites": {"T1": {"avg": estimate}, "T2": {"avg": estimate}}}
    summary = {"arms": {"base": arm, "hsa_sft": arm}, "paper": {"base": {"t1": 80.3, "t2": 75.4}}, "scale": []}
    write_json(RUN / "report" / "summary.json", summary)
    write_atomic(RUN / "report" / "report.html", "<html></html>")


def _row(suite: str, case: int, version: str, arm: str) -> dict[str, object]:
    right = arm == "hsa_sft" or case % 3 == 0
    variant = (
        {"variant_id": "original", "dimensions": []} if suite == "T1" else {"variant_id": "v", "dimensions": ["tool_schemas"]}
    )
    verdict = {"judge": JUDGE, "stop_reason": "replied", "accuracy": int(right), "effectiveness": float(right)}
    return {"suite": suite, "case_id": f"c{case}", "room_id": f"r{case % 12}", "harness_version": version, **variant, **verdict}


def _refuse(words: str) -> int:
    print(f"error: {words}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    {"dataset": dataset, "sft": sft, "evaluate": evaluate, "report": report}[sys.argv[1]]()
