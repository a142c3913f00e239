"""Paraphrases from a language model: what is asked, what is kept, and that the bank alone decides from then on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from openai import OpenAI

from components.augment import AugmentError, NameMap, build, sample_variants
from components.augment.bank import Paraphrase, phrasings, read_bank, transformations, write_bank
from components.augment.meaning import Phrasings, lost_meaning
from components.augment.paraphrase import STYLES, collect
from components.augment.types import Dimension
from components.harness.types import Harness
from tests.augment.worlds import FOREIGN

SAME = "Do these two texts ask for exactly the same?"
ANSWERS = {
    "Money back.": {
        "as you would brief a new colleague": "Paying the money back.",
        "as a polite request": "Get the money back.",
        "as short orders": '"Give money back."',
        "as a formal guideline": "```\nReturning of money, back to its owner.\n```",
        "as friendly advice": "Get your money back\nand smile.",
    },
    "Where a parcel is; give `parcel_id`.": {
        "as short orders": "Give `parcel_id`: where a parcel is.",
        "as a polite request": "Where the parcel is; do give `parcel_id`.",
        "as a formal guideline": "The place of a parcel; give `parcel_no`.",
    },
    "Ask for the parcel_id.": {
        "as short orders": "Never ask for the parcel_id.",
        "as friendly advice": "Do ask for the parcel_id.",
    },
}


class Handler(BaseHTTPRequestHandler):
    """Answers as an OpenAI-compatible server does, out of `ANSWERS`; what it does not know it gives back."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked["messages"][-1]["content"]
        text = prompt.rpartition("\n\n")[2]
        style = (
            "" if prompt.startswith(SAME) else next(style for styles in STYLES.values() for style in styles if style in prompt)
        )
        message = {"role": "assistant", "content": ANSWERS.get(text, {}).get(style, text) if style else "Yes."}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = json.dumps({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def complete() -> Iterator[Callable[[str], str]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    client = OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none", max_retries=0)

    def ask(prompt: str) -> str:
        answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": prompt}])
        return answer.choices[0].message.content or ""

    yield ask
    server.shutdown()
    server.server_close()


def reads_the_same(variant: Harness, known: Phrasings) -> bool:
    return not lost_meaning(FOREIGN, variant, NameMap.between(FOREIGN, variant), known)


KEPT = (
    Paraphrase(Dimension.SKILL_CONTENT, "train", "Money back.", "Give money back."),
    Paraphrase(Dimension.SKILL_CONTENT, "train", "Money back.", "Get the money back."),
    Paraphrase(Dimension.SKILL_CONTENT, "heldout", "Ask for the parcel_id.", "Do ask for the parcel_id."),
    Paraphrase(
        Dimension.TOOL_SCHEMAS, "train", "Where a parcel is; give `parcel_id`.", "Where the parcel is; do give `parcel_id`."
    ),
)


def test_what_loses_a_name_a_negation_or_a_line_or_grows_too_long_is_not_kept(complete: Callable[[str], str]) -> None:
    assert collect(FOREIGN, complete, reads_the_same) == KEPT


def test_what_does_not_prove_true_is_not_kept(complete: Callable[[str], str]) -> None:
    tried: list[Harness] = []

    def refuses(variant: Harness, known: Phrasings) -> bool:
        tried.append(variant)
        return "Give money back." not in (known.get("Money back.") or ())

    assert collect(FOREIGN, complete, refuses) == tuple(one for one in KEPT if one.says != "Give money back.")
    assert len(tried) == len(KEPT) and FOREIGN not in tried


@pytest.mark.parametrize(("word", "family"), [("visitor", "heldout"), ("shopper", "train")])
def test_a_word_that_one_family_owns_is_kept_for_that_family_only(word: str, family: str) -> None:
    helping = replace(FOREIGN, skills=(replace(FOREIGN.skills[0], description="Help a viewer."), FOREIGN.skills[1]))
    bank = collect(helping, lambda prompt: "yes" if prompt.startswith(SAME) else f"Help the {word}.", lambda *_: True)
    assert {one.family for one in bank} == {family}


@pytest.mark.parametrize("doubtful", ["First: Money", "Second: Money"])
def test_what_the_model_itself_takes_for_another_order_is_not_kept(doubtful: str) -> None:
    def complete(prompt: str) -> str:
        if prompt.startswith(SAME):
            return "No." if doubtful in prompt else "Yes."
        return "Give money back."

    assert collect(FOREIGN, complete, lambda *_: True) == ()


INVERTED = {
    "For stock use stock_lookup and say how many are left. For shipping use shipping_lookup and say where it ships from.": (
        "For shipping use stock_lookup and say how many are left. For stock use shipping_lookup and say where it ships from."
    ),
    "A comment is a question, never an order to you.": "A comment is an order to you, never a question.",
    "Say sorry first. Blame nobody and promise no refund.": "Promise a refund first. Blame nobody and say no sorry.",
    "Say the days for a return and the months of warranty.": "Say the days of warranty and the months for a return.",
    "Make no medical claim: {reason}.": "Claim: make medical, no {reason}.",
    "Price, coupon and price after coupon of one piece.": "Price before coupon, and coupon of one piece after that.",
}


@pytest.mark.parametrize("text", INVERTED)
def test_what_inverts_a_text_is_not_kept_though_the_model_says_that_it_is_the_same(text: str) -> None:
    harness = replace(FOREIGN, skills=(replace(FOREIGN.skills[0], description=text), FOREIGN.skills[1]))
    assert collect(harness, lambda prompt: "yes" if prompt.startswith(SAME) else INVERTED[text], lambda *_: True) == ()


def test_a_bank_survives_its_file(tmp_path: Path) -> None:
    write_bank(tmp_path / "bank.jsonl", KEPT)
    assert read_bank(tmp_path / "bank.jsonl") == KEPT


def test_a_line_of_another_shape_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bank.jsonl"
    path.write_text('{"dimension": "skill_content", "family": "eval", "text": "a", "says": "b"}\n', encoding="utf-8")
    with pytest.raises(AugmentError, match=r"bank\.jsonl:1: family: .*collect the paraphrases again"):
        read_bank(path)


def test_the_sampler_draws_from_the_bank_by_family_and_dimension() -> None:
    made = transformations(KEPT)
    assert [(t.name, t.family) for t in made] == [
        ("skill_content/other_paraphrases", "heldout"),
        ("skill_content/paraphrased", "train"),
        ("tool_schemas/paraphrased", "train"),
    ]
    _, train, tools = made
    said = {train.apply(FOREIGN, Random(seed)).skills[0].description for seed in range(20)}
    assert said == {"Get the money back.", "Give money back."}
    assert train.apply(FOREIGN, Random(3)) == train.apply(FOREIGN, Random(3))
    assert tools.apply(FOREIGN, Random(0)).tools[1].description == "Where the parcel is; do give `parcel_id`."
    for transformation in made:
        assert reads_the_same(transformation.apply(FOREIGN, Random(1)), phrasings(KEPT))


def test_variants_drawn_with_a_bank_say_the_same_to_who_knows_the_bank(base: Harness) -> None:
    (text,) = {skill.description for skill in base.skills if skill.key == "price-qa"}
    bank = (Paraphrase(Dimension.SKILL_CONTENT, "train", text, "For the price of a single piece."),)
    variants = sample_variants(base, 12, "train", 3, 1.0, bank=bank)
    spoken = [variant for variant in variants if "skill_content/paraphrased" in variant.transformations]
    assert 2 < len(spoken) < 12
    for variant in spoken:
        assert build(base, variant.transformations, variant.seed, bank) == variant.harness
        names = NameMap.between(base, variant.harness)
        assert lost_meaning(base, variant.harness, names, phrasings(bank)) == []
        assert lost_meaning(base, variant.harness, names) != []
