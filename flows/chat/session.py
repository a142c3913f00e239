"""A conversation in a live room: what is typed are comments, what answers is any policy under any harness."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from components.augment import sample_variants
from components.errors import UserError
from components.harness import AgentLoop, harness_version, load_harness
from components.harness.render import system_prompt
from components.harness.types import Completion, Conversation, Harness, Policy, Request, Trajectory
from components.judge import check
from components.liveroom import CatalogueRoom, TimedComment, check_room_serves, merge_comments, truth
from components.liveroom.faults import FaultyRoom
from components.liveroom.types import Case, Intent
from components.policy.expert import ExpertPolicy
from flows.chat.rooms import Rooms, Talk
from flows.chat.view import ChatView

STRENGTH = 0.5
"""Chance that a variant changes a dimension."""
WINDOW_SECONDS = 2.0
MOST_COMMENTS = 8
"""Of one window; of more the newest count."""


class Chat:
    """One room, one policy and the harness of the moment; the dialogue outlives a change of harness."""

    def __init__(
        self,
        view: ChatView,
        rooms: Rooms,
        room_id: str,
        harness: Path,
        policy: Policy | None,
        faults: Mapping[str, float],
        here: Path,
    ) -> None:
        """`policy` None is the expert, which knows the right answers to the cases of `rooms` and to nothing else.

        `here` is where relative paths of /harness start. Raises UserError for a room that is not in the catalogue and a
        harness that cannot be used.
        """
        self._view, self._catalogue, self._cases = view, rooms.catalogue, rooms.cases
        self._policy, self._faults, self._here = policy, faults, here
        self._base = self._harness = _load(harness)
        self._last: Trajectory | None = None
        self._drawn = self._varied = self._episodes = 0
        self._runner = asyncio.Runner()
        self._talk = Talk(rooms.catalogue, room_id)
        self._source = rooms.source
        self._commands: dict[str, tuple[Callable[[str], None], str, str]] = {
            "case": (
                self._play,
                "[ID | INTENT]",
                "play a case, of this room where there is one, as part of the dialogue, and judge the reply",
            ),
            "harness": (self._switch, "DIR | variant [SEED] | base", "switch the harness; the dialogue is kept"),
            "variant": (self._vary, "[SEED]", "switch to a held-out variant of the base harness"),
            "room": (self._go, "[ID]", "go to another room, or list them"),
            "viewers": (self._count, "N", "let N viewers watch"),
            "link": (self._show, "N", "put the item at link N on screen"),
            "prompt": (self._prompt, "", "the system prompt as the model reads it"),
            "tools": (self._tools, "", "the tools as the model sees them"),
            "why": (self._why, "", "the whole trajectory of the last reply"),
            "help": (self._help, "", "these commands"),
        }

    def run(self, read: Callable[[str], str]) -> None:
        """Read lines until /quit, the end of input, or Ctrl-C at the prompt. Ctrl-C during an answer stops that answer."""
        who = self._policy.name if self._policy else "the expert, which plays cases"
        self._view.say(f"{self._talk}, {self._source}; answered by {who}; /help lists the commands")
        with self._runner:
            while True:
                try:
                    line = read("viewer> ").strip()
                except (EOFError, KeyboardInterrupt):
                    break
                if line in ("/quit", "/exit"):
                    break
                try:
                    self._answer(line)
                except UserError as error:
                    self._view.error(str(error))
                except KeyboardInterrupt:
                    self._view.say("stopped")
        self._view.say("bye")

    def _answer(self, line: str) -> None:
        if line.startswith("/"):
            name, _, argument = line[1:].partition(" ")
            if name not in self._commands:
                raise UserError(f"/{name}: no such command; expected one of {', '.join(f'/{known}' for known in self._commands)}")
            self._commands[name][0](argument.strip())
            return
        typed = tuple(part.strip() for part in line.split("|") if part.strip())
        if typed and self._policy is None:
            raise UserError("the expert answers cases only: play one with /case, or start with --policy MODEL_DIR or URL")
        if self._policy is not None:
            self._comment(typed, self._policy)

    def _comment(self, typed: tuple[str, ...], policy: Policy) -> None:
        now = time.monotonic()
        for window in merge_comments((TimedComment(now, text) for text in typed), WINDOW_SECONDS, MOST_COMMENTS):
            if window.dropped:
                self._view.say(f"the room is flooded: {window.dropped} older comments are left out")
            request = self._talk.request(tuple(comment.text for comment in window.comments))
            self._talk.remember(request, self._episode(request, policy).reply)

    def _play(self, wanted: str) -> None:
        """Play the case of this id, or the next one of this intent, or any next one: the nearest there are."""
        fitting = [case for case in self._cases if wanted in ("", case.case_id, case.intent)]
        if not fitting:
            raise UserError(f"/case {wanted}: no such case; expected an id or one of {', '.join(sorted(Intent))}")
        nearest = min(map(self._distance, fitting))
        near = [case for case in fitting if self._distance(case) == nearest]
        case = near[self._drawn % len(near)]
        self._drawn += 1
        right = truth(case, self._catalogue)
        if case.request.room_id != self._talk.room.room_id:
            self._go(case.request.room_id)
        case = replace(case, request=self._talk.joined_by(case.request))
        self._view.case(case)
        trajectory = self._episode(case.request, self._policy or ExpertPolicy(self._harness, right))
        self._talk.remember(case.request, trajectory.reply)
        self._view.verdict(check(case, right, trajectory), right)

    def _distance(self, case: Case) -> tuple[bool, bool, bool]:
        """Whether it is of another room, of another language, and of one that training saw."""
        room = self._talk.room
        return case.request.room_id != room.room_id, case.request.language != room.language, case.split == "train"

    def _episode(self, request: Request, policy: Policy) -> Trajectory:
        self._episodes += 1
        room = FaultyRoom(CatalogueRoom(self._catalogue, request), self._faults, self._episodes)
        loop = AgentLoop(self._harness, clock=time.perf_counter)
        with self._view.waiting() as turn:
            watched = _Watched(policy, turn)
            self._last = self._runner.run(loop.run(request, room, watched, request.request_id))
        self._view.episode(self._last, self._harness)
        return self._last

    def _go(self, room_id: str) -> None:
        if room_id:
            self._talk = Talk(self._catalogue, room_id)
            self._view.say(str(self._talk))
        else:
            self._view.say(", ".join(room.room_id for room in self._catalogue.rooms()))

    def _count(self, viewers: str) -> None:
        self._talk.watch(viewers)
        self._view.say(str(self._talk))

    def _show(self, link: str) -> None:
        self._talk.show(link)
        self._view.say(str(self._talk))

    def _switch(self, wanted: str) -> None:
        kind, _, seed = wanted.partition(" ")
        if kind == "variant":
            return self._vary(seed)
        if not kind:
            raise UserError("/harness: expected a folder, variant or base; name one")
        self._harness = self._base if kind == "base" else _load(self._here / wanted)
        self._view.say(f"harness {harness_version(self._harness)}; the dialogue is kept")

    def _vary(self, seed: str) -> None:
        if seed and not seed.isdecimal():
            raise UserError(f"/variant {seed}: expected a seed, a whole number")
        [variant] = sample_variants(self._base, 1, "heldout", int(seed or self._varied), STRENGTH)
        self._varied += 1
        self._harness = variant.harness
        changed = ", ".join(variant.transformations)
        self._view.say(f"harness {harness_version(self._harness)}, a held-out variant: {changed}; the dialogue is kept")

    def _prompt(self, _: str) -> None:
        self._view.text(system_prompt(self._harness, self._talk.request(("…",))))

    def _tools(self, _: str) -> None:
        self._view.tools(self._harness.tools)

    def _why(self, _: str) -> None:
        if self._last is None:
            raise UserError("/why: nothing was answered yet; write a comment or play a /case first")
        self._view.why(self._last)

    def _help(self, _: str) -> None:
        self._view.help([(f"/{name} {takes}", what) for name, (_, takes, what) in self._commands.items()])


class _Watched:
    """A policy whose turns are told to whoever waits."""

    def __init__(self, policy: Policy, turn: Callable[[int], None]) -> None:
        self.name = policy.name
        self._policy, self._turn, self._turns = policy, turn, 0

    async def complete(self, conversation: Conversation) -> Completion:
        self._turns += 1
        self._turn(self._turns)
        return await self._policy.complete(conversation)


def _load(directory: Path) -> Harness:
    harness = load_harness(directory)
    check_room_serves(harness, directory)
    return harness
