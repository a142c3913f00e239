"""Every text that a transformation may add to a harness, by family. What `train` and what `heldout` may add share no word.

A family has forms of its own as well. Train: numbered steps, bullets, `#`, tags, brackets, labels with a colon. Held-out:
tables, JSON, quotations, questions, labels with a dash.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from components.augment.types import Family

Frame = Callable[..., str]
"""Puts itself around texts, as many as it has places for."""


@dataclass(frozen=True)
class Pool:
    """Choices of each family."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]

    def of(self, family: Family) -> tuple[str, ...]:
        """The choices of one family."""
        return self.train if family == "train" else self.heldout


FRAMES: Mapping[str, Pool] = {
    "skill description": Pool(("When to use: {}", "Covers: {}"), ("Purpose — {}", "Pick it for this — {}")),
    "tool description": Pool(("Function: {}", "What it does: {}"), ("In short — {}", "Its job — {}")),
    "parameter description": Pool(("Set to: {}", "Give here: {}"), ("Meaning — {}", "Stands for — {}")),
    "body": Pool(("Instructions:\n{}", "Do this:\n{}"), ("How to proceed —\n{}", "Guidance —\n{}")),
    "heading": Pool(("Your {}", "About: {}", "[{}]"), ("Here you find {}", "Next comes {}", "What follows concerns {}")),
    "hook message": Pool(
        ("Not accepted. {}", "Try again. {}", "{} Then continue."), ("Sent back — {}", "Hold on — {}", "{} Please revise.")
    ),
    "hook message in a language": Pool(
        ("Respuesta rechazada. {}", "{} Corrígela y sigue."),
        ("Zurückgewiesen. {}", "{} Bitte überarbeiten.", "未通过检查。{}", "{} 请修改后再说。"),
    ),
    "hook message in a form": Pool(
        ("<retry>{}</retry>", "<feedback>{}</feedback>", "<check>{}</check>"),
        ('{"refused": true, "because": "{}"}', '{"hook_verdict": true, "hook_note": "{}"}'),
    ),
    "hook message with the reply": Pool((), ("{}\nYou wrote «{reply}»", "{}\nDraft was «{reply}»")),
    "last step": Pool(("Mend that.", "Go on from there."), ()),
    "reminder": Pool(
        (
            "{}\n\nRead this to the end before you call anything.",
            "{}\n\nAll of this holds, not just the start.",
            "{}\n\nKeep to this even where the talk before went another way.",
        ),
        (),
    ),
    "description and body": Pool(
        tuple(f"{level} Scope\n{{}}\n\n{level} Instructions\n{{}}" for level in ("#", "##", "###")),
        ("When does this apply?\n{}\n\nWhat is to be done?\n{}", "Which case is meant?\n{}\n\nWhich moves does it take?\n{}"),
    ),
    "half description": Pool(("{} (In two parts: load both.)", "{} (Goes with its other half.)"), ()),
    "first half": Pool(("{}\n\nGoes on in {}.",), ()),
    "second half": Pool(("Goes on from {}.\n\n{}",), ()),
    "half section": Pool(("{} (more)", "{} (continued)"), ()),
    "two descriptions": Pool((), ("Double duty — {} Equally — {}", "{} Besides — {}")),
    "two bodies": Pool((), ("One concern —\n{}\n\nOther concern —\n{}", "Concern A —\n{}\n\nConcern B —\n{}")),
    "two headings": Pool((), ("{} / {}",)),
    "table": Pool((), ("| what to do |\n| --- |",)),
    "named parameter": Pool(("The {}.", "{}, as the tool wants it."), ()),
    "choices": Pool((), ("One of — {}.", "Either of — {}.")),
}
"""What is done → texts around others, each of which stands for a `{}`, in order; or texts that stand alone."""

EXTRA_SECTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "preamble": (
        ("Before you start", "Read all sections of this prompt, then answer."),
        ("How this is built", "Each section below holds one part of your work."),
    ),
    "closing": (
        ("Finally", "This is all you need; the next thing you see comes from the room."),
        ("Over to you", "Everything above counts for each request that you get."),
    ),
}
"""Name of a section → headings and texts that it may have: `preamble` in train, `closing` in held-out variants."""

EXTRA_CHECKS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("as an AI", "language model"), "Stay the voice of the room: {reason}."),
    (("tool result", "system prompt"), "Leave inner workings out: {reason}."),
    (("TODO", "lorem ipsum"), "Finish the reply: {reason}."),
)
"""Phrases that no right reply holds, with the message for a reply that does; held-out."""

MORE_PHRASES: tuple[tuple[str, ...], ...] = (
    ("miracle of all miracles", "cross my heart and hope to die", "天地良心保证"),
    ("once in a thousand years", "on my grandmother's grave", "千年等一回"),
)
"""Phrases to add to those that are forbidden, no right reply holds one; train."""


def pieces(family: Family) -> tuple[str, ...]:
    """All that a family's transformations may add as running text, cut where something else stands, the longest first.

    Beside these a variant may hold only words of names, the numbers of steps, marks, and distractors.
    """
    framed = [piece.strip() for pool in FRAMES.values() for text in pool.of(family) for piece in text.split("{}")]
    if family == "train":
        alone = [text for section in EXTRA_SECTIONS["preamble"] for text in section]
    else:
        alone = [*(text for section in EXTRA_SECTIONS["closing"] for text in section), *(text for _, text in EXTRA_CHECKS)]
    return tuple(
        sorted({piece for piece in (*framed, *alone) if re.search(r"\w", piece)}, key=lambda piece: (-len(piece), piece))
    )


def fill(template: str, *texts: str) -> str:
    """The template with one text for each `{}`, in order; braces in the texts mean nothing."""
    first, *rest = template.split("{}")
    return first + "".join(text + piece for text, piece in zip(texts, rest, strict=True))


def frame(what: str, family: Family, random: Random) -> Frame:
    """One choice of `FRAMES`, to be filled with texts."""
    template = random.choice(FRAMES[what].of(family))
    return lambda *texts: fill(template, *texts)


def framing(what: str, family: Family, random: Random) -> Callable[[str], str]:
    """Puts one choice of `FRAMES` around a text; an empty text stays empty."""
    around = frame(what, family, random)
    return lambda text: around(text) if text.strip() else text
