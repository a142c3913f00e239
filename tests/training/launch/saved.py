"""What autograd really keeps, measured."""

from __future__ import annotations

from typing import Any


def saved_bytes(model: Any, tokens: int, checkpointing: bool = False) -> int:
    """Bytes that the layers of a decoder keep for their backward pass over `tokens` tokens, weights not counted."""
    import torch

    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    if checkpointing:
        model.gradient_checkpointing_enable()
    model.train()
    ids = torch.arange(tokens)[None] % model.config.vocab_size
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        # Held, so that no storage is freed and its address given to another.
        states = model.model(input_ids=ids, use_cache=False).last_hidden_state
    assert states.grad_fn is not None
    return sum(kept.values())
