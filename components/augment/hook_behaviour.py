"""Dimension hook behaviour: the same checks with other messages, order and bounds, or one more that no right answer meets."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

from components.augment.naming import fresh
from components.augment.texts import borne_names
from components.augment.types import Apply, Dimension, Family, Transformation
from components.augment.wording import HOOK_MESSAGE, reword, wrap
from components.harness.types import Harness, Hook, HookAction, HookPoint

_EXTRA_CHECKS = (
    (("as an AI", "language model"), "Speak as the host of the room: {reason}."),
    (("tool result", "system prompt"), "Leave your own workings out: {reason}."),
    (("TODO", "lorem ipsum"), "Finish the reply: {reason}."),
)
"""Phrases that no right reply holds, with the message for a reply that does."""

_TAGS = ("retry", "feedback", "check")


def _reworded(family: Family) -> Apply:
    def apply(harness: Harness, random: Random) -> Harness:
        names = borne_names(harness)

        def changed(hook: Hook) -> Hook:
            return replace(hook, message=wrap(reword(hook.message, family, random, names), HOOK_MESSAGE, family, random))

        return replace(harness, hooks=tuple(map(changed, harness.hooks)))

    return apply


def _reordered(harness: Harness, random: Random) -> Harness:
    """Shuffle the hooks of a point among their places. Where one blocks and another retries, the order matters and stays."""
    places = defaultdict(list)
    for place, hook in enumerate(harness.hooks):
        places[hook.point].append(place)
    hooks = list(harness.hooks)
    for same_point in places.values():
        group = [harness.hooks[place] for place in same_point]
        if len({hook.action for hook in group}) == 1:
            for place, hook in zip(same_point, random.sample(group, len(group)), strict=True):
                hooks[place] = hook
    return replace(harness, hooks=tuple(hooks))


def _looser(harness: Harness, random: Random) -> Harness:
    """Raise every integer bound called `max_…`: what was allowed stays allowed."""
    share = random.choice((1.25, 1.5, 2.0))

    def changed(hook: Hook) -> Hook:
        raised = {
            name: round(value * share)
            for name, value in hook.parameters.items()
            if name.startswith("max_") and isinstance(value, int) and value > 0
        }
        return replace(hook, parameters={**hook.parameters, **raised})

    return replace(harness, hooks=tuple(map(changed, harness.hooks)))


def _tagged(harness: Harness, random: Random) -> Harness:
    """Another form of retry: the message comes between tags instead of as a sentence."""
    tag = random.choice(_TAGS)
    return replace(harness, hooks=tuple(replace(h, message=f"<{tag}>{h.message}</{tag}>") for h in harness.hooks))


def _extra_check(harness: Harness, random: Random) -> Harness:
    phrases, message = random.choice(_EXTRA_CHECKS)
    extra = Hook(
        name=fresh("stay_in_role", {hook.name.casefold() for hook in harness.hooks}),
        point=HookPoint.FACTUAL_RISK,
        check="forbidden_phrases",
        action=HookAction.RETRY,
        message=message,
        parameters={"phrases": list(phrases)},
    )
    return replace(harness, hooks=(*harness.hooks, extra))


TRANSFORMATIONS = (
    Transformation("hook_behaviour/reworded", Dimension.HOOK_BEHAVIOUR, "train", _reworded("train")),
    Transformation("hook_behaviour/reordered", Dimension.HOOK_BEHAVIOUR, "train", _reordered),
    Transformation("hook_behaviour/looser", Dimension.HOOK_BEHAVIOUR, "train", _looser),
    Transformation("hook_behaviour/other_wording", Dimension.HOOK_BEHAVIOUR, "heldout", _reworded("heldout")),
    Transformation("hook_behaviour/tagged", Dimension.HOOK_BEHAVIOUR, "heldout", _tagged),
    Transformation("hook_behaviour/extra_check", Dimension.HOOK_BEHAVIOUR, "heldout", _extra_check),
)
