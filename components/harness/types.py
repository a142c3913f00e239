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
class SkillFile:
    """A file beside a SKILL.md. Text is disclosed by `load_skill` with argument `file`; scripts are never run."""

    path: str
    """Relative to the skill's folder, with forward slashes, e.g. `references/sizes.md`."""
    content: str
    encoding: Literal["utf-8", "base64"] = "utf-8"


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
    covers: tuple[str, ...] | None = None
    """Keys of the base harness's skills that loading this one stands for; None is (key,), empty is a distractor."""
    files: tuple[SkillFile, ...] = ()
    """What else lies in the skill's folder (`references/`, `scripts/`, `assets/`), by path."""
    front: JsonObject = field(default_factory=dict)
    """Front matter that the harness keeps and does not use: licence, compatibility, allowed tools, other metadata."""


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
    """Where in an episode a hook looks, in the order in which an episode passes."""

    INPUT = "input"
    """The request, before the model sees it."""
    TOOL_ARGUMENTS = "tool_arguments"
    """A call, before the tool runs."""
    TOOL_RESULT = "tool_result"
    """What a tool returned, before the model sees it."""
    SKILL_REQUIREMENT = "skill_requirement"
    """A proposed reply: what must have happened before it."""
    REPLY_FORMAT = "reply_format"
    """A proposed reply: how it reads when spoken."""
    FACTUAL_RISK = "factual_risk"
    """A proposed reply: whether what it states is supported."""
    COMPLIANCE = "compliance"
    """A proposed reply: what may not be said at all."""
    RETRY_CONTROL = "retry_control"
    """Another hook's wish to have a reply made again, before the model sees it."""


class HookAction(StrEnum):
    """What happens when a check fails."""

    RETRY = "retry"
    """The message goes back to the model, which may try again."""
    REWRITE = "rewrite"
    """What was checked is replaced by what the check makes of it, and the episode goes on.

    Where the check knows no better, it is a retry, and at `input` a block.
    """
    FALL_BACK = "fall_back"
    """The episode ends at once; the hook's own message is spoken."""
    BLOCK = "block"
    """The episode ends at once with the harness's fallback reply."""


Condition = dict[str, str | bool | int]
"""When a hook or a prompt section is in force: every entry must hold of the request. Empty: always.

`language`: `en` or `zh`; `campaign`, `dialogue`: whether there is one; `comments`: `one` or `several`;
`viewers_over`: the audience signal `viewers` is larger.
"""


@dataclass(frozen=True)
class Hook:
    """A declarative check at one point of the loop."""

    name: str
    point: HookPoint
    check: str
    """Key of the check in `components.harness.hooks.CHECKS`."""
    action: HookAction
    message: str
    """What the model reads (action `retry`) or the room hears (`fall_back`) when the check fails.

    `{reason}` stands for what the check reports, `{reply}` for the refused reply and, at `retry_control`, `{message}` for
    the message that would have gone out.
    """
    parameters: JsonObject = field(default_factory=dict)
    when: Condition = field(default_factory=dict)


@dataclass(frozen=True)
class PromptSection:
    """One part of the system prompt."""

    name: str
    heading: str
    source: Literal["text", "skills"]
    """`text`: the words stand in `text`; `skills`: the list of skill names and descriptions."""
    text: str = ""
    when: Condition = field(default_factory=dict)
    """The section is left out where this does not hold of the request."""


class PromptFormat(StrEnum):
    MARKDOWN = "markdown"
    XML = "xml"
    PLAIN = "plain"
    JSON = "json"
    NUMBERED = "numbered"
    """Each heading with its number, `1. Role`, then the text."""


class SkillList(StrEnum):
    """How a section with source `skills` lists names and descriptions."""

    BULLETS = "bullets"
    TABLE = "table"
    JSON = "json"
    """A JSON object, name → description."""
    SENTENCES = "sentences"


@dataclass(frozen=True)
class PromptPipeline:
    """How the system prompt is put together: ordered, conditional sections in one format.

    What changes with every request (comments, room state, dialogue) opens the user message instead, so that all requests
    of a room share the system prompt, and a server's prefix cache with it.
    """

    sections: tuple[PromptSection, ...]
    format: PromptFormat = PromptFormat.MARKDOWN
    skill_list: SkillList = SkillList.BULLETS


@dataclass(frozen=True)
class Harness:
    """Everything about the agent that is not weights. Build with `load_harness` or `harness_from_dict`."""

    skills: tuple[Skill, ...]
    tools: tuple[Tool, ...]
    hooks: tuple[Hook, ...]
    prompt: PromptPipeline
    fallback_reply: dict[str, str]
    """Language → what is spoken when an episode ends without an accepted reply; `en` is always there."""


Language = Literal["en", "zh"]


@dataclass(frozen=True)
class Utterance:
    """One line of the room's dialogue before this request."""

    speaker: Literal["viewer", "host"]
    text: str


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
    language: Language = "en"
    """What the room speaks."""
    dialogue: tuple[Utterance, ...] = ()
    """What was said before, oldest first."""
    campaign: str = ""
    """Name of the campaign that runs now; empty where there is none."""
    audience: dict[str, int] = field(default_factory=dict)
    """Signals of the audience, e.g. `viewers`, `orders_last_minute`."""


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
    FELL_BACK = "fell_back"
    """A hook with action `fall_back` failed; its own message was spoken."""
    RETRY_LIMIT = "retry_limit"
    """Hooks asked for more retries than allowed."""
    TOKEN_LIMIT = "token_limit"
    """The model wrote more tokens than allowed before its reply was accepted."""
    TIME_LIMIT = "time_limit"
    """The request took longer than allowed."""
    POLICY_ERROR = "policy_error"
    """The policy raised `PolicyError`."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one episode. Whatever bound is met, the room hears a reply: the fallback."""

    turns: int = 6
    """Assistant messages at the most."""
    retries: int = 2
    """Hook retries at the most."""
    tokens: int | None = None
    """Tokens that the model may write in all its turns together; None: no bound."""
    tool_seconds: float | None = None
    """Time of one tool call; a slower one goes back to the model as an error. None: no bound."""
    request_seconds: float | None = None
    """Time of the whole request. None: no bound, so that a run on a slow machine gives what a fast one gives."""
    calls: int = 16
    """Calls in one assistant message that are carried out at the most; the others are answered with an error."""


EventKind = Literal["skill", "tool", "hook", "error"]


@dataclass(frozen=True)
class Event:
    """One thing that happened in an episode, in canonical terms, whatever names the variant used."""

    kind: EventKind
    turn: int
    name: str
    """Skill key, tool implementation, or the kind of error (`malformed_call`, `unknown_tool`, `bad_arguments`, `bad_result`, …).

    Of a hook its name; `whole_reply` is the loop's own, which no harness can switch off.
    """
    arguments: JsonObject = field(default_factory=dict)
    """Kind `tool`: canonical arguments. Kind `skill`: `covers`, the base skills' keys (none where only a `file` was read).

    Kind `hook`: `action`, what the hook did; a rewrite sends nothing back to the model.
    """
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
