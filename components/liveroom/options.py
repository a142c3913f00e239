"""The options of an item: its colours and sizes, and the SKUs that a viewer may mean."""

from __future__ import annotations

from components.harness.types import ToolError
from components.liveroom.types import Item, Sku


def colours(item: Item) -> tuple[str, ...]:
    """Colours of an item, in order, each once."""
    return tuple(dict.fromkeys(sku.colour for sku in item.skus))


def sizes(item: Item) -> tuple[str, ...]:
    """Sizes of an item, in order, each once; none where it has one size."""
    return tuple(dict.fromkeys(sku.size for sku in item.skus if sku.size))


def matching_skus(link_id: int, item: Item, colour: str, size: str) -> list[Sku]:
    """The SKUs of a colour and size, each empty where any will do. Raises ToolError that says what there is."""
    for name, wanted, known in (("colour", colour, colours(item)), ("size", size, sizes(item))):
        if wanted and not any(_same(wanted, one) for one in known):
            raise ToolError(f"link {link_id} has no {name} {wanted}; {name}s here: {', '.join(known) or 'one size only'}")
    found = [sku for sku in item.skus if _same(colour or sku.colour, sku.colour) and _same(size or sku.size, sku.size)]
    if not found:
        there = ", ".join(f"{sku.colour} {sku.size}" for sku in item.skus)
        raise ToolError(f"link {link_id} has no {colour} in size {size}; there is: {there}")
    return found


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
