"""Reading what is spoken: sentences, numbers, words of two scripts."""

from __future__ import annotations

import re
import unicodedata

from components.harness.hooks.numerals import digits

_SENTENCE_END = re.compile(r"(?<=[!?。！？；\n])\s*|(?<=\.)(?<!\b[Nn][Oo]\.)\s+")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?")
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_TENTHS = re.compile(r"(?<=\d)[元块](?=\d(?![\d件个条双套只台天码折位]))")
"""`49块9` is 49.9."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['’.,-][^\W_\u3400-\u9fff]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def sentences(text: str) -> list[str]:
    """The text cut after every sentence; put together with `join_sentences` it reads as before."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def join_sentences(parts: list[str]) -> str:
    """Sentences in a row: a space between those of Latin script, none after Chinese punctuation."""
    return re.sub(r"(?<=[。！？；]) ", "", " ".join(parts))


def numbers(text: str) -> set[str]:
    """Every number, in digits or words, one spelling a value: `1,299.00`, `１２９９` and `一千两百九十九` are the same."""
    return _in_digits(_TENTHS.sub(".", digits(_HYPHEN.sub(" ", _normal(text)))))


def stated_numbers(text: str) -> set[str]:
    """The numbers that a reply states: one and two in words seldom count (`这一件`, `those two`) and are left out."""
    return numbers(text) - ({"1", "2"} - _in_digits(_normal(text)))


def word_count(text: str) -> int:
    """Words as they are spoken: a Chinese character counts as one."""
    return len(_WORD.findall(text))


def scripts(text: str) -> tuple[int, int]:
    """(Chinese characters, words in Latin letters)."""
    return len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def _in_digits(text: str) -> set[str]:
    return {_plain(number) for number in _NUMBER.findall(text)}


def _plain(number: str) -> str:
    whole, _, fraction = number.replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole
