"""What the loop works out once of a harness, so that a turn costs next to nothing."""

from __future__ import annotations

from dataclasses import dataclass

from jsonschema import Draft202012Validator

from components.harness.arguments import leaves
from components.harness.conditions import holds
from components.harness.hooks import REPLY_POINTS
from components.harness.records import harness_version
from components.harness.render import assemble
from components.harness.types import LOAD_SKILL, Condition, Harness, Hook, HookPoint, Message, Request, Skill, Tool


@dataclass(frozen=True)
class InForce:
    """What a harness says to requests of which the same conditions hold."""

    system: Message
    at: dict[HookPoint, tuple[Hook, ...]]
    of_reply: tuple[Hook, ...]
    """The hooks of all points of a proposed reply, in the order of the points."""


class PreparedHarness:
    """A harness with its parts by name, its schemas compiled, and its prompts put together as they are first wanted."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.version = harness_version(harness)
        self.tools: dict[str, tuple[Tool, Draft202012Validator]] = {
            tool.name: (tool, Draft202012Validator(tool.parameters)) for tool in harness.tools
        }
        self.reads_files = any(_reads_files(tool) for tool in harness.tools)
        """Whether `load_skill` takes a `file`."""
        self.skills: dict[str, Skill] = {skill.name: skill for skill in harness.skills}
        self._conditions: list[Condition] = []
        for condition in (*(hook.when for hook in harness.hooks), *(section.when for section in harness.prompt.sections)):
            if condition and condition not in self._conditions:
                self._conditions.append(condition)
        self._known: dict[tuple[bool, ...], InForce] = {}

    def in_force(self, request: Request) -> InForce:
        """The system message and the hooks for this request; worked out once for each set of conditions that hold."""
        which = tuple(holds(condition, request) for condition in self._conditions)
        if which not in self._known:
            self._known[which] = self._work_out(request)
        return self._known[which]

    def _work_out(self, request: Request) -> InForce:
        sections = [section for section in self.harness.prompt.sections if holds(section.when, request)]
        hooks = [hook for hook in self.harness.hooks if holds(hook.when, request)]
        at = {point: tuple(hook for hook in hooks if hook.point is point) for point in HookPoint}
        of_reply = tuple(hook for point in REPLY_POINTS for hook in at[point])
        return InForce(Message(role="system", content=assemble(self.harness, sections)), at, of_reply)


def _reads_files(tool: Tool) -> bool:
    path = tool.argument_paths.get("file", "file")
    return tool.implementation == LOAD_SKILL and path in dict(leaves(tool.parameters))
