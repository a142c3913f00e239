"""General prompts of our own: a topic, and one or two instructions in IFEval's vocabulary that do not contradict each other."""

from __future__ import annotations

from functools import cache
from random import Random

from components.data.general.instructions import CONSTRAINED, INSTRUCTIONS, OWN_CONFLICTS, REPEAT
from components.data.general.types import Family, GeneralPrompt
from components.data.general.words import SUBJECTS
from components.harness.types import JsonObject

PAIR_SHARE = 0.5
"""Share of the prompts that get a second instruction (where one goes with the first)."""


def general_prompts(seed: int, count: int, family: Family = "train") -> list[GeneralPrompt]:
    """`count` different prompts. All instructions come up about equally often.

    The same seed and family give the same prompts, and a smaller count the first of them; families share no topic,
    keyword or wording.
    """
    random = Random(f"{family}:{seed}")
    prompts: dict[str, GeneralPrompt] = {}
    turns: list[str] = []
    while len(prompts) < count:
        turns = turns or random.sample(list(INSTRUCTIONS), len(INSTRUCTIONS))
        prompt = _draw(random, f"{family}-{seed}-{len(prompts)}", family, turns.pop())
        prompts.setdefault(prompt.prompt, prompt)
    return list(prompts.values())


def _draw(random: Random, prompt_id: str, family: Family, first: str) -> GeneralPrompt:
    subject = random.choice(SUBJECTS)
    topic = random.choice(subject.topics[family])
    requests = (subject.questions if first == CONSTRAINED else subject.requests)[family]
    text = random.choice(requests).format(t=topic)
    chosen = [first]
    others = compatible(first)
    if others and random.random() < PAIR_SHARE:
        chosen.append(random.choice(others))
    # The request to repeat is all that comes before the instruction to repeat it.
    chosen.sort(key=lambda name: name == REPEAT)
    between = random.choice((" ", "\n"))
    kwargs: list[JsonObject] = []
    for name in chosen:
        instruction = INSTRUCTIONS[name]
        arguments = {"prompt_to_repeat": text} if name == REPEAT else instruction.draw(random, family, topic)
        text += between + random.choice(instruction.wordings[family]).format(**_in_words(arguments))
        kwargs.append(arguments)
    return GeneralPrompt(prompt_id, text, tuple(chosen), tuple(kwargs), topic)


@cache
def compatible(name: str) -> tuple[str, ...]:
    """Instructions that can be followed together with `name`, by the official table of conflicts and our own."""
    from if_verifiable.ifeval.instructions_registry import INSTRUCTION_CONFLICTS as OFFICIAL

    return tuple(
        other
        for other in INSTRUCTIONS
        if other != name
        and other not in OFFICIAL[name]
        and name not in OFFICIAL[other]
        and frozenset({name, other}) not in OWN_CONFLICTS
    )


def _in_words(arguments: JsonObject) -> JsonObject:
    return {
        name: " and ".join(value) if isinstance(value, list) else "fewer than" if value == "less than" else value
        for name, value in arguments.items()
    }
