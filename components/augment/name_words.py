"""The words of names, in other words and other languages. What `train` may use and what `heldout` may use are disjoint."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from components.augment.naming import Style, words_of

Lexicon = Literal["train", "heldout", "spanish", "pinyin", "german", "chinese"]
"""English synonyms of each family, then languages: Spanish and pinyin belong to `train`, German and Chinese to `heldout`."""


@dataclass(frozen=True)
class NameWord:
    """What may stand for one word of a name, by lexicon."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]
    spanish: tuple[str, ...]
    pinyin: tuple[str, ...]
    german: tuple[str, ...]
    chinese: tuple[str, ...]

    def of(self, lexicon: Lexicon) -> tuple[str, ...]:
        """The choices of one lexicon."""
        words: tuple[str, ...] = getattr(self, lexicon)
        return words


_TABLE = """
after sales | aftercare returns | postsale refunds    | posventa     | shouhou   | kundendienst | 售后
audience    | crowd             | spectators          | publico      | guanzhong | publikum     | 观众
campaign    | promotion         | drive               | campana      | huodong   | aktion       | 活动
care        | handling          | treatment           | atencion     | guanhuai  | betreuung    | 关怀
chinese     | mandarin          | sinitic             | chino        | zhongwen  | chinesisch   | 中文
colour      | shade             | hue                 | color        | yanse     | farbe        | 颜色
comment     | remark            | post                | comentario   | pinglun   | kommentar    | 评论
comments    | remarks           | posts               | comentarios  | danmu     | kommentare   | 弹幕
compare     | contrast          | juxtapose           | comparar     | duibi     | vergleich    | 对比
complaint   | grievance         | objection           | queja        | tousu     | beschwerde   | 投诉
coupon      | voucher discount  | rebate promo        | cupon        | youhui    | gutschein    | 优惠
decline     | refuse            | reject              | rechazar     | wanju     | ablehnung    | 婉拒
faq         | knowledge         | helpdesk            | preguntas    | changwen  | haeufiges    | 常问
file        | document          | attachment          | archivo      | wenjian   | datei        | 文件
guide       | walkthrough       | handbook            | guia         | zhinan    | leitfaden    | 指南
id          | number num        | index ref           | numero       | hao       | nummer       | 号
ids         | numbers           | refs                | numeros      | haoma     | nummern      | 号码
info        | bulletin          | particulars         | informacion  | xinxi     | auskunft     | 信息
item        | product article   | goods merchandise   | producto     | shangpin  | artikel      | 商品
items       | products articles | wares               | productos    | huopin    | waren        | 货品
link        | listing slot      | position entry      | enlace       | lianjie   | verweis      | 链接
links       | listings slots    | positions entries   | enlaces      | xiangjie  | verweise     | 详链
load        | launch activate   | fetch summon        | cargar       | jiazai    | laden        | 加载
logistics   | delivery dispatch | freight parcels     | logistica    | wuliu     | versand      | 物流
lookup      | query retrieval   | finder probe        | consulta     | chaxun    | suche        | 查询
order       | purchase          | buying              | pedido       | dingdan   | bestellung   | 订单
price       | cost pricing      | tariff charge       | precio       | jiage     | preis        | 价格
qa          | answers hints     | replies responses   | respuestas   | wenda     | antworten    | 问答
quantity    | amount            | count               | cantidad     | shuliang  | anzahl       | 数量
quote       | estimate          | calculation         | presupuesto  | baojia    | angebot      | 报价
recover     | restore           | resume              | recuperar    | huifu     | erholung     | 恢复
resolve     | identify locate   | determine pinpoint  | resolver     | queding   | klaerung     | 确定
room        | channel           | studio              | sala         | zhibojian | raum         | 直播间
safely      | carefully         | soundly             | prudente     | anquan    | sicher       | 安全
search      | seek              | browse              | buscar       | sousuo    | recherche    | 搜索
shipping    | transport sending | shipment consigning | envio        | fahuo     | lieferung    | 发货
size        | measure           | dimensions          | talla        | chima     | groesse      | 尺码
skill       | playbook recipe   | manual module       | habilidad    | jineng    | anleitung    | 技能
small talk  | chat chitchat     | banter pleasantries | charla       | xianliao  | plauderei    | 闲聊
split       | separate          | divide              | separar      | chaifen   | aufteilung   | 拆分
state       | situation         | condition           | estado       | zhuangtai | zustand      | 状态
stock       | inventory supply  | availability units  | existencias  | kucun     | bestand      | 库存
tools       | instruments       | utilities           | herramientas | gongju    | werkzeuge    | 工具
topic       | theme             | matter              | asunto       | huati     | stichwort    | 话题
"""
"""Word or words of a name, then what may stand for them: train, heldout, Spanish, pinyin, German, Chinese."""


def _row(line: str) -> tuple[str, NameWord]:
    word, *cells = (cell.strip() for cell in line.split("|"))
    return word, NameWord(*(tuple(cell.split()) for cell in cells))


NAME_WORDS: Mapping[str, NameWord] = dict(_row(line) for line in _TABLE.strip().splitlines())

SKILL_AFFIX = _row("| subject desk | matters area | tema | zhuti | thema | 主题")[1]
TOOL_AFFIX = _row("| tool data | api service | herramienta | jiekou | dienst | 接口")[1]
PARAMETER_AFFIX = _row("| value arg | input field | valor | canshu | wert | 参数")[1]
"""Added to names none of whose words is in `NAME_WORDS`."""

_BASE = {
    form: word
    for word, forms in NAME_WORDS.items()
    for form in (word, *forms.train, *forms.heldout, *forms.spanish, *forms.pinyin, *forms.german)
}
_KNOWN = re.compile(rf"\b(?:{'|'.join(sorted(_BASE, key=len, reverse=True))})\b")


def other_name(name: str, affix: NameWord, lexicon: Lexicon, style: Style, random: Random) -> str:
    """Another name of the same meaning: words swapped for those of a lexicon, or one of `affix` added where none can be.

    A word that an earlier change of name put in is known by the word it stands for, so the last change wins.
    """
    text = " ".join(words_of(name))
    new = _KNOWN.sub(lambda match: random.choice(NAME_WORDS[_BASE[match.group()]].of(lexicon)), text)
    return style((new if new != text else f"{text} {random.choice(affix.of(lexicon))}").split())


def han(words: Sequence[str]) -> str:
    """`价格问答`; words that aren't Chinese are set off by an underscore: `价格_faq`."""
    joined = "_".join(words)
    return re.sub(r"(?<=[\u3400-\u9fff])_(?=[\u3400-\u9fff])", "", joined)
