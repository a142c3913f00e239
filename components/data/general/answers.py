"""A reference answer to every generated prompt: proof that it can be followed, and something plain to learn from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random

from components.data.general import instructions as ids
from components.data.general.scoring import score
from components.data.general.types import GeneralPrompt
from components.data.general.words import KEYWORD_SENTENCES, PLACEHOLDER_SENTENCES, SUBJECTS
from components.harness.types import JsonObject

LENGTHS = (3, 4, 2, 5, 1, 6, 8)
"""Sentences that an answer is tried with, the most natural first."""
SHUFFLES = 20


def answer(prompt: GeneralPrompt) -> str:
    """A short text on the prompt's topic that the official checkers accept; the same for the same prompt.

    Raises ValueError for a prompt that `general_prompts` did not make.
    """
    for draft in _drafts(prompt):
        if score(prompt, draft).prompt:
            return draft
    raise ValueError(f"{prompt.prompt_id}: no answer follows {', '.join(prompt.instruction_ids)}")


def _drafts(prompt: GeneralPrompt) -> Iterator[str]:
    wanted = dict(zip(prompt.instruction_ids, prompt.kwargs, strict=True))
    random = Random(prompt.prompt_id)
    pool = [sentence for sentence in _sentences(prompt) if _allowed(sentence, wanted)]
    for _ in range(SHUFFLES):
        shuffled = random.sample(pool, len(pool))
        for length in LENGTHS:
            yield _draft(prompt.topic, wanted, shuffled[:length], random)


def _sentences(prompt: GeneralPrompt) -> list[str]:
    for subject in SUBJECTS:
        if any(prompt.topic in topics for topics in subject.topics.values()):
            return [_about(sentence, prompt.topic) for sentence in subject.sentences]
    raise ValueError(f"{prompt.prompt_id}: expected a topic of the generator, found {prompt.topic!r}")


def _about(sentence: str, topic: str) -> str:
    return sentence.format(t=topic, T=topic.capitalize())


def _allowed(sentence: str, wanted: dict[str, JsonObject]) -> bool:
    if ids.NO_COMMA in wanted and "," in sentence:
        return False
    return not set(wanted.get(ids.FORBIDDEN, {}).get("forbidden_words", ())) & set(re.findall(r"\w+", sentence.lower()))


def _draft(topic: str, wanted: dict[str, JsonObject], sentences: list[str], random: Random) -> str:
    """One try. Conflicting instructions never meet here, so that the order of the steps is all that matters."""
    if ids.CONSTRAINED in wanted:
        return f"My answer is {random.choice(('yes', 'no', 'maybe'))}."
    body = _laid_out(topic, wanted, sentences + _extras(wanted, random))
    if ids.HIGHLIGHTS in wanted:
        number = wanted[ids.HIGHLIGHTS]["num_highlights"]
        body = re.sub(re.escape(topic), lambda match: f"*{match[0]}*", body, count=number, flags=re.IGNORECASE)
    if ids.TITLE in wanted:
        body = f"<<{topic.title()}>>\n{body}"
    if ids.REPEAT in wanted:
        body = f"{wanted[ids.REPEAT]['prompt_to_repeat']}\n{body}"
    if ids.POSTSCRIPT in wanted:
        body += f"\n{wanted[ids.POSTSCRIPT]['postscript_marker']} Enjoy it."
    if ids.END in wanted:
        body += f" {wanted[ids.END]['end_phrase']}"
    if ids.QUOTATION in wanted:
        body = f'"{body}"'
    return body.upper() if ids.CAPITAL in wanted else body.lower() if ids.LOWERCASE in wanted else body


def _extras(wanted: dict[str, JsonObject], random: Random) -> list[str]:
    """Sentences for the keywords and placeholders that are asked for."""
    words = list(wanted.get(ids.EXISTENCE, {}).get("keywords", ()))
    frequency = wanted.get(ids.FREQUENCY, {"relation": ""})
    if frequency["relation"] == "at least":
        words += [frequency["keyword"]] * frequency["frequency"]
    frames = random.sample(KEYWORD_SENTENCES, len(KEYWORD_SENTENCES))
    gaps = wanted.get(ids.PLACEHOLDERS, {}).get("num_placeholders", 0)
    keywords = [frames[number % len(frames)].format(w=word) for number, word in enumerate(words)]
    return keywords + random.sample(PLACEHOLDER_SENTENCES, gaps)


def _laid_out(topic: str, wanted: dict[str, JsonObject], sentences: list[str]) -> str:
    def parts(number: int) -> list[str]:
        return [" ".join(sentences[start::number]) for start in range(number)]

    if ids.BULLETS in wanted:
        lines = [f"- {part}" for part in parts(wanted[ids.BULLETS]["num_bullets"])]
        return "\n".join([f"Some notes on {topic}:", *lines])
    if ids.SECTIONS in wanted:
        heading, number = wanted[ids.SECTIONS]["section_spliter"], wanted[ids.SECTIONS]["num_sections"]
        return "\n".join(f"{heading} {index}\n{part}" for index, part in enumerate(parts(number), start=1))
    if ids.PARAGRAPHS in wanted:
        return "\n***\n".join(parts(wanted[ids.PARAGRAPHS]["num_paragraphs"]))
    if ids.NTH_PARAGRAPH in wanted:
        asked = wanted[ids.NTH_PARAGRAPH]
        paragraphs = parts(asked["num_paragraphs"])
        chosen = paragraphs[asked["nth_paragraph"] - 1]
        paragraphs[asked["nth_paragraph"] - 1] = f"{asked['first_word'].capitalize()} {chosen[:1].lower()}{chosen[1:]}"
        return "\n\n".join(paragraphs)
    if ids.TWO in wanted:
        return "\n******\n".join(parts(2))
    if ids.JSON in wanted:
        return json.dumps({"topic": topic, "text": " ".join(sentences)})
    return " ".join(sentences)
