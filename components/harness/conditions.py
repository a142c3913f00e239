"""When a hook or a prompt section is in force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from components.harness.types import Condition, Request, Utterance

_TESTS: dict[str, tuple[str, Callable[[object], bool], Callable[[Request, object], bool]]] = {
    "language": ("en or zh", lambda value: value in ("en", "zh"), lambda request, value: request.language == value),
    "campaign": ("true or false", lambda value: type(value) is bool, lambda request, value: bool(request.campaign) is value),
    "dialogue": ("true or false", lambda value: type(value) is bool, lambda request, value: bool(request.dialogue) is value),
    "comments": (
        "one or several",
        lambda value: value in ("one", "several"),
        lambda request, value: (len(request.comments) > 1) is (value == "several"),
    ),
    "viewers_over": (
        "a whole number from 0",
        lambda value: type(value) is int and value >= 0,
        lambda request, value: isinstance(value, int) and request.audience.get("viewers", 0) > value,
    ),
}
"""Key → what its value may be, in words and as a test, and whether it holds of a request."""


def holds(condition: Condition, request: Request) -> bool:
    """Whether every entry of `condition` holds of the request. Raises KeyError for an unknown key (see `check_condition`)."""
    return all(_TESTS[key][2](request, value) for key, value in condition.items())


def check_condition(condition: Condition) -> str | None:
    """What is wrong with a condition, beginning with the key, or None."""
    for key, value in condition.items():
        if key not in _TESTS:
            return f"{key}: unknown condition; expected some of {', '.join(_TESTS)}; correct it"
        expected, fits, _ = _TESTS[key]
        if not fits(value):
            return f"{key}: expected {expected}, found {value!r}; correct it"
    return None


def every_kind_of_request() -> Iterator[Request]:
    """A request for each way in which conditions can tell requests apart."""
    choices = product(("en", "zh"), ("", "Campaign"), ((), (Utterance("host", "Hello."),)), (("a",), ("a", "b")), (0, 2**63))
    for language, campaign, dialogue, comments, viewers in choices:
        yield Request("", "", comments, 1, (), language, dialogue, campaign, {"viewers": viewers})  # type: ignore[arg-type]
