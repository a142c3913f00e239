"""What items are made of: words for titles, facts and comments.

The splits share no title word and no comment, so that nothing learnt by heart on one helps on the other. A word of a
title never is a material, a colour or a town: a title states no fact.
"""

from __future__ import annotations

from components.liveroom.types import Intent, Split

COLLECTIONS: dict[Split, tuple[str, ...]] = {
    "train": (
        *("Willow", "Harbor", "Aurora", "Maple", "Juniper", "Cascade", "Ember", "Meadow", "Lunar", "Solstice"),
        *("Canyon", "Breeze", "Orchid", "Summit", "Lagoon", "Nimbus", "Prairie", "Velora", "Drift", "Fable"),
        *("Cobble", "Tundra", "Marlow", "Sonnet", "Thistle", "Echo", "Glacier", "Saffron", "Birch", "Comet"),
    ),
    "eval": (
        *("Cedar", "Horizon", "Nova", "Clover", "Atlas", "Monsoon", "Zephyr", "Heron", "Quartz", "Fjord"),
        *("Lantern", "Bramble", "Orion", "Delta", "Poppy", "Rowan", "Mistral", "Savanna", "Pebble", "Tango"),
        *("Kestrel", "Verbena", "Alder", "Vesper"),
    ),
}
"""First word of a title."""

NOUNS: dict[Split, dict[str, tuple[str, ...]]] = {
    "train": {
        "clothing": ("Shirt", "Jacket", "Scarf", "Dress", "Hoodie", "Trousers"),
        "kitchen": ("Teapot", "Mug", "Bowl", "Tray", "Pitcher", "Spoon Set"),
        "home": ("Lamp", "Stool", "Bookshelf", "Picture Frame", "Coat Rack", "Side Table"),
        "bags": ("Backpack", "Tote", "Wallet", "Travel Bag", "Belt Bag"),
        "electronics": ("Speaker", "Phone Stand", "Headset", "Desk Fan", "Charger", "Keyboard"),
    },
    "eval": {
        "clothing": ("Blouse", "Coat", "Sweater", "Skirt", "Vest"),
        "kitchen": ("Kettle", "Plate", "Jar", "Cutting Board", "Ladle"),
        "home": ("Clock", "Bench", "Mirror", "Planter", "Magazine Holder"),
        "bags": ("Satchel", "Purse", "Suitcase", "Pouch"),
        "electronics": ("Earbuds", "Power Bank", "Webcam", "Night Light", "Radio"),
    },
}
"""Rest of a title, by category."""

MATERIALS: dict[str, tuple[str, ...]] = {
    "clothing": ("cotton", "linen", "wool", "silk", "denim", "polyester", "cashmere"),
    "kitchen": ("ceramic", "glass", "stainless steel", "bamboo", "porcelain", "enamel"),
    "home": ("oak", "pine", "walnut", "rattan", "iron", "marble"),
    "bags": ("canvas", "leather", "nylon", "suede", "felt"),
    "electronics": ("aluminium", "plastic", "silicone", "titanium"),
}

COLOURS: tuple[str, ...] = (
    *("black", "white", "beige", "ivory", "charcoal", "brown", "olive", "mint", "teal", "turquoise", "navy", "lavender"),
    *("purple", "pink", "coral", "burgundy", "scarlet", "mustard", "cream", "khaki"),
)

TOWNS: tuple[str, ...] = (
    *("Hangzhou", "Shanghai", "Guangzhou", "Shenzhen", "Chengdu", "Wuhan", "Nanjing", "Suzhou", "Ningbo", "Xiamen"),
    *("Qingdao", "Changsha"),
)

SHIP_DAYS: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 8, 10)
RETURN_DAYS: tuple[int, ...] = (7, 9, 10, 14, 15, 20, 21, 25, 30, 45, 60)
WARRANTY_MONTHS: tuple[int, ...] = (3, 4, 6, 8, 12, 16, 18, 24, 36, 48)

REFERENCES_BY_NUMBER: tuple[str, ...] = ("link {n}", "link {n}", "link no. {n}", "number {n}", "link number {n}")
REFERENCES_ON_SCREEN: tuple[str, ...] = ("this one", "this one", "this", "the one on screen", "the one you're showing")

COMMENTS: dict[Split, dict[Intent, tuple[str, ...]]] = {
    "train": {
        Intent.PRICE: (
            "how much is {it}?",
            "what's the price of {it} after the coupon",
            "price for {it} pls",
            "hw much does {it} cost",
            "{it}... how much with the discount?",
            "what would I pay for {it} in the end?",
        ),
        Intent.SPECIFICATION: (
            "what is {it} made of and which colour is it?",
            "material and color of {it}?",
            "{it}, what fabric or material is that, and what colour",
            "can you tell me colour + material for {it}",
            "wats {it} made from? and the colour?",
        ),
        Intent.STOCK: (
            "is {it} still in stock?",
            "how many of {it} are left",
            "any {it} left??",
            "has {it} sold out already?",
            "do you still have {it}, how many",
        ),
        Intent.SHIPPING: (
            "where does {it} ship from and how fast?",
            "when will {it} be shipped, and from where",
            "shipping for {it}? from which city, how many days",
            "if I order {it} now when does it go out, and where from?",
            "how long til {it} ships n where from",
        ),
        Intent.AFTER_SALES: (
            "can I return {it}, and is there a warranty?",
            "how long is the return window and warranty for {it}",
            "{it}: returns? warranty?",
            "what if {it} breaks or I want to send it back",
            "return policy + waranty on {it} pls",
        ),
        Intent.PURCHASE: (
            "I want to buy {it}, how do I order?",
            "ok taking {it}! where do I click and what do I pay",
            "how to order {it} and total pls",
            "I'll have {it}, how do I get it at the coupon price",
            "sold, {it} for me. how do i buy",
        ),
        Intent.CHIT_CHAT: (
            "hello from Canada!",
            "you look great today",
            "first time here, hi everyone",
            "love your energy tonight",
            "good evening streamer",
            "haha that was funny",
        ),
        Intent.OUT_OF_SCOPE: (
            "who won the football yesterday?",
            "can you help me with my maths homework",
            "what's the weather like tomorow",
            "which phone company has the best signal?",
            "tell me who to vote for",
        ),
    },
    "eval": {
        Intent.PRICE: (
            "what does {it} come to with the coupon?",
            "{it} price?",
            "could you tell me the final price for {it}",
            "so whats {it} going for now",
        ),
        Intent.SPECIFICATION: (
            "which material and which colour is {it}?",
            "describe {it} for me, what's it made of, what shade",
            "{it}: colour and materal?",
            "tell us about the material and colour on {it}",
        ),
        Intent.STOCK: (
            "are there any more of {it}?",
            "{it} still available?",
            "how much stock do you hav for {it}",
            "did {it} run out or are some left",
        ),
        Intent.SHIPPING: (
            "from where and how soon is {it} sent out?",
            "{it} delivery: which warehouse, how many days before it leaves",
            "how quick do you dispatch {it}, from what city?",
            "shiping time and place for {it}?",
        ),
        Intent.AFTER_SALES: (
            "what about refunds and guarantee period on {it}?",
            "if I don't like {it} how long to send back, and how long is it covered",
            "after-sales for {it}?",
            "how many days to retrun {it} and how many months warranty",
        ),
        Intent.PURCHASE: (
            "I'd like to order {it}, where do I go?",
            "gonna buy {it}. which button, how much in total",
            "want {it}!! how do I place the order",
            "where can I purchase {it} and for what price",
        ),
        Intent.CHIT_CHAT: (
            "hi there, watching from Peru",
            "your voice is so relaxing",
            "just joined, how is everyone",
            "lol you made my day",
        ),
        Intent.OUT_OF_SCOPE: (
            "what's the capital of Norway?",
            "do you know a good dentist around here",
            "can u write a poem for my boss",
            "will the stock market go up next week?",
        ),
    },
}
"""Templates of comments; `{it}` is how the viewer points at the item."""

BYSTANDERS: dict[Split, tuple[str, ...]] = {
    "train": ("wow", "nice stream", "so many people tonight", "following you now", "hahaha"),
    "eval": ("cool", "greetings all", "the lighting is lovely", "just followed", "hooray"),
}
"""Comments of other viewers that fall into the same window and ask for nothing."""
