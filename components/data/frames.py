"""Cases, items, trajectories and training rows as flat pandas frames: one a suite; the first column names the row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from components.data.types import CollectedTrajectory
from components.harness.types import Harness, JsonObject, Limits, Message, SkillKind
from components.liveroom.types import Case, Item

if TYPE_CHECKING:
    from pandas import DataFrame


def items_frame(items: Iterable[Item]) -> DataFrame:
    """Suite `catalogue`: one row an item, every field of `Item` a column; money in integer cents."""
    return _frame(asdict(item) for item in items)


def cases_frame(cases: Iterable[Case]) -> DataFrame:
    """Suite `cases`: one row a case; lengths of comments in characters."""
    return _frame(_case(case) for case in cases)


def trajectories_frame(collected: Iterable[CollectedTrajectory], harness: Harness, limits: Limits) -> DataFrame:
    """Suite `trajectories`: one row a trajectory. `harness` is the base harness: its skill keys hold for all variants."""
    reply_skills = {skill.key for skill in harness.skills if skill.kind is SkillKind.REPLY}
    return _frame(_trajectory(one, reply_skills, limits) for one in collected)


def turns_frame(collected: Iterable[CollectedTrajectory]) -> DataFrame:
    """Suite `turns`: one row an assistant message, `<episode id>#<number>` from 0."""
    return _frame(
        _turn(f"{one.episode_id}#{number}", one.episode_id, message)
        for one in collected
        for number, message in enumerate(m for m in one.trajectory.messages if m.role == "assistant")
    )


def rows_frame(rows_by_arm: Mapping[str, Sequence[JsonObject]]) -> DataFrame:
    """Suite `dataset`: one row a training row, of all arms together; `arm_rows` is how many rows its arm has."""
    return _frame(_row(arm, row, len(rows)) for arm, rows in rows_by_arm.items() for row in rows)


def _frame(rows: Iterable[JsonObject]) -> DataFrame:
    from pandas import DataFrame

    return DataFrame(list(rows))


def _case(case: Case) -> JsonObject:
    lengths = [len(comment.strip()) for comment in case.request.comments]
    links = {number for number, _ in case.request.links}
    return {
        "case_id": case.case_id,
        "split": case.split,
        "intent": case.intent.value,
        "phrasing": case.phrasing,
        "room_id": case.request.room_id,
        "comments": len(lengths),
        "shortest_comment": min(lengths, default=0),
        "longest_comment": max(lengths, default=0),
        "links": len(links),
        "on_screen_in_links": case.request.on_screen_link in links,
        "target_in_links": case.target_link is None or case.target_link in links,
    }


def _trajectory(collected: CollectedTrajectory, reply_skills: set[str], limits: Limits) -> JsonObject:
    trajectory = collected.trajectory
    turns = sum(message.role == "assistant" for message in trajectory.messages)
    return {
        "episode_id": collected.episode_id,
        "case_id": collected.case_id,
        "variant_id": collected.variant_id,
        "harness_version": trajectory.harness_version,
        "stop_reason": trajectory.stop_reason.value,
        "reply": trajectory.reply.strip() or None,
        "reply_words": len(trajectory.reply.split()),
        "reply_skills": sum(event.kind == "skill" and event.name in reply_skills for event in trajectory.events),
        "tool_calls": sum(event.kind == "tool" for event in trajectory.events),
        "hook_retries": sum(event.kind == "hook" for event in trajectory.events),
        "errors": sum(event.kind == "error" for event in trajectory.events),
        "turns": turns,
        "turns_left": limits.turns - turns,
    }


def _turn(turn_id: str, episode_id: str, message: Message) -> JsonObject:
    return {
        "turn_id": turn_id,
        "episode_id": episode_id,
        "calls": len(message.tool_calls),
        "malformed_calls": len(message.malformed_calls),
        "characters": len(message.content.strip()),
        "says_something": bool(message.content.strip() or message.tool_calls),
    }


def _row(arm: str, row: JsonObject, arm_rows: int) -> JsonObject:
    messages = row["messages"]
    called = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    return {
        "row_id": f"{arm}/{row['id']}",
        "arm": arm,
        "arm_rows": arm_rows,
        "case_id": row["case_id"],
        "variant_id": row["variant_id"],
        "harness_version": row["harness_version"],
        "messages": len(messages),
        "tools": len(row["tools"]),
        "first_role": messages[0]["role"],
        "last_role": messages[-1]["role"],
        "last_calls": len(messages[-1].get("tool_calls", ())),
        "last_characters": len(messages[-1]["content"].strip()),
        "calls_answered": sorted(called) == sorted(answered),
        "characters": sum(len(message["content"]) for message in messages),
    }
