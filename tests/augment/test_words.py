from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from components.augment import name_words, naming
from components.augment.frames import FRAMES, fill, frame, framing, pieces
from components.augment.name_words import NAME_WORDS, SKILL_AFFIX, Lexicon, NameWord, han, other_name
from components.augment.naming import STYLES, fresh, names_in, rename_mentions, short_word, words_of
from components.augment.types import Family
from components.augment.wording import WORDS, content_words, rewording, words_in
from components.liveroom.catalogue import Catalogue
from components.liveroom.truth import truth
from components.liveroom.types import Case

AFFIXES = [word for word in vars(name_words).values() if isinstance(word, NameWord)]
TRAIN: tuple[Lexicon, ...] = ("train", "spanish", "pinyin")
HELDOUT: tuple[Lexicon, ...] = ("heldout", "german", "chinese")


def test_train_and_heldout_share_no_name_word() -> None:
    words = [*NAME_WORDS.values(), *AFFIXES]
    train = {form for word in words for lexicon in TRAIN for form in word.of(lexicon)}
    heldout = {form for word in words for lexicon in HELDOUT for form in word.of(lexicon)}
    assert len(AFFIXES) == 3
    assert not train & heldout


def test_every_form_of_a_name_word_belongs_to_one_word_and_is_none_itself() -> None:
    forms = Counter(form for word in NAME_WORDS.values() for lexicon in (*TRAIN, *HELDOUT) for form in word.of(lexicon))
    assert {form: count for form, count in forms.items() if count > 1} == {}
    assert not set(forms) & set(NAME_WORDS)


def test_train_and_heldout_share_no_wording() -> None:
    pools = [*WORDS.values(), *FRAMES.values()]
    train = {text for pool in pools for text in pool.train}
    heldout = {text for pool in pools for text in pool.heldout}
    assert not train & heldout
    assert not set(STYLES["train"]) & set(STYLES["heldout"])
    assert not set(pieces("train")) & set(pieces("heldout"))


@pytest.mark.parametrize("family", ["train", "heldout"])
def test_no_piece_holds_a_word_that_is_swapped_or_a_synonym(family: Family) -> None:
    """A reader who undoes swaps would find another piece, and a synonym of the other family would show up in this one."""
    swapped = {word for pool in WORDS.values() for word in (*pool.train, *pool.heldout)}
    assert not swapped & {word for piece in pieces(family) for word in words_in(piece)}


def test_a_template_is_filled_in_order_whatever_the_texts_hold() -> None:
    assert fill("{} then {}.", "{}", "b") == "{} then b."
    assert fill('{"why": "{}"}', "{reason}") == '{"why": "{reason}"}'
    with pytest.raises(ValueError):
        fill("{} {}", "one")
    assert frame("last step", "train", Random(0))() in FRAMES["last step"].train


def test_pieces_are_what_stands_around_the_texts_the_longest_first() -> None:
    train, heldout = pieces("train"), pieces("heldout")
    assert {"Covers:", "# Scope", "Goes on in", "<retry>", "Before you start"} <= set(train)
    assert {"Besides —", "| what to do |\n| --- |", "Stay the voice of the room: {reason}."} <= set(heldout)
    assert [*map(len, train)] == sorted(map(len, train), reverse=True) and "" not in train


@pytest.mark.parametrize(
    "text",
    [
        "Use a link of this room.",
        "Reply in one or two short sentences.",
        "The correct answer is running late.",
        "In short, the price rules out a refund.",
    ],
)
@pytest.mark.parametrize("family", ["train", "heldout"])
def test_what_a_synonym_would_say_otherwise_stays(family: Family, text: str) -> None:
    new = rewording(family, Random(0))(text)
    assert new in (text, text.replace("short", "brief"), text.replace("short", "compact"))
    assert "sentences" in new or "sentences" not in text
    assert ("In short" in new) == ("In short" in text)


def test_every_synonym_belongs_to_one_word_and_is_none_itself() -> None:
    synonyms = Counter(word for pool in WORDS.values() for word in (*pool.train, *pool.heldout))
    assert set(synonyms.values()) == {1}
    assert not set(synonyms) & set(WORDS)


def test_every_fact_of_a_right_reply_can_be_stated_without_a_word_that_is_swapped(room: tuple[Catalogue, list[Case]]) -> None:
    catalogue, cases = room
    facts = [fact for case in cases for fact in truth(case, catalogue).required]
    assert len({fact.name for fact in facts}) > 8
    assert not [fact for fact in facts if all(set(form.split()) & set(WORDS) for form in fact.forms)]


@pytest.mark.parametrize("family", ["train", "heldout"])
def test_rewording_keeps_code_quotations_fields_and_names(family: Family) -> None:
    text = 'The viewer wants `say only` and "short" {say} viewer_id short-reply use'
    new = rewording(family, Random(1), {"use"})(text)
    assert "viewer wants" not in new
    assert new.endswith('and "short" {say} viewer_id short-reply use')
    assert "`say only`" in new
    assert content_words(new) == content_words(text)


def test_rewording_keeps_set_phrases() -> None:
    text = "Say sorry to a viewer whose order went wrong. What is not known: say so."
    assert rewording("heldout", Random(0))(text).replace("patron", "visitor") == text.replace("viewer", "visitor")


def test_rewording_keeps_case_and_makes_the_article_agree() -> None:
    assert rewording("heldout", Random(0))("A plain reply. Plain is a plain one.") == (
        "An ordinary reply. Ordinary is an ordinary one."
    )


def test_a_frame_leaves_braces_and_empty_texts_alone() -> None:
    around = framing("skill description", "train", Random(0))
    assert around("{reason} {}") in ("When to use: {reason} {}", "Covers: {reason} {}")
    assert around("") == ""


def test_chinese_is_read_by_the_character_and_names_in_it_stay_whole() -> None:
    assert content_words("用price_lookup查价格。") == {"用", "price_lookup", "查", "价", "格"}
    assert names_in("使用price_lookup查询") >= {"price_lookup"}
    assert rename_mentions("使用price_lookup查询", {"price_lookup": "preis_suche"}) == "使用preis_suche查询"
    assert rename_mentions("`查价主题`和`查价`", {"查价": "cha_jia"}) == "`查价主题`和`cha_jia`"


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
    known = {other_name("after_sales_qa", SKILL_AFFIX, "train", naming.snake, Random(seed)) for seed in range(30)}
    assert known == {"aftercare_answers", "aftercare_hints", "returns_answers", "returns_hints"}
    assert other_name("zebra", SKILL_AFFIX, "spanish", naming.camel, Random(0)) == "zebraTema"
    assert other_name("zebra", SKILL_AFFIX, "german", naming.upper, Random(0)) == "ZEBRA_THEMA"


def test_a_name_can_be_said_in_another_language_again_and_again() -> None:
    spanish = other_name("priceQa", SKILL_AFFIX, "spanish", naming.kebab, Random(0))
    assert spanish == "precio-respuestas"
    assert other_name(spanish, SKILL_AFFIX, "pinyin", naming.camel, Random(0)) == "jiageWenda"
    assert other_name("price_qa", SKILL_AFFIX, "german", naming.pascal, Random(0)) == "PreisAntworten"
    assert other_name("PriceQa", SKILL_AFFIX, "chinese", han, Random(0)) == "价格问答"
    assert other_name("price_zebra", SKILL_AFFIX, "chinese", han, Random(0)) == "价格_zebra"


@pytest.mark.parametrize(("word", "short"), [("price", "prc"), ("qa", "qa"), ("order", "ord"), ("问答小组", "问答小组")])
def test_a_word_is_shortened_to_its_first_consonants(word: str, short: str) -> None:
    assert short_word(word) == short


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
