"""The instructions that generated prompts give: how their arguments are drawn, and how each family words them.

All are IFEval's own, so the official checkers judge them. Left out are those whose checkers need a download
(see `scoring.NEEDS_DATA`) and answers in other languages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from random import Random

from components.data.general.types import Family
from components.data.general.words import COMMON, ENDINGS, KEYWORDS, OPENERS
from components.harness.types import JsonObject

CONSTRAINED = "detectable_format:constrained_response"
REPEAT = "combination:repeat_prompt"
CAPITAL, LOWERCASE = "change_case:english_capital", "change_case:english_lowercase"
BULLETS, SECTIONS = "detectable_format:number_bullet_lists", "detectable_format:multiple_sections"
PARAGRAPHS, NTH_PARAGRAPH = "length_constraints:number_paragraphs", "length_constraints:nth_paragraph_first_word"
WORDS, END, POSTSCRIPT = "length_constraints:number_words", "startend:end_checker", "detectable_content:postscript"
EXISTENCE, FREQUENCY, FORBIDDEN = "keywords:existence", "keywords:frequency", "keywords:forbidden_words"
LETTERS, NO_COMMA, QUOTATION = "keywords:letter_frequency", "punctuation:no_comma", "startend:quotation"
PLACEHOLDERS, HIGHLIGHTS = "detectable_content:number_placeholders", "detectable_format:number_highlighted_sections"
JSON, TITLE, TWO = "detectable_format:json_format", "detectable_format:title", "combination:two_responses"

_LAYOUTS = (BULLETS, SECTIONS, PARAGRAPHS, NTH_PARAGRAPH)
OWN_CONFLICTS = {
    *map(frozenset, combinations(_LAYOUTS, 2)),
    *(frozenset({WORDS, layout}) for layout in _LAYOUTS),
    *(frozenset({case, other}) for case in (CAPITAL, LOWERCASE) for other in (SECTIONS, POSTSCRIPT, END)),
    frozenset({END, POSTSCRIPT}),
    # Few letters of a kind, many words that hold it.
    *(frozenset({LETTERS, other}) for other in (FREQUENCY, EXISTENCE)),
}
"""Pairs that the official table allows and that a short answer cannot, or not in its plain sense, follow."""


@dataclass(frozen=True)
class Instruction:
    """One type of instruction."""

    draw: Callable[[Random, Family, str], JsonObject]
    """Arguments for the official checker, from family and topic."""
    wordings: dict[Family, tuple[str, ...]]
    """Filled in with the arguments."""


def _nothing(random: Random, family: Family, topic: str) -> JsonObject:
    return {}


def _number(name: str, *choices: int) -> Callable[[Random, Family, str], JsonObject]:
    return lambda random, family, topic: {name: random.choice(choices)}


def _relation(random: Random) -> str:
    return random.choice(("at least", "less than"))


def _words(random: Random, family: Family, topic: str) -> JsonObject:
    relation = _relation(random)
    return {"relation": relation, "num_words": random.choice((15, 20, 25, 30) if relation == "at least" else (25, 30, 40, 50))}


def _frequency(random: Random, family: Family, topic: str) -> JsonObject:
    relation = _relation(random)
    wanted = relation == "at least"
    words = KEYWORDS[family] if wanted else COMMON[family]
    return {"relation": relation, "keyword": random.choice(words), "frequency": random.choice((2, 3))}


def _letters(random: Random, family: Family, topic: str) -> JsonObject:
    relation = _relation(random)
    if relation == "at least":
        return {"let_relation": relation, "letter": random.choice("aeost"), "let_frequency": random.choice((5, 8, 12))}
    rare = [letter for letter in "bgjkvwxyz" if letter not in topic]
    return {"let_relation": relation, "letter": random.choice(rare), "let_frequency": random.choice((2, 3))}


def _nth_paragraph(random: Random, family: Family, topic: str) -> JsonObject:
    paragraphs = random.choice((2, 3))
    return {
        "num_paragraphs": paragraphs,
        "nth_paragraph": random.randint(2, paragraphs),
        "first_word": random.choice(OPENERS[family]),
    }


INSTRUCTIONS: dict[str, Instruction] = {
    EXISTENCE: Instruction(
        lambda random, family, topic: {"keywords": sorted(random.sample(KEYWORDS[family], random.choice((1, 2))))},
        {
            "train": ("Use the word {keywords} somewhere.", "The text has to mention {keywords}."),
            "eval": ("Work {keywords} into what you say.",),
        },
    ),
    FREQUENCY: Instruction(
        _frequency,
        {
            "train": ("The word {keyword} must occur {relation} {frequency} times.",),
            "eval": ("Count the word {keyword}: it belongs in there {relation} {frequency} times.",),
        },
    ),
    FORBIDDEN: Instruction(
        lambda random, family, topic: {"forbidden_words": sorted(random.sample(COMMON[family], 2))},
        {
            "train": ("Never use {forbidden_words}.", "Avoid {forbidden_words} in your text."),
            "eval": ("You may not say {forbidden_words} anywhere.",),
        },
    ),
    LETTERS: Instruction(
        _letters,
        {
            "train": ("The letter {letter} must occur {let_relation} {let_frequency} times.",),
            "eval": ("Of the letter {letter} I want to see {let_relation} {let_frequency}.",),
        },
    ),
    PARAGRAPHS: Instruction(
        _number("num_paragraphs", 2, 3),
        {
            "train": ("Write {num_paragraphs} paragraphs and put a line of three stars, ***, between them.",),
            "eval": ("Split it by *** into exactly {num_paragraphs} paragraphs.",),
        },
    ),
    WORDS: Instruction(
        _words,
        {
            "train": ("Write {relation} {num_words} words.", "Your text must have {relation} {num_words} words."),
            "eval": ("Its length should come to {relation} {num_words} words.",),
        },
    ),
    NTH_PARAGRAPH: Instruction(
        _nth_paragraph,
        {
            "train": (
                "Write {num_paragraphs} paragraphs with an empty line between them, "
                "and let paragraph {nth_paragraph} begin with the word {first_word}.",
            ),
            "eval": (
                "I need {num_paragraphs} paragraphs, each set off by a blank line; "
                "open number {nth_paragraph} by saying {first_word}.",
            ),
        },
    ),
    PLACEHOLDERS: Instruction(
        _number("num_placeholders", 1, 2, 3),
        {
            "train": ("Leave {num_placeholders} or more gaps to fill in, each in square brackets like [name].",),
            "eval": ("Put no fewer than {num_placeholders} bracketed blanks, for example [place], into it.",),
        },
    ),
    POSTSCRIPT: Instruction(
        lambda random, family, topic: {"postscript_marker": random.choice(("P.S.", "P.P.S"))},
        {
            "train": ("Close with a postscript that opens with {postscript_marker}",),
            "eval": ("Tack on a last remark marked {postscript_marker}",),
        },
    ),
    BULLETS: Instruction(
        _number("num_bullets", 2, 3, 4),
        {
            "train": ("Make it {num_bullets} bullet points, each on a line that starts with a dash.",),
            "eval": ("Give me {num_bullets} bullets, no more and no less, in markdown.",),
        },
    ),
    CONSTRAINED: Instruction(
        _nothing,
        {
            "train": ('Say only "My answer is", then yes, no or maybe, then a full stop.',),
            "eval": ('Open by "My answer is" and finish the sentence by a plain yes, no or maybe and a dot.',),
        },
    ),
    HIGHLIGHTS: Instruction(
        _number("num_highlights", 1, 2, 3),
        {
            "train": ("Set {num_highlights} or more parts between stars, *like this*.",),
            "eval": ("Mark {num_highlights} passages or more by *asterisks*.",),
        },
    ),
    SECTIONS: Instruction(
        lambda random, family, topic: {"section_spliter": "Section", "num_sections": random.choice((2, 3))},
        {
            "train": ("Divide the text into {num_sections} parts headed {section_spliter} 1, {section_spliter} 2 and so on.",),
            "eval": ("Structure: {num_sections} sections, numbered by headings such as {section_spliter} 1.",),
        },
    ),
    JSON: Instruction(
        _nothing,
        {
            "train": ("Write nothing but one JSON object.", "Your whole text must be valid JSON."),
            "eval": ("Only JSON, please, with nothing around it.",),
        },
    ),
    TITLE: Instruction(
        _nothing,
        {
            "train": ("Add a title inside <<two pairs of angle brackets>>.",),
            "eval": ("It needs a heading written as <<heading>>.",),
        },
    ),
    TWO: Instruction(
        _nothing,
        {
            "train": ("Write two versions that differ and put ****** between them.",),
            "eval": ("I would like a pair of alternatives divided by ****** only.",),
        },
    ),
    REPEAT: Instruction(
        _nothing,
        {
            "train": ("Copy everything before this sentence exactly as it stands before you answer it.",),
            "eval": ("Begin by quoting my words up to here unaltered and then reply.",),
        },
    ),
    END: Instruction(
        lambda random, family, topic: {"end_phrase": random.choice(ENDINGS[family])},
        {"train": ("The last words must be: {end_phrase}",), "eval": ("Sign off by saying precisely: {end_phrase}",)},
    ),
    CAPITAL: Instruction(
        _nothing,
        {
            "train": ("Write in English and in capital letters only.", "USE CAPITAL LETTERS THROUGHOUT and write English."),
            "eval": ("Every English letter of it must be upper case.",),
        },
    ),
    LOWERCASE: Instruction(
        _nothing,
        {
            "train": ("Write in English and in small letters only.", "no capital letter may occur, and write english."),
            "eval": ("Every English letter of it must be lower case.",),
        },
    ),
    NO_COMMA: Instruction(
        _nothing,
        {"train": ("Do not use any comma.", "Write it without commas."), "eval": ("Leave out all commas.",)},
    ),
    QUOTATION: Instruction(
        _nothing,
        {
            "train": ("Put the whole text in double quotation marks.",),
            "eval": ('Its first and last character must be ".',),
        },
    ),
}
