"""The importance ratio of GSPO, token by token (arXiv 2507.18071, section 4.3, GSPO-token). Loaded with torch, on use.

In GSPO proper the gradient goes through the ratio of the whole sequence, so that every token would get the mean of all its
tokens' advantages. Where tokens have advantages of their own, the ratio of token t is

    s_t = sg(s) * p_t / sg(p_t),    s = exp(mean over the sequence of log(p / p_old))

whose value is the sequence's, and whose gradient is the token's own. sg: no gradient flows.
"""

from __future__ import annotations

from torch import Tensor


def gspo_old(logps: Tensor, old: Tensor | None, written: Tensor) -> Tensor:
    """What to take for the old log-probabilities (B, T) so that the ratio of each token is GSPO-token's.

    logps    now, without gradient. old: when the episodes were sampled; None: just now.
    written  1 where the model wrote the token.
    """
    if old is None:
        return logps
    of_sequence = ((logps - old) * written).sum(-1, keepdim=True) / written.sum(-1, keepdim=True).clamp(min=1)
    return logps - of_sequence
