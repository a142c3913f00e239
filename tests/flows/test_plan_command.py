"""`hat plan`: quick, exact in its commands, and a refusal in one line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from components.errors import UserError
from flows.commands.plan import plan

ROOT = Path(__file__).parents[2]


@pytest.fixture
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of profiles in a copy of what a plan reads; `h20` without its vLLM, to fit whatever its stages sample."""
    for name in ("infra/profiles/h20.yaml", "infra/profiles/laptop.yaml", "infra/models/qwen3_6_35b_a3b.json", "params.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path / "infra" / "profiles"


def change(profile: Path, pattern: str, replacement: str) -> None:
    text, count = re.subn(pattern, replacement, profile.read_text())
    assert count == 1
    profile.write_text(text)


def test_the_production_profile_fits_and_no_torch_is_imported_for_it() -> None:
    script = "import sys; from flows.commands.plan import plan; plan(['--profile', 'h20'], standalone_mode=False); "
    script += "print(*sys.modules, file=sys.stderr)"
    planned = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr
    assert not {"torch", "transformers", "trl", "deepspeed"} & set(planned.stderr.split())
    assert "34.66 billion parameters" in planned.stdout
    for stage in ("sft --arm hsa_sft", "opd --arm hsa_opd", "rl --arm rl_hsa", "draft"):
        assert f"  python -m flows.stages {stage}\n" in planned.stdout
        assert planned.stdout.count(f"--module flows.stages {stage}\n") == 1


def test_every_node_has_its_command(profiles: Path) -> None:
    change(profiles / "h20.yaml", "processes_per_node: 8", "processes_per_node: 8\n  nodes: 2\n  main_address: node-0")
    said = CliRunner().invoke(plan, ["--profile", "h20"], catch_exceptions=False).output
    for rank in (0, 1):
        assert f"HAT_NODE_RANK={rank} python -m flows.stages sft --arm hsa_sft\n" in said
        assert (
            said.count(f"--num_machines 2 --num_processes 16 --machine_rank {rank} --same_network --main_process_ip node-0") == 4
        )


def test_what_cannot_fit_is_refused_with_the_change_that_mends_it(profiles: Path) -> None:
    change(profiles / "h20.yaml", "offload: optimizer", "offload: none")
    with pytest.raises(UserError, match=r"sft|opd|rl.*GPU needs \d+ GiB and has 89; .*: launch.offload: optimizer$"):
        plan(["--profile", "h20"], standalone_mode=False)


def test_a_profile_without_a_machine_is_refused(profiles: Path) -> None:
    with pytest.raises(UserError, match=r"launch\.hardware: profile laptop names no machine"):
        plan(["--profile", "laptop"], standalone_mode=False)


def test_a_model_that_is_nowhere_is_refused(profiles: Path) -> None:
    change(profiles / "h20.yaml", "source: /models/Qwen3.6-35B-A3B", "source: /models/Unknown-1B")
    with pytest.raises(
        UserError, match=r"/models/Unknown-1B: expected a folder with config.json, or infra/models/unknown_1b.json"
    ):
        plan(["--profile", "h20"], standalone_mode=False)
