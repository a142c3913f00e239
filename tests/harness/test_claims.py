"""Compliance: claims that sellers make are refused, and what an honest host says in the same words is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.harness import load_harness
from components.harness.hooks import CHECKS, HookContext
from components.harness.types import JsonObject, Request

HARNESS = load_harness(Path(__file__).parents[2] / "harness")
REQUEST = Request("r", "room", ("?",), 1, ((1, "Kettle"),))

MEDICAL = """
This tea cures insomnia.
It can cure back pain in a week.
The balm treats eczema and acne.
This belt relieves joint pain quickly.
It prevents colds and boosts your immune system.
Wear it and your arthritis will be healed, it heals joints.
Doctors recommend this pillow for headaches.
It is clinically proven and has no side effects.
Drink it daily and it lowers blood pressure.
It melts fat, you will lose 5 kg of weight.
It's a natural remedy for migraines.
The insole has a therapeutic effect.
Our cream fights inflammation.
You can stop your pills, it replaces medicine.
I can't promise a date, but it cures acne.
Rub it on and your wounds heal overnight.
This tea will cure your cold.
It's great for treating dandruff and hair loss.
It helps with diabetes and cures high blood pressure.
With this bracelet your headaches disappear.
The mat relieves chronic back pain.
Proven by doctors, it eliminates acne in 3 days.
It strengthens your immunity against flu.
No side effects at all, totally natural.
Anti-inflammatory effect guaranteed.
Two cups a day and your insomnia is gone.
The magnetic band takes away migraine pain.
My mom's diabetes got better with this tea, it really cures.
Good against coughs and asthma.
It repairs damaged joints and relieves inflammation.
This serum gets rid of eczema.
这款茶可以治疗失眠。
用了它痘痘能治好。
这个膏药根治腰椎痛，药到病除。
它能消炎止痛，没有副作用。
喝了降血压降血糖。
可以增强免疫力，预防感冒。
医生推荐，临床验证有效。
能快速减肥，一个月瘦10斤。
专治鼻炎，包治百病。
这款枕头缓解颈椎病。
它可以代替药物。
喝这个茶能治高血压。
亲，这个对痛风有治疗效果的。
贴上就不痛了，治关节炎特别好。
调理身体，增强抵抗力，孩子不生病。
敷三天痘痘全消，疗效看得见。
它有祛湿排毒的功效。
可以改善睡眠，治疗失眠多梦。
专家推荐，零副作用。
吃了这个就不用吃药了。
能防癌抗癌。
睡前喝一杯，失眠就好了。
对鼻炎有很好的治疗作用。
用完痘痘都没了，根治不复发。
孕妇也能喝，能预防感冒。
这个能止咳化痰。
It helps with insomnia.
Does it cure acne? Absolutely.
Does it treat eczema? Yes, it does!
No doubt it cures acne.
能治好失眠吗？当然能！
它能治好失眠吗？是的，喝一周就行。
"""

ABSOLUTE = """
Without a doubt it is the best on the market.
If you ask me it is the best kettle in the world.
Nobody can deny it is the best in the world.
I'm not exaggerating, it is the best in the world.
Is it the best in the world? It is!
毫无疑问这是全网最好的。
不得不说这是全国销量第一。
It is the best kettle in the world.
This is the best shirt you will ever wear.
We are the number one brand in China.
Rated number one by everyone!
It's China's leading brand.
The world's softest scarf, I swear, world's best quality.
It is the most durable pan, the most effective cleaner.
It is 100% effective.
It is 100 % safe for babies, guaranteed.
I'm a hundred percent sure it will fit you.
It's guaranteed to work.
We guarantee it will never fade.
Results guaranteed.
It never breaks.
It will never shrink in the wash.
It lasts forever.
This is national-level quality, state-level craft.
A top-grade, unbeatable product.
Nothing is better than this kettle.
Second to none, one and only.
Risk-free, everyone will love it.
Satisfaction guaranteed!
It works 100%.
Not only good but the best in the world.
Honestly, it's the best one out there.
This is the best pan on the market, everybody.
It's simply the best!
You get the highest quality in the world.
We are No. 1 in sales in the whole country.
It's 100% guaranteed, no worries.
I promise it will never fade or shrink.
It will definitely fit you, I guarantee it.
There's no better kettle anywhere.
It is absolutely safe and completely harmless.
The finest silk in the world.
A perfect product with zero defects.
This coat lasts a lifetime, guaranteed.
The only kettle in the world that never leaks.
Trust me, this is the best kettle you can buy.
The most advanced technology in China.
There is nothing like it in the world, absolutely perfect.
I can guarantee you will love it.
It's guaranteed to last.
World-class craftsmanship at link 3.
It is 100% windproof.
这是全网最好的水壶！
这款面料是最好的。
质量最好，没有之一。
全国销量第一。
我们是第一品牌。
国家级品质，顶级面料。
这款绝对不会掉色。
百分百有效。
100%安全无害。
保证不褪色。
永不变形。
世界级工艺，独一无二。
最先进的技术，最安全的材质。
同类产品里它遥遥领先，是行业唯一。
这是极品。
包你满意，一定有效，绝对好用。
敏感肌首选，万能神器。
不得不说这是最好的。
不仅是顶级的，而且史无前例。
咱家这个水壶真的是最好的。
最好用的锅就是它。
质量绝对是第一。
全网独一份，别家没有。
这个品质绝对没问题，百分百满意。
穿一辈子都不会坏。
保证你穿上最漂亮。
这是最舒服的一款。
我敢说没有比这更好的了。
行业领先，全球首创。
我向您保证绝不掉色。
顶级羊绒，极致体验，完美无瑕。
销量冠军，口碑第一。
买它准没错，绝对值。
最强续航，最快充电。
全国最大的品牌，行业第一。
性价比最高的一款。
绝对是您的最佳选择。
品质天花板，全网最好。
100%不掉色。
面料顶级，做工一流。
包您满意。
"""

PRICE = """
谁家都没有我们便宜。
这是全网最低价，喜欢吗？
不是我吹这就是全网最低。
关于价格就是全网最低。
毫不夸张地说，我们就是全网最低价。
About the price: it is the lowest price ever.
No joke, this is the lowest price on the internet.
This is the lowest price ever.
It's the lowest price on the internet.
You won't find it cheaper anywhere.
Best price guaranteed!
We have the cheapest kettle online.
The price will never go up.
Prices will drop tomorrow.
It will definitely be cheaper next week.
I promise you a lower price tomorrow.
I guarantee the lowest price.
It will never be this cheap again.
Cheaper than anywhere else.
No other shop sells it cheaper.
We price match anyone, price match guaranteed.
We'll pay you double the difference.
Don't miss it, the lowest price of the year!
Nobody sells it for less than us.
You'll never see this price again.
Our price is the lowest in China.
It's cheaper here than in any other shop.
This price is the lowest of all time.
I swear the price drops again tonight.
We always have the lowest prices.
If you find it cheaper, we refund the difference.
Wait until Friday, it will be cheaper then, I promise.
The price won't go up, I promise.
This is the cheapest it has ever been.
Lowest price of the whole year, only today!
Tomorrow it will go up again, promise.
I promise it stays at 49 yuan forever.
Nowhere else is it this cheap.
全网最低价！
这是史上最低。
永不涨价，放心买。
保证降价。
明天一定更便宜。
以后不会再涨价了。
买贵包赔。
比哪里都便宜。
保证全年最低。
错过就再也没有这个价了，历史最低。
不要错过全网最低价。
我保证价格最低。
双十一肯定会降价。
我们家就是全网底价。
这个价格以后再也没有了。
明天肯定涨价，赶紧买。
我敢保证没有人比我便宜。
今天是全年最便宜的一天。
放心，绝不会再降价了。
过了今天就没这个价了。
史低价，买到就是赚到。
买贵了我们退差价双倍赔。
主播承诺价格永远不变。
我们的价格是全网最低的。
保证你买到的是最低价。
明天就涨价了。
这个价格以后都不会有了。
价格保证全年最优惠。
"""

HONEST = """
You can return it within 7 days, and it is free, I guarantee that.
You can return it within 7 days, I guarantee that.
Does it cure acne? Of course I can't say that.
Will it be cheaper tomorrow? I can't say.
If you ask me, M fits you.
尺码首选M码。
首选黑色。
颜色最好看的是黑色。
能治好失眠吗？当然不能，它只是茶。
It is made of 100% cotton.
The Linen Shirt is 100% linen and machine washable.
30-day returns are guaranteed by law.
It comes with a 12-month guarantee.
We guarantee returns within 7 days.
There is a money-back guarantee of 7 days.
I can't promise the lowest price.
I cannot say it is the best in the world.
I'm sorry, I can't say whether it cures acne.
It does not treat any illness.
No product is 100% effective, so I won't claim it.
I can't promise that the price will never go up.
I don't know whether prices will drop tomorrow.
As for the lowest price ever, that is something I can't promise.
The best in the world? I can't say that.
The lowest price ever, I can't promise that.
Does it cure acne? I can't make that claim.
It is not medicine and can't cure insomnia.
I can't guarantee it will never fade, but it is colourfast at 30 degrees.
We are not allowed to use words like number one brand.
It's best to wash it cold.
The best way to wash it is by hand.
The best size for you is M.
The best I can do is 49.00 yuan after the coupon.
Link number one is the Kettle.
The Kettle is link number 1 and it is on screen.
Please treat yourself and tap link 3.
The leather is vegetable-treated and the resin is cured for a day.
Payment is secure, and the manicure set is link 2.
We treat every order with care.
All the best and thank you for watching!
The cheaper one is the Linen Shirt.
The cheapest size is S at 39.00 yuan.
The price after the coupon is 49.00 yuan.
The price drops to 39.00 yuan with the coupon.
The coupon takes 10.00 yuan off, so you pay 39.00 yuan.
Shipping is free and it leaves within 2 days.
Returns are free within 7 days.
There are 12 units left in stock.
We can't find a cheaper one in this room.
The campaign ends on Sunday at 22:00 and the price goes back to 59.00 yuan.
The scarf has a healing green tone.
It keeps warm, and it feels soft.
It is our best-selling colour.
I never said it is the best in the world.
Nothing is guaranteed to work for everybody.
You can get a full refund, guaranteed by the platform.
I would rather not say it is risk-free.
It's dermatologist wording that I avoid, and I make no medical claims.
The blanket is a treat for cold evenings.
It is 100% polyester inside.
I'm happy to help, tell me your height.
Sorry, I can't follow that; ask me about the items.
The warranty is 12 months.
The Kettle holds 1.5 litres and costs 89.00 yuan.
It is not the lowest price ever and I won't pretend it is.
I'd rather not promise anything about tomorrow's price.
Prices can change after the campaign, so I can't say.
I can't make promises about future prices, but today it is 49.00 yuan.
We don't guarantee the lowest price, sorry.
That isn't something I can promise, but you have 7 days to return it.
I'm not a doctor and can't give medical advice.
It isn't a medicine, so please ask a doctor about your headaches.
For pain please see a doctor; this is just a pillow.
The pillow supports your neck, but it doesn't relieve pain.
I can't claim it treats allergies.
No, it is not 100% waterproof; it is splash-proof.
It's water-repellent, not waterproof.
It has a 2-year warranty, and the guarantee covers the motor.
Your satisfaction matters to us, and returns take 7 days.
Best wishes to you, thanks for the love!
The first 50 orders get a gift, and the gift is a mug.
It is our first batch this spring.
This is the only one left in blue.
Only the M is left, the best match for you would be L.
The most popular colour is beige.
Which one is best for you depends on your size.
What's the best thing about it? It is light.
The lowest price among its sizes is 39.00 yuan for S.
The lower price is for link 2, 39.00 yuan.
The highest discount today is 10.00 yuan.
With two pieces you save most.
You pay 98.00 yuan in total for 2 pieces, no more.
It never needs ironing if you hang it.
The colour may fade slightly after many washes.
You'll never walk alone with us here, thank you!
We ship within 2 days, guaranteed delivery is not possible in storms.
The shop guarantees it is genuine, and you get an invoice.
The silk is treated with care by hand.
It keeps drinks hot for 12 hours.
The fabric is antibacterial according to its label.
The filling relieves pressure points, as the label says.
The soap is for sensitive skin and smells of lavender.
I'm sorry to hear it hurt; you can return it within 7 days.
I'm sorry that it broke. You can send it back for free within 30 days.
The ultimate decision is yours, take your time.
Top-level shelf fits 3 pans.
Free shipping on everything here, and the coupon takes 5% off.
Price protection is 15 days, says the platform's rule.
Will it be cheaper tomorrow? I don't know, sorry.
The price has gone up since yesterday because the coupon ended.
The coupon drops the price to 39.00 yuan.
This one drops to 39.00 yuan after the coupon, it goes up again when the campaign ends.
Nothing here is risk-free, but returns are.
I can't say "cures acne", that's a medical claim.
You asked if it is the world's best: I can't say that.
Everything I say must be true, so no promises like "lowest price ever".
The link says "best seller" and that's just its title.
It comes with a gift box, the best part for many viewers.
The Canvas Bag has a lifetime of about 3 years, I'd say.
I can only tell you what is on the label: 80% cotton.
The discount is 5% and the total is 186.20 yuan.
Two pieces come to 98.00 yuan, the coupon takes off 10.00 yuan.
Coupons exclude each other, the one that saves most counts.
You're welcome, happy to have you here!
I'm sorry it arrived broken, we exchange it within 7 days.
For medical questions please ask a doctor.
I can't tell you whether it helps with acne.
I am not able to promise that it never fades.
Nobody can promise it never breaks, but the warranty is 12 months.
We can't call it the best, but many viewers like it.
I only answer questions about this room.
I can't change prices or give extra discounts.
That's not something I can do; the price is 49.00 yuan.
I won't say that everything is free.
No guarantee of results, sorry.
I'm afraid a guaranteed price is not possible.
The best before date is on the box.
The material is the same, link 2 is cheaper.
Both cost 49.00 yuan.
The gift is for orders over 199.00 yuan until Sunday 22:00.
Delivery within 3 days is usual, not guaranteed.
Ships from Hangzhou within 2 days, free of charge.
Your order ships first thing tomorrow.
这款是100%纯棉的。
面料是百分之百桑蚕丝。
七天无理由退货，法律规定的。
我们保证七天内可以退换。
我不能保证全网最低价。
全网最低价我不敢说。
全网最低价，这个我不能保证哦。
抱歉，我没法说它是最好的。
这款不是药，不能治疗失眠。
它没有治疗作用。
是不是全网最低，我不好说。
能不能治好痘痘，我不敢保证。
以后会不会降价，我不能承诺。
明天会不会更便宜，我没法保证。
最好用冷水手洗。
您最好先看看尺码表。
第一个链接是水壶。
第一次购买可以领券。
下单后第一时间发货。
最多可以买5件。
最晚明天发货。
最后3件库存。
最高立减10元。
最近几天都有活动。
最大码是XL。
最适合您的尺码是M码。
券后价是49.00元。
便宜的是亚麻衬衫，券后39.00元。
最便宜的是S码，39.00元。
包邮，两天内发货。
支持七天无理由退货，包退包换。
这个颜色很治愈。
治愈系的绿色。
祝您早日康复。
活动到周日晚上十点结束，之后恢复原价。
我们不做医疗宣传，也不说治愈这样的话。
没有绝对有效的产品。
我们不能用第一品牌这种词。
顶级、国家级这种说法我们不能用。
库存还有12件，喜欢可以下单。
质保12个月。
两件一起买更划算，总共90.00元。
喜欢的话点3号链接就可以下单。
抱歉给您添麻烦了，七天内可以退货。
这种面料不容易掉色，建议手洗。
这条围巾显瘦又保暖。
减肥期间也可以吃，每份120千卡。
优惠券满100元减10元。
我只能说它是纯棉的，不敢说最好。
这个我不能说是全网最低价，但是券后49.00元。
您问的最低价我没法承诺，现在券后是49.00元。
我们不承诺最低价。
价格以后怎么变，我不清楚。
明天价格我也不知道，今天是49.00元。
以后会降价吗？这个不好说。
它只是普通枕头，不能治颈椎病。
不舒服请看医生，我们不能给医疗建议。
这个不是药品，没有疗效，请遵医嘱。
祛痘的话我不敢打包票。
能不能治病这个我真的不能乱说。
治疗方面请咨询医生。
关于疗效我没办法回答。
我们没有最好，只有更适合您的。
第一排是3号链接的衬衫。
第一批货已经卖完了，第二批三天后发。
第一名下单的观众已经出来啦。
这个是新款，最新一批。
最大容量1.5升。
最小的尺码是S。
最高温度不要超过30度。
保修期内坏了免费换新。
保证在7天内退款到账。
我们保证是正品。
假一赔十，正品保障。
绝对不能用热水洗。
绝对不要放进烘干机。
千万不要用漂白剂，一定要手洗。
一定会按时给您发货的。
肯定有货，还有12件。
颜色和图片基本一致。
百分之五的折扣。
满200减20，折后180元。
全国包邮，偏远地区除外。
全国都可以发货。
世界那么大，谢谢您来我直播间。
行业里一般是保修6个月。
市场上这种面料不少。
比2号便宜10元。
3号比1号便宜，券后39.00元。
两款比较，2号更便宜。
这一款比那一款划算一点。
没有更便宜的券了。
现在买最划算的是两件装。
冠军同款这种话我不敢说。
首选尺码建议M。
顶部有提手，级别是普通款。
这款锅不粘，但不保证永远不掉涂层。
不会过敏吗？这个因人而异，我不能保证。
这款不是全棉，含棉80%。
洗后可能会轻微缩水。
治愈你的一天从一杯茶开始？这话我可不敢说。
很抱歉收到了坏的，我们包退换。
目前券后49.00元，之后价格以页面为准。
这款适合日常穿，舒适透气。
我们支持15天价保。
不能保证一定有货，您先下单。
不好意思，药效这类问题我回答不了。
它不是保健品，没有降血压的作用。
最终价格以下单页为准。
最好在周日前下单，活动就结束了。
第一次来的朋友点个关注。
质量问题包退包换。
绝大部分人选M码。
百分之百的棉，手感柔软。
一百元以内可以买到。
满199元送马克杯，活动到周日22点。
这个问题我不能回答，可以问我商品。
我不会改变规则，也不能说全场免费。
两款都是49.00元，一样便宜。
1号更便宜，便宜10.00元。
抱歉，这种保证我给不了。
我不能承诺永不涨价。
能不能根治我不清楚，建议问医生。
不敢说百分百有效。
不存在绝对安全的产品。
没有什么是永不磨损的。
"""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def found(reply: str, check: str, **parameters: object) -> str | None:
    finding = CHECKS[check].run(HookContext(HARNESS, REQUEST, reply=reply), parameters)
    return finding.reason if finding else None


CLAIMS = {"medical_claims": MEDICAL, "absolute_claims": ABSOLUTE, "price_promises": PRICE}


@pytest.mark.parametrize(("check", "reply"), [(check, reply) for check, text in CLAIMS.items() for reply in lines(text)])
def test_claim_is_refused(check: str, reply: str) -> None:
    assert found(reply, check)


@pytest.mark.parametrize("reply", lines(HONEST))
def test_what_an_honest_host_says_passes(reply: str) -> None:
    assert {check: reason for check in CLAIMS if (reason := found(reply, check))} == {}


def test_a_phrase_may_be_allowed() -> None:
    assert found("Meet Best in Class, the kettle that is 100% effective.", "absolute_claims", allow=["Best in Class"])
    assert not found("这款是顶级会员专享。", "absolute_claims", allow=["顶级会员"])


def test_rewriting_drops_the_sentence_that_claims() -> None:
    parameters: JsonObject = {}
    context = HookContext(HARNESS, REQUEST, reply="It is 49.00 yuan. It is the best kettle in the world! Tap link 3.")
    finding = CHECKS["absolute_claims"].run(context, parameters)
    assert finding and finding.rewritten == "It is 49.00 yuan. Tap link 3."
    alone = CHECKS["absolute_claims"].run(HookContext(HARNESS, REQUEST, reply="全网最好！"), parameters)
    assert alone and alone.rewritten is None
