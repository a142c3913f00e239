"""What a person sees of a conversation: skills loading, tools called, hooks firing, the reply and what it cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from components.harness.arguments import to_canonical
from components.harness.messages import strip_reasoning
from components.harness.types import LOAD_SKILL, Event, Harness, HookPoint, Message, Tool, Trajectory
from components.judge.types import Verdict
from components.liveroom.types import Case, Truth

CLIPPED = 200
"""Characters of a tool's result that are shown; /why shows all."""


class ChatView:
    """Prints to one console."""

    def __init__(self, console: Console) -> None:
        """Everything is printed to `console`."""
        self._console = console

    def say(self, words: str) -> None:
        """A line about the room or the harness."""
        self._print(f"[dim]{escape(words)}[/]")

    def error(self, words: str) -> None:
        """What went wrong, on one line."""
        self._print(f"[red]{escape(' '.join(words.split()))}[/]")

    def text(self, words: str) -> None:
        """A long text as it is."""
        self._print(escape(words))

    def case(self, case: Case) -> None:
        """What is asked in a case, and after what."""
        request = case.request
        self.say(f"case {case.case_id}, {case.intent}; room {request.room_id}, on screen: link {request.on_screen_link}")
        for earlier in request.dialogue:
            self._line(f"({earlier.speaker}", f"{earlier.text})", "dim")
        for comment in request.comments:
            self._line("viewer", comment, "bold")

    @contextmanager
    def waiting(self) -> Iterator[Callable[[int], None]]:
        """While the policy writes; what it gives is to be called with the number of each turn."""
        with self._console.status("…") as status:
            yield lambda turn: status.update(f"turn {turn} …")

    def episode(self, trajectory: Trajectory, harness: Harness) -> None:
        """What happened in an episode, turn by turn, the reply, and what it cost."""
        points = {hook.name: hook.point for hook in harness.hooks}
        at_input = [event for event in trajectory.events if points.get(event.name) is HookPoint.INPUT]
        self._events(at_input)
        turns = 0
        told = len(at_input)
        for message in trajectory.messages[2:]:
            if message.role != "tool":
                now = [event for event in trajectory.events if event.turn < turns]
                self._events(now[told:])
                told = max(told, len(now))
            if message.role == "assistant":
                turns += 1
                self._wrote(message, harness)
            else:
                self._line("  ←" if message.role == "tool" else "retry", _clipped(message.content), "dim")
        self._events(trajectory.events[told:])
        self._line("host", trajectory.reply, "bold green")
        retries = sum(message.role == "user" for message in trajectory.messages[2:])
        self.say(
            f"{trajectory.stop_reason} · {turns} turns · {retries} retries · {trajectory.prompt_tokens} tokens read, "
            f"{trajectory.completion_tokens} written · {trajectory.latency_s:.2f} s · harness {trajectory.harness_version}"
        )

    def verdict(self, verdict: Verdict, truth: Truth) -> None:
        """What the judge says of a case's reply, and where it fell short, a right one."""
        because = f" ({'; '.join(verdict.reasons)})" if verdict.reasons else ""
        self.say(f"accurate {verdict.accuracy} · effective {verdict.effectiveness}{because}")
        if verdict.accuracy < 1 or verdict.effectiveness < 1:
            self.say(f"a right reply: {truth.reply}")

    def tools(self, tools: Sequence[Tool]) -> None:
        """Tools as the model sees them."""
        for tool in tools:
            self._print(f"[bold]{escape(tool.name)}[/]  {escape(tool.description)}")
            self._print(f"[dim]{escape(json.dumps(tool.parameters, ensure_ascii=False))}[/]")

    def why(self, trajectory: Trajectory) -> None:
        """Every message and event of an episode, whole."""
        for message in trajectory.messages:
            self._print(f"[bold cyan]{message.role}[/] {escape(message.name)}")
            self._print(escape(message.content))
            for call in message.tool_calls:
                self._print(escape(f"→ {call.name} {json.dumps(call.arguments, ensure_ascii=False)}"))
        self._print("[bold cyan]events[/]")
        for event in trajectory.events:
            arguments = json.dumps(event.arguments, ensure_ascii=False) if event.arguments else ""
            self._print(escape(f"turn {event.turn + 1}: {event.kind} {event.name} {arguments} {event.detail}".rstrip()))

    def help(self, commands: Sequence[tuple[str, str]]) -> None:
        """The commands and what they do."""
        for command, what in (*commands, ("/quit", "leave")):
            self._print(f"{escape(f'{command:40}')}[dim]{escape(what)}[/]")

    def _wrote(self, message: Message, harness: Harness) -> None:
        """Calls as the model wrote them, and what they are in the base harness's words where those differ."""
        if (message.tool_calls or message.malformed_calls) and (said := strip_reasoning(message.content)):
            self._line("said", said, "dim")
        tools = {tool.name: tool for tool in harness.tools}
        keys = {skill.name: skill.key for skill in harness.skills}
        for call in message.tool_calls:
            tool = tools.get(call.name)
            loads = tool is not None and tool.implementation == LOAD_SKILL
            key = tool.implementation if tool is not None else call.name
            if loads and tool is not None:
                skill = str(to_canonical(tool, call.arguments).get("skill"))
                key = keys.get(skill, skill)
            written = f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}"
            self._line("skill" if loads else "tool", written if key in written else f"{written} = {key}", "cyan")

    def _events(self, events: Sequence[Event]) -> None:
        """Hooks that fired, and a policy that failed; a tool's error is seen as its result."""
        for event in events:
            if event.kind == "hook":
                self._line("hook", f"{event.name}, {event.arguments.get('action', '')}: {event.detail}", "yellow")
            elif event.name == "policy_error":
                self._line("error", event.detail, "red")

    def _line(self, label: str, words: str, style: str) -> None:
        self._print(f"[{style}]{escape(f'{label:7}')}[/] {escape(' '.join(words.split()))}")

    def _print(self, markup: str) -> None:
        self._console.print(markup, highlight=False, soft_wrap=True)


def _clipped(text: str) -> str:
    return text if len(text) <= CLIPPED else f"{text[:CLIPPED]}…"
