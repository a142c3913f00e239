"""The words of English."""

from __future__ import annotations

from components.liveroom.speech.replies_en import REPLIES
from components.liveroom.speech.words import Around, Phrases, Words, either
from components.liveroom.spoken import GAP

_BEFORE_SUM = either("|is |at |of |are |to ")


def _before(words: Phrases) -> Phrases:
    return tuple(f"{word} {linking}" for word in words for linking in _BEFORE_SUM)


_SAVING = either(
    "save |saves |saving |save you |saves you |saving you |minus |takes off |take off |coupon takes "
    "|coupon of |coupon worth |coupon is |coupon gives |coupon gives you |discount of |discount is "
    "|coupons take |coupons save |coupons save you |in total off |knocks off |comes off "
)
_WHERE = either("in this room|in the room|here|on screen|below|you like|of this room|of the room|in our room")
_ITEMS = either("items|any item|an item|link|links|products|any of them|which item|which link|what is")
_REFUSED = either("promise|claim|say that|say so|say such|say anything|make that|make any|make such|confirm")
_REFUSED += either("speak to|answer that|state|vouch|guarantee|give you my word|give my word|swear|give that")
_REFUSED += either("talk about that|comment on|make a claim|make claims|make promises|give promises|offer that")
_CANNOT = either("cannot |can not |could not |am not able to |am not allowed to |will not |would not |may not ")
_CANNOT += either("unable to |must not |do not |cannot honestly |cannot really |am in no position to |never ")

_FORMERLY = either("used to be |used to cost |used to sell for |once was |once cost |in the past ")

EN = Words(
    units={
        "hour": ("{} hours", "{} hour"),
        "day": ("{} days", "{} day"),
        "week": ("{} weeks", "{} week"),
        "month": ("{} months", "{} month"),
        "year": ("{} years", "{} year"),
    },
    half_year=("half a year", "half year", "half-year"),
    year_and_half=either("{} and a half years|{} year and a half|{} years and a half|{}.5 years"),
    last_and=" and ",
    comma=", ",
    up_to=either(" to | through | up to |-"),
    list_price=Around(
        (
            *_before(either("list price|original price|regular price|usual price|full price|listed|lists|was|were")),
            *_before(either("originally|usually|normally|regularly|list total|listed total|original total|full total")),
            *either("instead of |down from |price before the coupon |price before the coupon is |rather than |not "),
            *either("list price of |full price of |original price of |usual price of "),
            *_FORMERLY,
        ),
        either(
            " before the coupon| before coupons| list price| without the coupon| without coupons| in list price| minus|, minus"
        ),
    ),
    saving=Around(_SAVING, (" off", " coupon", " discount")),
    coupon=Around((*_SAVING, "coupon ", "coupons ", "discount ", "less "), either(" off| coupon| coupons| discount| less")),
    percent_off=("{off}%", "{off} percent"),
    worth=Around(either("coupon of |coupon worth |coupon gives |voucher of |voucher worth "), (" off", " coupon", " voucher")),
    each=Around(either("each |each is |each at |apiece |per piece "), either(" each| apiece| a piece| per piece| for one")),
    minimum=Around(
        either("over |from |above |at least |reach |reaches |spend |minimum of |minimum |orders of "),
        (" or more", " and up", " minimum"),
    ),
    pieces=Around(
        either(
            "for |all |take |taking |buy |buying |order |ordering |together the |quantity |quantity to |quantity of |for the "
        ),
        either(" pieces| units| items| of| item| together| for| of these| in all| pairs| sets| cost| times| x| by"),
    ),
    times=Around(either("times |x |by |× ")),
    makes=either(" is | = | makes | equals | comes to "),
    pair=either("the two|these two|two items|of two"),
    tapping=Around(
        either(
            "tap |tap on |click |click on |press |open |choose |select |use |through |via |from |at |under "
            "|go to |hit |grab |pick |on |order |tap the |click the |head to |it's |by "
        )
    ),
    urging=Around(
        either("tap |tap on |tap the |click |click on |click the |press |open |choose |select |hit |grab |pick |go to ")
    ),
    formerly=_FORMERLY,
    both=Around(either("both are |both is |both cost |both come to |both at |both |both of them are |both of them cost ")),
    difference=Around(either("difference is |difference of |by "), either(" less| more| apart| difference| cheaper| dearer")),
    same_price=either(
        "a tie|same price|cost the same|costs the same|priced the same|equal in price|equally priced"
        "|the same amount|neither is cheaper|neither one is cheaper|no difference in price"
        "|no price difference|the very same price|equally expensive|equally cheap|the same, "
        "|cost exactly the same|no cheaper one|are the same"
    ),
    cheaper=(
        *(f"{{it}}{GAP}{word}" for word in either("is cheaper|is the cheaper|cheaper|costs less|is less|lower price")),
        *(f"{{it}}{GAP}{word}" for word in either("lower in price|more affordable|less expensive|the lower|better price")),
        *(f"cheaper {word}{GAP}{{it}}" for word in either("one|of the two|of both|is|item|option|choice|pick|price")),
        *(f"{word}{GAP}{{it}}" for word in either("pay less for|pay less with|save with|less for")),
    ),
    dearer=(
        *(f"{{it}}{GAP}{word}" for word in either("more expensive|pricier|dearer|costs more|is more|higher price")),
        *(f"{{it}}{GAP}{word}" for word in either("not cheaper|not the cheaper|not less expensive|is the higher")),
    ),
    dearer_than=either("{it} is not as cheap as {other}|{it} is not as cheap as the {other}"),
    starts_at=("from {}",),
    sold_out=either(
        "sold out|out of stock|none left|no more left|unavailable|not in stock|not available|0 left"
        "|no stock|no longer available|nothing left|all gone|have none|ran out|run out|none in stock"
    ),
    too_few=either("not enough|too few|not that many|not so many|fewer than that|less than that|do not have that many"),
    option_sold_out=either("{option} {gone}|{option} is {gone}|{option} are {gone}|{option} has {gone}|{option} have {gone}"),
    option_left=either(
        "{option} has {units}|{option} still has {units}|{option}, {units}|{option} {units}|{units} in {option}"
        "|{units} in size {option}|{units} of {option}|{option} has only {units}"
    ),
    in_stock=either("in stock|available|still have it|have some left|some left|plenty left|still have some"),
    units_left=Around(
        either("still have |only |just |stock is |stock of |left is "),
        either(
            " unit| units| piece| pieces| of| more| remaining| in stock| available| left| pairs| are in stock"
            "| are available| are left| still in stock| still available| still left| item| sets| is left"
            "| is in stock| to go| remain| are still in stock| are still available| are still left"
        ),
    ),
    free=("free ", "complimentary "),
    no_minimum=either("no minimum|without a minimum|without any minimum|whatever you spend|every single order|any amount"),
    starting=Around(either("starts |starts on |starting |begins |begins on |starting on |from |opens |opens on ")),
    free_gift=("free gift", "free gifts", "gift is free", "for free"),
    free_shipping=either(
        "shipping is free|free shipping|free of charge|ships free|ships for free|no shipping fee"
        "|free delivery|delivery is free|without a shipping fee|shipping costs nothing|pay no shipping"
        "|ship it free|for free|it is free"
    ),
    fee=Around(
        _before(either("shipping fee|shipping|shipping costs|shipping cost|delivery|delivery fee|delivery costs|postage")),
        either(" shipping| for shipping| shipping fee| for delivery| delivery fee| postage| to ship"),
    ),
    fee_spoken="shipping is {} yuan",
    free_spoken="shipping is free",
    returning=either(
        "return|returns|returned|refund|refunds|send it back|send back|sent back|exchange|money back"
        "|give it back|bring it back|returning|sending it back|go back|take it back|change your mind"
    ),
    warranty=either("warranty|guarantee|coverage|covered|covers|warranted|repair|repairs"),
    no_after_sales=either("no warranty|no returns|no return|without warranty|cannot be returned|not returnable"),
    size=Around(either("size |sizes |in a |the ")),
    sizes=Around((), (" sizes",)),
    colours=Around((), (" colours", " colors", " shades")),
    one_size=either(
        "one size|1 size|single size|one-size|free size|only size|no other size|no other sizes|no different sizes|no sizes"
    ),
    welcome=either(
        "welcome|glad|hello|hi|happy|lovely|wonderful|so kind|how kind|makes my day|great to see you"
        "|thank you|thanks|nice to|hey|made my day|good morning|good afternoon"
        "|good evening|haha|aww|great to have you|good to see you|enjoy|so sweet|delighted"
    ),
    redirect=(
        *(f"{what} {where}" for what in _ITEMS for where in _WHERE),
        *either("items today|our items|the items|these items|our products|something from the room|what we sell"),
    ),
    decline=(
        *(f"{cannot}{refused}" for cannot in _CANNOT for refused in _REFUSED),
        *either(
            "only tell you what|only say what|only share|stick to the facts|stick to what|not something i can"
            "|not a claim i|not a promise i|no such promise|no such claim|only speak about|only speak of"
            "|not mine to|beyond what i can|only the facts|keep to the facts|no promises|only talk about"
            "|not for me to"
        ),
    ),
    apology=either("sorry|apologise|apologize|apologies|our fault|regret"),
    customer_service=either(
        "customer service|service team|customer support|support team|our support|our service|help desk"
        "|after-sales team|customer care"
    ),
    of_colour=" in {}",
    of_size=" in size {}",
    verbs={"is": "are", "has": "have", "comes": "come", "costs": "cost", "ships": "ship", "leaves": "leave"},
    wordings=REPLIES,
    after_coupon="after the coupon",
    without_coupon="today",
    unavailable="Sorry, I cannot look that up right now, so I would rather not guess.",
)
