"""Right replies in Chinese."""

from __future__ import annotations

from components.liveroom.speech.words import Phrases

REPLIES: dict[str, Phrases] = {
    "product": (
        "这款是{title}，{category}类，{material}材质。",
        "{title}属于{category}，材质是{material}。",
        "这是{title}，{category}类的，用的是{material}。",
    ),
    "specification/material": ("{title}是{value}材质的。", "{title}的材质是{value}。", "{title}用的是{value}。"),
    "specification/colour": ("{title}有{value}可以选。", "{title}的颜色有{value}。", "颜色方面，{title}有{value}。"),
    "specification/size": ("{title}有{value}可以选。", "{title}的尺码有{value}。", "尺码方面，{title}有{value}。"),
    "specification/one_size": ("{title}是均码。", "{title}只有一个尺码。"),
    "specification/feature": ("{title}的{name}：{value}。", "说到{name}，{title}是：{value}。", "{title}，{name}：{value}。"),
    "comparison": (
        "{low}更便宜，券后{low_price}元，{high}是{high_price}元。",
        "券后{high}{high_price}元，{low}{low_price}元，所以{low}更便宜。",
        "{low}券后{low_price}元，比{high}的{high_price}元便宜。",
    ),
    "comparison/same": ("{one}和{two}价格一样，券后都是{price}元。", "券后都是{price}元，{one}和{two}一样贵。"),
    "price": (
        "{title}{option}{when}{total}元。",
        "{title}{option}{when}只要{total}元。",
        "{when}{total}元就能带走{title}{option}。",
    ),
    "coupon": (
        "{quantity}件{title}{option}{when}一共{total}元。",
        "买{quantity}件{title}{option}，{when}总共{total}元。",
        "{title}{option}拍{quantity}件，{when}合计{total}元。",
    ),
    "stock": (
        "有的，{title}{option}还有{units}件。",
        "{title}{option}有货，库存还有{units}件。",
        "{title}{option}现在还剩{units}件。",
    ),
    "stock/sold_out": (
        "抱歉，{title}{option}已经售罄了。",
        "{title}{option}现在没有货了，不好意思。",
        "可惜{title}{option}已经卖完了。",
    ),
    "stock/too_few": (
        "抱歉，{title}{option}只剩{units}件，不够您要的数量。",
        "{title}{option}库存不够了，现在只剩{units}件，不好意思。",
    ),
    "shipping": (
        "{title}从{town}发货，{days}内发出，{fee}。",
        "{title}{days}内从{town}发出。",
        "我们从{town}发{title}，{days}内就发出。",
    ),
    "after_sales": (
        "{title}支持{days}退货，保修{months}。",
        "{title}{days}内可以退货，质保{months}。",
        "{title}保修{months}，退货期是{days}。",
    ),
    "purchase": (
        "点{link}号链接就能下单{title}{option}，{when}{total}元。",
        "想买{title}{option}，点{link}号链接，{when}{total}元。",
        "{title}{option}在{link}号链接，拍下{when}只要{total}元。",
    ),
    "purchase/several": (
        "点{link}号链接，{title}{option}拍{quantity}件，{when}一共{total}元。",
        "{quantity}件{title}{option}，点{link}号链接下单，{when}合计{total}元。",
    ),
    "campaign": (
        "{name}期间下单满{over}元送{gift}，到{ends}结束。",
        "现在是{name}，满{over}元就送{gift}，活动到{ends}。",
        "{name}到{ends}结束，订单满{over}元送{gift}。",
    ),
    "chit_chat": (
        "欢迎来到直播间，见到您真开心！",
        "您好呀，欢迎您，希望您喜欢直播间的宝贝！",
        "谢谢您的支持，很高兴有您在！",
    ),
    "out_of_scope": (
        "这个我答不上来，不过直播间的商品您可以随便问我！",
        "我只懂直播间里的商品，想看几号链接您说！",
        "这个不归我管，直播间的宝贝欢迎您来问！",
    ),
    "risky_claim": (
        "这个我不能这么说，直播间的商品我只能如实介绍。",
        "这种话我不能随便说，直播间的商品信息您可以问我。",
        "抱歉，我没法给您这样的说法，只能介绍直播间的商品本身。",
    ),
    "injection": (
        "我在这里只聊直播间的商品，想看哪个链接您说！",
        "咱们还是聊聊直播间的宝贝吧，您喜欢哪款？",
        "我只介绍直播间里的商品，有看中的链接可以问我！",
    ),
    "complaint": (
        "非常抱歉给您添麻烦了，请联系客服，他们会帮您处理。",
        "真对不起，我们的客服会跟进您的订单。",
    ),
    "complaint/item": (
        "非常抱歉，{title}在{days}内可以退货，请联系客服处理。",
        "对不起让您不愉快了，{title}支持{days}退货，客服会帮您。",
    ),
}
"""Intent, or `intent/case`, → replies that are all equally good; `{…}` are filled in."""
