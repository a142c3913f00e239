"""Right replies in English."""

from __future__ import annotations

from components.liveroom.speech.words import Phrases

REPLIES: dict[str, Phrases] = {
    "product": (
        "The {title} is made of {material}; {name}: {value}.",
        "This is the {title}, made of {material}, and for {name}: {value}.",
        "The {title} is {material}, and as for {name}: {value}.",
    ),
    "product/plain": (
        "The {title} is made of {material} and belongs to {category}.",
        "This is the {title} from our {category} range, made of {material}.",
    ),
    "specification/material": (
        "The {title} is made of {value}.",
        "The material of the {title} is {value}.",
        "It is {value}, the whole {title}.",
    ),
    "specification/colour": (
        "The {title} comes in {value}.",
        "You can have the {title} in {value}.",
        "For the {title} we have {value}.",
    ),
    "specification/size": (
        "The {title} comes in {value}.",
        "Sizes of the {title}: {value}.",
        "You can get the {title} in {value}.",
    ),
    "specification/one_size": ("The {title} comes in one size.", "There is only one size of the {title}."),
    "specification/feature": (
        "The {title}, {name}: {value}.",
        "As for {name} of the {title}: {value}.",
        "For the {title}, {name} is: {value}.",
    ),
    "comparison": (
        "The {low} is cheaper, {low_price} yuan, and the {high} is {high_price} yuan after coupons.",
        "The {low} at {low_price} yuan is cheaper than the {high} at {high_price} yuan after coupons.",
        "After coupons the {high} is {high_price} yuan and the {low} is {low_price} yuan, so the {low} is cheaper.",
    ),
    "comparison/same": (
        "The {one} and the {two} cost the same, {price} yuan after coupons.",
        "Neither is cheaper: the {one} and the {two} are both {price} yuan after coupons.",
    ),
    "price": (
        "The {title}{option} is {total} yuan {when}.",
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
        "The {title}{option} is in stock, {units} units are left.",
    ),
    "stock/sold_out": (
        "Sorry, the {title}{option} is sold out right now.",
        "The {title}{option} is out of stock at the moment, sorry.",
        "Sadly the {title}{option} has sold out.",
    ),
    "shipping": (
        "The {title} ships from {town} within {days}, and {fee}.",
        "Within {days} the {title} leaves {town}.",
        "We send the {title} from {town} within {days}.",
    ),
    "after_sales": (
        "The {title} has {days} for returns and {months} of warranty.",
        "You can return the {title} within {days}, and the warranty runs {months}.",
        "The {title} comes with {months} of warranty, and you have {days} to return it.",
    ),
    "purchase": (
        "Just tap link {link} to order the {title}{option}, it is {total} yuan {when}.",
        "Tap link {link} and the {title}{option} is yours for {total} yuan {when}.",
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
        "I am so sorry about that. Please contact customer service, they will take care of it.",
        "Sorry for the trouble! Our customer service will look into your order.",
    ),
    "complaint/item": (
        "I am so sorry about that. You can return the {title} within {days}, customer service helps you.",
        "Sorry for the trouble! The {title} can be returned within {days}, please contact customer service.",
    ),
}
"""Intent, or `intent/case`, → replies that are all equally good; `{…}` are filled in."""
