from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.harness.hooks.numerals import digits
from components.liveroom.spoken import GAP, clauses, holds, names_of, normal, occurrences, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("¥1,299", "1299 yuan"),
        ("RMB 1299.50", "1299.50 yuan"),
        ("一千两百九十九块钱", "1299 yuan"),
        ("二十九块五", "29.5 yuan"),
        ("49块5", "49.5 yuan"),
        ("四十九点五元", "49.5 yuan"),
        ("￥49元", "49 yuan"),
        ("Link no. 3", "link 3"),
        ("number one", "link 1"),
        ("一号链接，只要49元！", "link 1, 只要49 yuan!"),
        ("1号链接49元", "link 1 49 yuan"),
        ("点链接三下单", "点 link 3 下单"),
        ("第三个链接有货", "link 3 有货"),
        ("12月3日", "12月3日"),
        ("a two-day trip", "a 2 day trip"),
        ("It isn't, can’t", "it is not, cannot"),
        ("Willow 台灯 49 元", "willow台灯49 yuan"),
        ("两个星期", "2周"),
        ("二十四小时", "24小时"),
        ("S、M、L。", "s, m, l."),
        ("周日22:00", "周日22 00"),
        ("高度：35厘米", "高度, 35厘米"),
    ],
)
def test_one_spelling_a_meaning(text: str, expected: str) -> None:
    assert normal(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one hundred and twenty nine", "129"),
        ("a hundred yuan", "100 yuan"),
        ("two thousand", "2000"),
        ("forty nine point five", "49.5"),
        ("this one", "this one"),
        ("一百二十", "120"),
        ("一百二", "120"),
        ("一百零八", "108"),
        ("一千零五", "1005"),
        ("十五天", "15天"),
        ("两件", "2件"),
        ("一万二", "12000"),
        ("九折", "9折"),
        ("百分之五", "5%"),
        *((word, word) for word in ("十分好", "四川", "一起", "万一", "千万别", "这一款", "一点也不")),
    ],
)
def test_numbers_in_words_become_digits_and_other_words_stay(text: str, expected: str) -> None:
    assert digits(text) == expected


@given(st.integers(1, 99_999))
def test_every_number_in_chinese_is_read_back(number: int) -> None:
    assert digits(f"{_in_chinese(number)}元") == f"{number}元"


def _in_chinese(number: int) -> str:
    names, places = "零一二三四五六七八九", ["", "十", "百", "千", "万"]
    text = ""
    for place in range(len(str(number)) - 1, -1, -1):
        digit = number // 10**place % 10
        text += names[digit] + places[place] if digit else "零"
    while "零零" in text:
        text = text.replace("零零", "零")
    return text.rstrip("零")


@pytest.mark.parametrize(
    ("phrase", "text", "there"),
    [
        ("49", "it is 49 now", True),
        ("49", "it is 149", False),
        ("49", "it is 49.5", False),
        ("49", "49 days", False),
        ("49", "49 people", False),
        ("49", "link 49", False),
        ("49", "只要49包邮", True),
        ("49", "还有49件", False),
        ("12个", "保修12个月", False),
        ("12个", "还有12个", True),
        ("1年", "保修1年半", False),
        ("7天", "17天", False),
        ("7天", "7天内可退", True),
        ("s", "it's", False),
        ("s", "有s码", True),
        ("oak", "soak", False),
        (f"item 2{GAP}cheaper", "item 2 at 29.50 yuan is cheaper", True),
        (f"item 2{GAP}cheaper", "item 2 is not cheaper", False),
        (f"item 2{GAP}cheaper", "item 2 is dearer, item 1 is cheaper", False),
        (f"item 2{GAP}便宜", "item 2 比 item 1 便宜", True),
        (f"item 1{GAP}便宜", "item 2 比 item 1 便宜", False),
    ],
)
def test_a_phrase_is_found_where_it_says_what_it_means(phrase: str, text: str, there: bool) -> None:
    assert holds(text, (phrase,)) is there


@given(st.text(max_size=80))
def test_normal_form_is_stable_and_never_fails(text: str) -> None:
    once = normal(text)
    assert list(occurrences("49", once)) == list(occurrences("49", once))
    assert "".join(clauses(once)) == "" or sentences(once)


def test_an_item_is_called_by_what_tells_it_from_the_others() -> None:
    titles = {1: "Willow Lamp", 2: "Harbor Desk Lamp", 3: "暖阳台灯"}
    assert names_of(2, titles) == ("link 2", "item 2", "desk lamp", "desk lamps")
    assert names_of(3, {3: "暖阳台灯", 4: "海风马克杯"}) == ("link 3", "item 3", "阳台灯", "台灯")
