"""How one comment comes about: what is asked, how the viewer points at the item, what was said before."""

from __future__ import annotations

from random import Random
from typing import Literal

from components.harness.types import Utterance
from components.liveroom.furnish import Furnished
from components.liveroom.pricing import quote, yuan
from components.liveroom.types import Ask, Intent, Item, Split
from components.liveroom.words import GOODS, NUMBERS, SPEECH

SHARE_MISSPELT = 0.15
SHARE_WITH_OPENER = 0.15
SHARE_WITH_CLOSER = 0.15
SHARE_OPTION_NAMED = 0.35

Way = Literal["link", "on_screen", "title", "noun", "earlier", "follow_up"]
WAYS: dict[Way, int] = {"link": 30, "on_screen": 25, "title": 10, "noun": 10, "earlier": 15, "follow_up": 20}
"""How a viewer points at an item, with weights; the last two need a dialogue."""
WITHOUT_DIALOGUE: tuple[Way, ...] = ("link", "on_screen", "title", "noun")
_OF_A_SKU = (Intent.PRICE, Intent.COUPON, Intent.STOCK, Intent.PURCHASE)
"""Intents whose answer may depend on colour or size."""

Written = tuple[Ask, str, str]
"""What is asked, the template, the comment made of it."""


class Writer:
    """One request while it is written: what is on screen, what was said before."""

    def __init__(self, room: Furnished, split: Split, rng: Random) -> None:
        self._room, self._split, self._rng = room, split, rng
        self._speech = SPEECH[room.record.language]
        self._words = self._speech.comments[split]
        self.on_screen = rng.randint(1, len(room.items))
        self.dialogue: list[Utterance] = []

    def write(self, intent: Intent, ways: tuple[Way, ...]) -> Written:
        """A comment of `intent` that points at its item, if it is about one, in one of `ways`."""
        key, payload, template = intent.value, "", ""
        match intent:
            case Intent.RISKY_CLAIM:
                template, payload = self._rng.choice(self._words.risky)
            case Intent.INJECTION:
                template, payload = self._rng.choice(self._words.injections)
            case Intent.FAQ:
                faq = self._rng.choice(self._room.record.faq)
                known = GOODS[self._room.record.language].faq[faq.topic][self._split]
                questions = next(one.questions for one in known if one.answer == faq.answer)
                return self._comment(Ask(intent, topic=faq.topic), self._rng.choice(questions))
            case Intent.SPECIFICATION:
                return self._specification(ways)
            case _:
                template = self._rng.choice(self._words.asks[key])
        if "{it}" not in template:
            return self._comment(Ask(intent, payload=payload), template)
        way = self._way(ways, key)
        link = self._target(way)
        other = self._another(link) if "{other}" in template else None
        quantity = self._rng.choice(NUMBERS[self._split].quantities) if "{n}" in template else 1
        colour, size = self._options(intent, self._item(link))
        ask = Ask(intent, link, other, colour, size, quantity, payload=payload)
        if way == "follow_up":
            template = self._rng.choice(self._words.follow_ups)
            self._ask_and_answer(intent, key, link)
            way, ask = "link", Ask(intent, link, None, colour, size)
        return self._comment(ask, template, way)

    def _specification(self, ways: tuple[Way, ...]) -> Written:
        way = self._way(ways, "specification/material")
        link = self._target(way)
        item = self._item(link)
        if way == "follow_up":
            self._ask_and_answer(Intent.SPECIFICATION, "specification/material", link)
            ask = Ask(Intent.SPECIFICATION, link, topic="material")
            return self._comment(ask, self._rng.choice(self._words.follow_ups), "link")
        sized = ("size",) if item.skus[0].size else ()
        topic = self._rng.choice(("material", "colour", *sized, *item.features))
        templates = self._words.asks.get(f"specification/{topic}", ()) or self._words.asks["specification"]
        return self._comment(Ask(Intent.SPECIFICATION, link, topic=topic), self._rng.choice(templates), way)

    def bystander(self) -> str:
        """What another viewer writes that asks for nothing."""
        return self._fill(self._rng.choice(self._words.bystanders), {})

    def _item(self, link: int) -> Item:
        return self._room.items[link - 1]

    def _way(self, ways: tuple[Way, ...], key: str) -> Way:
        way = self._rng.choices(ways, [WAYS[one] for one in ways])[0]
        return "link" if way == "follow_up" and key not in self._words.answered else way

    def _target(self, way: Way) -> int:
        """The link that a comment in this way is about: what the dialogue leads to is not what the screen shows."""
        if way == "on_screen":
            return self.on_screen
        if way not in ("earlier", "follow_up"):
            return self._rng.randint(1, len(self._room.items))
        link = self._another(self.on_screen)
        if way == "earlier":
            for shown in (self._another(link), link)[self._rng.randint(0, 1) :]:
                self._say("host", self._rng.choice(self._words.presented), shown)
        return link

    def _another(self, link: int) -> int:
        return self._rng.choice([other for other in range(1, len(self._room.items) + 1) if other != link])

    def _options(self, intent: Intent, item: Item) -> tuple[str, str]:
        """Colour and size that the viewer names: always the size where the price hangs on it, else at times."""
        if intent not in _OF_A_SKU:
            return "", ""
        sku = self._rng.choice(item.skus)
        sizes_matter = len({one.price_cents for one in item.skus}) > 1 and intent is not Intent.STOCK
        size = sku.size if sizes_matter or self._rng.random() < SHARE_OPTION_NAMED else ""
        colours_matter = len({one.colour for one in item.skus}) > 1
        return sku.colour if colours_matter and self._rng.random() < SHARE_OPTION_NAMED else "", size

    def _ask_and_answer(self, intent: Intent, key: str, link: int) -> None:
        """An earlier viewer's question of the same kind about another item, and the host's answer."""
        link = self._another(link)
        item = self._item(link)
        sku = max(item.skus, key=lambda one: one.stock)
        size = sku.size if len({one.price_cents for one in item.skus}) > 1 and intent is Intent.PRICE else ""
        template = self._rng.choice(self._words.asks[key])
        pointed = self._speech.options(self._point("link", link), "", size)
        self.dialogue.append(Utterance("viewer", self._fill(template, {"{it}": pointed})))
        coupons = [one for one in self._room.coupons if not one.item_ids or item.item_id in one.item_ids]
        units = sum(one.stock for one in item.skus)
        facts = {
            "{material}": item.material,
            "{units}": str(units),
            "{town}": item.ship_from,
            "{ship_days}": str(item.ship_days),
            "{return_days}": str(item.return_days),
            "{months}": str(item.warranty_months),
            "{price}": yuan(quote(sku, 1, coupons).total_cents),
        }
        self._say("host", self._words.answered["stock/none" if intent is Intent.STOCK and not units else key], link, facts)

    def _say(self, speaker: Literal["viewer", "host"], template: str, link: int, facts: dict[str, str] | None = None) -> None:
        text = self._fill(template, {"{n}": str(link), "{title}": self._item(link).title, **(facts or {})})
        self.dialogue.append(Utterance(speaker, text))

    def _comment(self, ask: Ask, template: str, way: Way = "link") -> Written:
        slots = {"{n}": self._speech.pieces(ask.quantity, self._rng)}
        if ask.link is not None:
            slots["{it}"] = self._speech.options(self._point(way, ask.link), ask.colour, ask.size)
        if ask.other_link is not None:
            slots["{other}"] = self._point("link", ask.other_link)
        if ask.topic:
            slots["{topic}"] = self._rng.choice(self._speech.topics.get(ask.topic, (ask.topic,)))
        text = self._speech.misspell(template, self._rng) if self._rng.random() < SHARE_MISSPELT else template
        opener = self._rng.choice(self._words.openers) if self._rng.random() < SHARE_WITH_OPENER else ""
        closer = self._rng.choice(self._words.closers) if self._rng.random() < SHARE_WITH_CLOSER else ""
        return ask, template, f"{opener}{self._fill(text, slots)}{closer}"

    def _point(self, way: Way, link: int) -> str:
        """Words that point at a link. A noun that two items of the room share points at neither: then the title does."""
        nouns = [self._speech.noun(item.title) for item in self._room.items]
        if way == "noun" and nouns.count(nouns[link - 1]) > 1:
            way = "title"
        references = self._words.references
        phrases = {
            "link": references.link,
            "on_screen": references.on_screen,
            "title": references.title,
            "noun": references.noun,
            "earlier": references.earlier,
        }[way]
        slots = {"{n}": str(link), "{numeral}": self._speech.numerals[link]}
        slots |= {"{title}": self._item(link).title, "{noun}": nouns[link - 1]}
        return self._fill(self._rng.choice(phrases), slots)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        for slot, words in {"{place}": self._rng.choice(self._words.places), **slots}.items():
            template = template.replace(slot, words)
        return template
