"""Great Expectations over the catalogue and the cases; a critical failure stops everything downstream."""

from __future__ import annotations

from components.data import validate_frames
from components.data.frames import cases_frame, coupons_frame, items_frame, skus_frame
from components.files import read_jsonl, write_json
from components.liveroom.catalogue import Catalogue
from components.liveroom.records import case_from_dict
from flows.params import Params
from flows.paths import RunPaths


def run(params: Params, paths: RunPaths) -> None:
    """Write the data docs `validation/rooms/` and the summary `validation/rooms.json`."""
    catalogue = Catalogue.open(paths.catalogue)
    cases = [case_from_dict(row) for row in read_jsonl(paths.cases)]
    items, coupons = catalogue.items(), catalogue.coupons()
    frames = {"catalogue": items_frame(items), "skus": skus_frame(items), "cases": cases_frame(cases)}
    # A shop may have no coupons, but a frame without rows would say that something is missing.
    if coupons:
        frames["coupons"] = coupons_frame(coupons, items, catalogue.rooms())
    write_json(paths.validation / "rooms.json", validate_frames(frames, paths.validation / "rooms"))
