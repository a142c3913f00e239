"""What `hat room` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import quantiles

from rich.cells import set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from components.liveroom import Case, Catalogue, Intent, RoomRecord, truth
from components.liveroom.pricing import yuan
from components.liveroom.stats import Reference, Stats
from components.liveroom.types import Coupon, Item

_SHARED_SHOWN = 3


def show_stats(console: Console, stats: Stats, what: str) -> None:
    """The tables of `hat room stats`."""
    console.print(f"[bold]rooms[/] · {escape(what)}", highlight=False)
    console.print(_requests(stats), _comments(stats), _faults(stats), _overlaps(stats), sep="\n")


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    return table


def _lots(stats: Stats) -> list[str]:
    return [f"{split} {language}" for split, language in stats.lots]


def _requests(stats: Stats) -> Table:
    table = _table("Requests by intent", "intent", *_lots(stats))
    for intent in Intent:
        table.add_row(intent, *(str(lot.requests[intent]) for lot in stats.lots.values()))
    table.add_section()
    table.add_row("all", *(str(lot.requests.total()) for lot in stats.lots.values()))
    return table


def _comments(stats: Stats) -> Table:
    table = _table("Comments", "", *_lots(stats))
    lots = list(stats.lots.values())
    table.add_row("comments", *(str(len(lot.lengths)) for lot in lots))
    table.add_row("phrasings", *(str(len(lot.phrasings)) for lot in lots))
    spread = [quantiles(lot.lengths, n=20, method="inclusive") if len(lot.lengths) > 1 else lot.lengths * 19 for lot in lots]
    for name, place in (("5 % of characters", 0), ("median of characters", 9), ("95 % of characters", 18)):
        table.add_row(name, *(f"{one[place]:.0f}" for one in spread))
    for count in sorted(set().union(*(lot.merged for lot in lots))):
        table.add_row(f"requests of {count}", *(_share(lot.merged[count], lot.requests.total()) for lot in lots))
    table.add_section()
    for reference in Reference:
        table.add_row(f"points at: {reference}", *(_share(lot.references[reference], lot.references.total()) for lot in lots))
    table.add_section()
    for name in ("dialogues", "campaigns", "audiences"):
        table.add_row(f"with {name}", *(_share(getattr(lot, name), lot.requests.total()) for lot in lots))
    return table


def _faults(stats: Stats) -> Table:
    table = _table(f"Faults over the {stats.calls} calls of right answers", "fault", "set", "met", "calls")
    for one in stats.faults:
        table.add_row(one.fault, f"{one.rate:.1%}", _share(one.met, stats.calls), str(one.met))
    return table


def _overlaps(stats: Stats) -> Table:
    table = _table("What the splits share", "", "train", "eval", "in both")
    table.add_column("e.g.")
    for one in stats.overlaps:
        shared = f"[bold red]{len(one.shared)}[/]" if one.shared else "0"
        table.add_row(one.kind, str(one.train), str(one.held), shared, escape(", ".join(one.shared[:_SHARED_SHOWN])))
    return table


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def show_room(console: Console, record: RoomRecord, catalogue: Catalogue, cases: Sequence[Case]) -> None:
    """What `hat room show` prints: the shelves, then each request with its dialogue, what is asked and a right answer."""
    for line in (*_shelves(record, catalogue), *_requests_of(cases, catalogue)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _shelves(record: RoomRecord, catalogue: Catalogue) -> Iterator[str]:
    yield f"{record.room_id} · {record.language}"
    for link, _ in record.links:
        if item := catalogue.item(record.room_id, link):
            yield f"\nlink {link} · {item.title}"
            yield from (f"  {line}" for line in _item(item))
    yield ""
    for coupon in catalogue.coupons(record.room_id):
        yield f"coupon · {_coupon(coupon, record)}"
    if campaign := record.campaign:
        yield f"campaign · {campaign.name}, until {campaign.ends}: {campaign.gift} from {yuan(campaign.gift_over_cents)}"
    yield from (f"faq · {faq.topic}: {faq.answer}" for faq in record.faq)


def _item(item: Item) -> Iterator[str]:
    features = ", ".join(f"{name}: {value}" for name, value in item.features.items())
    yield f"{item.category}, {item.material}, {features}"
    yield f"from {item.ship_from} within {item.ship_days} days, {yuan(item.ship_fee_cents)} shipping"
    yield f"{item.return_days} days to return, {item.warranty_months} months of warranty"
    for sku in item.skus:
        form = f"{sku.colour} {sku.size}".strip()
        yield f"{set_cell_size(form, 24)} {yuan(sku.price_cents):>9}   {f'{sku.stock} left' if sku.stock else 'sold out'}"


def _coupon(coupon: Coupon, record: RoomRecord) -> str:
    off = f"{coupon.percent_off} %" if coupon.percent_off else yuan(coupon.cents_off)
    links = ", ".join(str(link) for link, item_id in record.links if item_id in coupon.item_ids) or "all"
    minimum = f" from {yuan(coupon.minimum_cents)}" if coupon.minimum_cents else ""
    return f"{coupon.title}: {off} off{minimum}, links {links}, group {coupon.group}"


def _requests_of(cases: Sequence[Case], catalogue: Catalogue) -> Iterator[str]:
    for case in cases:
        right = truth(case, catalogue)
        yield f"\n{case.case_id} · {case.intent} · link {case.request.on_screen_link} on screen"
        yield from (f"  ({one.speaker}) {one.text}" for one in case.request.dialogue)
        yield from (f"  > {comment}" for comment in case.request.comments)
        for name, arguments in right.calls:
            yield f"  call   {name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
        yield f"  skills {', '.join(right.skills)}"
        yield f"  reply  {right.reply}"
