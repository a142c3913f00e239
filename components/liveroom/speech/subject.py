"""What an ask is about, and what an answer to it consists of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from components.errors import UserError
from components.liveroom.catalogue import Catalogue
from components.liveroom.options import colours, sizes
from components.liveroom.spoken import normal
from components.liveroom.types import Ask, Coupon, Fact, Item, RoomRecord, Sku


@dataclass(frozen=True)
class Answer:
    """What a right answer to one ask consists of; see `Truth`."""

    required: tuple[Fact, ...]
    replies: tuple[str, ...]
    """Right replies, all equally good."""
    asides: tuple[Fact, ...] = ()
    refuted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Subject:
    """One ask of a case with what the catalogue knows of it."""

    where: str
    """Names the case, for errors."""
    ask: Ask
    room: RoomRecord
    catalogue: Catalogue

    @property
    def item(self) -> Item:
        """The item asked about. Raises UserError where the catalogue has none."""
        return self.item_at(self.ask.link)

    @property
    def other(self) -> Item:
        """The second item of a comparison. Raises UserError where the catalogue has none."""
        return self.item_at(self.ask.other_link)

    def item_at(self, link: int | None) -> Item:
        """The item at a link. Raises UserError where the catalogue has none."""
        item = None if link is None else self.catalogue.item(self.room.room_id, link)
        if item is None:
            place = f"link {link} of room {self.room.room_id}"
            raise UserError(f"{self.where}: no item at {place}; cases and catalogue are not of one build; rebuild both")
        return item

    def coupons(self, item: Item) -> tuple[Coupon, ...]:
        """Coupons of the room that hold for an item."""
        return self.catalogue.coupons(self.room.room_id, item.item_id)

    def matching(self) -> tuple[Sku, ...]:
        """The item's SKUs of the colour and size that are asked about."""
        colour, size = self.ask.colour, self.ask.size
        return tuple(sku for sku in self.item.skus if colour in ("", sku.colour) and size in ("", sku.size))

    def skus(self) -> tuple[Sku, ...]:
        """The item's SKUs that are asked about. Raises UserError where there are none."""
        found = self.matching()
        if not found:
            options = f"{self.ask.colour} {self.ask.size}"
            raise UserError(f"{self.where}: {self.item.title} has no {options}; name an option that the catalogue has")
        return found

    def elsewhere(self, topic: str, item: Item) -> frozenset[str]:
        """What other items are or have, in normal form, where it would be false of `item`."""
        own = " | ".join(map(normal, _words(item)))
        others = map(normal, self.catalogue.values(topic))
        # One Chinese character is part of too many words to be held against a reply.
        return frozenset(one for one in others if len(one) > 1 and one not in own)


def _words(item: Item) -> Iterable[str]:
    """All words by which the catalogue describes an item."""
    yield from (item.title, item.category, item.material, item.ship_from, *colours(item), *sizes(item), *item.features.values())
