"""Cutting hook retries out of a conversation, so that "fail, then be corrected" is not learnt."""

from __future__ import annotations

from dataclasses import replace

from components.harness.messages import strip_reasoning
from components.harness.types import Message, Trajectory

_OUTCOMES = ("skill", "tool", "error")


def has_retry(trajectory: Trajectory) -> bool:
    """Whether a hook sent something back that the policy did wrong."""
    return bool(_refused_turns(trajectory))


def cut_retries(trajectory: Trajectory) -> tuple[Message, ...]:
    """The messages without any attempt that a hook refused and without what the hook said of it.

    Of a turn with several tool calls only the refused ones go; the others and their results stay. A hook's word on a
    tool's result stays as well: that the tool failed is not the policy's doing, and what comes next is how to recover.
    The turn after a refusal loses its thought, for it is about a refusal that is no longer there.
    """
    opening, turns = _turns(trajectory.messages)
    refused = _refused_turns(trajectory)
    messages = list(opening)
    for number, turn in enumerate(turns):
        if number - 1 in refused:
            turn = [replace(turn[0], content=strip_reasoning(turn[0].content)), *turn[1:]]
        messages += _without_refused(trajectory, number, turn) if number in refused else turn
    return tuple(messages)


def _refused_turns(trajectory: Trajectory) -> set[int]:
    """Turns whose reply, or one of whose calls, a hook sent back."""
    sent_back = {event.turn for event in trajectory.events if event.kind == "hook" and event.arguments["action"] != "rewrite"}
    calling = {event.turn for event in trajectory.events if event.kind in _OUTCOMES}
    bad_calls = {event.turn for event in trajectory.events if (event.kind, event.name) == ("error", "bad_arguments")}
    return sent_back & (bad_calls | (sent_back - calling))


def _turns(messages: tuple[Message, ...]) -> tuple[list[Message], list[list[Message]]]:
    """What opens the conversation, then a list a turn: the assistant's message and all that answers it."""
    opening: list[Message] = []
    turns: list[list[Message]] = []
    for message in messages:
        if message.role == "assistant":
            turns.append([message])
        else:
            (turns[-1] if turns else opening).append(message)
    return opening, turns


def _without_refused(trajectory: Trajectory, number: int, turn: list[Message]) -> list[Message]:
    attempt = turn[0]
    # The loop records one outcome a call, in the order of the calls, after those of the unreadable ones.
    outcomes = [
        event
        for event in trajectory.events
        if event.turn == number and event.kind in _OUTCOMES and event.name != "malformed_call"
    ]
    accepted = tuple(
        call
        for call, outcome in zip(attempt.tool_calls, outcomes, strict=True)
        if (outcome.kind, outcome.name) != ("error", "bad_arguments")
    )
    if not accepted:
        return []
    ids = {call.call_id for call in accepted}
    return [replace(attempt, tool_calls=accepted), *(message for message in turn[1:] if message.call_id in ids)]
