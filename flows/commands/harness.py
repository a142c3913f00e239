"""`hat harness`: look at a harness, compare two, prove one, and make one from what was published elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flows.paths import HARNESS

if TYPE_CHECKING:
    from components.harness.types import Harness

FOLDER = click.Path(path_type=Path)
directory = click.argument("directory", type=FOLDER, required=False)
of_profile = click.option("--profile", help="Whose cases; by default those of the profile that was retrained last.")


@click.group()
def harness() -> None:
    """The harness: skills, tools, hooks and prompt pipeline. DIRECTORY is by default the one of this checkout."""


@harness.command()
@directory
@click.pass_obj
def check(caller: Path | None, directory: Path | None) -> None:
    """Check a harness.

    Say whether the one in DIRECTORY can be used, and what in it its authors may not have meant.
    """
    from rich.console import Console

    from components.harness.load import load_with_notes
    from components.liveroom.serves import check_room_serves
    from components.liveroom.tools import TOOLS
    from flows.commands.harness_view import show_check

    where = _where(caller, directory)
    found, notes = load_with_notes(where)
    if any(tool.implementation in TOOLS for tool in found.tools):
        check_room_serves(found, where)
    else:
        notes.append(f"{where}: none of its tools is one of the live room's; it needs a room of its own")
    show_check(Console(), where, found, notes)


@harness.command()
@directory
@click.pass_obj
def show(caller: Path | None, directory: Path | None) -> None:
    """Show parts and system prompt of a harness."""
    from rich.console import Console

    from components.harness import load_harness
    from flows.commands.harness_view import show_harness

    show_harness(Console(), load_harness(_where(caller, directory)))


@harness.command()
def checks() -> None:
    """List the checks that hooks may name."""
    from rich.console import Console

    from components.harness.hooks import CHECKS
    from flows.commands.harness_view import show_checks

    show_checks(Console(), CHECKS)


@harness.command()
@click.argument("before")
@click.argument("after", required=False)
@of_profile
@click.pass_obj
def diff(caller: Path | None, before: str, after: str | None, profile: str | None) -> None:
    """Say in plain words what an edit changes.

    And which evaluation cases it touches. BEFORE and AFTER are each a folder or a git
    revision such as HEAD~1; AFTER is by default the harness of this checkout as it is.
    """
    from rich.console import Console

    from components.harness.diff import diff as changes_of
    from components.harness.diff import touched
    from flows.commands.harness_view import show_changes, show_touched
    from flows.harness_cases import uses

    console, old, new, cases = Console(), _harness(caller, before), _harness(caller, after), uses(profile)
    changes = changes_of(old, new)
    show_changes(console, old, new, changes)
    if changes and cases:
        show_touched(console, touched(changes, cases), profile)


@harness.command()
@click.option("--case", "case_id", required=True, help="Id of a case of the last run.")
@click.option("--dir", "directory", type=FOLDER, help="The harness; by default the one of this checkout.")
@of_profile
@click.pass_obj
def render(caller: Path | None, case_id: str, directory: Path | None, profile: str | None) -> None:
    """Print what the model is given for a case.

    The exact messages, and the tools beside them.
    """
    from rich.console import Console

    from components.harness import load_harness
    from flows.commands.harness_view import show_opening
    from flows.harness_cases import find_case

    show_opening(Console(), load_harness(_where(caller, directory)), find_case(case_id, profile).request)


@harness.command(name="import")
@click.argument("tools", type=FOLDER)
@click.option("--skills", type=FOLDER, help="Folder of published skills, each a folder with a SKILL.md.")
@click.option("--to", type=FOLDER, required=True, help="The new folder to write.")
@click.pass_obj
def import_(caller: Path | None, tools: Path, skills: Path | None, to: Path) -> None:
    """Make a harness from published tools.

    TOOLS is a list in OpenAI's form, or the result of MCP's tools/list, as JSON or YAML.
    """
    from rich.console import Console

    from components.harness.importing import import_harness
    from flows.commands.harness_view import show_check

    where = _where(caller, to)
    made, notes = import_harness(_where(caller, tools), _where(caller, skills) if skills else None, where)
    show_check(Console(), where, made, notes)
    click.echo(f"next: hat harness show {to}, hat harness prove --variants 100 --seed 1 --harness {to}")


@harness.command()
@click.option("--variants", type=click.IntRange(min=1), default=100, show_default=True, help="How many to make and prove.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--harness", "directory", type=FOLDER, help="The harness; by default the one of this checkout.")
@click.pass_obj
def prove(caller: Path | None, variants: int, seed: int, directory: Path | None) -> None:
    """Prove that augmentation keeps the task.

    Exit code 1 at the first variant that does not, shown as small as it can be made.
    """
    from rich.console import Console

    from flows.prove import prove_variants

    sys.exit(prove_variants(Console(), _where(caller, directory), variants, seed))


def _where(caller: Path | None, path: Path | None) -> Path:
    """A path on the command line is the caller's; none is the harness of this checkout."""
    return (caller or Path()) / path if path else HARNESS


def _harness(caller: Path | None, given: str | None) -> Harness:
    """The harness in a folder or at a git revision."""
    from components.harness import load_harness
    from flows.revisions import harness_at

    folder = _where(caller, Path(given) if given else None)
    return harness_at(given) if given and not folder.is_dir() else load_harness(folder)
