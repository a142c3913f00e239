"""Dimension hook behaviour: the same checks with other messages, points, order and bounds, or more that no right answer meets."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from random import Random

from components.augment.frames import EXTRA_CHECKS, MORE_PHRASES, frame, framing
from components.augment.hook_order import binding_order, is_bound, may_move
from components.augment.layout import sentences
from components.augment.naming import fresh
from components.augment.texts import borne_names
from components.augment.types import Apply, Dimension, Family, in_dimension
from components.augment.wording import rewording
from components.harness.hooks import CHECKS, REPLY_POINTS
from components.harness.types import Harness, Hook, HookAction, HookPoint

_FORMED = tuple(point for point in HookPoint if point is not HookPoint.RETRY_CONTROL)
"""Where a message has a form of its own: at `retry_control` it may hold another one, form and all."""


def _with_messages(harness: Harness, change: Callable[[Hook], str], points: tuple[HookPoint, ...] = _FORMED) -> Harness:
    """Change the messages that the model reads; what a viewer hears stays."""

    def changed(hook: Hook) -> Hook:
        is_read = hook.action is HookAction.RETRY and hook.point in points and hook.message.strip()
        return replace(hook, message=change(hook)) if is_read else hook

    return replace(harness, hooks=tuple(map(changed, harness.hooks)))


def _reworded(family: Family) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        reword, around = rewording(family, random, borne_names(harness)), framing("hook message", family, random)
        return _with_messages(harness, lambda hook: around(reword(hook.message)), (*HookPoint,))

    return apply


def _framed(what: str, family: Family) -> Apply:
    """Every message in the same frame."""

    def apply(harness: Harness, random: Random) -> Harness:
        around = framing(what, family, random)
        return _with_messages(harness, lambda hook: around(hook.message))

    return apply


def _quoted(harness: Harness, random: Random) -> Harness:
    """The refused reply is quoted beside the reason."""
    quoted = frame("hook message with the reply", "heldout", random)
    return _with_messages(harness, lambda hook: quoted(hook.message), REPLY_POINTS)


def _as_steps(harness: Harness, random: Random) -> Harness:
    """Another form of retry: numbered steps."""
    last = frame("last step", "train", random)()
    return _with_messages(
        harness, lambda hook: "\n".join(f"{n}. {part}" for n, part in enumerate((*sentences(hook.message), last), 1))
    )


def _as_json(harness: Harness, random: Random) -> Harness:
    """Another form of retry: a JSON object, where the message can stand in one as it is."""
    written = frame("hook message in a form", "heldout", random)

    def as_json(hook: Hook) -> str:
        fits = json.dumps(hook.message, ensure_ascii=False) == f'"{hook.message}"'
        return written(hook.message) if fits else hook.message

    return _with_messages(harness, as_json)


def _reordered(harness: Harness, random: Random) -> Harness:
    """Shuffle neighbours of one point that all ask for a retry; where a hook does anything else, order matters and stays."""
    hooks = list(harness.hooks)
    for point in HookPoint:
        places = [place for place, hook in enumerate(hooks) if hook.point is point]
        for bound, group in groupby(places, key=lambda place: is_bound(harness.hooks[place])):
            run = list(group)
            if not bound:
                for place, other in zip(run, random.sample(run, len(run)), strict=True):
                    hooks[place] = harness.hooks[other]
    return replace(harness, hooks=tuple(hooks))


def _moved(harness: Harness, random: Random) -> Harness:
    """Each check of a reply at another point where it asks the same, half of the time."""
    order, hooks = binding_order(harness.hooks), list(harness.hooks)
    for place, hook in enumerate(harness.hooks):
        points = [point for point in REPLY_POINTS if point is not hook.point and may_move(hook, point)]
        if points and random.random() < 0.5:
            moved = [*hooks[:place], replace(hook, point=random.choice(points)), *hooks[place + 1 :]]
            hooks = moved if binding_order(moved) == order else hooks
    return replace(harness, hooks=tuple(hooks))


def _looser(harness: Harness, random: Random) -> Harness:
    """Raise the bounds of a reply's length: what was allowed stays allowed."""
    share = random.choice((1.25, 1.5, 2.0))

    def changed(hook: Hook) -> Hook:
        if hook.check != "reply_length":
            return hook
        raised = {name: round(bound * share) for name, bound in hook.parameters.items() if name.startswith("max_")}
        return replace(hook, parameters={**hook.parameters, **raised})

    return replace(harness, hooks=tuple(map(changed, harness.hooks)))


def _stricter(harness: Harness, random: Random) -> Harness:
    """Forbid more phrases wherever phrases are forbidden."""
    more = random.choice(MORE_PHRASES)

    def changed(hook: Hook) -> Hook:
        if hook.check != "forbidden_phrases" or hook.action is HookAction.REWRITE:
            return hook
        return replace(hook, parameters={**hook.parameters, "phrases": [*hook.parameters["phrases"], *more]})

    return replace(harness, hooks=tuple(map(changed, harness.hooks)))


def _extra_check(harness: Harness, random: Random) -> Harness:
    phrases, message = random.choice(EXTRA_CHECKS)
    extra = Hook(
        name=fresh("stay_in_role", {hook.name.casefold() for hook in harness.hooks}),
        point=CHECKS["forbidden_phrases"].points[0],
        check="forbidden_phrases",
        action=HookAction.RETRY,
        message=message,
        parameters={"phrases": list(phrases)},
    )
    return replace(harness, hooks=(*harness.hooks, extra))


TRANSFORMATIONS = in_dimension(
    Dimension.HOOK_BEHAVIOUR,
    ("reordered", "train", _reordered),
    ("looser", "train", _looser),
    ("stricter", "train", _stricter),
    ("reworded", "train", _reworded("train")),
    ("spanish", "train", _framed("hook message in a language", "train")),
    ("steps", "train", _as_steps),
    ("tagged", "train", _framed("hook message in a form", "train")),
    ("moved", "heldout", _moved),
    ("extra_check", "heldout", _extra_check),
    ("other_wording", "heldout", _reworded("heldout")),
    ("german_or_chinese", "heldout", _framed("hook message in a language", "heldout")),
    ("json", "heldout", _as_json),
    ("quoted", "heldout", _quoted),
)
