"""What is printed says what it means whatever names people chose."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from components.harness import load_harness
from components.promotion.types import Entry, EntryKind, utc_now
from flows import console
from flows.commands.harness_view import show_harness

HARNESS = load_harness(Path(__file__).parents[2] / "harness")


def printed() -> Console:
    return Console(file=StringIO(), width=300, force_terminal=True)


def said(by: Console) -> str:
    assert isinstance(by.file, StringIO)
    return by.file.getvalue()


def test_names_with_brackets_are_shown_as_they_are() -> None:
    odd = "a[/b]"
    harness = replace(
        HARNESS,
        skills=(replace(HARNESS.skills[0], name=odd), *HARNESS.skills[1:]),
        tools=(replace(HARNESS.tools[0], name=odd), *HARNESS.tools[1:]),
        hooks=(replace(HARNESS.hooks[0], name=odd), *HARNESS.hooks[1:]),
    )
    screen = printed()
    show_harness(screen, harness)
    assert said(screen).count(odd) >= 3


@pytest.mark.parametrize(("days", "words"), [(1, "OVERRIDE, expires"), (-1, "OVERRIDE, EXPIRED on")])
def test_an_override_is_red_and_says_when_it_has_expired(monkeypatch: pytest.MonkeyPatch, days: int, words: str) -> None:
    expires = utc_now() + timedelta(days=days)
    entry = Entry(1, utc_now(), EntryKind.OVERRIDE, "Ada", "a sale", "feed", None, expires=expires)
    monkeypatch.setattr(console, "champion_entry", lambda state: entry)
    monkeypatch.setattr(console, "history", lambda state: [entry])
    monkeypatch.setattr(console, "load_requests", lambda state: [])
    screen = printed()
    console.show_promotion(screen)
    assert f"\x1b[31m{words} {expires:%Y-%m-%d}" in said(screen)
