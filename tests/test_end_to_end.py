"""What a newcomer does: clone, `hat retrain --profile smoke`, again, and approve. Everything real, on the tiny model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_smoke_retraining_from_a_clone_to_a_champion(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True)
    for name in filter(None, files.stdout.decode().split("\0")):
        if (ROOT / name).exists():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            (checkout / name).write_bytes((ROOT / name).read_bytes())
    (checkout / "hat").chmod(0o755)
    (checkout / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "--quiet", checkout], check=True)

    def hat(*arguments: str) -> str:
        done = subprocess.run([checkout / "hat", *arguments], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    first = hat("retrain", "--profile", "smoke")
    assert "rl_hsa" in first and "94.8" in first and "gate" in first
    (request,) = (path.name for path in (checkout / ".hat" / "requests").iterdir())

    arms = ("base", "fixed_sft", "hsa_sft", "hsa_opd", "rl_hsa")
    rows = {arm: _rows(checkout / f"runs/smoke/evaluation/{arm}.jsonl") for arm in arms}
    assert len({tuple((row["suite"], row["case_id"], row.get("variant_id")) for row in found) for found in rows.values()}) == 1
    trained = [_rows(checkout / f"runs/smoke/dataset/{arm}.jsonl") for arm in arms[1:3]]
    assert len(trained[0]) == len(trained[1]) > 0
    assert {row["variant_id"] for row in trained[0]} == {"original"} < {row["variant_id"] for row in trained[1]}
    for arm in arms[1:]:
        steps = _rows(checkout / f"runs/smoke/training/{arm}.jsonl")
        assert steps and all("loss" in step and "memory_gib" in step for step in steps)
    head = json.loads((checkout / "runs/smoke/evaluation/draft_head.json").read_text())
    assert head["trained"]["verifications"] > 0
    page = (checkout / ".hat/conclusions/smoke/report/report.html").read_text()
    assert "INCONCLUSIVE" in page and "data:image/png;base64," in page

    lock = (checkout / "dvc.lock").read_bytes()
    assert "nothing to do" in hat("retrain", "--profile", "smoke")
    assert (checkout / "dvc.lock").read_bytes() == lock

    hat("approve", request, "--by", "Ann", "--reason", "to see the path", "--override")
    assert "by Ann: to see the path" in hat("status")


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
