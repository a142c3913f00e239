"""English: what stands on the shelves.

No word of a title is a material, a colour, a town or a size: a title states no fact. A title is singular, so that every
sentence can say `it is` of it.
"""

from __future__ import annotations

from components.liveroom.words.en_faq import FAQ
from components.liveroom.words.shapes import Category, Goods, parted

_LETTERS = (("S", "M", "L"), ("S", "M", "L", "XL"), ("M", "L", "XL", "XXL"))

CATEGORIES = (
    Category(
        "clothing",
        parted(
            "Shirt|Jacket|Scarf|Dress|Hoodie|Pullover|Cardigan|Raincoat|Nightgown",
            "Blouse|Coat|Sweater|Skirt|Vest|Kimono|Jumpsuit|Tunic|Poncho",
        ),
        ("cotton", "linen", "wool", "silk", "denim", "polyester", "cashmere", "fleece"),
        _LETTERS,
        {
            "care": parted("machine wash cold|hand wash only", "dry clean only|wash inside out"),
            "fit": parted("slim|relaxed", "regular|oversized"),
            "season": parted("spring and autumn|winter", "summer|all year"),
        },
    ),
    Category(
        "shoes",
        parted("Sneaker|Slipper|Hiking Boot|Moccasin", "Loafer|Sandal|Running Trainer|Clog"),
        ("mesh", "suede", "rubber", "corduroy", "calfskin"),
        (("narrow", "standard", "wide"), ("small", "medium", "large")),
        {
            "sole": parted("non-slip|cushioned", "air cushion|wave pattern"),
            "closure": parted("laces|velcro strap", "slip-on|side zip"),
        },
    ),
    Category(
        "kitchen",
        parted("Teapot|Mug|Bowl|Tray|Pitcher|Spoon Set|Lunch Box", "Kettle|Plate|Jar|Cutting Board|Ladle|Frying Pan|Whisk"),
        ("ceramic", "glass", "stainless steel", "bamboo", "porcelain", "enamel"),
        ((), (), ("small", "large")),
        {
            "dishwasher": parted("dishwasher safe|rinse by hand", "top rack only|not for dishwashers"),
            "capacity": parted("350 ml|750 ml|1.5 litres", "420 ml|680 ml|2.2 litres"),
            "heat": parted("oven safe|microwave safe", "keep away from flames|for cold food only"),
        },
    ),
    Category(
        "home",
        parted(
            "Lamp|Stool|Bookshelf|Picture Frame|Wall Hook|Side Table|Cushion",
            "Clock|Bench|Mirror|Planter|Magazine Holder|Footrest|Doormat",
        ),
        ("oak", "pine", "walnut", "rattan", "iron", "marble", "jute"),
        ((), ("small", "medium", "large"), ("low", "tall")),
        {
            "assembly": parted("no assembly|four screws to fasten", "comes in one piece|clicks together"),
            "height": parted("35 cm|75 cm|110 cm", "48 cm|64 cm|126 cm"),
            "weight": parted("1.5 kg|3 kg|7 kg", "1.2 kg|2.4 kg|6 kg"),
        },
    ),
    Category(
        "bags",
        parted("Backpack|Tote|Wallet|Travel Bag|Belt Pack", "Satchel|Purse|Suitcase|Pouch|Briefcase"),
        ("canvas", "leather", "nylon", "waxed cloth", "felt", "hemp"),
        ((), ("mini", "standard"), ("small", "large")),
        {
            "pockets": parted("two inside|three outside", "one hidden|six in all"),
            "waterproof": parted("water repellent|rain cover included", "splash proof|not waterproof"),
            "strap": parted("adjustable|detachable", "padded|fixed length"),
        },
    ),
    Category(
        "electronics",
        parted(
            "Speaker|Phone Stand|Headset|Desk Fan|Charger|Keyboard|Humidifier",
            "Dash Cam|Power Bank|Webcam|Night Light|Radio|Mouse|Projector",
        ),
        ("aluminium", "plastic", "silicone", "titanium", "polycarbonate"),
        ((),),
        {
            "battery": parted("5 hours|15 hours|runs on the mains", "6 hours|18 hours|no battery inside"),
            "connection": parted("Bluetooth|USB-C cable", "wireless receiver|audio jack"),
            "noise": parted("25 dB|silent mode", "32 dB|whisper mode"),
        },
    ),
    Category(
        "beauty",
        parted("Lipstick|Face Gel|Body Lotion|Hair Mask", "Hand Balm|Cleanser|Sunscreen|Shampoo"),
        ("shea butter", "aloe vera", "jojoba oil", "beeswax", "rice water"),
        ((), ("travel size", "full size")),
        {
            "skin type": parted("dry skin|oily skin", "sensitive skin|all skin types"),
            "scent": parted("rose|unscented", "vanilla|green tea"),
            "shelf life": parted("30 months|15 months", "18 months|36 months"),
        },
        most_colours=1,
    ),
    Category(
        "toys",
        parted("Puzzle|Toy Train|Kite|Plush Bear", "Board Game|Spinning Top|Yo-Yo|Finger Puppet"),
        ("beech wood", "cardboard", "soft foam", "vinyl"),
        ((), ("junior", "senior")),
        {
            "age": parted("from 3 years|from 5 years", "from 4 years|from 6 years"),
            "pieces": parted("25 pieces|150 pieces", "48 pieces|120 pieces"),
            "batteries": parted("needs no batteries|batteries included", "works by hand|batteries sold separately"),
        },
    ),
)

GOODS = Goods(
    collections=parted(
        "Willow|Harbor|Aurora|Maple|Juniper|Cascade|Ember|Meadow|Lunar|Solstice|Canyon|Breeze|Orchid|Summit|Lagoon|Nimbus|Prairie"
        "|Velora|Drift|Fable|Cobble|Tundra|Marlow|Sonnet|Thistle|Echo|Glacier|Saffron|Birch|Comet|Nordica|Everly|Pinecone",
        "Cedar|Horizon|Nova|Clover|Atlas|Monsoon|Zephyr|Heron|Quartz|Fjord|Lantern|Bramble|Orion|Delta|Poppy|Rowan|Mistral|Savanna"
        "|Pebble|Tango|Kestrel|Verbena|Alder|Vesper|Halcyon|Larkspur|Osprey|Tamarind|Wisteria|Acorn|Bonfire|Cinder",
    ),
    categories=CATEGORIES,
    colours=(
        *("black", "white", "beige", "ivory", "charcoal", "brown", "olive", "mint", "teal", "turquoise", "navy", "lavender"),
        *("purple", "pink", "coral", "burgundy", "scarlet", "mustard", "cream", "khaki"),
    ),
    towns=(
        *("Hangzhou", "Shanghai", "Guangzhou", "Shenzhen", "Chengdu", "Wuhan", "Nanjing", "Suzhou", "Ningbo", "Xiamen"),
        *("Qingdao", "Changsha"),
    ),
    money_coupons=parted(
        "Shop Coupon|Follower Coupon|Evening Coupon|Basket Coupon",
        "House Voucher|Fan Voucher|Tonight's Voucher|Order Voucher",
    ),
    percent_coupons=parted("Host's Pick|Selected Goods Deal|Flash Deal", "Spotlight Saver|Chosen Links Saver|Lucky Hour Saver"),
    coupon_groups=("shop", "item"),
    campaigns=parted(
        "Spring Fair|Brand Day|Members' Night|New Season Week",
        "Summer Carnival|Anniversary Sale|Harvest Fest|Warehouse Weekend",
    ),
    campaign_ends=parted(
        "Sunday 22:00|Friday 20:00|tonight 23:59|Monday 12:30", "Saturday 21:00|Thursday 19:30|tonight 23:00|Tuesday 18:45"
    ),
    gifts=parted(
        "a tote ribbon|a pair of socks|a scented candle|a key ring", "a gift box|a hair clip|a travel pillow|a tea sampler"
    ),
    faq=FAQ,
    title=lambda collection, noun: f"{collection} {noun}",
)
