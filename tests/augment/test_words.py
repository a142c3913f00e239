from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from components.augment import naming, wording
from components.augment.naming import NAME_WORDS, STYLES, fresh, names_in, rename_mentions, synonym, words_of
from components.augment.types import Family
from components.augment.wording import WORDS, Pool, content_words, reword, wrap
from components.liveroom.catalogue import Catalogue
from components.liveroom.truth import truth
from components.liveroom.types import Case

FRAMES = [pool for pool in vars(wording).values() if isinstance(pool, Pool)]
AFFIXES = [pool for pool in vars(naming).values() if isinstance(pool, Pool)]


def test_train_and_heldout_share_no_name_word() -> None:
    pools = [*NAME_WORDS.values(), *AFFIXES]
    train = {word for pool in pools for word in pool.train}
    heldout = {word for pool in pools for word in pool.heldout}
    assert len(AFFIXES) == 3
    assert not train & heldout


def test_train_and_heldout_share_no_wording() -> None:
    pools = [*WORDS.values(), *FRAMES]
    train = {text for pool in pools for text in pool.train}
    heldout = {text for pool in pools for text in pool.heldout}
    assert len(FRAMES) == 5
    assert not train & heldout
    assert not set(STYLES["train"]) & set(STYLES["heldout"])


def test_every_synonym_belongs_to_one_word_and_is_none_itself() -> None:
    synonyms = Counter(word for pool in WORDS.values() for word in (*pool.train, *pool.heldout))
    assert set(synonyms.values()) == {1}
    assert not set(synonyms) & set(WORDS)


def test_no_word_that_a_right_reply_needs_is_ever_swapped(room: tuple[Catalogue, list[Case]]) -> None:
    catalogue, cases = room
    needed = {word for case in cases for fact in truth(case, catalogue).required for form in fact.forms for word in form.split()}
    assert {"yuan", "units", "months", "items"} <= needed
    # Whatever stands for `tap` or `use` says as well how to order.
    assert needed & set(WORDS) <= {"tap", "use"}


@pytest.mark.parametrize("family", ["train", "heldout"])
def test_rewording_keeps_code_quotations_fields_and_names(family: Family) -> None:
    text = 'The viewer wants `say only` and "short" {say} viewer_id short-reply use'
    new = reword(text, family, Random(1), {"use"})
    assert "viewer wants" not in new
    assert new.endswith('and "short" {say} viewer_id short-reply use')
    assert "`say only`" in new
    assert content_words(new) == content_words(text)


def test_rewording_keeps_case_and_makes_the_article_agree() -> None:
    pool = {"wrong": "invalid", "say": "mention"}
    texts = {reword("A wrong reply. Say a wrong one.", "train", Random(seed)) for seed in range(20)}
    assert f"An {pool['wrong']} reply. Mention an {pool['wrong']} one." in texts


def test_a_frame_leaves_braces_and_empty_texts_alone() -> None:
    frame = Pool(("Note: {}",), ())
    assert wrap("{reason} {}", frame, "train", Random(0)) == "Note: {reason} {}"
    assert wrap("", frame, "train", Random(0)) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("price_qa", ["price", "qa"]),
        ("priceQa", ["price", "qa"]),
        ("price-QA", ["price", "qa"]),
        ("sk_7f3a", ["sk", "7f3a"]),
        ("___", ["___"]),
    ],
)
def test_words_of_a_name_in_any_style(name: str, words: list[str]) -> None:
    assert words_of(name) == words


def test_a_known_name_changes_by_its_words_and_an_unknown_one_by_an_affix() -> None:
    affix = Pool(("topic",), ("area",))
    known = {synonym("after_sales_qa", affix, "train", naming.snake, Random(seed)) for seed in range(30)}
    assert known == {"aftercare_answers", "aftercare_help", "returns_answers", "returns_help"}
    assert synonym("zebra", affix, "train", naming.camel, Random(0)) == "zebraTopic"
    assert synonym("zebra", affix, "heldout", naming.upper, Random(0)) == "ZEBRA_AREA"


def test_a_taken_name_gets_a_number_whatever_its_case() -> None:
    taken = {"price", "price_2"}
    assert [fresh(name, taken) for name in ("Price", "cost", "Cost")] == ["Price_3", "cost", "Cost_2"]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Use price_qa, not price_qa_2 or my-price_qa.", "Use sk_1, not price_qa_2 or my-price_qa."),
        ("Refunds are refunds; the refunds skill knows.", "Refunds are refunds; the `money` skill knows."),
        ("Load `refunds` or **refunds**.", "Load `money` or **money**."),
        ('Call price_qa with {"refunds": 1}: {refunds}', 'Call sk_1 with {"money": 1}: {refunds}'),
        ("Swap left_name and right_name.", "Swap right_name and left_name."),
    ],
)
def test_mentions_are_renamed_where_a_name_is_meant(text: str, new: str) -> None:
    names = {"price_qa": "sk_1", "refunds": "money", "left_name": "right_name", "right_name": "left_name"}
    assert rename_mentions(text, names) == new


def test_names_are_found_in_text() -> None:
    assert names_in("Call price_lookup or `refunds` in one sentence of plainText.") == {"price_lookup", "refunds", "plainText"}
