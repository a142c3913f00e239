"""New names for skills, tools and parameters, and names found in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from components.augment.types import Family
from components.augment.wording import Pool

NAME_WORDS: Mapping[str, Pool] = {
    "after sales": Pool(("aftercare", "returns"), ("postsale", "refunds")),
    "small talk": Pool(("chat", "chitchat"), ("banter", "pleasantries")),
    "price": Pool(("cost", "pricing"), ("tariff", "charge")),
    "item": Pool(("product", "article"), ("goods", "merchandise")),
    "logistics": Pool(("delivery", "dispatch"), ("freight", "parcels")),
    "shipping": Pool(("delivery", "transport"), ("freight", "shipment")),
    "stock": Pool(("inventory", "supply"), ("availability", "units")),
    "coupon": Pool(("voucher", "discount"), ("rebate", "promo")),
    "order": Pool(("purchase",), ("buying",)),
    "qa": Pool(("answers", "help"), ("replies", "responses")),
    "faq": Pool(("knowledge",), ("queries",)),
    "resolve": Pool(("identify", "locate"), ("determine", "pinpoint")),
    "link": Pool(("listing", "slot"), ("position", "entry")),
    "id": Pool(("number", "no"), ("index", "ref")),
    "lookup": Pool(("query", "check"), ("find", "read")),
    "search": Pool(("seek",), ("browse",)),
    "load": Pool(("open", "activate"), ("fetch", "pull")),
    "skill": Pool(("guide", "playbook"), ("manual", "module")),
    "room": Pool(("channel",), ("studio",)),
}
"""Word or words of a name → words that may stand for them."""

SKILL_AFFIX = Pool(("topic", "desk"), ("matters", "area"))
TOOL_AFFIX = Pool(("tool", "data"), ("api", "service"))
PARAMETER_AFFIX = Pool(("value", "arg"), ("input", "field"))
"""Added to names none of whose words is in `NAME_WORDS`."""

Style = Callable[[Sequence[str]], str]


def snake(words: Sequence[str]) -> str:
    """`price_qa`"""
    return "_".join(words)


def kebab(words: Sequence[str]) -> str:
    """`price-qa`"""
    return "-".join(words)


def camel(words: Sequence[str]) -> str:
    """`priceQa`"""
    return words[0] + "".join(word.capitalize() for word in words[1:])


def pascal(words: Sequence[str]) -> str:
    """`PriceQa`"""
    return "".join(word.capitalize() for word in words)


def upper(words: Sequence[str]) -> str:
    """`PRICE_QA`"""
    return "_".join(words).upper()


STYLES: Mapping[Family, tuple[Style, ...]] = {"train": (snake, kebab, camel), "heldout": (pascal, upper)}


def words_of(name: str) -> list[str]:
    """The words of a name in any style, in lower case: `priceQa` → price, qa. Never empty."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in re.split(r"[\W_]+", parted.lower()) if word] or [name]


def synonym(name: str, affix: Pool, family: Family, style: Style, random: Random) -> str:
    """Another name of the same meaning: words swapped by `NAME_WORDS`, or a word of `affix` added where none can be."""
    text = " ".join(words_of(name))
    known = re.compile(rf"\b({'|'.join(NAME_WORDS)})\b")
    new = known.sub(lambda match: random.choice(NAME_WORDS[match.group()].of(family)), text)
    return style((new if new != text else f"{text} {random.choice(affix.of(family))}").split())


def fresh(name: str, taken: set[str]) -> str:
    """`name`, numbered where it is taken (case does not tell names apart: some file systems do not); then takes it."""
    new, number = name, 2
    while new.casefold() in taken:
        new, number = f"{name}_{number}", number + 1
    taken.add(new.casefold())
    return new


def is_distinctive(name: str) -> bool:
    """Whether a word can only be a name, as `price_qa` or `priceQa`; `refunds` may also be an ordinary word."""
    return re.search(r"[_\-\d]|[a-z][A-Z]", name) is not None


def names_in(text: str) -> set[str]:
    """Everything in a text that reads as a name: distinctive words, and what stands as code."""
    return {word for word in re.findall(r"[\w-]+", text) if is_distinctive(word)} | set(re.findall(r"`([\w-]+)`", text))


def rename_mentions(text: str, names: Mapping[str, str]) -> str:
    """Replace names where the text means them; fields such as `{reason}` are never names.

    A distinctive name is meant wherever it stands. An ordinary word is meant where it is marked: in code, between
    asterisks, as a JSON key, or before the word skill or tool. A new name that is an ordinary word is marked as code.
    """
    if not names:
        return text
    alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"\{{\w+\}}|(?<![\w-])(?:{alternatives})(?![\w-])")

    def replace(match: re.Match[str]) -> str:
        old = match.group()
        if old not in names:
            return old
        before, after = text[: match.start()], text[match.end() :]
        is_key = before.endswith('"') and re.match(r'"\s*:', after) is not None
        marked = is_key or before.count("`") % 2 == 1 or before[-1:] == "*" == after[:1]
        if not (marked or is_distinctive(old) or re.match(r" (?:skill|tool)\b", after)):
            return old
        new = names[old]
        return new if marked or is_distinctive(new) else f"`{new}`"

    return pattern.sub(replace, text)


def disjoint(*groups: Iterable[str]) -> list[set[str]]:
    """The names of each group that no other group has: only those can be told apart in running text."""
    sets = [set(group) for group in groups]
    return [own.difference(*(other for other in sets if other is not own)) for own in sets]
