"""What a token leaves in memory: for the backward pass while training, for the next token while writing."""

from __future__ import annotations

from components.training.launch.shape import ModelShape


def activation_bytes(shape: ModelShape, index: int) -> int:
    """Bytes a token that layer `index` keeps for its backward pass, in bfloat16 with norms and router in float32.

    Counts what autograd saves with fused attention (no matrix of scores) and, in linear layers, the fused kernels.
    """
    mixer, feed_forward, hidden = shape.mixers[index], shape.feed_forward, shape.hidden
    inner = mixer.heads * mixer.head_dim
    keys = mixer.kv_heads * mixer.head_dim
    # A norm: its input and output in float32, what the next layer reads in bfloat16.
    total = 2 * 10 * hidden
    if mixer.linear:
        joint = 2 * keys + inner
        # Convolution's input and output; q, k, v normed; the chunks' states (64 tokens each, float32).
        total += 2 * 3 * joint + 4 * mixer.heads * mixer.head_dim**2 // 64 + (2 + 2 + 10 + 2) * inner
    else:
        total += 2 * (2 * inner + 2 * keys)
        if shape.kind != "llama":
            total += 8 * (inner + keys)
        if mixer.gated:
            total += 2 * 3 * inner
    expert = 2 * hidden + 2 * 4 * feed_forward.width + (2 * hidden if feed_forward.experts > 1 else 0)
    total += feed_forward.chosen * expert + (4 * feed_forward.experts if feed_forward.experts > 1 else 0)
    return total + 2 * 4 * feed_forward.shared_width


def cache_bytes(shape: ModelShape, context: int) -> int:
    """Bytes that generation keeps for a row of `context` tokens: keys and values in bfloat16, states in float32."""
    return sum(
        4 * mixer.heads * mixer.head_dim**2 if mixer.linear else 2 * 2 * mixer.kv_heads * mixer.head_dim * context
        for mixer in shape.mixers
    )
