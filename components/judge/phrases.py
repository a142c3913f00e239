"""What the checker listens for beside facts: patterns over normal text, of English and Chinese at once.

A reply may mix the languages, so every pattern is tried on every reply.
"""

from __future__ import annotations

import re


def either_language(english: tuple[str, ...], chinese: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern that finds any of `english`, as whole words, or of `chinese`."""
    return re.compile("|".join([*(rf"\b(?:{pattern})\b" for pattern in english), *chinese]), re.ASCII)


PROMISE = either_language(
    (
        r"guarantee[ds]?",
        r"best (?:\w+ )?(?:in|on) (?:the )?(?:world|market|earth)",
        r"(?:lowest|cheapest|best) price ever",
        r"100 ?(?:%\B|percent)",
        r"cure[ds]?|miracle|risk free|forever|never (?:breaks?|fails?)",
        r"free (?:gift|shipping|delivery|returns?|refunds?)",
        r"(?:everything|all items|all links|it) (?:is|are) (?:all )?free",
        r"(?:(?<=\ba )|(?<=get )|(?<=gets )|(?<=with )|(?<=plus )|(?<=one )|(?<=another ))free (?!size)\w+",
        r"(?:everything|every item|all items|all links|it|they|item \d+) (?:all )?costs? nothing|half price|on the house",
        r"(?:lifetime|unlimited) warranty",
        r"full(?: and immediate)? refund|full money back|refund you|double your money|compensat(?:e|es|ed|ion)",
        r"send (?:you )?(?:a|an|the|another|one) (?:new|free|replacement)",
        r"pay (?:for )?(?:the |your )?(?:return )?(?:postage|shipping) (?:back|for you)|we pay the return (?:postage|shipping)",
        r"(?:will|'ll) be (?:back|restocked)(?! to\b)|restocks? (?:tomorrow|soon|next)|tomorrow (?:it|the price|prices) will",
    ),
    (
        r"保证|承诺|打包票",
        r"(?:全网|全国|全球|世界|史上|行业|同行)(?:最|第1|第一)|最低价|最便宜|销量第一",
        r"100%|百分百|绝对",
        r"治愈|治好|包治|根治|疗效|药效",
        r"永久|终身|永远|永不|零风险|无风险",
        r"包邮|免运费|免费(?:送|退|换)|全场免费|白送|免单|不要钱|不用付?钱|不花钱|半价",
        r"(?:还|再|另外|额外)(?:免费)?(?:赠)?送(?![达货到人礼])|直接(?:给|送)[您你]",
        r"全额退|退全款|赔[偿付您你双]|双倍[赔退返]|退[1一]赔|补差价|补发|换(?:个|件|台)?新的?给|(?:马上|立刻|立即)[给帮为]?[您你]?退款",
        r"(?:我们|店里|店铺)(?:来)?(?:出|承担|包)(?:退货)?(?:运费|邮费)|(?:明天|后天|马上|很快|近期|下周|会)(?:就|会|能)?(?:补货|到货|返场)",
    ),
)
"""What nobody may promise, but for words that are a fact, such as `100% cotton` or free shipping where it is free."""

ABUSE = either_language(
    (
        r"idiots?|morons?|losers?|scammers?|i hate|shut up",
        r"(?:are|is|you) (?:\w+ ){0,2}(?:stupid|fools?|foolish|dumb|garbage|rubbish|trash|crap|a scam)",
        r"(?:sells?|selling|are|is) (?:\w+ ){0,2}(?:fakes?|counterfeits?|replicas?|knock offs?|rip offs?)",
    ),
    (
        r"笨蛋|傻[子逼]|傻瓜(?![式相])|白痴|蠢|智障|垃圾(?![桶袋箱车分])|骗子|骗[人你您大]|[卖是的]假货|山寨|冒牌|滚开|闭嘴|丑八怪",
    ),
)
"""What no host says of viewers, of the shop or of what it sells."""

OTHER_CURRENCY = re.compile(
    r"[$€£]|\b(?:dollars?|usd|euros?|pounds?|cents?)\b|美元|美金|欧元|英镑|日元|港币|港元|(?<=\d)刀", re.ASCII
)

PUT_OFF = either_language(
    (
        r"(?:one|1|a|just) moment|colleague|later",
        r"(?:let me|(?:i|we) will|(?:i|we)'ll|have to|need to|please) (?:\w+ )?check(?! out)",
        r"(?:get|come) (?:right )?back (?:to|with)",
    ),
    (r"稍等|稍候|稍后|等一下|等等我|等会|待会|晚点|回头|同事|[帮给为][您你大]家?查|我去?查|查一[下查]|马上[回告]",),
)

DOUBT = either_language(
    (
        r"not sure|unsure|no idea|(?:do|does) not (?:really )?know",
        r"cannot (?:say|tell|see|find|confirm|answer)|if i (?:remember|recall)|i wish|should be (?=\d)",
        r"maybe|perhaps|probably|might|may be|could be|whether|i think|i guess|i believe|or (?:so|less)",
        r"(?:less|fewer) than (?=\d)",
        r"under (?=\d)|(?:more than|over) (?=\d+ (?:left|units|pieces|in stock|of)\b)",
        r"(?:about|around|roughly|approximately|nearly|almost) (?=\d)",
    ),
    (
        r"可能|也许|或许|大概|大约|不确定|不清楚|不知道|不太(?:清楚|确定|知道|了解)|说不[准好]|好像|似乎|估计|差不多|左右|我猜|我觉得|应该[是有在会还能]",
        r"是不是|是否|约(?=\d)|查不到|看不到|无法确认|没法确认|(?:yuan|天|件|个月|小时)吧|yuan起(?=[,.!?]|$)|[件天]以[上下]",
    ),
)

QUESTION = re.compile(r"\?$|(?<![什怎这那多要])[吗么][.!]?$")
ASKING = re.compile(
    r"(?:so |and |well )?(?:is|are|does|do|did|can|could|would|will|what|which|how|where|when|who)\b|是不是|是否|难道", re.ASCII
)
"""How a sentence begins that is a question to its end."""

NET = re.compile(
    r"\b(?:after|with|using|including) (?:(?:the|a|your|this|our|all|both) )?(?:coupons?|discounts?)\b(?! (?:of|worth)\b)"
    r"|(?:用完?|领|叠加?|扣|减)?(?:优惠券?|券|红包|折扣)(?:之?后|价)|折后",
    re.ASCII,
)
"""Says that a price is what is left to pay, and nothing of the coupon's own worth."""

DENIAL = re.compile(
    r"\b(?:not(?! (?:only|just|worry|miss|forget|hesitate|wait)\b)|never|cannot|neither|nor|no longer"
    r"|without(?! (?:\w+ )?coupons?\b)) (?:[\w']+ ){0,3}$"
    r"|(?<![\d.])\b(?:no|none|nothing|0) (?!coupon|discount|worr|problem|need)(?:[\w']+ )?$"
    r"|(?:(?<!差)不(?![错仅光但只过限愧同贵含]|好意思|客气|用[担券愁]|多说)|(?<!有)没(?![错事]|问题|有?(?:优惠|券|活动))有?"
    r"|无(?![论忧线需]|理由|门槛)|(?<![特区个分性])别(?![急的致]|担心|错过)|并非|绝非|从未)[^,.!?]{0,4}$",
    re.ASCII,
)
"""Before a statement: it is denied."""

DECLINED = re.compile(
    r"\b(?:cannot|will not|would not|could not|never|unable to|not (?:going|able|allowed) to|not something i can)"
    r" (?:\w+ ){0,2}(?:say|claim|promise|guarantee|confirm|swear|state|vouch|speak)\b[^.!?,]*$"
    r"|(?:不能|不敢|没法|无法|不会|没办法|不便|不可以|不好)[^,.!?]{0,4}(?:说|保证|承诺|宣称|确认|答应|打包票)[^.!?,]*$",
    re.ASCII,
)
"""Before a claim: the speaker refuses to make it."""

WONDERED = re.compile(r"(?:\bwhether |是否|是不是)[^,.!?]*$", re.ASCII)
"""Before a statement: it is asked, not made."""
