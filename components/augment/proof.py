"""The proof that a variant keeps the task: the expert does the same under both harnesses, and nothing said is lost.

What it compares, task by task: base skills covered, canonical calls and their results, hooks that fired, the reply, the stop
reason, the judge's verdict, and which sections and hooks are in force. Slips that the base harness refuses must be refused
still. Schemas take and refuse what they took and refused, tried with values at and beyond every bound. A variant's hook may be
stricter, as long as every right answer passes, or laxer by up to twice a bound.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from jsonschema import Draft202012Validator

from components.augment.mapping import NameMap
from components.augment.meaning import Phrasings, lost_meaning
from components.augment.probes import Probe, play_probe
from components.augment.samples import samples, spoilt, stretched
from components.augment.slips import probes
from components.augment.tasks import LIMITS, Task, play
from components.augment.types import AugmentError, Variant
from components.harness import AgentLoop, check_harness
from components.harness.arguments import from_canonical, to_canonical
from components.harness.conditions import holds
from components.harness.hooks import CHECKS, REPLY_POINTS, HookContext
from components.harness.types import LOAD_SKILL, Harness, HarnessError, JsonObject, StopReason, Tool, Trajectory


@dataclass(frozen=True)
class Proof:
    """What trying to tell a variant from its base harness came to."""

    variant_id: str
    tasks: int
    """How many tasks were tried."""
    problems: tuple[str, ...]
    """Every difference found, a sentence each."""

    @property
    def holds(self) -> bool:
        """Whether the variant keeps the task, as far as the tasks show."""
        return not self.problems

    @property
    def reason(self) -> str:
        """The first difference; empty where the proof holds."""
        return next(iter(self.problems), "")


def prove(base: Harness, variant: Variant, tasks: Sequence[Task]) -> Proof:
    """Prove one variant. For more than one, a `Prover` plays the base harness's side once only."""
    return Prover(base, tasks).prove(variant)


class Prover:
    """Proves variants of one base harness on the same tasks."""

    def __init__(
        self, base: Harness, tasks: Sequence[Task], phrasings: Phrasings | None = None, answers: Sequence[Task] = ()
    ) -> None:
        """Play every task and every slip under `base`, in an event loop of its own.

        `phrasings` are other texts that are known to say the same as those of `base`, see `bank.phrasings`. `answers` are
        tasks, any number, whose calls and replies a variant must let through: they are not played but looked at.

        Raises AugmentError where there are no tasks, for nothing would be proved, and where `base` itself gives no reply to one.
        """
        if not tasks:
            raise AugmentError("no tasks to prove a variant on; give at least one")
        self.base, self.tasks, self._phrasings = base, tuple(tasks), phrasings
        self._before, self._probes = asyncio.run(self._play_base())
        self._taken, self._refused = list(_taken(base, answers)), list(_refusals(base))
        self._answers = list({(task.request.language, task.script.reply): task for task in answers}.values())
        self._verdicts = list(map(_verdict, self.tasks, self._before))
        fired = {probe.hook for probe, _ in self._probes}
        self.unprobed = tuple(f"hook {hook.name} ({hook.check})" for hook in base.hooks if hook.name not in fired)
        """Hooks of the base harness that refused nothing that was tried: that a variant keeps them rests on their words alone."""

    async def _play_base(self) -> tuple[list[Trajectory], list[tuple[Probe, Trajectory]]]:
        loop = AgentLoop(self.base, LIMITS)
        before = [await play(loop, task) for task in self.tasks]
        for task, trajectory in zip(self.tasks, before, strict=True):
            if trajectory.stop_reason is not StopReason.REPLIED and _spoke(trajectory):
                raise AugmentError(
                    f"task {task.task_id}: the base harness itself gives no reply ({trajectory.stop_reason}: "
                    f"{_told(trajectory)}); mend its hooks, or leave the task out"
                )
        slips = [probe for hook in self.base.hooks for probe in probes(hook, self.base, self.tasks)]
        played = [(probe, await play_probe(loop, probe)) for probe in slips]
        # Where the same slip is refused in several tasks, one of them is enough.
        refused = {(probe.hook, probe.slip): (probe, episode) for probe, episode in played if probe.hook in _fired(episode)}
        return before, list(refused.values())

    def prove(self, variant: Variant) -> Proof:
        """Compare what the two harnesses say, then what happens under them."""
        return Proof(variant.variant_id, len(self.tasks), tuple(self._problems(variant)))

    def _problems(self, variant: Variant) -> Iterator[str]:
        harness = variant.harness
        try:
            check_harness(harness, variant.variant_id)
            names = NameMap.between(self.base, harness)
        except (HarnessError, AugmentError) as error:
            yield str(error)
            return
        yield from lost_meaning(self.base, harness, names, self._phrasings)
        yield from self._other_calls(harness)
        yield from self._other_replies(harness)
        try:
            after, slips = asyncio.run(self._play_variant(harness))
        except KeyError as error:
            yield f"the expert cannot act: {error.args[0]}"
            return
        for task, was, verdict, now in zip(self.tasks, self._before, self._verdicts, after, strict=True):
            yield from (f"task {task.task_id}: {problem}" for problem in _differences(task, was, now))
            if now.reply == was.reply and _verdict(task, now) != verdict:
                yield f"task {task.task_id}: the verdicts differ"
        for (probe, was), now in zip(self._probes, slips, strict=True):
            # Which hook answers a slip may differ, what it does and how the episode ends may not.
            if _outcome(was) != _outcome(now):
                problem = f"{probe.slip} leads to {_outcome(now)} instead of {_outcome(was)}"
                yield f"hook {probe.hook}: {problem} (task {probe.task.task_id})"

    def _other_calls(self, harness: Harness) -> Iterator[str]:
        """Arguments that a schema of the base harness takes and the variant's does not, or the other way round."""
        tools = {tool.implementation: (tool, Draft202012Validator(tool.parameters)) for tool in harness.tools}
        for implementation, arguments in self._taken:
            tool, validator = tools[implementation]
            if not validator.is_valid(_written(tool, arguments)):
                yield f"tool {tool.name} no longer takes {str(arguments)[:80]}"
        for implementation, arguments, rule in self._refused:
            tool, validator = tools[implementation]
            if validator.is_valid(_written(tool, arguments)):
                yield f"tool {tool.name} now takes {arguments}, which {rule} refused"

    def _other_replies(self, harness: Harness) -> Iterator[str]:
        """Right replies that a hook of the variant refuses, and the base harness's does not."""
        same = {(hook.check, str(hook.parameters), str(hook.when)) for hook in self.base.hooks}
        for hook in harness.hooks:
            if hook.point not in REPLY_POINTS or (hook.check, str(hook.parameters), str(hook.when)) in same:
                continue
            for task in self._answers:
                context = HookContext(harness, task.request, reply=task.script.reply)
                if holds(hook.when, task.request) and CHECKS[hook.check].run(context, hook.parameters):
                    yield f"hook {hook.name} refuses the right reply {task.script.reply!r}"
                    break

    async def _play_variant(self, harness: Harness) -> tuple[list[Trajectory], list[Trajectory]]:
        loop = AgentLoop(harness, LIMITS)
        after = [await play(loop, task) for task in self.tasks]
        return after, [await play_probe(loop, probe) for probe, _ in self._probes]


def _taken(base: Harness, answers: Sequence[Task]) -> Iterator[tuple[str, JsonObject]]:
    """(implementation, canonical arguments) that the schemas of the base harness allow, each once."""
    seen = set()
    tools = {tool.implementation: tool for tool in base.tools}
    calls = [call for task in answers for call in task.script.calls]
    for tool in base.tools:
        # What opens skills may list their names, which is stricter than any text.
        if tool.implementation != LOAD_SKILL:
            found, _ = samples(tool.parameters)
            for written in (*found, *stretched(tool.parameters, found)):
                arguments = to_canonical(tool, written)
                if _written(tool, arguments) == written:
                    calls.append((tool.implementation, arguments))
    for implementation, arguments in calls:
        told = implementation, json.dumps(arguments, sort_keys=True)
        if told not in seen and implementation in tools:
            seen.add(told)
            yield implementation, arguments


def _refusals(base: Harness) -> Iterator[tuple[str, JsonObject, str]]:
    """(implementation, canonical arguments, keyword of the schema that refuses them) for every rule of every tool."""
    if any(hook.check == "arguments_match_schema" for hook in base.hooks):
        for tool in base.tools:
            for written, rule in spoilt(tool.parameters, samples(tool.parameters)[0]):
                arguments = to_canonical(tool, written)
                if _written(tool, arguments) == written:
                    yield tool.implementation, arguments, rule


def _written(tool: Tool, arguments: JsonObject) -> JsonObject | None:
    """Canonical arguments as the tool's schema wants them; None where it has no place for one, which is as good as refused."""
    try:
        return from_canonical(tool, arguments)
    except KeyError:
        return None


def _differences(task: Task, before: Trajectory, after: Trajectory) -> Iterator[str]:
    if after.stop_reason is not before.stop_reason:
        yield f"the episode ends with {after.stop_reason} instead of {before.stop_reason} ({_told(after)})"
    wanted = {*task.script.skills, *task.script.strategies}
    was, now = _covered(before) & wanted, _covered(after) & wanted
    if was != now:
        yield f"the skills loaded cover {', '.join(sorted(now)) or 'nothing'} instead of {', '.join(sorted(was)) or 'nothing'}"
    if _calls(before) != _calls(after) or _fired(before) != _fired(after):
        yield f"the expert did {_told(after)} instead of {_told(before)}"
    if after.reply != before.reply:
        yield f"the reply is {after.reply!r} instead of {before.reply!r}"


def _verdict(task: Task, trajectory: Trajectory) -> object:
    return task.judge and task.judge(trajectory)


def _outcome(trajectory: Trajectory) -> str:
    """What hooks did, in order, how many calls they refused, and how the episode ended.

    The same action several times in a row counts once, for a variant may allow fewer retries.
    """
    actions = [action for action, _ in groupby(e.arguments["action"] for e in trajectory.events if e.kind == "hook")]
    refused = sum(event.kind == "error" for event in trajectory.events)
    return ", ".join([*actions, *([f"{refused} calls refused"] if refused else []), trajectory.stop_reason])


def _spoke(trajectory: Trajectory) -> bool:
    """Whether the policy was asked at all; a hook of the input may end an episode before."""
    return any(message.role == "assistant" for message in trajectory.messages)


def _covered(trajectory: Trajectory) -> set[str]:
    return {key for event in trajectory.events if event.kind == "skill" for key in event.arguments["covers"]}


def _calls(trajectory: Trajectory) -> list[tuple[str, JsonObject, JsonObject, bool]]:
    return [(e.name, e.arguments, e.result, e.kind == "error") for e in trajectory.events if e.kind in ("tool", "error")]


def _fired(trajectory: Trajectory) -> list[str]:
    return [event.name for event in trajectory.events if event.kind == "hook"]


def _told(trajectory: Trajectory) -> str:
    events = (f"{event.kind} {event.name} {event.arguments or event.detail}".strip() for event in trajectory.events)
    return ", ".join(events) or "nothing"
