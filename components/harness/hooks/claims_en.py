"""English claims that a seller may not make, as patterns over lower-case text, and the words that decline or ask about one."""

from __future__ import annotations

_MARKET = (
    r"(?:in|on|of|across) (?:the |our |all )?(?:whole |entire )?(?:world|country|nation|market|planet|industry|internet|net|web"
    r"|china|earth|universe|history|town|city|class|business)"
)
_ANYWHERE = (
    rf"(?:{_MARKET}|online|anywhere|ever|of all time|of the (?:whole )?year|this year|guaranteed|nationwide|worldwide|elsewhere"
    r"|out there)"
)
_ILLNESS = (
    r"(?:acne|eczema|insomnia|arthritis|diabetes|cancers?|(?:\w+ )?pains?|headaches?|migraines?|colds|(?:a|your|the) cold"
    r"|(?:the )?flu|coughs?|fevers?|allerg(?:y|ies)|asthma|inflammations?|hypertension|high blood (?:pressure|sugar)"
    r"|(?:\w+ )?diseases?|illness(?:es)?|depression|anxiety|hair loss|baldness|wounds?|burns|psoriasis|dermatitis"
    r"|rash(?:es)?|infections?"
    r"|rhinitis|ha?emorrhoids|warts|athlete's foot|symptoms?|ulcers?|gout|tumou?rs?|constipation|dandruff)"
)
_PART = r"(?:wounds?|scars?|burns?|skin|joints?|bones?|stomach|liver|spine|body|eyes?|gut|back)"
_EASES = (
    r"(?:treat|heal|reliev|remed|eliminat|prevent|fight|combat|alleviat|eas|sooth|stop|banish|gets? rid of|takes? away"
    r"|good against|clear)"
    r"(?:e|y|s|es|ies|ed|ing|ting)?"
)

MEDICAL = (
    r"\bcur(?:es|ing)\b(?! ham| resin)",
    r"\b(?:can|will|could|to|may|does|helps?|miracle|instant|natural|a|the) (?:\w+ )?cure\b",
    rf"\bcured? (?:\w+ ){{0,2}}{_ILLNESS}",
    rf"\b{_EASES} (?:\w+,? (?:and |or )?){{0,3}}?{_ILLNESS}\b",
    rf"\b(?:heals?|healing|regenerates?|detox(?:es|ify|ifies)?) (?:\w+ ){{0,2}}{_PART}\b",
    rf"\b(?:helps?|works?|good|great|effective|useful|works? wonders) (?:with|against|for|on) (?:\w+ ){{0,2}}{_ILLNESS}\b",
    rf"\b(?:scars?|{_ILLNESS}) (?:will |to |can )?(?:heals?|disappears?|goes? away|vanish(?:es)?|(?:be|is|are) gone)\b",
    rf"\b(?:treatment|remedy|therapy|medicine) (?:for|against) (?:\w+ ){{0,2}}{_ILLNESS}\b",
    r"\b(?:pain[- ]relie(?:f|ving)|anti-?inflammatory|therapeutic|medicinal)"
    r" (?:effects?|properties|benefits?|power|action|value)",
    r"\blowers? (?:\w+ )?(?:blood (?:pressure|sugar)|cholesterol)",
    r"\b(?:boosts?|strengthens?|improves?|enhances?) (?:\w+ ){0,2}(?:immunity|immune system|metabolism|circulation)",
    r"\b(?:clinically|medically|scientifically) (?:proven|tested|approved)|\bproven by (?:doctors|science)",
    r"\b(?:doctors?|dermatologists?|physicians?)[- ](?:recommend(?:s|ed)?|approved)",
    r"\b(?:no|zero|without(?: any)?) side[- ]effects?|\bfree of side[- ]effects",
    r"\b(?:burns?|melts?) (?:\w+ )?fat\b|\bweight[- ]loss (?:effect|guarantee|miracle)",
    r"\b(?:lose|losing|loses) (?:\d+ (?:kilos?|kg|pounds?) (?:of )?)?weight\b",
    r"\b(?:regrows?|restores?) (?:\w+ )?hair\b|\breplaces? (?:your |the |any )?(?:medicine|medication|doctor|drugs?)\b",
)

_ADVICE = (
    r"way|ways|time|things?|before|if|to|size|fit|option for|wishes|i can|we can|luck|part|person|place|moment|match for|regards"
    r"|practice|care|of luck|for you is|it can|you can"
)
_SURE = (
    r"(?:effective|safe|guarante\w*|success\w*|sure|certain|reliable|accurate|risk[- ]free|harmless|works?|working|results?"
    r"|satisf\w*|waterproof|windproof|stain[- ]?proof|hypoallergenic|allergy[- ]free|perfect|foolproof|free of (?:harm|side)"
    r"|no (?:risk|side|harm)|cure[sd]?|hassle[- ]free|secure)"
)
_RIGHTS = (
    r"(?:returns?|refunds?|exchanges?|warranty|genuine|authentic\w*|originals?|after[- ]sales|repairs?|replacements?"
    r"|money[- ]back)"
)
_LAWFUL = rf"(?:{_RIGHTS}|guarantee\b(?! that))"
_FAILS = (
    r"(?:breaks?|fades?|fails?|shrinks?|wears?|wears? out|rusts?|leaks?|pills?|cracks?|tears?|loses?|deforms?|stretch(?:es)?"
    r"|goe?s? wrong|stains?|ages?|go out of style|let you down|disappoints?)"
)
_SUPERLATIVE = r"(?:best|finest|greatest|strongest|safest|softest|purest|highest[- ]quality|toughest|fastest|only one|leader)"
_FIRST = r"(?:number one|no\. ?1|number 1|#1)"
_MOST = (
    r"(?:effective|advanced|powerful|durable|comfortable|professional|luxurious|reliable|trusted|efficient|perfect"
    r"|beautiful|premium"
    r"|authentic)"
)
_OWNERS = r"(?:world|nation|country|china|industry|market|earth)"

ABSOLUTE = (
    rf"(?<!all )(?<!do )\bthe (?:very |absolute(?:ly)? |single )?best\b(?![- ](?:sell|before|prices?\b|deals?\b|{_ADVICE}))",
    rf"\b{_OWNERS}'?s (?:\w+ )?(?:{_SUPERLATIVE}|first|leading|top|{_FIRST}|only)\b",
    rf"\b{_SUPERLATIVE} (?:\w+ )?{_ANYWHERE}\b|\bhighest quality {_ANYWHERE}\b",
    r"\bbest (?:quality|brand|product|choice|ever)\b(?! for your size)",
    rf"\b(?:{_FIRST}|top 1) (?:brand|choice|seller|selling|rated|quality|product|maker|pick)\b",
    rf"\b(?:{_FIRST}|top 1) in (?:sales|china|the (?:\w+ )?(?:world|country|market|industry))",
    rf"\b(?:ranked|rated|voted) (?:as )?(?:the )?(?:{_FIRST}|first|best)\b",
    rf"\bthe most {_MOST}\b|\bno (?:better|finer) (?:\w+ )?{_ANYWHERE}\b|\bthere(?:'s| is) no(?:thing)? (?:better|finer)\b",
    r"\b(?:state|national|world|top)[- ](?:level|class|grade|tier|notch)\b(?! (?:shelf|rack|drawer|floor|menu))",
    r"\bworld[- ]leading\b|\bsecond to none\b|\bunbeatable\b|\bun(?:matched|rivall?ed|paralleled)\b|\bone and only\b",
    r"\bthe ultimate\b(?! (?:decision|goal|aim|choice is))",
    r"\b(?:nothing|no one|nobody|no other \w+(?: \w+)?) (?:is|can be|does|comes) (?:better|close|any better)\b",
    r"\bthe only (?:\w+ ){0,2}(?:in the world|on the market|in china|that (?:really |truly )?works)\b",
    rf"\b(?:100 ?%|100 percent|one hundred percent|a hundred percent|absolutely|completely|totally) {_SURE}(?!\w)(?! by law)",
    r"\b(?:works?|effective|safe|guaranteed|success rate (?:of|is)|success) (?:is )?100 ?%|\b(?:guarantee|promise)d? 100 ?%",
    rf"\bguarantee[ds]? to (?!be (?:{_LAWFUL}|exchanged))",
    r"\bguarantee[ds]? (?:\w+ )?(?:results?|cure|success|satisfaction|effects?|weight|fit|for life|forever)",
    r"\b(?:results?|satisfaction|success|effects?|quality) (?:is |are )?guaranteed\b(?! by law)",
    rf"\b(?:i|we)(?:'ll| will| can| do| could)?(?: \w+ly)? guarantee\b(?!(?: \S+){{0,6}}? {_LAWFUL})"
    r"(?! (?:\w+ )?(?:lowest|best|cheapest))(?!(?: it| that| this| you)?\W*$)",
    # "I guarantee that" stands for what the sentence said before.
    rf"^(?!.*\b{_RIGHTS}).*\b(?:i|we)(?:'ll| will| can| do)?(?: \w+ly)? guarantee\b(?: it| that| this| you)?\W*$",
    rf"\b(?:(?:will )?never|never ever|won't ever|can't ever|can never|does not ever|doesn't ever) {_FAILS}\b(?! (?:me|hope))",
    rf"\b(?:won't|will not|doesn't|does not) {_FAILS},? ever\b",
    r"\b(?:lasts?|keeps?|stays?|good) (?:\w+ )?(?:forever|a lifetime)\b|\beveryone (?:will|is going to) love\b",
    r"\bzero (?:defects?|risk)\b|\brisk[- ]free\b|\bflawless\b|\bmiracle\b",
)

_OWN_RANGE = (
    r"(?! (?:for you |here |in (?:this|the|our) (?:room|shop|stream) )?(?:is|are|comes|among|between|of (?:the|its)"
    r"|for (?:the |size )*[a-z0-9]{1,3}\b))"
)
"""A lowest price among one's own sizes or items is a fact."""
_LATER = r"(?:tomorrow|tonight|later|then|next|soon|after|again|on \w+day|in \w+)"

PRICE = (
    rf"\b(?:lowest|cheapest|bottom|rock[- ]bottom|best[- ](?:prices?|deals?|offers?))(?:[- ]\w+){{0,3}}? {_ANYWHERE}\b",
    rf"\b(?:the|our|a|your) (?:absolute |very )?(?:lowest|best) (?:possible )?(?:prices?|deal)\b{_OWN_RANGE}",
    r"\b(?:lowest|best) price (?:guarantee|promise)|\b(?:always|still) (?:\w+ )?the (?:lowest|cheapest)\b",
    r"(?<!we )\b(?:won't|will not|can't|cannot|never|don't) find (?:\w+ )?(?:an? |any )?"
    r"(?:cheaper|lower|better (?:price|deal)|it (?:cheaper|for less))",
    r"\bnowhere else (?:is|will|can|do)\b|\bnever (?:see|get|find|have) (?:this|that|such"
    r"|a better) (?:a )?(?:low )?(?:price|deal)",
    r"\b(?:cheaper|lower)(?: \w+)? than (?:(?:in|at|from) )?"
    r"(?:anywhere|everywhere|any(?:one| other)|every|all other|the whole|elsewhere)",
    r"\b(?:nobody|no one|no other \w+|no shop|no store)(?: else)? (?:is |sells?|offers?|has|gives?|can (?:be|offer|sell))"
    r"(?: ?\w+){0,3}? ?(?:cheaper|lower|for less)\b",
    r"\b(?:will never|never|won't ever|will not ever|won't|will not) (?:ever )?(?:again )?"
    r"(?:be (?:this |so |any )?(?:cheap|cheaper|low|lower)|go (?:up|down)|rise|increase|drop|get (?:any )?cheaper"
    r"|raise (?:the |our |its )?prices?)\b",
    r"\b(?:will|is going to|are going to|going to|'ll)(?: \w+ly| for sure| certainly)? "
    rf"(?:be (?:even |much )?(?:cheaper|lower|half price)|drop|go (?:up|down)|rise|get cheaper) (?:\w+ )?{_LATER}",
    r"\bprices? (?:drops?|falls?|rises?|goes? (?:up|down)) (?:again )?(?:tomorrow|tonight|next|soon)\b",
    r"\b(?:i|we)(?:'ll| will| can| do)? (?:\w+ly )?(?:promise|guarantee|swear)\b(?: \S+){0,5}? "
    r"(?:prices?|cheaper|cheapest|discounts?|lowest|lower|yuan|free)\b",
    r"\b(?:prices?|discounts?|deals?) (?:is |are )?guaranteed\b",
    r"\bguaranteed (?:lowest |best |lower )?(?:prices?|discounts?|deals?)\b",
    r"\bprice match\b|\bmatch any price\b|\b(?:pay|refund|return) (?:you )?(?:double |back |twice )?the difference\b",
)

_NOT = (
    r"(?:can(?:'t|not| not)|(?:could|wo|would|do|does|did|must|should|is|are|was)(?:n't| not)|won't|will not|may not|ain't|never)"
)
_SAY = r"(?:say|promise|claim|guarantee|confirm)"

STRESSES = (
    r"\b(?:without|beyond|no) (?:a |any |the )?(?:\w+ )?"
    r"(?:doubts?|questions?|exception|exaggerat\w+|hesitation|lie|joke|kidding|competition|compromise|fail|worr(?:y|ies))\b",
    rf"\b(?:nobody|no one|none(?: of you)?|you|i|we|they)(?: {_NOT}| can| will| could| would)?"
    r" (?:deny|doubt|dispute|argue|disagree|question|beat|match|object|go wrong|lose|regret)\b",
    r"\b(?:no|never) (?:denying|doubting|arguing|beating)\b|\bneedless to say\b|\bnot to (?:brag|boast|mention|exaggerate)\b",
    r"\b(?:am|'m|are|'re|is|do|don't|not)(?: not)? (?:kidding|joking|lying|exaggerating|bragging|boasting|lie to you)\b",
    rf"\b(?:{_NOT}|not) (?:only|just|miss|worry|wait|forget|hesitate|need)\b|\bnothing (?:but|less than|short of)\b",
)
"""Words that look like a denial and stress the claim that follows."""
DECLINES_BEFORE = (
    rf"\b{_NOT}\b",
    r"\b(?:unable|refuse|decline|avoid|forbidden|prohibited|nothing|nobody|neither|nor|instead of|rather than|hard to say"
    r"|impossible to|far from|not|no longer|without (?:being|claiming|promising|saying|any))\b",
    r"\bno (?:one|\w+) (?:is|are|can|could|will|would|may|should)\b",
    r"\bwhether\b|\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|know|say|tell)(?: me| us| you)? if\b",
    r"\b(?:words?|claims?|phrases?|promises) (?:like|that|such as)\b",
    r"\bno (?:\w+ )?(?:claims?|promises?|guarantees?|proof|evidence)\b",
)
"""What makes a claim that follows it in the clause none."""
DECLINES_AFTER = (
    r"\b(?:is|are|was)(?: not|n't) (?:something|a claim|a promise|allowed|true|what|for me|possible|right|a word|words)",
    rf"\b(?:i|we)(?: really| simply| just)? {_NOT}(?: \w+){{0,2}} (?:{_SAY}|offer|use|make)\b",
    r"(?<!need to )(?<!have to )\b(?:see|ask|consult|talk to) (?:a|your) doctor\b",
)
"""The same for what follows the claim in its clause."""
DECLINES_NEXT = (
    r"(?:but |sorry,? |and )?(?:no,? |that |that's |that is |this |which |it )?(?:is )?(?:something |one |a claim )?"
    rf"(?:i|we)(?: really| simply)? {_NOT} {_SAY}(?: that| it| this| so)?(?: here| today| myself| to you)?\W*",
    r"(?:that |it |this )(?:isn't|is not|would not be|wouldn't be)"
    r" (?:true|allowed|something (?:i|we) (?:can|may) (?:say|promise))\W*",
    r"(?:no,? )?(?:it|they|that|this) (?:is not|isn't|are not|aren't|does not|doesn't|do not|don't|can't|cannot|won't)\W*",
)
"""A whole next clause that takes the claim back."""
CONTINUES = r"(?:or|nor|such as|like|including|even|whether|much less|let alone|and (?:i|we) (?:can't|cannot|don't|won't))\b"
"""How a clause begins that goes on with what the one before it declined."""
AFFIRMS = (
    r"(?:oh |well |and )*(?:(?:yes|yeah|yep|yup|absolutely|definitely|certainly|totally|surely|sure|indeed|exactly|of course"
    r"|you bet|no doubt|without (?:a )?doubt|100 ?%|for sure)\b"
    r"|(?:it|they|that|this) (?:really |sure |surely |definitely |certainly )?"
    r"(?:does|do|is|are|can|will)(?: indeed)?\W*$)"
)
"""How an answer begins that makes a claim of the question before it."""
QUESTION = r"(?:so |well,? |you asked:? )?(?:does|do|is|are|can|will|could|would|did|was|has|have)\b(?!n't).*\?$"
