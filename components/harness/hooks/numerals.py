"""Numbers in words, English and Chinese, written in digits."""

from __future__ import annotations

import re

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: number for number, word in enumerate(_SMALL)}
_WORDS |= {ten: 10 * index for index, ten in enumerate(_TENS, 2)}
_WORDS |= {f"{ten} {one}": _WORDS[ten] + _WORDS[one] for ten in _TENS for one in _SMALL[1:10]}

# "one" and "a" are numbers only where they count something: "this one" is not.
_ONE = re.compile(
    r"(?<=link )one\b|(?<=number )one\b|\bone(?= (?:hundred|thousand|point|days?|weeks?|months?|years?|hours?|units?|pieces?"
    r"|yuan|left|percent|off)\b)|\ba(?= (?:day|week|month|year|hundred|thousand)\b)"
)
_WORD = re.compile(rf"\b({'|'.join(sorted(_WORDS.keys() - {'one'}, key=len, reverse=True))})\b")
_HUNDREDS = re.compile(r"\b(\d) hundred(?: (?:and )?(\d{1,2})\b)?(?!\.)")
_THOUSANDS = re.compile(r"\b(\d{1,2}) thousand(?: (?:and )?(\d{1,3})\b)?(?!\.)")
_POINT = re.compile(r"\b(\d+) point (\d+)\b")

_CHINESE = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_NUMERAL = "零〇一二两三四五六七八九"
_COUNTED = r"(?=[天日件个年周元块折码角]|星期|礼拜|小时|号链接|号(?![码线])|钟头|双|条|只|台|套|盒|瓶)"
_CHINESE_NUMBER = re.compile(
    rf"百分之(?P<percent>[{_NUMERAL}十百]+)"
    rf"|(?P<whole>[{_NUMERAL}]+[十百千万][{_NUMERAL}十百千万]*|十[一二三四五六七八九]|[{_NUMERAL}十]{_COUNTED}"
    rf"|(?<=链接)[{_NUMERAL}十]|[{_NUMERAL}](?=点[{_NUMERAL}]+[元块])|[二三四五六七八九十](?=点)"
    rf"|(?<=[{_NUMERAL}十百千万\d][元块])[{_NUMERAL}](?![共起定样下直{_NUMERAL}十百千万]))"
    rf"(?:点(?P<point>[{_NUMERAL}]+)(?![{_NUMERAL}十分]))?"
)


def digits(text: str) -> str:
    """`text` in lower case with the numbers that are written in words in digits: `forty-nine` → `49`, `两百五十件` → `250件`.

    A Chinese numeral of one character is a number only before a measure word: `十分` and `四川` stay as they are.
    """
    text = _ONE.sub("1", text)
    text = _WORD.sub(lambda found: str(_WORDS[found.group(1)]), text)
    text = _HUNDREDS.sub(lambda found: str(int(found[1]) * 100 + int(found[2] or 0)), text)
    text = _THOUSANDS.sub(lambda found: str(int(found[1]) * 1000 + int(found[2] or 0)), text)
    return _CHINESE_NUMBER.sub(_in_digits, _POINT.sub(r"\1.\2", text))


def _in_digits(found: re.Match[str]) -> str:
    if found["percent"]:
        return f"{_value(found['percent'])}%"
    decimals = "." + "".join(str(_CHINESE[character]) for character in found["point"]) if found["point"] else ""
    return f"{_value(found['whole'])}{decimals}"


def _value(numeral: str) -> int:
    """`一百二十` and `一百二` are 120, `十五` is 15, `一千零五` is 1005."""
    total = section = digit = 0
    place = 1
    for character in numeral:
        if character == "万":
            total, section, digit, place = (total + section + digit) * 10000, 0, 0, 10000
        elif character in _PLACES:
            place = _PLACES[character]
            section, digit = section + (digit or 1) * place, 0
        else:
            digit = _CHINESE[character]
            place = 1 if digit == 0 else place
    # "一百二" leaves out the last place; after "十" or "零" the digit stands for itself.
    return total + section + digit * max(1, place // 10)
