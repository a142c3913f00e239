"""The command that starts a stage: nothing but Python for one process, else `accelerate launch`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from components.errors import UserError
from components.training.params import LaunchParams

NODE_RANK = "HAT_NODE_RANK"
"""Environment variable: the number of this node, where there are several."""
CONFIGS = Path("infra/deepspeed")
"""One file for each kind of ZeRO. `auto` in it is filled by the stage's parameters and by the flags of the command."""


def is_launched(launch: LaunchParams) -> bool:
    """Whether a stage needs the launcher: DeepSpeed does even for one process."""
    return launch.nodes * launch.processes_per_node > 1 or launch.deepspeed != "none"


def node_rank(launch: LaunchParams, environ: Mapping[str, str]) -> int:
    """Which node this is: 0 where there is one, else what HAT_NODE_RANK says. Raises UserError where it says nothing of use."""
    if launch.nodes == 1:
        return 0
    if launch.main_address == LaunchParams().main_address:
        raise UserError(
            f"launch.main_address: expected the address of the first of {launch.nodes} nodes, as the others reach it, found "
            f"{launch.main_address}; set it"
        )
    given = environ.get(NODE_RANK, "")
    if not given.isdecimal() or int(given) >= launch.nodes:
        raise UserError(
            f"{NODE_RANK}: expected the number of this node, 0 to {launch.nodes - 1}, found {given or 'nothing'}; "
            f"run the command on each of the {launch.nodes} nodes with its own number"
        )
    return int(given)


def command(stage_argv: Sequence[str], launch: LaunchParams, node_rank: int = 0) -> list[str]:
    """The command line of one node.

    stage_argv  a module and its arguments, e.g. `flows.stages sft --arm hsa_sft`.
    node_rank   0 for the first node, on which the others wait at `launch.main_address`.
    """
    if not is_launched(launch):
        return [sys.executable, "-m", *stage_argv]
    return [
        *(sys.executable, "-m", "accelerate.commands.launch"),
        *("--num_machines", str(launch.nodes), "--num_processes", str(launch.nodes * launch.processes_per_node)),
        *("--machine_rank", str(node_rank), "--same_network"),
        *("--main_process_ip", launch.main_address, "--main_process_port", str(launch.main_port)),
        # Named, though `no` is the default: accelerate warns of every value that it has to choose. The stages set it.
        *("--mixed_precision", "no", "--dynamo_backend", "no"),
        *_kind(launch),
        *("--module", *stage_argv),
    ]


def _kind(launch: LaunchParams) -> list[str]:
    if launch.deepspeed == "none":
        return ["--multi_gpu"]
    return [
        "--use_deepspeed",
        # Every node runs this same command: nothing logs in anywhere.
        *("--deepspeed_multinode_launcher", "standard"),
        *("--deepspeed_config_file", str(CONFIGS / f"{launch.deepspeed}.json")),
        *("--offload_optimizer_device", "none" if launch.offload == "none" else "cpu"),
        *("--offload_param_device", "cpu" if launch.offload == "all" else "none"),
    ]
