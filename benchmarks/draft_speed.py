"""Speculative decoding beside plain greedy decoding: tokens a second, in one run, and what the draft head is accepted for.

    python -m benchmarks.draft_speed [--prompts 4] [--new-tokens 24] [--steps 30] [--tokens 3] [--rounds 3]

SmolLM2-135M answers short questions; a head grafted on it is trained for a few steps on answers to others, so its acceptance
is that of a short training. Rounds alternate between the two ways of decoding, and both must write the same text.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from components.harness.types import Conversation, Message
from components.policy import prepare_base
from components.policy.base_models import load_tokenizer
from components.policy.renderer import TURN_END, render_prompt
from components.training.draft import Rollout

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from components.policy.decoding import Decoder
    from components.training.draft.head import DraftHead

SYSTEM = Message("system", "You answer viewers of a live shopping room in one or two sentences.")
ITEMS = (
    "kettle",
    "linen shirt",
    "phone case",
    "bag of rice noodles",
    "desk lamp",
    "pair of running shoes",
    "green tea",
    "backpack",
)
QUESTIONS = ("What is a {} good for?", "Why should I buy this {}?", "How do I take care of a {}?", "Who would like a {}?")


def train(main: PreTrainedModel, rollouts: list[Rollout], steps: int, tokens: int) -> DraftHead:
    """A head after `steps` steps of two rollouts."""
    import torch

    from components.training.draft.head import DraftHead
    from components.training.draft.losses import DraftTask
    from components.training.draft.trainer import Rows

    torch.manual_seed(1)
    head = DraftHead(main)
    task, optimizer = DraftTask(head, main, tokens, None), torch.optim.AdamW(head.parameters(), lr=1e-3)
    for step in range(steps):
        start = 2 * step % len(rollouts)
        task(**Rows.collate(rollouts[start : start + 2]))["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
    head.eval()
    return head


def _write(decoder: Decoder, prompts: list[list[int]]) -> tuple[list[list[int]], float]:
    """What is written after one prompt at a time, as one viewer after the other asks, and tokens a second."""
    started = time.perf_counter()
    written = [decoder.decode([prompt], [""])[0].tokens for prompt in prompts]
    return written, sum(map(len, written)) / (time.perf_counter() - started)


def measure(folder: Path, prompts: int, new_tokens: int, steps: int, tokens: int, rounds: int) -> None:
    """Print the table."""
    import torch
    from transformers import AutoModelForCausalLM

    from components.policy.decode import PrefixDecoder
    from components.policy.speculative import SpeculativeDecoder

    prepare_base("smollm2", folder / "model", seed=1)
    tokenizer = load_tokenizer(folder / "model")
    main = AutoModelForCausalLM.from_pretrained(folder / "model", dtype=torch.float32).eval()
    stop = tokenizer.convert_tokens_to_ids(TURN_END)
    asked = [
        render_prompt(tokenizer, Conversation("e", (SYSTEM, Message("user", question.format(item))), ()))
        for question in QUESTIONS
        for item in ITEMS
    ]
    held_out, train_prompts = asked[-prompts:], asked[: len(asked) - prompts]
    answers = PrefixDecoder(main, stop, new_tokens).decode(train_prompts, [""] * len(train_prompts))
    rollouts = [
        Rollout("r", prompt + one.tokens, [0] * len(prompt) + [1] * len(one.tokens))
        for prompt, one in zip(train_prompts, answers, strict=True)
    ]
    started = time.perf_counter()
    head = train(main, rollouts, steps, tokens)
    print(f"head trained for {steps} steps in {time.perf_counter() - started:.0f} s", flush=True)

    plain = PrefixDecoder(main, stop, new_tokens)
    speculative = SpeculativeDecoder(main, head, stop, new_tokens, tokens)
    rates: list[tuple[float, float]] = []
    for _ in range(rounds):
        expected, plain_rate = _write(plain, held_out)
        written, rate = _write(speculative, held_out)
        if written != expected:
            raise SystemExit("speculative decoding wrote another text than plain greedy decoding")
        rates.append((plain_rate, rate))
    ratios = sorted(rate / plain_rate for plain_rate, rate in rates)
    counted = speculative.acceptance
    print("| decoding | tokens a second (median) | times plain, round by round | acceptance | tokens a verification |")
    print("| --- | --- | --- | --- | --- |")
    print(f"| plain greedy | {median(one for one, _ in rates):.1f} | – | – | – |")
    print(
        f"| draft head, {steps} steps | {median(rate for _, rate in rates):.1f} "
        f"| {median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) | {counted.rate:.2f} | {counted.mean_length:.2f} |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("prompts", 4), ("new-tokens", 24), ("steps", 30), ("tokens", 3), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), **vars(arguments))


if __name__ == "__main__":
    main()
