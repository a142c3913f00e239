"""Items, coupons, cases, trajectories and training rows as flat pandas frames: one a suite; the first column names the row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from components.data.types import CollectedTrajectory
from components.harness.records import covered
from components.harness.types import Harness, JsonObject, Limits, Message, SkillKind
from components.liveroom.types import Case, Coupon, Intent, Item, RoomRecord

if TYPE_CHECKING:
    from pandas import DataFrame


def items_frame(items: Iterable[Item]) -> DataFrame:
    """Suite `catalogue`: one row an item; money in integer cents, `skus`, `options` and `features` are counts."""
    return _frame(_item(item) for item in items)


def skus_frame(items: Iterable[Item]) -> DataFrame:
    """Suite `skus`: one row a SKU of every item; `price_of_size_cents` is the price of the item's first SKU of that size."""
    return _frame(_sku(item, number) for item in items for number in range(len(item.skus)))


def coupons_frame(coupons: Iterable[Coupon], items: Iterable[Item], rooms: Iterable[RoomRecord]) -> DataFrame:
    """Suite `coupons`: one row a coupon; `smallest_order_cents` is the list total of the smallest order it may count for."""
    by_id = {item.item_id: item for item in items}
    shown = {room.room_id: [by_id[item_id] for _, item_id in room.links] for room in rooms}
    return _frame(_coupon(coupon, shown[coupon.room_id]) for coupon in coupons)


def cases_frame(cases: Iterable[Case]) -> DataFrame:
    """Suite `cases`: one row a case; lengths of comments in characters."""
    return _frame(_case(case) for case in cases)


def trajectories_frame(collected: Iterable[CollectedTrajectory], harness: Harness, limits: Limits) -> DataFrame:
    """Suite `trajectories`: one row a trajectory. `harness` is the base harness: its skill keys hold for all variants."""
    reply_skills = {key for skill in harness.skills if skill.kind is SkillKind.REPLY for key in covered(skill)}
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


def _item(item: Item) -> JsonObject:
    return {
        "item_id": item.item_id,
        "title": item.title,
        "category": item.category,
        "material": item.material,
        "ship_from": item.ship_from,
        "ship_days": item.ship_days,
        "ship_fee_cents": item.ship_fee_cents,
        "return_days": item.return_days,
        "warranty_months": item.warranty_months,
        "skus": len(item.skus),
        "options": len({(sku.colour, sku.size) for sku in item.skus}),
        "features": len(item.features),
        "blank_features": sum(not name.strip() or not value.strip() for name, value in item.features.items()),
    }


def _sku(item: Item, number: int) -> JsonObject:
    sku = item.skus[number]
    of_size = next(one.price_cents for one in item.skus if one.size == sku.size)
    return {
        "sku_id": sku.sku_id,
        "item_id": item.item_id,
        "colour": sku.colour,
        "size": sku.size,
        "price_cents": sku.price_cents,
        "price_of_size_cents": of_size,
        "stock": sku.stock,
    }


def _coupon(coupon: Coupon, shown: Sequence[Item]) -> JsonObject:
    prices = [sku.price_cents for one in shown if one.item_id in (coupon.item_ids or (one.item_id,)) for sku in one.skus]
    return {
        "coupon_id": coupon.coupon_id,
        "room_id": coupon.room_id,
        "title": coupon.title,
        "group": coupon.group,
        "percent_off": coupon.percent_off,
        "cents_off": coupon.cents_off,
        "kinds": (coupon.percent_off > 0) + (coupon.cents_off > 0),
        "minimum_cents": coupon.minimum_cents,
        "smallest_order_cents": max(min(prices, default=0), coupon.minimum_cents),
        "unknown_items": len(set(coupon.item_ids) - {one.item_id for one in shown}),
    }


def _case(case: Case) -> JsonObject:
    lengths = [len(comment.strip()) for comment in case.request.comments]
    links = {number for number, _ in case.request.links}
    intents = [ask.intent for ask in case.asks]
    return {
        "case_id": case.case_id,
        "split": case.split,
        "intent": case.intent.value,
        "language": case.request.language,
        "phrasing": case.phrasing,
        "room_id": case.request.room_id,
        "comments": len(lengths),
        "shortest_comment": min(lengths, default=0),
        "longest_comment": max(lengths, default=0),
        "links": len(links),
        "on_screen_in_links": case.request.on_screen_link in links,
        "asked_in_links": case.links <= links,
        "asks": len(intents),
        "asks_fit_intent": Intent.SEVERAL not in intents and case.intent is (Intent.SEVERAL if len(intents) > 1 else intents[0]),
        "least_quantity": min(ask.quantity for ask in case.asks),
    }


def _trajectory(collected: CollectedTrajectory, reply_skills: set[str], limits: Limits) -> JsonObject:
    trajectory = collected.trajectory
    turns = sum(message.role == "assistant" for message in trajectory.messages)
    loaded = {key for event in trajectory.events if event.kind == "skill" for key in event.arguments["covers"]}
    return {
        "episode_id": collected.episode_id,
        "case_id": collected.case_id,
        "variant_id": collected.variant_id,
        "harness_version": trajectory.harness_version,
        "stop_reason": trajectory.stop_reason.value,
        "reply": trajectory.reply.strip() or None,
        "reply_words": len(trajectory.reply.split()),
        "reply_skills": len(loaded & reply_skills),
        "tool_calls": sum(event.kind == "tool" for event in trajectory.events),
        "hook_retries": sum(event.kind == "hook" and event.arguments["action"] == "retry" for event in trajectory.events),
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
