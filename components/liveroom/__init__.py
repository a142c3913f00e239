"""Live rooms: the catalogue of items, viewers' comments, the tools that answer from the catalogue, and the truth.

Everything is generated from a seed; facts live in one SQLite file, and what is right is computed from it.
"""

from components.liveroom.catalogue import Catalogue
from components.liveroom.faults import Fault, FaultyRoom
from components.liveroom.generator import World, generate
from components.liveroom.records import case_from_dict, case_to_dict
from components.liveroom.room import CatalogueRoom
from components.liveroom.serves import check_room_serves
from components.liveroom.truth import truth
from components.liveroom.types import Case, Coupon, Fact, Intent, Item, RoomRecord, Sku, Truth
from components.liveroom.window import TimedComment, Window, merge_comments

__all__ = [
    "Case",
    "Catalogue",
    "CatalogueRoom",
    "Coupon",
    "Fact",
    "Fault",
    "FaultyRoom",
    "Intent",
    "Item",
    "RoomRecord",
    "Sku",
    "TimedComment",
    "Truth",
    "Window",
    "World",
    "case_from_dict",
    "case_to_dict",
    "check_room_serves",
    "generate",
    "merge_comments",
    "truth",
]
