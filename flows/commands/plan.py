"""`hat plan`: what the training stages of a profile take, in memory, time and commands, before anything is loaded."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from components.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from components.training.launch.plan import StagePlan
    from components.training.params import HardwareParams, LaunchParams
    from flows.params import Params

MODELS = Path("infra/models")
ARGUMENTS = {"sft": "--arm hsa_sft", "opd": "--arm hsa_opd", "rl": "--arm rl_hsa", "draft": ""}
"""Of each stage's command, for the arms of the whole recipe."""


@click.command()
@click.option("--profile", default="h20", show_default=True, help="The size to plan for: a file of infra/profiles/.")
def plan(profile: str) -> None:
    """Reckon memory and time of the training stages, and print the commands.

    On the machine that `launch.hardware` of the profile describes. Exit code 2 where a stage cannot fit, with the smallest
    change that makes it fit.
    """
    from rich.console import Console

    from components.training.launch.plan import plan_stage, smallest_change, too_much
    from components.training.launch.shape import read_shape
    from components.training.launch.work import all_work
    from flows.params import resolve

    params = resolve(profile)
    launch, hardware = params.launch, params.launch.hardware
    if hardware is None:
        raise UserError(
            f"launch.hardware: profile {profile} names no machine to plan for; expected memory and speed of a GPU; "
            "see infra/profiles/h20.yaml"
        )
    source = _config(params)
    shape = read_shape(source)
    works = all_work(
        launch,
        params.sft,
        params.opd,
        params.rl,
        params.draft,
        sft_rows=params.dataset.trajectories_per_arm,
        turns=params.loop.turns,
        turn_tokens=params.generation.max_new_tokens,
        decode_batch=params.generation.batch_size,
    )
    plans = [plan_stage(shape, work, launch, hardware) for work in works]
    for one in plans:
        if lacks := too_much(one, hardware):
            change = smallest_change(shape, works, launch, hardware)
            mend = f"the smallest change with which every stage fits: {change}" if change else "no change of launch makes it fit"
            raise UserError(f"profile {profile}: {one.work.stage}: {lacks}; {mend}")
    console = Console()
    console.print(
        f"[bold]plan[/] · profile {profile} · {source} · {shape.parameters / 1e9:.2f} billion parameters, of which a token "
        f"meets {shape.active / 1e9:.2f}",
        highlight=False,
        soft_wrap=True,
    )
    _show_machine(console, launch, hardware)
    _show_overview(console, plans, hardware)
    for one in plans:
        _show_stage(console, one)
    _show_commands(console, launch)


def _config(params: Params) -> Path:
    """The model's own configuration where it lies on this machine, else the one kept for planning."""
    source = Path(params.model.source)
    own, kept = source / "config.json", MODELS / f"{source.name.lower().replace('-', '_').replace('.', '_')}.json"
    for path in (own, kept):
        if path.is_file():
            return path
    raise UserError(f"model.source: {source}: expected a folder with config.json, or {kept} to plan by; put one there")


def _show_machine(console: Console, launch: LaunchParams, hardware: HardwareParams) -> None:
    console.print(
        f"{launch.nodes} node(s) of {launch.processes_per_node} x {hardware.gpu or 'GPU'}: {hardware.memory_gib:g} GiB, "
        f"{hardware.bf16_tflops:g} TFLOP/s in bfloat16, {hardware.bandwidth_gbs:g} GB/s, {hardware.interconnect_gbs:g} GB/s "
        f"between GPUs; {hardware.host_memory_gib:g} GiB of host memory. DeepSpeed {launch.deepspeed}, offload {launch.offload}, "
        f"samples by {launch.generator}",
        highlight=False,
        soft_wrap=True,
    )


def _show_overview(console: Console, plans: list[StagePlan], hardware: HardwareParams) -> None:
    from rich.table import Table

    table = Table()
    for heading in ("stage", "trained", "GPU GiB", "host GiB", "steps", "s a step", "hours"):
        table.add_column(heading, justify="left" if heading == "stage" else "right")
    for one in plans:
        table.add_row(
            one.work.stage,
            f"{one.trained / 1e9:.2f} B",
            f"{one.memory.gpu_gib:.1f} of {hardware.memory_gib:g}",
            f"{one.memory.host_gib:.0f} of {hardware.host_memory_gib:g}",
            f"{one.work.steps}",
            f"{one.step_seconds:.1f}",
            f"{one.hours:.1f}",
        )
    console.print(table)


def _show_stage(console: Console, one: StagePlan) -> None:
    phases = {"always": "", "passes": "in passes: ", "step": "in the step: ", "samples": "while sampling: "}
    console.print(f"[bold]{one.work.stage}[/]")
    for where, lines in (("GPU", one.memory.gpu), ("host", one.memory.host)):
        for line in lines:
            console.print(
                f"  {where:5}{line.gib:8.1f} GiB  {line.what:20} {phases[line.phase]}{line.how}", highlight=False, soft_wrap=True
            )
    for part in one.step:
        console.print(f"  step {part.seconds:8.1f} s    {part.what:20} {part.how}", highlight=False, soft_wrap=True)


def _show_commands(console: Console, launch: LaunchParams) -> None:
    from components.training.launch.command import NODE_RANK, command

    shared = ", each node with the same checkout and runs/" if launch.nodes > 1 else ""
    console.print(f"[bold]commands[/] (`hat retrain` runs them{shared})", highlight=False)
    for stage, arguments in ARGUMENTS.items():
        argv = ["flows.stages", stage, *arguments.split()]
        for rank in range(launch.nodes):
            prefix = f"{NODE_RANK}={rank} " if launch.nodes > 1 else ""
            started = shlex.join(["python" if word == sys.executable else word for word in command(argv, launch, rank)])
            for line in (f"{prefix}{shlex.join(['python', '-m', *argv])}", f"    = {started}"):
                console.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)
