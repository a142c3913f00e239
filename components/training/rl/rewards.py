"""The four rewards of an episode, and what its reasoning cost (hat.md, HSA-RL; arXiv 2608.15763).

Everything is for the sake of a reply: an episode in which none was even proposed earns nothing, and one whose reply was
not accepted earns nothing for it. None is what could not be scored, which is no 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean

from components.harness.messages import strip_reasoning
from components.harness.types import Event, Message, StopReason, Trajectory
from components.judge.fact_matcher import admits
from components.judge.lookups import Lookup, Lookups, lookups
from components.judge.reward import RewardVerdict
from components.liveroom.types import Truth
from components.training.params import ThinkingPenalty

REWARDS = ("accuracy", "effectiveness", "tool_rationality", "skill_selection")

RECOVERY_SKILL = "recover-tools"
"""Key of the strategy skill that a failed tool makes worth loading."""

_CALL = re.compile(r"\s?<tool_call>.*?</tool_call>\s?", re.DOTALL)


@dataclass(frozen=True)
class Scores:
    """Each in [0, 1], in the order of `REWARDS`; None: not scorable."""

    accuracy: float | None
    effectiveness: float | None
    tool_rationality: float | None
    skill_selection: float | None
    recovered: bool | None = None
    """Whether every tool fault was overcome or owned up to; None where no needed look-up failed."""

    @property
    def mean(self) -> float | None:
        """Of the rewards that could be scored."""
        known = [value for value in astuple(self)[:4] if value is not None]
        return fmean(known) if known else None


UNSCORABLE = Scores(None, None, None, None)


def score(truth: Truth, trajectory: Trajectory, verdict: RewardVerdict) -> Scores:
    """Score an episode; `verdict` is the reward judge's of its reply, and counts only where a reply was accepted.

    An episode in which the model never wrote (its prompt was too long, its request was refused) is not scorable.
    """
    written = [message for message in trajectory.messages if message.role == "assistant"]
    if not written:
        return UNSCORABLE
    found = lookups(truth, trajectory)
    replied = trajectory.stop_reason is StopReason.REPLIED
    honest = replied and admits(trajectory.reply, truth)
    failed = [lookup for lookup in found.needed if lookup.failed]
    recovered = all(lookup.answered or honest for lookup in failed) if failed else None
    if all(is_call(message) for message in written):
        return Scores(0.0, 0.0, 0.0, 0.0, recovered)
    return Scores(
        verdict.accuracy if replied else 0.0,
        verdict.effectiveness if replied else 0.0,
        _tool_rationality(found, replied, honest),
        _skill_selection(truth, trajectory.events, bool(failed)),
        recovered,
    )


def is_call(message: Message) -> bool:
    """Whether an assistant's message is a tool-call turn, be its calls well formed or not; else it proposes a reply."""
    return bool(message.tool_calls or message.malformed_calls)


def thinking_tokens(written: str, message: Message, count: Callable[[str], int]) -> int:
    """Tokens of a turn that are neither a call nor spoken: inside tags, after an open one, or outside of any.

    written  what the model wrote in the turn, as text; `message` is what the loop made of it.
    """
    visible = strip_reasoning(written)
    kept = "".join(_CALL.findall(visible)) if is_call(message) else visible
    return max(0, count(written) - count(kept))


def excess(turns: Sequence[int], penalty: ThinkingPenalty) -> float | None:
    """Reasoning beyond the free tokens in units of `scale`, mean over the turns of a segment; None where it has none."""
    if not turns:
        return None
    return fmean(min(max(0, tokens - penalty.free) / penalty.scale, penalty.most) for tokens in turns)


def _tool_rationality(found: Lookups, replied: bool, honest: bool) -> float:
    """F-measure of the look-ups: misses and needless calls both cost. Where none was needed, doing nothing is no merit."""
    if not found.needed:
        return 1 / (1 + found.wasted) if replied else 0.0
    made = sum(lookup.tries > 0 for lookup in found.needed)
    recall = fmean(_credit(lookup, honest) for lookup in found.needed)
    return _harmonic(made / (made + found.wasted) if made else 0.0, recall)


def _credit(lookup: Lookup, honest: bool) -> float:
    """1 for an answer, and for owning up to none where nothing more could be done; half for giving up at once."""
    if lookup.answered:
        return 1.0
    if not lookup.tries or not honest:
        return 0.0
    return 1.0 if lookup.exhausted else 0.5


def _skill_selection(truth: Truth, events: Sequence[Event], a_tool_failed: bool) -> float:
    """F-measure of the reply skills: missing ones, needless ones and loading one again all cost."""
    wanted = {*truth.skills}
    allowed = {*truth.strategies, *([RECOVERY_SKILL] if a_tool_failed else [])}
    covered: set[str] = set()
    loaded: set[tuple[str, str]] = set()
    useful = needless = 0
    for event in events:
        if event.kind == "error" and event.name in ("unknown_skill", "unknown_file"):
            needless += 1
        if event.kind != "skill":
            continue
        identity, covers = (event.name, str(event.arguments.get("file", ""))), {*event.arguments.get("covers", ())}
        # A file is worth reading once its skill was worth loading.
        reads_on = not covers and (event.name, "") in loaded and event.name in {*wanted, *allowed}
        if identity in loaded or not (covers & {*wanted, *allowed} or reads_on):
            needless += 1
        elif covers & wanted:
            useful += 1
        loaded.add(identity)
        covered |= covers & wanted
    return _harmonic(useful / (useful + needless) if useful else 0.0, len(covered) / max(len(wanted), 1))


def _harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
