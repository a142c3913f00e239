"""The layout of Markdown bodies: free paragraphs and free lists may be laid out anew, all else stays as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"`])")
_BULLET = re.compile(r"[-*+] +")
_RIGID = re.compile(r"[#|>]|\d+[.)]\s|.*:\s*$")
"""Headings, tables, quotations, numbered steps, and what introduces the next line."""
_LEANING = re.compile(
    r"(?:after|also|and|but|else|finally|first|he|however|if (?:not|so)|it|its|last|next|or|otherwise|she|so|that|then|there|"
    r"these|they|this|those|thus)\b",
    re.IGNORECASE,
)
"""A sentence that begins so leans on another one."""


@dataclass(frozen=True)
class Block:
    """A paragraph with its sentences, or a flat unordered list with its items; the parts may stand in any order."""

    kind: Literal["paragraph", "list"]
    parts: tuple[str, ...]


def relayout(text: str, change: Callable[[Block], str]) -> str:
    """Replace every free block of at least two parts by what `change` writes for it; a text with code stays whole."""
    if "```" in text:
        return text
    chunks = re.split(r"\n(?:[ \t]*\n)+", text)
    return "\n\n".join(_relayout_chunk(chunk.splitlines(), change) for chunk in chunks)


def _relayout_chunk(lines: list[str], change: Callable[[Block], str]) -> str:
    # An indented line may belong to an item of the list before it, so it binds its whole chunk.
    if any(line[:1].isspace() for line in lines):
        return "\n".join(lines)
    written = []
    for kind, group in groupby(lines, _kind):
        block = _block(kind, run := list(group))
        written.append(change(block) if block else "\n".join(run))
    return "\n".join(written)


def _kind(line: str) -> str:
    if _BULLET.match(line):
        return "list"
    return "rigid" if _RIGID.match(line) else "paragraph"


def _block(kind: str, lines: list[str]) -> Block | None:
    if kind == "list":
        return _free(Block("list", tuple(_BULLET.sub("", line, count=1).strip() for line in lines)))
    sentences = tuple(_SENTENCE_END.split(" ".join(line.strip() for line in lines)))
    is_cut_well = all(s.count("(") == s.count(")") and s.count('"') % 2 == 0 == s.count("`") % 2 for s in sentences)
    return _free(Block("paragraph", sentences)) if kind == "paragraph" and is_cut_well else None


def _free(block: Block) -> Block | None:
    leans = any(_LEANING.match(part) for part in block.parts)
    return None if leans or len(block.parts) < 2 or not all(block.parts) else block


def as_list(block: Block, bullet: str) -> str:
    """One line a part, each after `bullet`."""
    return "\n".join(f"{bullet} {part}" for part in block.parts)


def as_paragraph(block: Block) -> str:
    """One sentence a part, on one line."""
    return " ".join(part if part[-1] in ".!?:;" else f"{part}." for part in block.parts)
