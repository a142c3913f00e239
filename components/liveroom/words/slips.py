"""Slips of hurried thumbs. Placeholders such as `{it}` stay whole, so that a comment can still be answered."""

from __future__ import annotations

import re
from random import Random

_WORD = re.compile(r"(?<![{\w])[a-z]{5,}(?![}\w])")


def misspell_en(template: str, rng: Random) -> str:
    """Swap two letters inside one longer word, drop one or double one; a template of short words stays as it is."""
    words = list(_WORD.finditer(template))
    if not words:
        return template
    word = rng.choice(words)
    place = rng.randrange(word.start() + 1, word.end() - 2)
    first, second = template[place], template[place + 1]
    slip = rng.choice((second + first, second, first + first + second))
    return template[:place] + slip + template[place + 2 :]


_HOMOPHONES = (
    *(
        ("的", "得"),
        ("在", "再"),
        ("哪", "那"),
        ("吗", "嘛"),
        ("多少", "多小"),
        ("什么", "神马"),
        ("怎么", "肿么"),
        ("发货", "发火"),
    ),
    *(
        ("链接", "连接"),
        ("优惠", "优会"),
        ("库存", "库寸"),
        ("保修", "保休"),
        ("材质", "才质"),
        ("颜色", "颜se"),
        ("多久", "多酒"),
    ),
    *(
        ("价", "介"),
        ("便宜", "便益"),
        ("下单", "下但"),
        ("券", "卷"),
        ("送", "宋"),
        ("主播", "煮播"),
        ("还有", "还又"),
        ("可以", "可已"),
    ),
    *(("是", "事"), ("发票", "fa票"), ("客服", "克服"), ("活动", "活懂"), ("付款", "fukuan"), ("介绍", "介召"), ("划算", "化算")),
    *(("红包", "红bao"), ("质保", "质宝"), ("退货", "tui货"), ("会员", "会圆"), ("售后", "售後"), ("大家", "打家")),
)
"""What a pinyin keyboard puts for what was meant."""


def misspell_zh(template: str, rng: Random) -> str:
    """Put a word of the same or nearly the same sound for one; a template without such a word stays as it is."""
    slips = [slip for slip in _HOMOPHONES if slip[0] in template]
    return template.replace(*rng.choice(slips), 1) if slips else template
