"""The words of Chinese."""

from __future__ import annotations

from components.liveroom.speech.replies_zh import REPLIES
from components.liveroom.speech.words import Around, Words, either
from components.liveroom.spoken import GAP

_COUNTERS = tuple("件个只条台套双把张本瓶包盒支顶副款样份盏")
_SAVING = either(
    "优惠|立减|减|直减|减免|省|省了|省下|便宜|便宜了|减去|优惠了|一共优惠|共优惠|总共优惠|抵扣|抵"
    "|减了|已减|已经减了|立减了|券减|券可减|能减|可减|再减|共省|一共省|立省|能省|可省|能便宜|少付"
)
_BUYING = either("点|点击|点一下|点开|戳|拍|直接拍|下单|去|打开|进|进入|选|选择|在|走|从|买|小黄车|小黄车里|购物车|购物车里")
_REFUSED = either(
    "保证|承诺|这么说|这样说|这么讲|说这个|说这种|乱说|打包票|做这个承诺|做这种承诺|作承诺|做承诺"
    "|确认|答应|这么承诺|这样承诺|做出承诺|给出承诺|给您承诺|给您保证|宣称|做保证|夸大|下这个结论"
    "|回答这个|这样保证|给这个承诺|给这种承诺|说这样的话|说这话|随便承诺|随便说|乱承诺|评价|回应"
    "|聊这个|讲这个"
)
_CANNOT = either("不能|不敢|没法|没办法|无法|不会|不可以|不方便|不便|不能跟您|不能给您|不好|没法给您|没法跟您|不能随便")

ZH = Words(
    units={
        "hour": ("{}小时",),
        "day": ("{}天",),
        "week": ("{}周",),
        "month": ("{}个月",),
        "year": ("{}年",),
    },
    half_year=("半年",),
    year_and_half=("{}年半", "{}.5年"),
    last_and="和",
    comma="、",
    up_to=either("到|至|-|一直到"),
    list_price=Around(
        either(
            "原价|原价是|标价|标价是|原来|原来是|原本|平时|平时卖|平时要|日常价|正价|正价是|券前|吊牌价"
            "|以前|以前卖|以前要|曾经|曾经卖|过去|过去卖|之前|之前卖"
            "|券前价|日常|划线价|挂牌价|总价原价|原价一共|原价总共|原价共|原价合计|不用券|不用券是"
        ),
        either("的原价|的标价|原价|是原价|减|立减"),
    ),
    saving=Around(_SAVING, either("优惠|优惠券|的优惠|的优惠券|的券|券|元券")),
    coupon=Around(
        (*_SAVING, "优惠券", "券", "优惠券是", "有张", "领", "用", "叠加", "券有"),
        either("优惠|优惠券|的优惠|的优惠券|的券|券"),
    ),
    percent_off=("{off}%", "{left}折", "{tenths}折"),
    worth=Around(either("优惠券|券|有张|领|领张|减"), either("优惠券|的优惠券|的券|券")),
    each=Around(
        either("每件|单件|单价|单价是|每个|一件|1件|1个|每条|每双"),
        either("一件|每件|1件|一个|1个|/件|单价"),
    ),
    minimum=Around(either("满|超过|达到|到|够|凑够|凑满"), either("以上|起|门槛|及以上")),
    times=Around(either("乘|乘以|×|x|*")),
    makes=either("等于|是|=|就是|一共|总共"),
    pair=either("两件|两个|两样|两只"),
    pieces=Around(either("数量|数量选|数量填|拍|买"), (*_COUNTERS, "乘", "×", "x")),
    tapping=Around(_BUYING, either("下单|直接下单|直接拍|拍|拍下|去拍|点进去|就能买|购买|就能下单|里拍|里下单")),
    urging=Around(
        either("点|点击|点一下|点开|戳|拍|直接拍|下单|去拍|进"), either("下单|直接下单|直接拍|拍下|去拍|就能买|购买|就能下单")
    ),
    formerly=either("以前|以前卖|以前要|曾经|曾经卖|过去|过去卖|之前|之前卖"),
    both=Around(either("都是|都|都要|都卖|都只要")),
    difference=Around(either("少|便宜|便宜了|贵|贵了|多|差|差价|差价是|相差|少付|省|省了"), either("的差价|差价")),
    same_price=either(
        "一样的价|价格一样|一样贵|一样价|价格相同|同价|价钱一样|一个价|价格是一样|都一样|没有差价|价格相等|都是一样"
    ),
    cheaper=(
        *(f"{{it}}{GAP}{word}" for word in either("更便宜|便宜|更划算|价格更低|更实惠|价格低|划算|更低")),
        *(f"{word}{GAP}{{it}}" for word in either("便宜的是|更便宜的是|便宜一点的是|便宜些的是|价格低的是|划算的是|更低的是")),
    ),
    dearer=(
        *(f"{{it}}{GAP}{word}" for word in either("更贵|贵一点|贵一些|贵些|要贵|贵|价格更高|价格高|不便宜|不更便宜")),
        *(f"{word}{GAP}{{it}}" for word in ("贵的是", "更贵的是")),
    ),
    dearer_than=either("{it}没有{other}便宜|{it}没{other}便宜|{it}不如{other}便宜|{it}没有{other}划算|{it}不如{other}划算"),
    starts_at=("起价{}", "{}起"),
    too_few=either("不够|没有这么多|没有那么多|没这么多|没那么多|不足"),
    option_sold_out=either("{option}{gone}|{option}码{gone}|{option}已经{gone}|{option}码已经{gone}|{option}都{gone}"),
    option_left=either(
        "{option}{units}|{option}还有{units}|{option}有{units}|{option}还剩{units}|{option}剩{units}"
        "|{option}码{units}|{option}码还有{units}|{option}码有{units}|{option}码还剩{units}|{option}, {units}"
    ),
    sold_out=either(
        "售罄|卖完|卖光|没货|无货|缺货|断货|抢光|抢完|没有货|没有现货|没有库存|没库存|无库存|卖没"
        "|库存没有|库存没了|已经没了|0库存|库存为0|库存是0|脱销"
    ),
    in_stock=either("有货|有现货|有库存|还剩|现货|还有货|库存充足|库存有|还有库存"),
    units_left=Around(
        either("库存|库存还有|库存有|还剩|还有|剩|剩下|只剩|仅剩|库存是|现有|现货|现货有|余量"),
        _COUNTERS,
    ),
    free=either("免费送|送|还送|再送|免费领|赠送|还赠送|免费赠送|另外送"),
    no_minimum=either("无门槛|没有门槛|没门槛|不限金额|任意金额|不用满|不管买多少|随便买多少"),
    starting=Around(either("从"), either("开始|才开始|起|开启|开抢")),
    free_gift=("免费送", "免费领", "白送", "赠品免费"),
    free_shipping=either("包邮|免运费|免邮|运费免|不收运费|没有运费|无运费|不用运费|不要运费|运费是0|运费全免|免费配送"),
    fee=Around(
        either("运费|运费是|邮费|邮费是|快递费|快递费是|运费只要|运费要|运费为"),
        either("运费|的运费|邮费|的邮费|快递费"),
    ),
    fee_spoken="运费{}元",
    free_spoken="包邮",
    returning=either("退货|可退|退换|能退|无理由|退掉|退回|退款|退的|换货|退|退换货"),
    warranty=either("保修|质保|质量保证|维修|修|保固|售后保障"),
    no_after_sales=either("不保修|没有保修|无保修|没有质保|无质保|不能退|不可退|不支持退|不给退|不退不换|概不退换"),
    size=Around(either("尺码|尺寸|规格|大小"), either("码|号|款|尺码|尺寸")),
    sizes=Around((), either("个尺码|个码|个尺寸|种尺码|种尺寸|个规格|种规格|个大小|种大小|款|个号")),
    colours=Around((), either("个颜色|种颜色|个色|色|款颜色|款|种")),
    one_size=either(
        "均码|一个尺码|一个尺寸|一种尺寸|一种规格|一个规格|一个码|单一尺码|1个尺码|1个尺寸|1个规格|1个码"
        "|不分尺码|不分大小|统一尺寸"
    ),
    welcome=either(
        "欢迎|你好|您好|大家好|哈喽|高兴|开心|谢谢|感谢|嗨|晚上好|下午好|早上好|多谢|嘴真甜|爱你们|生日快乐|祝你|祝您|hello|hi|来啦|嘿嘿|老铁|哈哈"
    ),
    redirect=either(
        "直播间的商品|直播间里的商品|直播间的宝贝|直播间里的宝贝|这里的商品|这里的宝贝|链接里的|哪个链接"
        "|哪件商品|直播间的产品|直播间里的产品|我们的商品|我们的宝贝|我们的产品|店里的商品|店里的宝贝"
        "|哪款商品|哪款宝贝|几号链接|屏幕上的|直播间的东西|直播间商品|直播间宝贝|哪件宝贝|哪个商品"
        "|哪个宝贝|哪一件|哪一款|想看的链接|看中的链接|喜欢的链接|想看哪款|看中哪款|喜欢哪款|商品的问题"
        "|看宝贝|看看宝贝|看商品|看看商品|聊宝贝|聊聊宝贝|聊商品|聊聊商品|商品问题|宝贝的问题|小黄车里的|购物车里的"
    ),
    decline=(
        *(f"{cannot}{refused}" for cannot in _CANNOT for refused in _REFUSED),
        *either(
            "不做这种承诺|不做这样的承诺|不作承诺|不做承诺|只能说|实话实说|实事求是|以商品详情为准"
            "|以详情页为准|没有这种说法|没有这样的说法|没这个说法|只讲事实|只说事实|只能介绍|只介绍|只能如实"
            "|如实介绍|我不能说|主播不能说|不能说它"
        ),
    ),
    apology=either("抱歉|对不起|对不住|不好意思|很遗憾|道歉|致歉|给您添麻烦|实在遗憾"),
    customer_service=either("客服|售后团队|售后人员|售后同学|售后小姐姐|服务团队"),
    of_colour="{}",
    of_size="{}",
    verbs={},
    wordings=REPLIES,
    after_coupon="券后",
    without_coupon="今天",
    unavailable="抱歉，这个信息我现在查不到，先不乱说。",
)
