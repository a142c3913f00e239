"""Right replies in English."""

from __future__ import annotations

from components.liveroom.speech.words import Phrases

REPLIES: dict[str, Phrases] = {
    "product": (
        "This is the {title} from our {category} range, made of {material}.",
        "The {title} {title_is} made of {material}, you find it under {category}.",
        "It is the {title}, {material}, from our {category} shelf.",
    ),
    "specification/material": (
        "The {title} {title_is} made of {value}.",
        "The material of the {title} is {value}.",
        "For the {title} we use {value}.",
    ),
    "specification/colour": (
        "The {title} {title_comes} in {value}.",
        "You can have the {title} in {value}.",
        "For the {title} we have {value}.",
    ),
    "specification/size": (
        "The {title} {title_comes} in {value}.",
        "Sizes of the {title}: {value}.",
        "You can get the {title} in {value}.",
    ),
    "specification/one_size": ("The {title} {title_comes} in one size.", "There is only one size of the {title}."),
    "specification/feature": (
        "The {title}, {name}: {value}.",
        "As for {name} of the {title}: {value}.",
        "For the {title}, {name}: {value}.",
    ),
    "comparison": (
        "The {low} {low_is} cheaper, {low_price} yuan, and the {high} {high_costs} {high_price} yuan after coupons.",
        "The {low}, {low_price} yuan, {low_is} cheaper than the {high}, {high_price} yuan after coupons.",
        "After coupons the {high} {high_costs} {high_price} yuan and the {low} {low_price} yuan, so the {low} {low_is} cheaper.",
    ),
    "comparison/same": (
        "The {one} and the {two} cost the same, {price} yuan after coupons.",
        "Neither is cheaper: the {one} and the {two} both cost {price} yuan after coupons.",
    ),
    "price": (
        "The {title}{option} {title_costs} {total} yuan {when}.",
        "You pay {total} yuan for the {title}{option} {when}.",
        "{total} yuan {when} is the price of the {title}{option}.",
    ),
    "coupon": (
        "{quantity} pieces of the {title}{option} come to {total} yuan {when}.",
        "For {quantity} of the {title}{option} you pay {total} yuan in total {when}.",
        "The total for {quantity} pieces of the {title}{option} is {total} yuan {when}.",
    ),
    "stock": (
        "Yes, {units} units of the {title}{option} are in stock.",
        "We still have {units} of the {title}{option} left.",
        "The {title}{option} {title_is} in stock, {units} units are left.",
    ),
    "stock/sold_out": (
        "Sorry, the {title}{option} {title_is} sold out right now.",
        "The {title}{option} {title_is} out of stock at the moment, sorry.",
        "Sadly the {title}{option} {title_has} sold out.",
    ),
    "stock/too_few": (
        "Sorry, there are not enough of the {title}{option}, only {units} left.",
        "Sadly we have only {units} of the {title}{option} left, not enough for your order.",
    ),
    "shipping": (
        "The {title} {title_ships} from {town} within {days}, and {fee}.",
        "Within {days} the {title} {title_leaves} {town}.",
        "We send the {title} from {town} within {days}.",
    ),
    "after_sales": (
        "The {title} {title_has} {days} for returns and {months} of warranty.",
        "You can return the {title} within {days}, and the warranty runs {months}.",
        "The {title} {title_comes} with {months} of warranty, and you have {days} to return it.",
    ),
    "purchase": (
        "Just tap link {link} to order the {title}{option}, it is {total} yuan {when}.",
        "Tap link {link} and the {title}{option} {title_is} yours for {total} yuan {when}.",
        "To buy the {title}{option}, tap link {link}. You pay {total} yuan {when}.",
    ),
    "purchase/several": (
        "Tap link {link} and take {quantity} pieces of the {title}{option}, in total {total} yuan {when}.",
        "To buy {quantity} pieces of the {title}{option}, tap link {link}. You pay {total} yuan {when}.",
    ),
    "campaign": (
        "During {name} you get {gift} with orders from {over} yuan, until {ends}.",
        "It is {name}: orders of {over} yuan or more come with {gift}, and it ends {ends}.",
        "{name} runs until {ends}, and from {over} yuan on your order brings {gift}.",
    ),
    "chit_chat": (
        "Welcome to the room, so glad you are here with us!",
        "Hello and welcome, have a lovely time with the items in this room!",
        "So happy to have you here, enjoy the show!",
    ),
    "out_of_scope": (
        "I only know the items in this room, so ask me about any of them!",
        "That one is beyond me, but I am happy to tell you about the items in this room!",
        "I can only help with the items in this room, just name a link you like!",
    ),
    "risky_claim": (
        "I cannot claim that, but I am happy to tell you about the items in this room.",
        "That is not something I can say, so ask me about the items in this room.",
        "I cannot speak to that, I can only share the facts of the items in this room.",
    ),
    "injection": (
        "I am here for the items in this room, so ask me about any of them!",
        "Let us stay with the items in this room, which link do you like?",
        "I only talk about the items in this room, just name a link you like!",
    ),
    "complaint": (
        "So sorry to hear that. Please contact customer service, they will take care of it.",
        "I apologise for this! Our customer service will look into your order.",
    ),
    "complaint/item": (
        "I am so sorry about that. You can return the {title} within {days}, customer service helps you.",
        "Sorry for the trouble! The {title} can be returned within {days}, please contact customer service.",
    ),
}
"""Intent, or `intent/case`, → replies that are all equally good; `{…}` are filled in."""
