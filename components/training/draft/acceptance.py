"""How much of what a draft head guesses the main model accepts: real speculative decoding, in whole episodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from components.harness import AgentLoop
from components.harness.types import Harness, Limits
from components.liveroom.catalogue import Catalogue
from components.liveroom.room import CatalogueRoom
from components.liveroom.types import Case
from components.policy.base_models import check_model, load_tokenizer
from components.policy.batching import BatchingPolicy
from components.policy.precision import measure_precision
from components.policy.renderer import TURN_END

if TYPE_CHECKING:
    from components.policy.speculative import Acceptance


async def measure_acceptance(
    model_dir: Path,
    head_dir: Path | None,
    cases: Sequence[Case],
    harnesses: Sequence[Harness],
    catalogue: Catalogue,
    *,
    limits: Limits,
    max_new_tokens: int,
    tokens: int,
    announce: Callable[[str], None] = print,
) -> Acceptance:
    """Play the cases (case i under harness i mod n) with the main model of `model_dir` and the head of `head_dir`.

    `head_dir` None: a head just grafted, as training starts from. `tokens` are guessed at a time. Give cases that the head
    was not trained on. Raises UserError for a directory without a head, or with one of another model's shape.
    """
    import torch
    from transformers import AutoModelForCausalLM

    from components.policy.speculative import SpeculativeDecoder
    from components.training.draft.files import load_head
    from components.training.draft.head import DraftHead

    check_model(model_dir)
    precision = measure_precision()
    announce(f"draft: acceptance measured in {precision}")
    tokenizer = load_tokenizer(model_dir)
    main = AutoModelForCausalLM.from_pretrained(model_dir, dtype=getattr(torch, precision.dtype)).to(precision.device).eval()
    head = (load_head(main, head_dir) if head_dir else DraftHead(main)).eval()
    decoder = SpeculativeDecoder(main, head, tokenizer.convert_tokens_to_ids(TURN_END), max_new_tokens, tokens)
    policy = BatchingPolicy(
        tokenizer,
        decoder,
        context=main.config.get_text_config().max_position_embeddings,
        max_new_tokens=max_new_tokens,
        batch_size=1,
        name=model_dir.name,
    )
    loops = [AgentLoop(harness, limits) for harness in harnesses]
    # One episode at a time: what a turn shares with the one before it need not be encoded again.
    for index, case in enumerate(cases):
        room = CatalogueRoom(catalogue, case.request)
        await loops[index % len(loops)].run(case.request, room, policy, f"draft/{case.case_id}/{index}")
    return decoder.acceptance
