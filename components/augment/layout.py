"""The layout of Markdown bodies: paragraphs and flat lists may be laid out anew, all else stays as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from components.augment.naming import names_in

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"`])|(?<=[。！？])")
_BULLET = re.compile(r"[-*+] +")
_RIGID = re.compile(r"[#|>]|\d+[.)]\s|.*:\s*$")
"""Headings, tables, quotations, numbered steps, and what introduces the next line."""
_LEANING = re.compile(
    r"^(?:after|and|but|he|if (?:not|so)|it|its|or|she|so|that)\b"
    r"|\b(?:again|also|any ?more|before|both|either|else|fewer|finally|first|further|however|instead|last|less|more|neither|next"
    r"|otherwise|others?|rather|same|second|such|than|them|then|these|they|this|those|thus|too|unless|wins?|without)\b"
    r"|[然再接最否如其此这那它先后更另才]",
    re.IGNORECASE,
)
"""A sentence that holds such a word may lean on another one, or say which of two comes first."""
_CHUNK_END = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(frozen=True)
class Block:
    """A paragraph with its sentences, or a flat unordered list with its items."""

    kind: Literal["paragraph", "list"]
    parts: tuple[str, ...]
    is_free: bool
    """Whether the parts may stand in any order: none leans on another, and none names a tool, which others may go by."""


def relayout(text: str, change: Callable[[Block], str], ordered: bool = False) -> str:
    """Replace every free block of at least two parts by what `change` writes for it; a text with code stays whole.

    With `ordered`, blocks whose parts lean on each other as well: `change` keeps their order.
    """
    if "```" in text:
        return text
    return "\n\n".join(_relayout_chunk(chunk.splitlines(), change, ordered) for chunk in _CHUNK_END.split(text))


def _relayout_chunk(lines: list[str], change: Callable[[Block], str], ordered: bool) -> str:
    # An indented line may belong to an item of the list before it, so it binds its whole chunk.
    if any(line[:1].isspace() for line in lines):
        return "\n".join(lines)
    written = []
    for kind, group in groupby(lines, _kind):
        block = _block(kind, run := list(group))
        written.append(change(block) if block and (block.is_free or ordered) else "\n".join(run))
    return "\n".join(written)


def _kind(line: str) -> str:
    if _BULLET.match(line):
        return "list"
    return "rigid" if _RIGID.match(line) else "paragraph"


def _block(kind: str, lines: list[str]) -> Block | None:
    if kind == "list":
        return _of_parts("list", tuple(_BULLET.sub("", line, count=1).strip() for line in lines))
    return _of_parts("paragraph", sentences(" ".join(line.strip() for line in lines))) if kind == "paragraph" else None


def _of_parts(kind: Literal["paragraph", "list"], parts: tuple[str, ...]) -> Block | None:
    if len(parts) < 2 or not all(parts):
        return None
    return Block(kind, parts, not any(_LEANING.search(part) or names_in(part) for part in parts))


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a line; the whole of it where a bracket or a quotation would be cut."""
    parts = tuple(part.strip() for part in SENTENCE_END.split(text) if part.strip())
    return parts if all(map(_is_balanced, parts)) else (text,)


def as_list(block: Block, bullet: str) -> str:
    """One line a part, each after `bullet`."""
    return "\n".join(f"{bullet} {part}" for part in block.parts)


def as_numbers(block: Block) -> str:
    """One line a part, numbered from 1."""
    return "\n".join(f"{number}. {part}" for number, part in enumerate(block.parts, 1))


def as_table(block: Block, head: str) -> str:
    """One row a part, under `head`."""
    return "\n".join([head, *("| {} |".format(part.replace("|", "\\|")) for part in block.parts)])


def as_paragraph(block: Block) -> str:
    """One sentence a part, on one line."""
    return " ".join(part if part[-1] in ".!?:;。！？" else f"{part}." for part in block.parts)


def cut(text: str) -> tuple[str, str] | None:
    """Two halves of a text, as near to its middle as it can be cut: between paragraphs, lines or sentences; None: nowhere."""
    if "```" in text:
        return None
    for pattern in (_CHUNK_END, re.compile(r"\n(?=\S)"), SENTENCE_END):
        ends = [match for match in pattern.finditer(text) if _is_whole(text[: match.start()]) and text[match.end() :].strip()]
        if ends:
            end = min(ends, key=lambda match: abs(match.start() - len(text) / 2))
            return text[: end.start()], text[end.end() :]
    return None


def _is_whole(text: str) -> bool:
    """Whether nothing is left open that the rest would close."""
    return text.rstrip()[-1:] not in ("", ":", "：") and _is_balanced(text)


def _is_balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0 == text.count("`") % 2
