"""The shape of a model, read from its config.json without loading anything: what there is to count of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from components.errors import UserError
from components.files import read_json

KINDS = ("llama", "qwen3", "qwen3_5_moe", "qwen3_5_moe_text")


@dataclass(frozen=True)
class Linear:
    """One linear layer, by the name that it has in transformers."""

    name: str
    inputs: int
    outputs: int

    @property
    def parameters(self) -> int:
        return self.inputs * self.outputs


@dataclass(frozen=True)
class Mixer:
    """What mixes tokens in a layer. Softmax attention over `heads` queries, or a gated delta rule with a state a head."""

    linear: bool
    heads: int
    kv_heads: int
    head_dim: int
    gated: bool
    projections: tuple[Linear, ...]
    others: int
    """Parameters beside them: norms of heads, convolution, decay."""


@dataclass(frozen=True)
class FeedForward:
    """A gated MLP, or experts of which a token meets `chosen`, beside a shared one."""

    width: int
    """Of one expert, or of the MLP."""
    experts: int = 1
    chosen: int = 1
    shared_width: int = 0


@dataclass(frozen=True)
class ModelShape:
    """A decoder: embedding, `len(mixers)` layers, output layer. The vision part that a checkpoint may hold is never loaded."""

    kind: str
    hidden: int
    vocabulary: int
    tied: bool
    mixers: tuple[Mixer, ...]
    """One a layer."""
    feed_forward: FeedForward
    draft_layers: int
    """Layers of the draft head that the checkpoint brings; counted by `draft_head`, not by `parameters`."""

    @cached_property
    def parameters(self) -> int:
        """All that is loaded."""
        embeddings = self.vocabulary * self.hidden * (1 if self.tied else 2)
        return embeddings + self.hidden + sum(map(self.layer, self.mixers))

    @cached_property
    def active(self) -> int:
        """Parameters that a token is multiplied with, the output layer's included, looking up its embedding not."""
        feed_forward, hidden = self.feed_forward, self.hidden
        expert = 3 * hidden * feed_forward.width
        idle = (feed_forward.experts - feed_forward.chosen) * expert
        return self.vocabulary * hidden + sum(self.layer(mixer) - idle for mixer in self.mixers)

    def layer(self, mixer: Mixer) -> int:
        """Parameters of one layer."""
        mixing = sum(linear.parameters for linear in mixer.projections) + mixer.others
        return 2 * self.hidden + mixing + self._feed_forward()

    @cached_property
    def largest_layer(self) -> int:
        """Parameters that ZeRO-3 gathers at once, at the most: a layer, or the output layer."""
        return max(self.vocabulary * self.hidden, *map(self.layer, self.mixers))

    @cached_property
    def draft_head(self) -> int:
        """Parameters of a draft head: a layer with softmax attention, the joint projection and three norms."""
        full = next((mixer for mixer in self.mixers if not mixer.linear), self.mixers[-1])
        return max(self.draft_layers, 1) * self.layer(full) + 2 * self.hidden**2 + 3 * self.hidden

    def adapter(self, rank: int, targets: tuple[str, ...] | str) -> int:
        """Parameters of a low-rank addition to the linear layers named, or to all but the output's.

        The experts of a mixture are no linear layers to PEFT: `all-linear` leaves them, and the router, as they are.
        """
        linears = [linear for mixer in self.mixers for linear in (*mixer.projections, *self._dense())]
        return sum(
            rank * (linear.inputs + linear.outputs) for linear in linears if targets == "all-linear" or linear.name in targets
        )

    def _dense(self) -> list[Linear]:
        feed_forward, hidden = self.feed_forward, self.hidden
        mixture = feed_forward.experts > 1
        width = feed_forward.shared_width if mixture else feed_forward.width
        mlp = [Linear("gate_proj", hidden, width), Linear("up_proj", hidden, width), Linear("down_proj", width, hidden)]
        return [*mlp, Linear("shared_expert_gate", hidden, 1)] if mixture else mlp

    def _feed_forward(self) -> int:
        feed_forward, hidden = self.feed_forward, self.hidden
        dense = sum(linear.parameters for linear in self._dense())
        if feed_forward.experts == 1:
            return dense
        return dense + feed_forward.experts * (3 * hidden * feed_forward.width + hidden)


def read_shape(path: Path) -> ModelShape:
    """The shape in a config.json. Raises UserError, naming the field, for another kind of model or a missing field."""
    data = read_json(path)
    config = data.get("text_config", data)
    kind = config.get("model_type", data.get("model_type"))
    if kind not in KINDS:
        raise UserError(f"{path}: model_type: expected one of {', '.join(KINDS)}, found {kind}; its memory can't be reckoned")
    try:
        return _shape(kind, config)
    except KeyError as error:
        raise UserError(f"{path}: {error.args[0]}: not found; expected it in the configuration of a {kind}") from None


def _shape(kind: str, config: dict[str, Any]) -> ModelShape:
    moe = kind.startswith("qwen3_5_moe")
    layers = config["num_hidden_layers"]
    interval = config.get("full_attention_interval", 4)
    types = config.get("layer_types") or [
        "full_attention" if not moe or (index + 1) % interval == 0 else "linear_attention" for index in range(layers)
    ]
    full = _full(kind, config)
    mixers = tuple(full if one == "full_attention" else _linear(config) for one in types)
    feed_forward = (
        FeedForward(
            config["moe_intermediate_size"],
            config["num_experts"],
            config["num_experts_per_tok"],
            config["shared_expert_intermediate_size"],
        )
        if moe
        else FeedForward(config["intermediate_size"])
    )
    return ModelShape(
        kind,
        config["hidden_size"],
        config["vocab_size"],
        bool(config.get("tie_word_embeddings", False)),
        mixers,
        feed_forward,
        config.get("mtp_num_hidden_layers", 0),
    )


def _full(kind: str, config: dict[str, Any]) -> Mixer:
    hidden, heads, kv_heads = config["hidden_size"], config["num_attention_heads"], config["num_key_value_heads"]
    head_dim = config.get("head_dim") or hidden // heads
    gated = kind.startswith("qwen3_5")
    query, key = heads * head_dim, kv_heads * head_dim
    return Mixer(
        linear=False,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        gated=gated,
        projections=(
            Linear("q_proj", hidden, query * (2 if gated else 1)),
            Linear("k_proj", hidden, key),
            Linear("v_proj", hidden, key),
            Linear("o_proj", query, hidden),
        ),
        others=2 * head_dim if kind.startswith("qwen3") else 0,
    )


def _linear(config: dict[str, Any]) -> Mixer:
    hidden, heads, head_dim = config["hidden_size"], config["linear_num_value_heads"], config["linear_value_head_dim"]
    keys, values = config["linear_num_key_heads"] * config["linear_key_head_dim"], heads * head_dim
    joint = 2 * keys + values
    return Mixer(
        linear=True,
        heads=heads,
        kv_heads=config["linear_num_key_heads"],
        head_dim=head_dim,
        gated=True,
        projections=(
            Linear("in_proj_qkv", hidden, joint),
            Linear("in_proj_z", hidden, values),
            Linear("in_proj_b", hidden, heads),
            Linear("in_proj_a", hidden, heads),
            Linear("out_proj", values, hidden),
        ),
        # Convolution, dt_bias and A_log a head, norm.
        others=joint * config["linear_conv_kernel_dim"] + 2 * heads + head_dim,
    )
