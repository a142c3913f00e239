"""A transformers model in this process, as a policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from components.policy.base_models import check_model, load_tokenizer
from components.policy.batching import BatchingPolicy
from components.policy.decoding import make_decoder
from components.policy.precision import measure_precision
from components.policy.renderer import TURN_END


class LocalPolicy(BatchingPolicy):
    """Greedy answers of a model directory."""

    def __init__(
        self,
        model_dir: Path,
        max_new_tokens: int = 160,
        batch_size: int = 16,
        name: str = "",
        announce: Callable[[str], None] = print,
    ) -> None:
        """Load the model. Raises UserError if the directory isn't a whole model."""
        import torch
        from transformers import AutoModelForCausalLM

        check_model(model_dir)
        name = name or model_dir.name
        self.precision = measure_precision()
        announce(f"policy {name}: {self.precision}")
        tokenizer = load_tokenizer(model_dir)
        model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=getattr(torch, self.precision.dtype))
        model = model.to(self.precision.device).eval()
        super().__init__(
            tokenizer,
            make_decoder(model, tokenizer.convert_tokens_to_ids(TURN_END), max_new_tokens, announce=announce),
            context=model.config.get_text_config().max_position_embeddings,
            max_new_tokens=max_new_tokens,
            batch_size=batch_size,
            name=name,
        )
