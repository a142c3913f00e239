"""The expert thinks aloud: truly, in the harness's own names, tersely or at length, and never aloud to the room."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from components.augment.sampler import sample_variants
from components.data.leaks import _names_in
from components.harness import AgentLoop, load_harness
from components.harness.hooks.text import word_count
from components.harness.messages import split_thought, strip_reasoning
from components.harness.types import Harness, Hook, HookAction, HookPoint, JsonObject, Language, SkillKind, ToolError, Trajectory
from components.policy.expert import ExpertPolicy
from components.policy.thinking import Moment, Subject, Thinking
from tests.liveroom.shop import REQUEST
from tests.policy.test_expert import BASE, PRICE, Plan, bare, renamed

MOMENTS: tuple[Moment, ...] = get_args(Moment)
LANGUAGES: tuple[Language, ...] = get_args(Language)
PLAN = Plan()


class Room:
    """Answers, but for its first `faulty` calls, or refuses for ever."""

    def __init__(self, faulty: int = 0, fault: str = "time-out") -> None:
        self.faulty, self.fault = faulty, fault

    async def call(self, implementation: str, arguments: JsonObject) -> JsonObject:
        self.faulty -= 1
        if self.faulty >= 0:
            raise ToolError(self.fault)
        return {"price": "46.05"}


def play(harness: Harness, thinking: Thinking | None, plan: Plan = PLAN, room: Room | None = None, **more: str) -> Trajectory:
    expert = ExpertPolicy(harness, plan, thinking=thinking, **more)
    return asyncio.run(AgentLoop(harness).run(REQUEST, room or Room(), expert, "e"))


def thoughts(trajectory: Trajectory) -> list[str]:
    return [split_thought(message.content)[0] for message in trajectory.messages if message.role == "assistant"]


def subject(language: Language = "en") -> Subject:
    calls: tuple[JsonObject, ...] = ({"link_id": 3, "size": "S"}, {"link_ids": [3, 5]})
    return Subject(language, ("price-qa", "unheard-of"), calls, ("deals_and_cost", "plan"), 14)


@pytest.mark.parametrize("make", [bare, lambda harness: renamed(bare(harness))], ids=["base", "renamed"])
def test_what_is_done_and_said_is_what_is_done_and_said_without_thinking(make: object) -> None:
    harness: Harness = make(BASE)  # type: ignore[operator]
    silent, thinking = play(harness, None), play(harness, Thinking("s", 0.5))
    assert thinking.reply == silent.reply == PLAN.reply
    assert thinking.events == silent.events
    assert all(thoughts(thinking)) and not any(thoughts(silent))
    spoken = [replace(message, content=strip_reasoning(message.content)) for message in thinking.messages]
    assert tuple(spoken) == silent.messages


def test_thoughts_name_the_skills_and_tools_of_this_harness_and_the_links_of_the_script() -> None:
    harness = renamed(bare(BASE))
    loading, calling, reply = thoughts(play(harness, Thinking("s", 0.0)))
    made = [call for message in play(harness, None).messages for call in message.tool_calls]
    loaded = [call.arguments["of"]["the_skill"] for call in made if call.name == made[0].name]
    assert len(loaded) == 3 and f"{', '.join(loaded)}" in loading
    assert f"{', '.join(call.name for call in made[3:])}" in calling and len(made) == 5
    assert re.findall(r"link \d", calling) == ["link 1", "link 3"]
    assert not re.search(r"(?<!do_)price_lookup|price-qa", loading + calling + reply)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_moment_can_be_thought_about_in_every_language(language: Language, moment: Moment) -> None:
    said = {Thinking(str(seed), 0.5).thought(subject(language), moment, 0, ["find"]) for seed in range(40)}
    assert len(said) > 3
    for thought in said:
        assert not re.search(r"[{}<>]", thought) and thought == thought.strip()
        # Nothing but what it was told: no number, no name of its own.
        assert set(re.findall(r"\d+", thought)) <= {"3", "5", "14"}
    chinese = [bool(re.search("[\u4e00-\u9fff]", thought)) for thought in said]
    assert all(chinese) if language == "zh" else not any(chinese)


@pytest.mark.parametrize("language", LANGUAGES)
def test_terse_thoughts_are_short_wordy_ones_long_and_the_share_is_as_asked(language: Language) -> None:
    one = replace(subject(language), wanted=("price-qa",), calls=({"link_id": 3},), skills=("price-qa",))

    def lengths(wordiness: float) -> list[int]:
        return [
            word_count(Thinking(f"{seed}", wordiness).thought(one, moment, 1, ["price_lookup"]))
            for seed in range(100)
            for moment in MOMENTS
        ]

    terse, mixed, wordy = lengths(0.0), lengths(0.5), lengths(1.0)
    longest = max(terse)
    assert longest <= 24 < min(wordy) + 10
    assert sum(wordy) / len(wordy) > 3 * sum(terse) / len(terse)
    assert 0.4 < sum(length > longest for length in mixed) / sum(length > longest for length in wordy) < 0.6


def test_the_same_seed_thinks_the_same_and_every_turn_anew() -> None:
    harness = bare(BASE)
    first, again, other = (thoughts(play(harness, Thinking(seed, 0.7))) for seed in ("a", "a", "b"))
    assert first == again != other
    assert len({Thinking("a", 1.0).thought(subject(), "reply", turn) for turn in range(20)}) > 5


def test_a_fault_is_thought_of_as_a_fault_and_a_refusal_as_one() -> None:
    harness = bare(BASE)
    plan = Plan(calls=(PRICE,))
    again = thoughts(play(harness, Thinking("s", 0.0), plan, Room(faulty=1)))
    assert len(again) == 4 and re.search("Once more|same call again", again[2]) and "price_lookup" in again[2]
    refused = play(harness, Thinking("s", 0.0), plan, Room(faulty=99, fault="permission denied"))
    assert refused.reply == plan.unavailable
    assert re.search("guess nothing|honest", thoughts(refused)[-1])


def test_a_slip_is_said_once_and_then_the_right_reply() -> None:
    hook = Hook("plain", HookPoint.REPLY_FORMAT, "no_markup", HookAction.RETRY, "Plain words: {reason}.")
    harness = replace(BASE, hooks=(hook,))
    trajectory = play(harness, Thinking("s", 0.0), slip="**Good**")
    *_, slip, refusal, reply = trajectory.messages
    assert strip_reasoning(slip.content) == "**Good**" and refusal.content.startswith("Plain words")
    assert trajectory.reply == strip_reasoning(reply.content) == PLAN.reply
    assert re.search("sent back|Refused", reply.content) and not re.search("sent back|Refused", slip.content)
    assert play(bare(BASE), None, slip="Yes.").reply == "Yes."


def test_every_reply_skill_of_the_base_harness_has_words_for_what_it_answers() -> None:
    keys = [skill.key for skill in BASE.skills if skill.kind is SkillKind.REPLY]
    for language in LANGUAGES:
        for key in keys:
            said = {Thinking(str(seed), 0.0).thought(replace(subject(language), wanted=(key,)), "load", 0) for seed in range(5)}
            assert not any(key.replace("-", " ") in thought for thought in said)


def test_no_thought_holds_a_name_that_only_held_out_variants_have() -> None:
    base = load_harness(Path(__file__).parents[2] / "harness")
    own = {skill.name for skill in base.skills} | {tool.name for tool in base.tools}
    heldout = (
        {
            name
            for variant in sample_variants(base, 10, "heldout", 3, 1.0)
            for name in (
                *(skill.name for skill in variant.harness.skills),
                *(tool.name for tool in variant.harness.tools),
                *(name for tool in variant.harness.tools for name in tool.parameters.get("properties", {})),
            )
        }
        - own
        - {name for tool in base.tools for name in tool.parameters.get("properties", {})}
    )
    keys = tuple(skill.key for skill in base.skills if skill.kind is SkillKind.REPLY)
    said = [
        Thinking(str(seed), 1.0).thought(replace(subject(language), wanted=keys), moment, 0, ["price_lookup"])
        for language in LANGUAGES
        for moment in MOMENTS
        for seed in range(20)
    ]
    assert len(heldout) > 100 and not _names_in(heldout, said)
