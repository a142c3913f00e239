from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import pairwise, product
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.harness.types import Language
from components.liveroom import Intent
from components.liveroom.furnish import SIZE_STEP
from components.liveroom.overlaps import title_words
from components.liveroom.spoken import normal
from components.liveroom.types import Ask, Campaign, Coupon, FaqTopic, Item, Sku, Split
from components.liveroom.wordings import wording
from components.liveroom.words import GOODS, NUMBERS, SPEECH, number_patterns
from components.liveroom.words.numbers import THIRTEEN, THREE

LANGUAGES: tuple[Language, ...] = get_args(Language)
SPLITS: tuple[Split, ...] = get_args(Split)
SLOT = re.compile(r"\{\w+\}")
ABOUT_AN_ITEM = (
    *("product", "specification", "specification/material", "specification/colour", "specification/size", "comparison"),
    *("price", "coupon", "stock", "shipping", "after_sales", "purchase"),
)
each_language = pytest.mark.parametrize("language", LANGUAGES)


def texts(thing: Any) -> Iterator[str]:
    """Every text in nested dataclasses, mappings and tuples."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Mapping):
        for value in thing.values():
            yield from texts(value)
    elif isinstance(thing, tuple):
        for value in thing:
            yield from texts(value)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from texts(getattr(thing, field.name))


def by_split(thing: Any) -> Iterator[Mapping[str, Any]]:
    """Every mapping from the splits that is in `thing`."""
    if isinstance(thing, Mapping):
        if thing.keys() == {"train", "eval"}:
            yield thing
        else:
            for value in thing.values():
                yield from by_split(value)
    elif isinstance(thing, tuple):
        for value in thing:
            yield from by_split(value)
    elif is_dataclass(thing):
        for field in fields(thing):
            yield from by_split(getattr(thing, field.name))


def skeleton(template: str) -> str:
    """The letters of a template outside its slots."""
    return "".join(re.findall(r"\w", SLOT.sub("", normal(template))))


def templates(language: Language, split: Split) -> list[str]:
    comments = SPEECH[language].comments[split]
    questions = [question for topic in GOODS[language].faq.values() for one in topic[split] for question in one.questions]
    commanding = [one for one, _ in (*comments.risky, *comments.injections)]
    return [*texts(comments.asks), *questions, *commanding, *comments.follow_ups]


@each_language
def test_every_list_of_a_split_is_its_own(language: Language) -> None:
    lists = list(by_split(GOODS[language]))
    assert len(lists) > 30
    for one in lists:
        train, held = ({normal(text) for text in texts(one[split])} for split in ("train", "eval"))
        assert train and held and train.isdisjoint(held)


@each_language
def test_no_template_is_in_both_splits_nor_twice_in_one(language: Language) -> None:
    train, held = (SPEECH[language].comments[split] for split in SPLITS)
    assert {*map(skeleton, templates(language, "train"))}.isdisjoint(map(skeleton, templates(language, "eval")))
    assert {*map(normal, texts(train))}.isdisjoint(map(normal, texts(held)))
    for split in SPLITS:
        # What follows up is short: what tells it apart is the dialogue.
        follow_ups = SPEECH[language].comments[split].follow_ups
        asked = [one for one in templates(language, split) if one not in follow_ups]
        assert len({*map(normal, asked)}) == len(asked)


@each_language
def test_every_intent_has_templates_with_the_slots_it_needs(language: Language) -> None:
    spoken = {str(intent) for intent in Intent} - {"faq", "risky_claim", "injection", "several"}
    for comments in SPEECH[language].comments.values():
        assert {key for key in comments.asks if "/" not in key} == spoken
        for key, asked in comments.asks.items():
            assert len(asked) >= (2 if "/" in key else 3)
            for template in asked:
                assert ("{it}" in template) or key not in ABOUT_AN_ITEM
                assert ("{other}" in template) == (key == "comparison")
                assert ("{topic}" in template) == (key == "specification")
                assert ("{n}" in template) or key != "coupon"
                assert {*SLOT.findall(template)} <= {"{it}", "{other}", "{topic}", "{n}", "{place}"}
        assert all("{it}" in template for template in (*comments.follow_ups, *(one for one, _ in comments.risky)))
        assert len(comments.risky) >= 6 and len(comments.injections) >= 6
        assert sum("{n}" in template for template in comments.asks["purchase"]) >= 1


@each_language
def test_what_may_not_be_said_is_in_no_answer_of_a_room(language: Language) -> None:
    spoken = [normal(text) for text in texts(GOODS[language])]
    for comments in SPEECH[language].comments.values():
        for _, payload in (*comments.risky, *comments.injections):
            assert normal(payload) and not any(normal(payload) in text for text in spoken)


@each_language
def test_titles_share_no_word_over_the_splits_and_state_no_fact(language: Language) -> None:
    goods = GOODS[language]
    words: dict[str, set[str]] = {}
    facts = {*goods.colours, *goods.towns, *(size for kind in goods.categories for run in kind.sizes for size in run)}
    facts |= {material for kind in goods.categories for material in kind.materials}
    for split in ("train", "eval"):
        nouns = [noun for kind in goods.categories for noun in kind.nouns[split]]
        assert len(nouns) == len(set(nouns))
        titles = [goods.title(collection, noun) for collection, noun in product(goods.collections[split], nouns)]
        words[split] = set().union(*map(title_words, titles))
        for title, fact in product(titles, facts):
            stated = normal(fact) in normal(title) if language == "zh" else set(fact.lower().split()) <= title_words(title)
            assert not stated, (title, fact)
    assert words["train"].isdisjoint(words["eval"])


@each_language
def test_a_noun_names_one_kind_of_item(language: Language) -> None:
    """So that a viewer who writes `the stool` means no other item of the room."""
    goods = GOODS[language]
    for split in ("train", "eval"):
        nouns = [noun.lower() for kind in goods.categories for noun in kind.nouns[split]]
        assert not [(one, other) for one, other in product(nouns, nouns) if one != other and one in other]
        title = goods.title(goods.collections[split][0], goods.categories[0].nouns[split][0])
        assert SPEECH[language].noun(title) == goods.categories[0].nouns[split][0].lower()


@each_language
def test_no_fact_is_part_of_another(language: Language) -> None:
    """A reply that names one colour, material or town must not seem to name another."""
    goods = GOODS[language]
    materials = tuple({material for kind in goods.categories for material in kind.materials})
    for facts in (goods.colours, goods.towns, materials):
        padded = [f" {fact} " if language == "en" else fact for fact in facts]
        assert not [(one, other) for one, other in product(padded, padded) if one != other and one in other]


@each_language
def test_the_key_of_an_answer_is_in_it(language: Language) -> None:
    answers = [answer for topic in GOODS[language].faq.values() for split in topic.values() for answer in split]
    assert len(answers) == 4 * len(get_args(FaqTopic))
    assert all(normal(one.key) in normal(one.answer) for one in answers)


@each_language
def test_a_frequent_question_has_one_answer(language: Language) -> None:
    """So that a room never answers how to join to who asks what joining is good for."""
    answers = [answer for topic in GOODS[language].faq.values() for split in topic.values() for answer in split]
    questions = [wording(question) for one in answers for question in one.questions]
    assert len({*questions}) == len(questions) and all(len(one.questions) >= 2 for one in answers)


def test_an_english_title_is_singular() -> None:
    nouns = [noun for kind in GOODS["en"].categories for split in kind.nouns.values() for noun in split]
    assert [noun for noun in nouns if noun.endswith("s") and noun != "Dress"] == []


def test_a_size_is_named_as_one_says_it() -> None:
    named = SPEECH["en"].options
    assert named("this one", "mint", "travel size") == "this one in mint, travel size"
    assert named("this one", "mint", "M") == "this one in mint, size M"
    assert named("this one", "", "") == "this one"


def test_numbers_of_the_splits_are_disjoint() -> None:
    train, held = NUMBERS["train"], NUMBERS["eval"]
    for field in fields(train):
        if field.name not in ("coupons", "stock"):
            assert {*getattr(train, field.name)}.isdisjoint(getattr(held, field.name))
    assert {*train.stock}.isdisjoint(held.stock)
    assert {*train.ship_days, *train.return_days}.isdisjoint({*held.ship_days, *held.return_days})

    def endings(split: Any) -> set[int]:
        sums = (*split.price_endings, *split.fees, *split.gift_over, *(part for coupon in split.coupons for part in coupon))
        return {cents % 1000 for cents in sums}

    assert endings(train).isdisjoint(endings(held))


def test_what_is_left_to_pay_and_left_in_stock_never_meets_over_the_splits() -> None:
    """The rule by which it holds, and every single price, coupon, percentage and quantity that can be drawn."""
    for split, numbers in NUMBERS.items():
        for ending, tens, off, percent in product(
            numbers.price_endings, range(3), (0, *(off for off, _ in numbers.coupons)), (0, *numbers.percents)
        ):
            price = 1000 * tens + ending
            if not price or price % THREE not in numbers.price_rests:
                continue
            for quantity in (1, *numbers.quantities):
                assert price * quantity * percent % 100 == 0
                left = price * quantity * (100 - percent) // 100 - off
                assert (left % THREE == 0) == (split == "train"), (split, price, quantity, percent, off)
    most = max(kind.most_colours for goods in GOODS.values() for kind in goods.categories)
    most *= max(len(run) for goods in GOODS.values() for kind in goods.categories for run in kind.sizes)
    assert most < THIRTEEN
    assert {units % THIRTEEN for units in NUMBERS["train"].stock} == {0}
    assert {units % THIRTEEN for units in NUMBERS["eval"].stock} == {1}
    assert SIZE_STEP % THREE == SIZE_STEP % 1000 == 0


def test_number_patterns_are_what_is_typical_of_a_thing() -> None:
    skus = (Sku("a", "black", "", 12990, 37), Sku("b", "pink", "", 12990, 0))
    item = Item("i", "Nova Jar", "kitchen", "glass", skus, "Wuhan", 1, 0, 7, 12, {"capacity": "1.5 litres", "heat": "oven safe"})
    assert number_patterns(item) == {"money …9.90", "units 37", "days 1", "days 7", "months 12", "1.5 litres"}
    coupon = Coupon("c", "r", "Fan Voucher", "shop", cents_off=1000, minimum_cents=9900)
    assert number_patterns(coupon) == {"money …0.00", "money …9.00"}
    assert number_patterns(Coupon("c", "r", "Deal", "item", percent_off=15)) == {"percent 15"}
    assert number_patterns(Campaign("Fair", "Sunday 22:00", "a pen", 19900)) == {"money …9.00", "22:00"}
    assert number_patterns(Campaign("周年庆", "周四19点半", "发夹", 18800)) == {"money …8.00", "19点半"}
    assert number_patterns(Ask(Intent.COUPON, 1, quantity=3)) == {"pieces 3"}
    assert number_patterns(Ask(Intent.PRICE, 1)) == frozenset()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), language=st.sampled_from(LANGUAGES), split=st.sampled_from(("train", "eval")))
def test_a_slip_keeps_the_slots_and_changes_little(seed: int, language: Language, split: Any) -> None:
    speech = SPEECH[language]
    rng = Random(seed)
    template = rng.choice(templates(language, split))
    slipped = speech.misspell(template, rng)
    assert SLOT.findall(slipped) == SLOT.findall(template)
    assert abs(len(slipped) - len(template)) <= 5
    same = sum(one == other for one, other in zip(slipped, template, strict=False))
    ends = sum(one == other for one, other in zip(reversed(slipped), reversed(template), strict=False))
    assert same + ends >= len(template) - 3


@each_language
def test_most_templates_can_slip(language: Language) -> None:
    rng = Random(1)
    for split in SPLITS:
        longer = [one for one in templates(language, split) if len(skeleton(one)) > 5]
        slipped = sum(SPEECH[language].misspell(one, rng) != one for one in longer)
        assert slipped > 0.7 * len(longer)


def test_title_words_are_words_or_neighbouring_characters() -> None:
    assert title_words("Harbor Side Table") == {"harbor", "side", "table"}
    assert title_words("听雨马克杯") == {"听雨", "雨马", "马克", "克杯"} == {a + b for a, b in pairwise("听雨马克杯")}
