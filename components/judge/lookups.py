"""What an episode looked up, held against what its case needed: made, missed, wasted, failed and recovered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from components.harness.types import LOAD_SKILL, Event, JsonObject, Trajectory
from components.liveroom.types import Truth

TRIES = 3
"""Calls of one look-up at the most that make sense: transient faults are gone by the second."""

Outcome = Literal["answered", "failed", "refused", "unfit"]
"""`failed` may help when made again, `refused` never; `unfit` could not be carried out at all: the model's own mistake."""


@dataclass(frozen=True)
class Attempt:
    """One call of a tool of the room, in canonical terms."""

    implementation: str
    """Empty where the call could not be read, or named no tool."""
    arguments: JsonObject
    outcome: Outcome


@dataclass(frozen=True)
class Lookup:
    """One needed look-up and what became of it."""

    tries: int
    """How often it was made, as far as that made sense."""
    answered: bool
    refused: bool
    """Permission was denied: trying again does not help."""

    @property
    def failed(self) -> bool:
        """A tool fault was met, whether or not it was overcome."""
        return self.tries > self.answered

    @property
    def exhausted(self) -> bool:
        """Nothing more could be done: it was refused, or made again without an answer."""
        return not self.answered and (self.refused or self.tries > 1)


@dataclass(frozen=True)
class Lookups:
    """All look-ups of an episode."""

    needed: tuple[Lookup, ...]
    wasted: int
    """Calls that nothing needed, that came again after an answer or a refusal, and that could not be carried out."""

    @property
    def out_of_reach(self) -> bool:
        """Whether something needed was asked for and never answered."""
        return any(lookup.tries and not lookup.answered for lookup in self.needed)


def lookups(truth: Truth, trajectory: Trajectory) -> Lookups:
    """Hold the calls of an episode against those that its case needs. Loading skills is no look-up."""
    made = list(attempts(trajectory))
    wasted = len(made)
    needed = []
    for implementation, arguments in truth.calls:
        wanted = (implementation, _plain(arguments))
        tries, answered, refused = 0, False, False
        for attempt in made:
            if answered or refused or tries == TRIES or (attempt.implementation, _plain(attempt.arguments)) != wanted:
                continue
            if attempt.outcome != "unfit":
                tries += 1
                answered, refused = attempt.outcome == "answered", attempt.outcome == "refused"
        needed.append(Lookup(tries, answered, refused))
        wasted -= tries
    return Lookups(tuple(needed), wasted)


def attempts(trajectory: Trajectory) -> Iterator[Attempt]:
    """Every call in order, unreadable ones first in their turn; of `load_skill` only calls with wrong arguments."""
    implementations = {tool.name: tool.implementation for tool in trajectory.tools}
    written = [message for message in trajectory.messages if message.role == "assistant"]
    for turn, message in enumerate(written):
        yield from (Attempt("", {}, "unfit") for _ in message.malformed_calls)
        events = [event for event in trajectory.events if event.turn == turn and _answers_a_call(event)]
        # The loop records one event a call, in their order; a hook that ends the episode may leave the last ones without.
        for call, event in zip(message.tool_calls, events, strict=False):
            implementation = implementations.get(call.name, "")
            if implementation != LOAD_SKILL or event.name == "bad_arguments":
                yield Attempt(implementation, event.arguments, _outcome(event))


def _answers_a_call(event: Event) -> bool:
    return event.kind in ("tool", "skill") or (event.kind == "error" and event.name not in ("malformed_call", "policy_error"))


def _outcome(event: Event) -> Outcome:
    if event.kind == "tool":
        return "answered" if _reliable(event.result) else "failed"
    if event.name in ("unknown_tool", "bad_arguments", "too_many_calls"):
        return "unfit"
    return "refused" if "permission denied" in event.detail.casefold() else "failed"


def _reliable(result: JsonObject) -> bool:
    """Whether a result says something, is whole and is of now."""
    broken_off = len(result) == 1 and isinstance(data := result.get("data"), str) and data.startswith("{")
    return bool(result) and not broken_off and "as_of_minutes_ago" not in result


def _plain(arguments: JsonObject) -> JsonObject:
    """Arguments as they are compared: an empty option is none, case does not count, nor does the order of two links."""
    return {name: _folded(value) for name, value in arguments.items() if value not in (None, "")}


def _folded(value: Any) -> Any:
    match value:
        case str():
            return value.strip().casefold()
        case list() if all(type(one) is int for one in value):
            return sorted(value)
    return value
