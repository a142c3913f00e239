"""Memory of a training stage, reckoned: what one GPU and one node's host hold, line by line, each with its rule.

Bytes a parameter with AdamW in mixed precision, as DeepSpeed publishes them (its `estimate_zero*_mem_needs`): weights 2,
gradients 2, float32 master weights 4, AdamW's moments 8, and 4 for float32 gradients while the optimiser steps: 16 to 18.
Without DeepSpeed the weights are float32 (4), the gradients too, and autocast keeps bfloat16 copies (2): 18 again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from components.training.launch.activations import activation_bytes, cache_bytes
from components.training.launch.generator import VLLM_SHARE
from components.training.launch.shape import ModelShape
from components.training.launch.work import Work
from components.training.params import LaunchParams

GIB = 2**30
TILE = 4096 * 32768 * 4
"""Bytes of the logits that TRL's loss has at once: 4096 tokens by 32768 of the vocabulary, float32."""
SUB_GROUP = 10**9
"""Parameters that ZeRO-3 steps at once."""
CUDA = 2.0
"""GiB of CUDA's and NCCL's own."""
HOST_BUFFERS = 1.5
"""DeepSpeed's rule for buffers beside what is offloaded."""

Phase = Literal["always", "passes", "step", "samples"]


@dataclass(frozen=True)
class Line:
    """One thing in memory."""

    what: str
    gib: float
    phase: Phase
    """When it is there. What is there always stands beside each of the other phases."""
    how: str


@dataclass(frozen=True)
class Memory:
    """The account of one stage."""

    gpu: tuple[Line, ...]
    host: tuple[Line, ...]

    @property
    def gpu_gib(self) -> float:
        """The most that one GPU holds."""
        return _peak(self.gpu)

    @property
    def host_gib(self) -> float:
        """The most that one node's host holds."""
        return _peak(self.host)


def _peak(lines: tuple[Line, ...]) -> float:
    sums = {phase: sum(line.gib for line in lines if line.phase == phase) for phase in ("always", "passes", "step", "samples")}
    return sums.pop("always") + max(sums.values())


def trained(shape: ModelShape, work: Work) -> int:
    """Parameters that the stage changes."""
    if work.frozen:
        return shape.draft_head
    lora = work.optimiser.lora
    own = shape.parameters if lora is None else shape.adapter(lora.rank, lora.targets)
    return own + (shape.draft_head if work.drafted else 0)


def memory_of(shape: ModelShape, work: Work, launch: LaunchParams, gpu_gib: float) -> Memory:
    """The account of `work`; `gpu_gib` is the memory of a GPU, of which vLLM takes its share."""
    lines = [
        *_states(shape, work, launch),
        *_passes(shape, work, launch),
        *_samples(shape, work, launch, gpu_gib),
        Line("CUDA, NCCL", CUDA, "always", "allowance"),
    ]
    return Memory(tuple(line for line in lines if line.gib), tuple(line for line in _host(shape, work, launch) if line.gib))


def _states(shape: ModelShape, work: Work, launch: LaunchParams) -> list[Line]:
    processes = launch.nodes * launch.processes_per_node
    everything, changed = shape.parameters + (shape.draft_head if work.drafted else 0), trained(shape, work)
    # A frozen main model is no part of what is trained: whole on each GPU, whatever DeepSpeed spreads.
    frozen = Line(
        "frozen model", 2 * (shape.parameters if work.frozen else 0) / GIB, "always", "bfloat16, 2 bytes, whole on each GPU"
    )
    if work.frozen:
        everything = changed
    if launch.deepspeed == "none":
        buckets = " and DDP's buckets" if processes > 1 else ""
        return [
            frozen,
            Line("weights", 4 * everything / GIB, "always", "float32, 4 bytes"),
            Line("bfloat16 copies", 2 * changed / GIB, "passes", "2 bytes a trained parameter, kept by autocast"),
            Line("gradients", (8 if buckets else 4) * changed / GIB, "always", f"float32, 4 bytes{buckets}"),
            Line("optimiser", 8 * changed / GIB, "always", "AdamW's moments, 8 bytes a trained parameter"),
            Line("read-only models", 2 * work.readers * shape.parameters / GIB, "always", "bfloat16"),
        ]
    sharded = processes if launch.deepspeed == "zero3" else 1
    on_gpu = 0 if launch.offload == "all" else 1
    offloaded = launch.offload != "none"
    step = min(changed / processes, SUB_GROUP) if launch.deepspeed == "zero3" else changed / processes
    return [
        frozen,
        Line("weights", on_gpu * 2 * everything / sharded / GIB, "always", f"bfloat16, 2 bytes / {sharded}"),
        Line("read-only models", 2 * work.readers * shape.parameters / sharded / GIB, "always", f"bfloat16, 2 bytes / {sharded}"),
        Line(
            "layer at work",
            (4 if launch.deepspeed == "zero3" else 2) * (0 if work.frozen else shape.largest_layer) / GIB,
            "passes",
            "weights and gradients of the largest layer, gathered: 4 bytes"
            if launch.deepspeed == "zero3"
            else "gradients of the largest layer before they are spread: 2 bytes",
        ),
        Line("gradients", (0 if offloaded else 2) * changed / processes / GIB, "always", f"bfloat16, 2 bytes / {processes}"),
        Line(
            "optimiser",
            (0 if offloaded else 12) * changed / processes / GIB,
            "always",
            f"float32 weights and AdamW's moments, 12 bytes / {processes}",
        ),
        Line("float32 gradients", (0 if offloaded else 4) * step / GIB, "step", "4 bytes a parameter that is stepped at once"),
    ]


def _passes(shape: ModelShape, work: Work, launch: LaunchParams) -> list[Line]:
    rows, layers = work.optimiser.batch_size, range(len(shape.mixers))
    tokens, scored = rows * work.length, rows * work.scored
    residual = shape.hidden * (4 if launch.deepspeed == "none" else 2)
    layer = max(activation_bytes(shape, index) for index in layers)
    if work.frozen:
        kept, how = float(layer + residual), "of the draft head; the frozen model keeps nothing"
        tokens += (work.drafted - 1) * scored
    elif work.optimiser.gradient_checkpointing:
        # The layer that is computed again, and the gradients of what it keeps.
        kept, how = residual * len(layers) + 2 * layer, "the input of each layer, and all of the one computed again"
    else:
        kept, how = sum(activation_bytes(shape, index) for index in layers), "all that backward needs"
    return [
        Line("activations", tokens * kept / GIB, "passes", f"{tokens} tokens x {kept / 1024:.0f} KiB: {how}"),
        _logits(shape, work, scored),
    ]


def _logits(shape: ModelShape, work: Work, scored: int) -> Line:
    if work.drafted:
        # What the cross-entropy of each guess keeps; one's logits and their gradient beside it.
        each = 4 * work.drafted + 8
        how = f"{scored} tokens x {shape.vocabulary} words x {each} bytes: float32, kept for each of {work.drafted} guesses"
        return Line("logits", scored * shape.vocabulary * each / GIB, "passes", how)
    held = TILE * (1 + work.readers) + 4 * scored * shape.hidden
    held += 0 if work.optimiser.lora else 4 * shape.vocabulary * shape.hidden
    return Line("logits", held / GIB, "passes", "tiles of 4096 tokens x 32768 words, float32; gradient of the output layer")


def _samples(shape: ModelShape, work: Work, launch: LaunchParams, gpu_gib: float) -> list[Line]:
    if work.samples is None:
        return []
    cache = work.samples.at_once * cache_bytes(shape, work.samples.context) / GIB
    held = f"{work.samples.at_once} rows x {work.samples.context} tokens"
    weights = 2 * shape.parameters / GIB
    if launch.generator == "vllm":
        least = weights + cache / work.samples.at_once + CUDA
        how = f"{VLLM_SHARE:.0%} of the GPU: weights {weights:.1f} GiB, then {held} ({cache:.1f} GiB, else in turns)"
        return [Line("vLLM", max(VLLM_SHARE * gpu_gib, least), "samples", how)]
    gathered = weights if launch.deepspeed == "zero3" else 0.0
    return [
        Line("weights, gathered", gathered, "samples", "bfloat16, 2 bytes: each GPU writes by itself"),
        Line("cache", cache, "samples", f"keys, values and states of {held}"),
    ]


def _host(shape: ModelShape, work: Work, launch: LaunchParams) -> list[Line]:
    changed, nodes = trained(shape, work), launch.nodes
    if launch.deepspeed == "zero3" and not work.frozen:
        loading, how = 2 * shape.parameters, "the first process reads the file: 2 bytes"
    else:
        per = 4 if not work.frozen else 2
        loading, how = per * launch.processes_per_node * shape.parameters, f"each process reads all of it: {per} bytes"
    return [
        Line("loading", loading * (1 + work.readers / 2) / GIB, "passes", how),
        Line(
            "optimiser",
            (HOST_BUFFERS * 16 * changed / nodes / GIB) if launch.offload != "none" else 0.0,
            "always",
            f"float32 weights, gradients, moments: 16 bytes x {HOST_BUFFERS} for buffers / {nodes}",
        ),
        Line(
            "weights",
            (HOST_BUFFERS * 2 * shape.parameters / nodes / GIB) if launch.offload == "all" else 0.0,
            "always",
            f"bfloat16, 2 bytes x {HOST_BUFFERS} / {nodes}",
        ),
    ]
