"""The words of the harness, each defined once.

Harness       the four modules together: skills, tools, hooks, prompt pipeline. Immutable; its version is a hash.
Request       one or more merged comments with the state of the room.
Message       one entry of a conversation: system, user, assistant or tool.
Policy        who answers a conversation: a model, a server, the scripted expert.
Room          where tool implementations run.
Trajectory    the record of one episode, from which every later data set is derived.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from components.errors import UserError

JsonObject = dict[str, Any]

LOAD_SKILL = "load_skill"
"""Implementation key of the one tool that the loop itself serves: it discloses a skill's body."""


class HarnessError(UserError):
    """A harness file that cannot be used; the message names file, field, what was expected and the mend."""


class SkillKind(StrEnum):
    REPLY = "reply"
    """Says how to word an answer. At least one must be loaded before the final reply."""
    STRATEGY = "strategy"
    """Says how to combine tools. Optional."""


@dataclass(frozen=True)
class Skill:
    """A Markdown module whose body stays hidden until `load_skill` asks for it."""

    name: str
    """What the model sees and asks for; augmentation may change it."""
    description: str
    body: str
    kind: SkillKind
    key: str
    """Stable identity over renames (front matter `metadata.key`, by default the name)."""


@dataclass(frozen=True)
class Tool:
    """A function that the model may call, bound to its implementation by a stable key."""

    name: str
    description: str
    parameters: JsonObject
    """JSON Schema (draft 2020-12) of the arguments as the model sees them."""
    implementation: str
    """Stable key of what runs, e.g. `item_lookup`; never shown to the model."""
    argument_paths: dict[str, str] = field(default_factory=dict)
    """Canonical argument → dotted path in the arguments the model writes; absent means the same name."""
    argument_types: dict[str, str] = field(default_factory=dict)
    """Canonical argument → JSON type that the implementation takes (`integer`, `string`, …), where `parameters` shows another."""


class HookPoint(StrEnum):
    INPUT = "input"
    TOOL_ARGUMENTS = "tool_arguments"
    SKILL_REQUIREMENT = "skill_requirement"
    REPLY_FORMAT = "reply_format"
    FACTUAL_RISK = "factual_risk"


class HookAction(StrEnum):
    RETRY = "retry"
    """The message goes back to the model, which may try again."""
    BLOCK = "block"
    """The episode ends at once with the fallback reply."""


@dataclass(frozen=True)
class Hook:
    """A declarative check at one point of the loop."""

    name: str
    point: HookPoint
    check: str
    """Key of the check in `components.harness.hooks.CHECKS`."""
    action: HookAction
    message: str
    """What the model reads when the check fails; may use the fields that the check reports, as `{reason}`."""
    parameters: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class PromptSection:
    """One part of the system prompt."""

    name: str
    heading: str
    source: Literal["text", "skills"]
    """`text`: the words stand in `text`; `skills`: the list of skill names and descriptions."""
    text: str = ""


class PromptFormat(StrEnum):
    MARKDOWN = "markdown"
    XML = "xml"
    PLAIN = "plain"
    JSON = "json"


@dataclass(frozen=True)
class PromptPipeline:
    """How the system prompt and the request are put together: ordered sections in one format."""

    sections: tuple[PromptSection, ...]
    format: PromptFormat = PromptFormat.MARKDOWN


@dataclass(frozen=True)
class Harness:
    """Everything about the agent that is not weights. Build with `load_harness` or `harness_from_dict`."""

    skills: tuple[Skill, ...]
    tools: tuple[Tool, ...]
    hooks: tuple[Hook, ...]
    prompt: PromptPipeline
    fallback_reply: str
    """Spoken when an episode ends without an accepted reply."""


@dataclass(frozen=True)
class Request:
    """What one window of the room brought: merged comments and what the streamer's side knows."""

    request_id: str
    room_id: str
    comments: tuple[str, ...]
    on_screen_link: int
    """Link number of the item now shown."""
    links: tuple[tuple[int, str], ...]
    """(link number, item title) of every item in the room, in link order."""


@dataclass(frozen=True)
class ToolCall:
    call_id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True)
class Message:
    """One entry of a conversation, in the shape of the OpenAI chat format."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    """Role `tool`: which call this answers."""
    name: str = ""
    """Role `tool`: the tool's name as the model called it."""
    malformed_calls: tuple[str, ...] = ()
    """Role `assistant`: why each tool call that could not be read is wrong; its text stays in `content`."""


@dataclass(frozen=True)
class Conversation:
    """What a policy is asked to continue."""

    episode_id: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]


@dataclass(frozen=True)
class Completion:
    """One assistant message and what it cost."""

    message: Message
    prompt_tokens: int = 0
    completion_tokens: int = 0
    finish_reason: Literal["stop", "length"] = "stop"


class Policy(Protocol):
    """Who answers. Called concurrently: an implementation may batch the conversations that wait together."""

    name: str

    async def complete(self, conversation: Conversation) -> Completion:
        """Write the next assistant message. Raises `PolicyError` if the policy cannot answer at all."""
        ...


class PolicyError(RuntimeError):
    """The policy itself failed (server away, context full); the episode ends with `StopReason.POLICY_ERROR`."""


class Room(Protocol):
    """Where tools run: facts of one room, by implementation key and canonical arguments."""

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        """Return the tool's result. Raises `ToolError` with words that the model can act on."""
        ...


class ToolError(RuntimeError):
    """A tool could not answer; the text goes back to the model as the tool's result."""


class StopReason(StrEnum):
    REPLIED = "replied"
    """A reply passed every hook."""
    BLOCKED = "blocked"
    """A hook with action `block` failed; the fallback reply was spoken."""
    TURN_LIMIT = "turn_limit"
    """No accepted reply within the turns allowed."""
    RETRY_LIMIT = "retry_limit"
    """Hooks asked for more retries than allowed."""
    POLICY_ERROR = "policy_error"
    """The policy raised `PolicyError`."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one episode."""

    turns: int = 6
    """Assistant messages at the most."""
    retries: int = 2
    """Hook retries at the most."""


EventKind = Literal["skill", "tool", "hook", "error"]


@dataclass(frozen=True)
class Event:
    """One thing that happened in an episode, in canonical terms, whatever names the variant used."""

    kind: EventKind
    turn: int
    name: str
    """Skill key, tool implementation, hook name, or the kind of error (`malformed_call`, `unknown_tool`, …)."""
    arguments: JsonObject = field(default_factory=dict)
    """Canonical arguments (kind `tool`)."""
    result: JsonObject = field(default_factory=dict)
    detail: str = ""


@dataclass(frozen=True)
class Trajectory:
    """The record of one episode. `to_dict`/`from_dict` in `components.harness.records` are exact inverses."""

    episode_id: str
    request: Request
    harness_version: str
    policy: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    events: tuple[Event, ...]
    reply: str
    stop_reason: StopReason
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0
    """Wall time of the episode by the caller's clock; 0 where no clock was given."""
