"""`hat chat`: talk to any policy in a live room."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from components.errors import UserError

if TYPE_CHECKING:
    from components.harness.types import Language, Policy

RATE = 0.1
"""Share of calls that each kind of fault hits with --faults."""


@click.command()
@click.option("--policy", "who", default="expert", show_default=True, metavar="expert|MODEL_DIR|URL", help="Who answers.")
@click.option("--model", help="Name of the model behind the URL.")
@click.option("--api-key-env", default="", metavar="NAME", help="Environment variable that holds the URL's key.")
@click.option("--profile", default="laptop", show_default=True, help="Whose rooms: a file of infra/profiles/.")
@click.option("--room", help="By default the first one that no training saw.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Take a room that speaks it.")
@click.option("--harness", "directory", type=click.Path(path_type=Path), help="By default the one of this checkout.")
@click.option("--faults", is_flag=True, help="Let tools time out, break off, be forbidden, empty, stale and slow at times.")
@click.pass_obj
def chat(
    caller: Path | None,
    who: str,
    model: str | None,
    api_key_env: str,
    profile: str,
    room: str | None,
    language: Language | None,
    directory: Path | None,
    faults: bool,
) -> None:
    """Talk to a policy as a viewer of a live room, and see what it does. The expert plays cases; a model answers all you type."""
    from contextlib import suppress

    from rich.console import Console

    from components.liveroom.faults import Fault
    from flows.chat.rooms import open_rooms
    from flows.chat.session import Chat
    from flows.chat.view import ChatView
    from flows.paths import HARNESS

    with suppress(ImportError):
        import readline  # noqa: F401

    here = caller or Path()
    view = ChatView(Console())
    with open_rooms(profile, language) as rooms:
        rates = dict.fromkeys(map(str, Fault), RATE) if faults else {}
        harness = here / directory if directory else HARNESS
        policy = _policy(who, model, api_key_env, here)
        Chat(view, rooms, room or rooms.first(language), harness, policy, rates, here).run(_read)


def _read(prompt: str) -> str:
    """A line of standard input; one that nobody typed is shown, so that what is printed reads as a conversation."""
    line = input(prompt)
    if not sys.stdin.isatty():
        click.echo(line)
    return line


def _policy(who: str, model: str | None, api_key_env: str, here: Path) -> Policy | None:
    """The policy, or None for the expert. Raises UserError for a folder that holds no model."""
    if who == "expert":
        return None
    if who.startswith(("http://", "https://")):
        if not _is_address(who):
            raise UserError(f"--policy {who}: expected an address such as http://localhost:8000/v1; correct it")
        if not model:
            raise click.UsageError("--model: expected the name of the model behind the URL; pass it")
        from components.policy import ServerPolicy

        return ServerPolicy(who, model, api_key_env)
    from components.policy import LocalPolicy

    return LocalPolicy(here / who)


def _is_address(url: str) -> bool:
    """Whether it names a host, and where it names a port, one that there can be."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
