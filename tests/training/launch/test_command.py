"""Starting a stage: the command of each node, and an end that is the workers' own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from components.errors import UserError
from components.training.launch import command, is_launched, launch_stage, node_rank
from components.training.launch.command import CONFIGS
from components.training.launch.start import run
from components.training.params import LaunchParams

STAGE = ["flows.stages", "sft", "--arm", "hsa_sft"]
ROOT = Path(__file__).parents[3]


def option(argv: list[str], name: str) -> str:
    return argv[argv.index(name) + 1]


def test_one_process_needs_no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert command(STAGE, LaunchParams()) == [sys.executable, "-m", *STAGE]
    assert launch_stage(STAGE, LaunchParams()) is None
    assert is_launched(LaunchParams(deepspeed="zero2")) and is_launched(LaunchParams(nodes=2))


@pytest.mark.parametrize(
    ("deepspeed", "offload"),
    [("none", "none"), ("zero2", "none"), ("zero2", "optimizer"), ("zero3", "none"), ("zero3", "optimizer"), ("zero3", "all")],
)
@pytest.mark.parametrize("nodes", [1, 3])
def test_accelerate_understands_the_command(deepspeed: Any, offload: Any, nodes: int) -> None:
    from accelerate.commands.launch import launch_command_parser

    launch = LaunchParams(nodes=nodes, processes_per_node=4, deepspeed=deepspeed, offload=offload, main_address="10.0.0.1")
    rank = nodes - 1
    argv = command(STAGE, launch, rank)
    assert argv[:3] == [sys.executable, "-m", "accelerate.commands.launch"]
    parsed = launch_command_parser().parse_args(argv[3:])
    assert (parsed.module, parsed.training_script, parsed.training_script_args) == (True, STAGE[0], STAGE[1:])
    assert (parsed.num_machines, parsed.num_processes, parsed.machine_rank) == (nodes, 4 * nodes, rank)
    assert (parsed.main_process_ip, parsed.main_process_port) == ("10.0.0.1", 29500)
    assert parsed.use_deepspeed == (deepspeed != "none") and parsed.multi_gpu == (deepspeed == "none")
    if deepspeed != "none":
        assert parsed.offload_optimizer_device == ("none" if offload == "none" else "cpu")
        assert parsed.offload_param_device == ("cpu" if offload == "all" else "none")
        config = json.loads((ROOT / parsed.deepspeed_config_file).read_text())
        assert config["zero_optimization"]["stage"] == int(deepspeed[-1])


@pytest.mark.parametrize("kind", ["zero2", "zero3"])
def test_offload_is_laid_over_the_configuration(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from accelerate.utils import DeepSpeedPlugin

    monkeypatch.setenv("ACCELERATE_DEEPSPEED_CONFIG_FILE", str(ROOT / CONFIGS / f"{kind}.json"))
    monkeypatch.setenv("ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE", "cpu")
    monkeypatch.setenv("ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE", "none")
    zero = DeepSpeedPlugin().deepspeed_config["zero_optimization"]
    assert zero["offload_optimizer"]["device"] == "cpu"
    assert zero.get("offload_param", {"device": "none"})["device"] == "none"


@pytest.mark.parametrize("given", [None, "", "2", "-1", "first"])
def test_a_node_that_does_not_know_its_number_is_refused(given: str | None) -> None:
    environ = {} if given is None else {"HAT_NODE_RANK": given}
    with pytest.raises(UserError, match=r"HAT_NODE_RANK: expected the number of this node, 0 to 1"):
        node_rank(LaunchParams(nodes=2, main_address="10.0.0.1"), environ)


def test_nodes_know_their_number_and_the_first_node() -> None:
    launch = LaunchParams(nodes=2, main_address="10.0.0.1")
    assert [node_rank(launch, {"HAT_NODE_RANK": rank}) for rank in "01"] == [0, 1]
    assert node_rank(LaunchParams(), {"HAT_NODE_RANK": "5"}) == 0
    with pytest.raises(UserError, match=r"launch\.main_address: expected"):
        node_rank(LaunchParams(nodes=2), {"HAT_NODE_RANK": "0"})


def worker(rank: int, code: str) -> str:
    """Python source of a process that believes to be a worker."""
    return f"import os, sys; os.environ.update(LOCAL_RANK='{rank}', RANK='{rank}'); {code}"


def launcher(*workers: str) -> list[str]:
    """A stand-in for accelerate's: starts the workers, says on standard error that they failed, and ends with 1."""
    script = "import subprocess, sys; print('out', flush=True); codes = [subprocess.run([sys.executable, '-c', one]).returncode"
    script += " for one in sys.argv[1:]]; print(f'launcher: workers ended with {codes}', file=sys.stderr); sys.exit(any(codes))"
    return [sys.executable, "-c", script, *workers]


END = "from components.training.launch import end; sys.exit(end('error: {}', {}))"


@pytest.mark.parametrize("code", [2, 75])
def test_what_workers_end_with_is_said_once_and_is_the_exit_code(
    code: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    workers = [worker(rank, END.format("the rows are bad", code)) for rank in (1, 0)]
    assert run(launcher(*workers), tmp_path) == code
    assert capfd.readouterr() == ("out\n", "error: the rows are bad\n")


def test_a_crash_is_passed_on_as_it_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(launcher(worker(0, "raise OSError('disk')")), tmp_path) == 1
    said = capfd.readouterr().err
    assert "OSError: disk" in said and "launcher: workers ended with [1]" in said


def test_warnings_of_workers_are_passed_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(launcher(worker(0, "print('slow disk', file=sys.stderr)")), tmp_path) == 0
    assert "slow disk\n" in capfd.readouterr().err


def test_a_signal_to_the_stage_ends_the_launcher(tmp_path: Path) -> None:
    script = "import os, sys, signal; from pathlib import Path; from components.training.launch.start import run;"
    child = "import os, signal, sys, time; os.kill(os.getppid(), signal.SIGTERM); time.sleep(60)"
    script += f"sys.exit(run([sys.executable, '-c', {child!r}], Path({str(tmp_path)!r})))"
    stage = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=50, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert stage.returncode == 128 + 15
