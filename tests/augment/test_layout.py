from __future__ import annotations

import pytest

from components.augment.layout import Block, as_list, as_paragraph, relayout


def upside_down(block: Block) -> str:
    return as_list(Block(block.kind, block.parts[::-1]), "*")


def test_sentences_become_list_items() -> None:
    assert relayout("Look up the price.\nSay it aloud.", lambda b: as_list(b, "-")) == "- Look up the price.\n- Say it aloud."


def test_list_items_become_sentences() -> None:
    assert relayout("- Look up the price\n- Say the name.", as_paragraph) == "Look up the price. Say the name."


def test_each_block_is_laid_out_by_itself() -> None:
    text = "# Price\nUse these:\n- one\n- two\n\nFirst sentence here. Second one."
    assert relayout(text, upside_down) == "# Price\nUse these:\n* two\n* one\n\n" + "First sentence here. Second one."
    assert relayout("A here. B there.\n\nC here. D there.", upside_down) == "* B there.\n* A here.\n\n* D there.\n* C here."


@pytest.mark.parametrize(
    "text",
    [
        "Look up the price. Then say it.",
        "1. Look up the price.\n2. Say it.",
        "- Outer\n  - inner\n- Other",
        "```\nA here. B there.\n```",
        'Say "Welcome. Glad you are here." Go on.',
        "Only one sentence.",
        "",
    ],
)
def test_what_leans_on_its_order_stays_as_it_stands(text: str) -> None:
    assert relayout(text, upside_down) == text
