"""Rows of arms that never ran, with the shares of right answers that a test asks for."""

from __future__ import annotations

from random import Random

from components.evaluation.suites import T3_FAULTS
from components.evaluation.types import Row
from components.judge import JUDGE

DIMENSIONS = ("skill_identifiers", "tool_schemas", "hook_behaviour")
INTENTS = ("price", "stock", "chit_chat", "after_sales")


def made_up_rows(
    arm: str,
    seed: int = 1,
    t1: float = 0.7,
    t2: float = 0.5,
    t3: float = 0.4,
    t4: float = 0.3,
    words: tuple[float, float] = (40, 20),
    rooms: int = 8,
    per_room: int = 5,
) -> list[Row]:
    """Rows of all four suites: `rooms` x `per_room` cases each, right with the given chances, by an arm's seed of training."""
    random = Random(f"{arm}:{seed}")
    drift = random.gauss(0, 0.04)
    cases = [(room, place) for room in range(rooms) for place in range(per_room)]
    rows: list[Row] = []
    for suite, chance in (("T1", t1), ("T2", t2), ("T3", t3)):
        for number, (room, place) in enumerate(cases):
            right = random.random() < chance + drift + Random(f"room {room}").gauss(0, 0.1)
            half = not right and random.random() < 0.3
            fault = T3_FAULTS[number % len(T3_FAULTS)].value if suite == "T3" else None
            struck = [fault] if fault and random.random() < 0.8 else []
            refused = int(random.random() < 0.2)
            rows.append(
                {
                    "arm": arm,
                    "suite": suite,
                    "case_id": f"case-{number}",
                    "room_id": f"room-{room}",
                    "intent": INTENTS[place % len(INTENTS)],
                    "variant_id": f"heldout-{number % 3}" if suite == "T2" else "original",
                    "dimensions": [DIMENSIONS[number % 3]] if suite == "T2" else [],
                    "harness_version": "0123456789ab",
                    "fault": fault,
                    "tool_faults": struck,
                    "reply": "It is 49 yuan.",
                    "stop_reason": "replied" if right or half else "turn_limit",
                    "accuracy": int(right or half),
                    "effectiveness": 1.0 if right else 0.5 if half else 0.0,
                    "reasons": [],
                    "judge": JUDGE,
                    "tool_correct": right,
                    "skill_correct": right or half,
                    "recovered_from_fault": right if struck else None,
                    "refused": refused,
                    "recovered_from_refusal": right if refused else None,
                    "thinking": {
                        "tool_calls": [max(0, round(random.gauss(words[0], 8))) for _ in range(2)],
                        "reply": [max(0, round(random.gauss(words[1], 5)))],
                    },
                    "turns": 3,
                    "prompt_tokens": 1800,
                    "completion_tokens": 90,
                    "latency_s": 1.0 + random.random(),
                    "trajectory": None,
                }
            )
    for number in range(len(cases)):
        instructions = [random.random() < t4 + drift + 0.2 for _ in range(2)]
        rows.append(
            {
                "arm": arm,
                "suite": "T4",
                "case_id": f"general-{number}",
                "prompt": "Write two sentences about tea.",
                "response": "Tea is warm. Tea is good.",
                "instruction_ids": ["length_constraints:number_sentences", "keywords:existence"],
                "accuracy": int(all(instructions)),
                "instructions": instructions,
                "completion_tokens": 20,
            }
        )
    return rows
