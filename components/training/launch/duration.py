"""Time of a training stage, reckoned: how long an optimiser step takes, part by part, each with its rule.

Nothing is taken to overlap, and rows to be as long as they may be: a stage is not slower than this on machines that reach
the shares of their peak that are assumed here.
"""

from __future__ import annotations

from dataclasses import dataclass

from components.training.launch.activations import cache_bytes
from components.training.launch.memory import trained
from components.training.launch.shape import ModelShape
from components.training.launch.work import Work
from components.training.params import HardwareParams, LaunchParams

UTILISATION, UTILISATION_OF_EXPERTS = 0.35, 0.2
"""Share of the peak that training reaches, dense and with a mixture of experts, whose products are small."""
READING = {"vllm": 0.5, "transformers": 0.1}
"""Share of the memory's bandwidth that each generator reaches."""
HOST_BANDWIDTH, HOST_LINK = 200e9, 25e9
"""Bytes a second of one node's host memory, and of one GPU's link to it."""


@dataclass(frozen=True)
class Part:
    """One part of an optimiser step."""

    what: str
    seconds: float
    how: str


def duration_of(shape: ModelShape, work: Work, launch: LaunchParams, hardware: HardwareParams) -> tuple[Part, ...]:
    """The parts of one optimiser step of `work`."""
    parts = [
        _samples(shape, work, launch, hardware),
        _products(shape, work, launch, hardware),
        _exchange(shape, work, launch, hardware),
        _offload(shape, work, launch),
    ]
    return tuple(part for part in parts if part.seconds)


def operations(shape: ModelShape, work: Work) -> float:
    """Floating-point operations for a token: 2 a parameter that it meets forward, 4 backward (2 where weights are frozen)."""
    forward = 2 * shape.active + _attention(shape, work.length)
    head = 2 * shape.draft_head
    drafting = 3 * head * work.drafted
    if work.frozen:
        return forward + drafting
    backward = forward if work.optimiser.lora else 2 * forward
    again = forward if work.optimiser.gradient_checkpointing else 0
    return forward + backward + again + work.forwards * forward + drafting


def _attention(shape: ModelShape, length: int) -> float:
    """Forward, a token: scores and sums over half of the row on average; for a linear layer, its state read and written."""
    return sum(
        6 * mixer.heads * mixer.head_dim**2 if mixer.linear else 4 * mixer.heads * mixer.head_dim * length / 2
        for mixer in shape.mixers
    )


def _products(shape: ModelShape, work: Work, launch: LaunchParams, hardware: HardwareParams) -> Part:
    tokens = work.passes * work.optimiser.batch_size * work.length
    share = UTILISATION_OF_EXPERTS if shape.feed_forward.experts > 1 else UTILISATION
    each = operations(shape, work)
    return Part(
        "matrix products",
        tokens * each / (share * hardware.bf16_tflops * 1e12),
        f"{tokens} tokens a GPU x {each / 1e9:.1f} GFLOP at {share:.0%} of {hardware.bf16_tflops:g} TFLOP/s",
    )


def _exchange(shape: ModelShape, work: Work, launch: LaunchParams, hardware: HardwareParams) -> Part:
    processes, changed = launch.nodes * launch.processes_per_node, trained(shape, work)
    if launch.deepspeed == "zero3" and not work.frozen:
        moved = work.passes * (2 * 2 * shape.parameters + 2 * changed + work.forwards * 2 * shape.parameters)
        how = "weights gathered forward and backward, gradients spread, in each pass"
    elif launch.deepspeed == "zero2":
        moved, how = work.passes * 2 * changed + 2 * changed, "gradients spread in each pass, weights gathered at the end"
    else:
        moved, how = 2 * 4 * changed, "float32 gradients summed over all"
    seconds = moved * (processes - 1) / processes / (hardware.interconnect_gbs * 1e9)
    return Part("exchange", seconds, f"{moved / 1e9:.0f} GB at {hardware.interconnect_gbs:g} GB/s: {how}")


def _offload(shape: ModelShape, work: Work, launch: LaunchParams) -> Part:
    if launch.offload == "none":
        return Part("offload", 0.0, "")
    changed, processes = trained(shape, work), launch.nodes * launch.processes_per_node
    update = 28 * changed / launch.nodes / HOST_BANDWIDTH
    carried = (2 * work.passes + 2) * changed / processes
    if launch.offload == "all":
        carried += work.passes * (2 + work.forwards) * 2 * shape.parameters / processes
    how = "28 bytes a parameter at 200 GB/s of host memory; gradients down, weights up, at 25 GB/s a GPU"
    return Part("offload", update + carried / HOST_LINK, how)


def _samples(shape: ModelShape, work: Work, launch: LaunchParams, hardware: HardwareParams) -> Part:
    if work.samples is None:
        return Part("samples", 0.0, "")
    samples, feed_forward = work.samples, shape.feed_forward
    met = 1 - (1 - feed_forward.chosen / feed_forward.experts) ** samples.at_once
    idle = 3 * shape.hidden * feed_forward.width * (feed_forward.experts - feed_forward.chosen) * len(shape.mixers)
    experts = idle + 3 * shape.hidden * feed_forward.width * feed_forward.chosen * len(shape.mixers)
    read = 2 * (shape.active + idle - experts + met * experts) + samples.at_once * cache_bytes(shape, samples.context) / 2
    share = READING[launch.generator]
    batches = -(-samples.rows // samples.at_once)
    return Part(
        "samples",
        batches * samples.tokens * read / (share * hardware.bandwidth_gbs * 1e9),
        f"{samples.tokens} tokens x {read / 1e9:.0f} GB of weights and cache for {samples.at_once} rows at once, "
        f"at {share:.0%} of {hardware.bandwidth_gbs:g} GB/s ({launch.generator})",
    )
