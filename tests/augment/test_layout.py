from __future__ import annotations

from dataclasses import replace

import pytest

from components.augment.layout import Block, as_list, as_numbers, as_paragraph, as_table, cut, relayout, sentences


def upside_down(block: Block) -> str:
    return as_list(replace(block, parts=block.parts[::-1]), "*")


def test_sentences_become_list_items() -> None:
    assert relayout("Look up the price.\nSay it aloud.", lambda b: as_list(b, "-")) == "- Look up the price.\n- Say it aloud."


def test_list_items_become_sentences() -> None:
    assert relayout("- Look up the price\n- Say the name.", as_paragraph) == "Look up the price. Say the name."


def test_each_block_is_laid_out_by_itself() -> None:
    text = "# Price\nUse these:\n- one\n- two\n\nA sentence here. Only one."
    assert relayout(text, upside_down) == "# Price\nUse these:\n* two\n* one\n\n* Only one.\n* A sentence here."
    assert relayout("A here. B there.\n\nC here. D there.", upside_down) == "* B there.\n* A here.\n\n* D there.\n* C here."


@pytest.mark.parametrize(
    "text",
    [
        "Look up the price. Then say it.",
        "A link number wins. Without any of these the item on screen is meant.",
        "Look up the terms. Say the days. Promise nothing more.",
        "Name both. Praise neither.",
        "Say sorry. Point to what else there is.",
        "Call price_lookup. Say the price.",
        "- A number beats a name, other than on Sunday\n- A name",
        "先查价格。然后报价。",
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


def test_steps_that_lean_on_each_other_may_be_numbered_in_their_order() -> None:
    text = "# Price\nLook up the price. Then say it."
    assert relayout(text, as_numbers) == text
    assert relayout(text, as_numbers, ordered=True) == "# Price\n1. Look up the price.\n2. Then say it."


def test_a_table_has_a_row_for_each_part_and_a_bar_breaks_none() -> None:
    assert relayout("One here. Two here.", lambda block: as_table(block, "| head |")) == "| head |\n| One here. |\n| Two here. |"
    assert as_table(Block("list", ("a | b", "c"), True), "| h |") == "| h |\n| a \\| b |\n| c |"


def test_chinese_sentences_need_no_space_between_them() -> None:
    assert sentences("先查价格。再报价！好吗？") == ("先查价格。", "再报价！", "好吗？")


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("First part.\n\nSecond part.\n\nThird, which is long.", ("First part.\n\nSecond part.", "Third, which is long.")),
        ("Use these:\n- one\n  - inner\n- two", ("Use these:\n- one\n  - inner", "- two")),
        ("Look up the price. Say it aloud.", ("Look up the price.", "Say it aloud.")),
        ('Say "Welcome. Glad to see you" aloud. Go on.', ('Say "Welcome. Glad to see you" aloud.', "Go on.")),
        ("先查价格。再报价。", ("先查价格。", "再报价。")),
    ],
)
def test_a_text_is_cut_near_its_middle_at_the_largest_joint_that_it_has(text: str, halves: tuple[str, str]) -> None:
    assert cut(text) == halves


@pytest.mark.parametrize("text", ["One sentence.", "", "```\na\n\nb\n```"])
def test_what_has_no_joint_is_not_cut(text: str) -> None:
    assert cut(text) is None
