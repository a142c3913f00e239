"""English: frequent questions, each with the answer that answers it."""

from __future__ import annotations

from collections.abc import Mapping

from components.liveroom.types import FaqTopic, Split
from components.liveroom.words.shapes import Answered

FAQ: Mapping[FaqTopic, Mapping[Split, tuple[Answered, ...]]] = {
    "payment": {
        "train": (
            Answered(
                "You can pay by card, Alipay or WeChat Pay.",
                "Alipay or WeChat Pay",
                ("how can I pay?", "which payment methods do you take", "can i pay by phone or card here"),
            ),
            Answered(
                "We take Alipay and bank cards.",
                "Alipay and bank cards",
                ("what do you accept at checkout?", "which payments work here", "is a bank card fine for paying?"),
            ),
        ),
        "eval": (
            Answered(
                "Payment works with PayPal, debit card or Apple Pay.",
                "PayPal, debit card or Apple Pay",
                ("ways to settle the bill please", "with what shall the money be sent"),
            ),
            Answered(
                "Pay with UnionPay or on delivery.",
                "UnionPay or on delivery",
                ("does settling in cash at the door work?", "do you accept cash or what?"),
            ),
        ),
    },
    "invoice": {
        "train": (
            Answered(
                "Ask for an electronic invoice on the order page.",
                "electronic invoice on the order page",
                ("can I get an invoice?", "need an invoice for my company, possible?", "how do invoices work here"),
            ),
            Answered(
                "An invoice comes by email once you confirm receipt.",
                "by email once you confirm receipt",
                ("when do I get the invoice?", "how will the invoice reach me", "do I get an invoice and when"),
            ),
        ),
        "eval": (
            Answered(
                "A paper bill lies in every parcel.",
                "paper bill lies in every parcel",
                ("will there be a receipt in the box?", "my boss wants a receipt for tax, can do?"),
            ),
            Answered(
                "Our bookkeeping sends the bill when you message it.",
                "bookkeeping sends the bill",
                ("tax receipt how?", "who do I turn to for a tax receipt"),
            ),
        ),
    },
    "gift_wrap": {
        "train": (
            Answered(
                "Gift wrapping is free, just tick the box at checkout.",
                "tick the box at checkout",
                ("can you gift wrap it?", "it's a present, do you do gift wrapping", "gift wrap available?"),
            ),
            Answered(
                "We wrap presents if you write gift in the order note.",
                "write gift in the order note",
                ("how do I have it wrapped as a present?", "can u wrap it, it's a surprise", "where do I ask for gift wrap"),
            ),
        ),
        "eval": (
            Answered(
                "Every order gets a bow and a card from us.",
                "a bow and a card",
                ("ribbon and paper possible?", "could it be packed nicely for my mum's birthday"),
            ),
            Answered(
                "We offer no wrapping, but the box is a pretty one.",
                "no wrapping",
                ("would you dress it up for a wedding?", "any fancy packing for birthdays"),
            ),
        ),
    },
    "combined_shipping": {
        "train": (
            Answered(
                "Orders of one evening go out in one parcel.",
                "in one parcel",
                (
                    "if I order two things do they come in one box?",
                    "can you combine shipping for several orders",
                    "two orders tonight, one parcel?",
                ),
            ),
            Answered(
                "Items from one warehouse are packed together.",
                "packed together",
                ("do different links ship together?", "are two items packed in the same parcel"),
            ),
        ),
        "eval": (
            Answered(
                "Put all in the basket at once and we send them jointly.",
                "send them jointly",
                ("will my orders be bundled", "how to get everything delivered in a single go?"),
            ),
            Answered(
                "Each link travels on its own, we cannot bundle them.",
                "travels on its own",
                ("buying three links, one delivery or three?", "could mine arrive as a bundle"),
            ),
        ),
    },
    "membership": {
        "train": (
            Answered(
                "Tap the badge at the top to join the club for free.",
                "badge at the top",
                ("how do I become a member?", "is there a club i can join", "where do I sign up for membership"),
            ),
            Answered(
                "Members earn points with every order.",
                "points with every order",
                ("what does membership give me", "why should I be a member?", "what do members get here"),
            ),
        ),
        "eval": (
            Answered(
                "Become a fan with the heart button beside my name.",
                "heart button",
                ("how does one enter the fan circle", "which button makes me a fan?"),
            ),
            Answered(
                "The fan circle gets vouchers before anyone else.",
                "vouchers before anyone else",
                ("any perks for regulars?", "is being a fan worth it"),
            ),
        ),
    },
    "customer_service": {
        "train": (
            Answered(
                "Message our service team from the shop page.",
                "from the shop page",
                ("how do I reach customer service?", "where can I talk to support", "customer service contact??"),
            ),
            Answered(
                "Service answers every day from morning to midnight.",
                "from morning to midnight",
                ("customer service hours??", "when is support online", "until when can I reach service tonight?"),
            ),
        ),
        "eval": (
            Answered(
                "Use the headphone icon to reach a real person.",
                "headphone icon",
                ("is there a human I can write to", "help desk, where is it?"),
            ),
            Answered(
                "Our help desk is open on working days.",
                "open on working days",
                ("which days does the help desk work?", "help desk closed at weekends?"),
            ),
        ),
    },
}
