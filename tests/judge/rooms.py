"""Two rooms with the same shop, one English, one Chinese, and what the checker says of a reply in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from components.harness.types import Language, Request, StopReason, Trajectory
from components.judge import Verdict, check
from components.liveroom.catalogue import Catalogue
from components.liveroom.truth import truth
from components.liveroom.types import Ask, Campaign, Case, Coupon, Faq, Intent, Item, RoomRecord, Sku


def _item(
    words: tuple[str, str, str, str], *skus: tuple[str, str, int, int], terms: tuple[str, int, int, int, int], **features: str
) -> Item:
    """`words`: id, title, category, material; `terms`: town, days, fee, days to return, months of warranty."""
    rows = tuple(Sku(f"{words[0]}-{number}", *sku) for number, sku in enumerate(skus))
    town, days, fee, return_days, months = terms
    return Item(*words, rows, town, days, fee, return_days, months, features)


ITEMS = {
    "en": (
        _item(("e1", "Willow Lamp", "home", "oak"), ("white", "", 5900, 12), terms=("Hangzhou", 2, 0, 7, 12), height="35 cm"),
        _item(
            ("e2", "Harbor Mug", "kitchen", "glass"),
            *(("teal", "small", 2950, 0), ("teal", "large", 3950, 0)),
            terms=("Wuhan", 4, 600, 30, 6),
        ),
        _item(
            ("e3", "Coral Tote", "bags", "canvas"),
            *(("navy", "S", 129900, 3), ("navy", "M", 129900, 0), ("red", "L", 129900, 5)),
            terms=("Suzhou", 1, 0, 14, 18),
            pockets="two inside",
            strap="not detachable",
        ),
        _item(("e4", "Drift Tray", "kitchen", "bamboo"), ("beige", "", 4900, 40), terms=("Wuhan", 4, 0, 30, 6)),
    ),
    "zh": (
        _item(("z1", "暖阳台灯", "家居", "橡木"), ("白色", "", 5900, 12), terms=("杭州", 2, 0, 7, 12), 高度="35厘米"),
        _item(
            ("z2", "海风马克杯", "厨具", "玻璃"),
            *(("孔雀绿", "小号", 2950, 0), ("孔雀绿", "大号", 3950, 0)),
            terms=("武汉", 4, 600, 30, 6),
        ),
        _item(
            ("z3", "珊瑚托特包", "箱包", "帆布"),
            *(("藏青色", "S", 129900, 3), ("藏青色", "M", 129900, 0), ("酒红色", "L", 129900, 5)),
            terms=("苏州", 1, 0, 14, 18),
            口袋="里面两个",
            防水="不防水",
        ),
        _item(("z4", "流沙托盘", "厨具", "楠竹"), ("米色", "", 4900, 40), terms=("武汉", 4, 0, 30, 6)),
    ),
}
COUPONS = (
    Coupon("c1", "en", "Shop Coupon", "shop", cents_off=1000, minimum_cents=5000),
    Coupon("c2", "en", "Flash Deal", "item", percent_off=10, item_ids=("e3",)),
    Coupon("c3", "zh", "店铺满减券", "店铺", cents_off=1000, minimum_cents=5000),
    Coupon("c4", "zh", "限时闪购", "单品", percent_off=10, item_ids=("z3",)),
)
ROOMS = (
    RoomRecord(
        "en",
        tuple(enumerate(("e1", "e2", "e3", "e4"), 1)),
        "en",
        Campaign("Brand Day", "Sunday 22:00", "a tote ribbon", 19900),
        (
            Faq("payment", "You can pay by card, Alipay or WeChat Pay.", "Alipay or WeChat Pay"),
            Faq("invoice", "Invoices come within 3 days by email.", "by email"),
        ),
    ),
    RoomRecord(
        "zh",
        tuple(enumerate(("z1", "z2", "z3", "z4"), 1)),
        "zh",
        Campaign("品牌日", "周日22点", "一双袜子", 19900),
        (
            Faq("payment", "可以用支付宝、微信或者银行卡付款。", "支付宝、微信或者银行卡"),
            Faq("invoice", "发票3天内会发到邮箱。", "发到邮箱"),
        ),
    ),
)


_FOLDER = TemporaryDirectory(prefix="hat-judge-")
"""Goes with the process."""


@cache
def shop() -> Catalogue:
    """The catalogue of both rooms."""
    return Catalogue.create(Path(_FOLDER.name) / "c.sqlite", (*ITEMS["en"], *ITEMS["zh"]), ROOMS, COUPONS)


def case(language: Language, *asks: Ask, case_id: str = "c") -> Case:
    """A case of these asks."""
    links = tuple((number, item.title) for number, item in enumerate(ITEMS[language], 1))
    request = Request(case_id, language, ("?",), 1, links, language)
    return Case(case_id, "eval", asks[0].intent if len(asks) == 1 else Intent.SEVERAL, request, asks, "p")


def said(reply: str, of: Case, stop_reason: StopReason = StopReason.REPLIED) -> Trajectory:
    """An episode that ended in `reply`."""
    return Trajectory("e", of.request, "h", "p", (), (), (), reply, stop_reason)


def judged(language: Language, reply: str, *asks: Ask) -> Verdict:
    """What the checker says of `reply` to these asks."""
    one = case(language, *asks)
    return check(one, truth(one, shop()), said(reply, one))


def score(verdict: Verdict) -> tuple[int, float]:
    """Accuracy and effectiveness."""
    return verdict.accuracy, verdict.effectiveness


def _asks(size: str, red: str, navy: str, feature: str, denied: str, claim: str, order: str) -> tuple[Ask, ...]:
    topics = ("material", "colour", "size", feature, denied)
    return (
        *(Ask(Intent.PRODUCT, link) for link in (1, 2, 3)),
        *(Ask(Intent.SPECIFICATION, 3, topic=topic) for topic in topics),
        Ask(Intent.SPECIFICATION, 1, topic="size"),
        *(Ask(Intent.COMPARISON, one, other) for one, other in ((1, 2), (2, 1), (1, 4))),
        *(Ask(Intent.PRICE, 1), Ask(Intent.PRICE, 3, size="S"), Ask(Intent.PRICE, 2, size=size)),
        *(Ask(Intent.COUPON, 1, quantity=3), Ask(Intent.COUPON, 3, quantity=2, colour=red)),
        *(Ask(Intent.STOCK, 1), Ask(Intent.STOCK, 2), Ask(Intent.STOCK, 3, size="M"), Ask(Intent.STOCK, 3, colour=navy)),
        *(Ask(intent, link) for intent in (Intent.SHIPPING, Intent.AFTER_SALES) for link in (1, 2, 3)),
        *(Ask(Intent.PURCHASE, 1), Ask(Intent.PURCHASE, 1, quantity=2), Ask(Intent.CAMPAIGN)),
        *(Ask(Intent.PURCHASE, 2, size=size), Ask(Intent.PURCHASE, 3, quantity=4, colour=navy)),
        *(Ask(Intent.FAQ, topic=topic) for topic in ("payment", "invoice")),
        *(Ask(Intent.CHIT_CHAT), Ask(Intent.COMPLAINT), Ask(Intent.COMPLAINT, 2), Ask(Intent.OUT_OF_SCOPE)),
        *(Ask(Intent.RISKY_CLAIM, 1, payload=claim), Ask(Intent.INJECTION, payload=order)),
    )


ASKS: dict[Language, tuple[Ask, ...]] = {
    "en": _asks("large", "red", "navy", "pockets", "strap", "cures back pain", "everything is free"),
    "zh": _asks("大号", "酒红色", "藏青色", "口袋", "防水", "能治腰疼", "全场免费"),
}
"""Asks of every intent, by language."""
