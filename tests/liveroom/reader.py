"""An independent reader: works out from a request alone which item, options and quantity a comment means.

It knows how people point at things, and nothing of the generator's templates.
"""

from __future__ import annotations

import re

from components.harness.types import Request
from components.liveroom import Item

_FIGURES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_FIGURES |= {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6}
_FIGURE = rf"(\d+|{'|'.join(_FIGURES)})"
_LINKS = re.compile(
    rf"(?:link|item|number|no\.|#) ?(?:no\. ?|number )?{_FIGURE}(?!\w*%)|{_FIGURE}号|链接{_FIGURE}|第{_FIGURE}个|{_FIGURE}链",
    re.I,
)
_ON_SCREEN = re.compile(
    r"\bthis\b|on screen|you're showing|in your hand|in front of the camera|这个|这款|屏幕上|手上拿|现在展示|镜头前", re.I
)
_EARLIER = re.compile(
    r"just showed|last one you|moment ago|one before|up a minute ago|were just on about"
    r"|刚才|刚刚讲|上一个讲|前面那|刚介绍完|才展示过",
    re.I,
)
_PIECES = re.compile(rf"(?<![\w#]){_FIGURE}(?: p\w+s)? (?:of|x|tim\w*s|\*) |{_FIGURE}件", re.I)


def links_meant(comment: str, request: Request) -> list[int]:
    """The links that a comment points at, in the order in which it does; a named link goes before any other reading."""
    found: dict[int, int] = {}
    left = comment
    for link, title in request.links:
        for name in (title, _noun(title)):
            place = left.lower().find(name.lower())
            unique = sum(_noun(other).lower() == name.lower() for _, other in request.links) <= 1
            if place >= 0 and unique and link not in found.values():
                found[place] = link
                left = left[:place] + "·" * len(name) + left[place + len(name) :]
    for match in _LINKS.finditer(left):
        found.setdefault(match.start(), _figure(match))
    if (earlier := _EARLIER.search(left)) and request.dialogue:
        found[earlier.start()] = _last_named(request)
    elif (here := _ON_SCREEN.search(left)) and (not found or _two_wanted(left)):
        found.setdefault(here.start(), request.on_screen_link)
    return [found[place] for place in sorted(found)]


def options_meant(comment: str, item: Item) -> tuple[str, str]:
    """Colour and size of `item` that a comment names."""
    colours = [sku.colour for sku in item.skus if _says(comment, sku.colour)]
    sizes = [one for one in {sku.size for sku in item.skus} if one and (_says_size(comment, one) or _says_chinese(comment, one))]
    return max(colours, key=len, default=""), max(sizes, key=len, default="")


def pieces_meant(comment: str) -> int:
    """How many pieces; one where nothing is said."""
    match = _PIECES.search(comment)
    return _figure(match) if match else 1


def _figure(match: re.Match[str]) -> int:
    text = next(group for group in match.groups() if group)
    return int(text) if text.isdigit() else _FIGURES[text.lower()]


def _noun(title: str) -> str:
    return title.partition(" ")[2] or title[2:]


def _last_named(request: Request) -> int:
    for line in reversed(request.dialogue):
        for link, title in request.links:
            if title in line.text:
                return link
    return 0


def _two_wanted(text: str) -> bool:
    return bool(re.search(r"cheap|\bvs\b|value for money|less money|wins on|compare|便|比|省钱|挑一个|PK", text, re.I))


def _says(comment: str, option: str) -> bool:
    if re.search(r"[\u4e00-\u9fff]", option):
        return option in comment
    return bool(re.search(rf"\b{re.escape(option)}\b", comment))


def _says_size(comment: str, size: str) -> bool:
    return _says(comment, size if "size" in size else f"size {size}")


def _says_chinese(comment: str, size: str) -> bool:
    if size.isascii():
        return bool(re.search(rf"(?<![A-Za-z]){size}码", comment))
    return size in comment
