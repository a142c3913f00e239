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


def test_steps_that_lean_on_each_other_may_be_numbered_in_their_order() -> None:
    text = "# Price\nLook up the price. Then say it."
    assert relayout(text, as_numbers) == text
    assert relayout(text, as_numbers, ordered=True) == "# Price\n1. Look up the price.\n2. Then say it."


def test_a_table_has_a_row_for_each_part_unless_one_would_break_it() -> None:
    assert relayout("One here. Two here.", as_table).splitlines()[2:] == ["| 1 | One here. |", "| 2 | Two here. |"]
    assert as_table(Block("list", ("a | b", "c"), True)) == "- a | b\n- c"


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
