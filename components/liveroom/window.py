"""Comments that arrive within a window become one request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from components.errors import UserError


@dataclass(frozen=True)
class TimedComment:
    """A comment and when it came, in seconds by any one clock."""

    seconds: float
    text: str


@dataclass(frozen=True)
class Window:
    """The comments of one request, in the order in which they came."""

    comments: tuple[TimedComment, ...]
    dropped: int = 0
    """How many older comments of the window were left out, since the room was flooded."""


def merge_comments(comments: Iterable[TimedComment], window_seconds: float, most: int) -> list[Window]:
    """Group comments by time: a window opens with the first comment after the last one, and lasts `window_seconds`.

    A comment at the very end of a window opens the next. Of more than `most` in one window the newest stay. Comments of
    one moment keep the order given. Raises UserError for a window or a number that is not positive.
    """
    if not window_seconds > 0:
        raise UserError(f"window_seconds: expected more than 0, found {window_seconds}; correct it")
    if most < 1:
        raise UserError(f"most: expected at least 1 comment a request, found {most}; correct it")
    groups: list[list[TimedComment]] = []
    for comment in sorted(comments, key=lambda one: one.seconds):
        if groups and comment.seconds - groups[-1][0].seconds < window_seconds:
            groups[-1].append(comment)
        else:
            groups.append([comment])
    return [Window(tuple(group[-most:]), max(0, len(group) - most)) for group in groups]
