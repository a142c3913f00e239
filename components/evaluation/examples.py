"""A few cases told in full, every arm beside the others, chosen by a rule rather than by taste."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from components.evaluation.measures import average, case_key
from components.evaluation.types import Row, Suite
from components.harness.messages import strip_reasoning
from components.harness.types import JsonObject, StopReason

WIDTH = 160
"""Characters of a tool's result, or of a thought, that are shown."""


@dataclass(frozen=True)
class Step:
    """One thing between the comment and the reply."""

    kind: str
    """`thought`, `call`, `result`, `rejected` (a reply that a hook sent back) or `hook` (what the hook said)."""
    text: str


@dataclass(frozen=True)
class Example:
    """One case and what each arm made of it."""

    why: str
    case: Row
    """A row that tells suite, intent, variant and dimensions."""
    comments: tuple[str, ...]
    on_screen: str
    told: dict[str, tuple[Row, list[Step]]]
    """Arm → its row and the steps of its trajectory."""


def choose_examples(arms: Mapping[str, Sequence[Row]], first: str, second: str, count: int) -> list[Example]:
    """Choose T2 cases (T1 where there is no T2) in turn from: first arm better, second better, alike.

    Within each, the case whose intent was shown least so far comes next, in the order of the rows. The rule shows
    losses as often as gains, so the examples say nothing of how frequent either is.
    """
    by_key = {arm: {case_key(r): r for r in rows} for arm, rows in arms.items()}
    rows = next((found for suite in (Suite.T2, Suite.T1) if (found := [r for r in arms[first] if r["suite"] == suite])), [])
    piles: dict[str, list[Row]] = {f"{first} better": [], f"{second} better": [], "alike": []}
    for row in rows:
        other = by_key[second].get(case_key(row))
        a, b = average(row), average(other) if other else None
        if row["trajectory"] is not None and a is not None and b is not None:
            piles[f"{first} better" if a > b else f"{second} better" if b > a else "alike"].append(row)
    chosen: list[tuple[str, Row]] = []
    shown: Counter[str] = Counter()
    while len(chosen) < count and any(piles.values()):
        for why, pile in piles.items():
            if pile and len(chosen) < count:
                row = min(pile, key=lambda r: shown[r["intent"]])
                pile.remove(row)
                shown[row["intent"]] += 1
                chosen.append((why, row))
    return [_example(why, row, by_key) for why, row in chosen]


def _example(why: str, row: Row, by_key: Mapping[str, Mapping[tuple[str, str, str], Row]]) -> Example:
    request = row["trajectory"]["request"]
    titles = dict(request["links"])
    told = {arm: (rows[key], _steps(rows[key]["trajectory"])) for arm, rows in by_key.items() if (key := case_key(row)) in rows}
    link = request["on_screen_link"]
    return Example(why, row, tuple(request["comments"]), f"link {link}, {titles.get(link, 'unknown')}", told)


def _steps(trajectory: JsonObject | None) -> list[Step]:
    """What happened after the request and before the accepted reply, in the words that the model saw and wrote."""
    if trajectory is None:
        return []
    messages = trajectory["messages"][2:]
    accepted = messages[-1] if trajectory["stop_reason"] == StopReason.REPLIED else None
    steps = []
    for message in messages:
        content = message["content"].strip()
        match message["role"]:
            case "assistant":
                if thought := content.rpartition("</think>")[0].replace("<think>", "").strip():
                    steps.append(Step("thought", _short(thought)))
                steps += [
                    Step("call", f"{c['name']}({json.dumps(c['arguments'], ensure_ascii=False)})") for c in message["tool_calls"]
                ]
                steps += [Step("rejected", text) for text in message["malformed_calls"]]
                if (said := strip_reasoning(content)) and not message["tool_calls"] and message is not accepted:
                    steps.append(Step("rejected", said))
            case "tool":
                steps.append(Step("result", _short(content)))
            case _:
                steps.append(Step("hook", content))
    return steps


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else text[:WIDTH] + " …"
