"""A small shop made by hand: two rooms, an English and a Chinese one, whose every answer is easily worked out."""

from __future__ import annotations

from components.harness.types import Request
from components.liveroom.types import Campaign, Coupon, Faq, Item, RoomRecord, Sku

LAMP = Item(
    item_id="lamp",
    title="Willow Lamp",
    category="home",
    material="oak",
    skus=(
        Sku("lamp-1", "White", "S", 5900, 12),
        Sku("lamp-2", "Sea Green", "S", 5900, 0),
        Sku("lamp-3", "White", "L", 8900, 3),
    ),
    ship_from="Hangzhou",
    ship_days=2,
    ship_fee_cents=0,
    return_days=7,
    warranty_months=12,
    features={"bulb": "LED", "cable": "two metres"},
)
MUG = Item("mug", "Harbor Mug", "kitchen", "glass", (Sku("mug-1", "Teal", "", 2905, 0),), "Wuhan", 1, 850, 30, 6)
SCARF = Item("scarf", "云朵围巾", "服饰", "羊毛", (Sku("scarf-1", "雾霾蓝", "", 9900, 5),), "苏州", 3, 0, 15, 3, {"洗涤": "手洗"})
ITEMS = (LAMP, MUG, SCARF)

CAMPAIGN = Campaign("Autumn Week", "Sunday 22:00", "a tote bag", 9900)
FAQ = (
    Faq("payment", "You can pay by card or in the app.", "by card or in the app"),
    Faq("gift_wrap", "Gift wrap is free.", "free"),
)
ROOM = RoomRecord("r", ((1, "lamp"), (3, "mug")), "en", CAMPAIGN, FAQ)
CHINESE_ROOM = RoomRecord("z", ((1, "scarf"),), "zh")
ROOMS = (ROOM, CHINESE_ROOM)

COUPONS = (
    Coupon("c1", "r", "Room 5%", "percent", percent_off=5),
    Coupon("c2", "r", "Lamp 10 off", "shop", cents_off=1000, minimum_cents=5900, item_ids=("lamp",)),
    Coupon("c3", "r", "Big 30 off", "shop", cents_off=3000, minimum_cents=17000),
    Coupon("c4", "z", "新人券", "shop", cents_off=500),
)

REQUEST = Request("q", "r", ("hi",), on_screen_link=3, links=((1, "Willow Lamp"), (3, "Harbor Mug")), audience={"viewers": 120})
CHINESE_REQUEST = Request("q2", "z", ("你好",), on_screen_link=1, links=((1, "云朵围巾"),), language="zh")
