"""The command line: `hat`. What is slow to import is imported in the command that needs it."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import click

from components.errors import UserError
from flows import environment
from flows.arms import REPEATS
from flows.commands.chat import chat
from flows.commands.harness import harness
from flows.commands.plan import plan
from flows.commands.room import room
from flows.paths import RunPaths, decided_report

PORT = click.IntRange(1, 65535)
by = click.option("--by", required=True, help="Who decides: a name that the ledger keeps.")
reason = click.option("--reason", required=True, help="Why, in words that the ledger keeps.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
def hat() -> None:
    """Harness-Aware Training: retrain the agent, look at what came of it, decide what serves."""


@hat.command()
@click.option("--profile", default="laptop", show_default=True, help="The size to run at: a file of infra/profiles/.")
def retrain(profile: str) -> None:
    """Run every stage that does not stand, then the gate. Stopped half-way, it goes on there the next time."""
    from rich.console import Console

    from flows.conclusion import standing
    from flows.console import show_conclusion, show_plan
    from flows.lock import one_retraining
    from flows.plan import make_plan

    console = Console()
    with one_retraining(profile):
        plan = make_plan(profile)
        show_plan(console, plan)
        conclusion = None if plan.todo else standing(profile)
        if conclusion is None:
            from flows import retrain as flow

            conclusion = flow.retrain(profile, plan.todo)
        show_conclusion(console, profile, conclusion)


@hat.command()
@click.option("--profile", default="laptop", show_default=True, help="The size to run at: a file of infra/profiles/.")
@click.option("--repeats", type=click.IntRange(1, REPEATS), default=REPEATS, show_default=True, help="Seeds that train each arm.")
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Stages that run at once, where there is room."
)
def ablate(profile: str, repeats: int, jobs: int) -> None:
    """Train and evaluate every arm: base, SFT, distillation, RL, each with and without augmentation; then one table."""
    from rich.console import Console
    from rich.markdown import Markdown

    from flows import ablate as flow
    from flows.console import show_plan
    from flows.lock import one_retraining
    from flows.plan import make_plan

    console = Console()
    with one_retraining(profile):
        plan = make_plan(profile, flow.goals(repeats))
        show_plan(console, plan, "ablate")
        flow.run(profile, plan.stages, plan.todo, jobs)
    table = RunPaths.of(profile).ablation
    console.print(Markdown((table / "ablation.md").read_text()))
    click.echo((table / "ablation.html").resolve())


@hat.command()
def status() -> None:
    """Which stages stand, who is champion, which requests wait for an answer."""
    from rich.console import Console

    from flows.console import show_promotion, show_stages

    console = Console()
    show_stages(console)
    show_promotion(console)


@hat.command()
@click.option("--profile", help="By default the one that was retrained last.")
def report(profile: str | None) -> None:
    """Print the table of the last run, and where its report is."""
    from rich.console import Console

    from flows.console import show_table
    from flows.params import active

    paths = RunPaths.of(profile or active().profile)
    show_table(Console(), paths)
    decided = decided_report(paths.root.name)
    click.echo(((decided if decided.exists() else paths.report) / "report.html").resolve())


@hat.command()
@click.argument("request")
@by
@reason
@click.option("--override", is_flag=True, help="Promote although the gate did not decide so; it expires and is shown in red.")
def approve(request: str, by: str, reason: str, override: bool) -> None:
    """Make the release of REQUEST champion."""
    from rich.console import Console

    from flows import promote
    from flows.console import say_change

    say_change(Console(), promote.carry_out(promote.approve, request, by, reason, override))


@hat.command()
@click.argument("request")
@by
@reason
def reject(request: str, by: str, reason: str) -> None:
    """Answer REQUEST with no."""
    from rich.console import Console

    from flows import promote
    from flows.console import say_change

    say_change(Console(), promote.carry_out(promote.reject, request, by, reason))


@hat.command()
@by
@reason
@click.option("--leaving", metavar="RELEASE", help="Do nothing unless this release is champion: for a call that may be repeated.")
def rollback(by: str, reason: str, leaving: str | None) -> None:
    """Make the champion before the present one champion again."""
    from rich.console import Console

    from flows import promote
    from flows.console import say_change

    say_change(Console(), promote.carry_out(promote.rollback, by, reason, leaving))


hat.add_command(harness)
hat.add_command(room)
hat.add_command(chat)
hat.add_command(plan)


@hat.command()
@click.option("--mlflow-port", type=PORT, default=5000, show_default=True)
@click.option("--prefect-port", type=PORT, default=4200, show_default=True)
def up(mlflow_port: int, prefect_port: int) -> None:
    """Serve the pages of MLflow and Prefect on this machine until Ctrl-C."""
    from flows.up import serve

    with suppress(KeyboardInterrupt):
        serve(mlflow_port, prefect_port)


def main() -> None:
    """Run `hat` in the checkout. Bad input: one line on standard error, exit code 2; a failed stage: 1; Ctrl-C: 130."""
    caller = Path.cwd()
    os.chdir(environment.ROOT)
    environment.activate(environment.ROOT)
    # A scheduler's SIGTERM ends everything as cleanly as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        hat(obj=caller, prog_name="hat", standalone_mode=False)
    except UserError as error:
        _leave(str(error), 2)
    except click.ClickException as error:
        _leave(f"{error.format_message()} (hat --help lists what there is)", 2)
    except (click.Abort, KeyboardInterrupt):
        _leave("stopped; the same command goes on from here", 130)
    except RuntimeError as error:
        from flows.dvc import StageFailed

        if not isinstance(error, StageFailed):
            raise
        _leave(str(error), 1)


def _leave(words: str, code: int) -> None:
    click.echo(f"hat: {words}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
