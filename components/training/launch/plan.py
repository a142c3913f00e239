"""A stage's plan: its account of memory and time, and where it cannot fit, the smallest change with which it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from components.training.launch.duration import Part, duration_of
from components.training.launch.memory import Memory, memory_of, trained
from components.training.launch.shape import ModelShape
from components.training.launch.work import Work
from components.training.params import HardwareParams, LaunchParams, LoraParams, RlParams

MOST_GPUS = 1024
NODE = 8
"""GPUs of a node, as they are sold."""


Mend = Callable[[Work], tuple[Work, str] | None]
"""Makes a stage need less: the new work and the parameter to set, or None where it is set already."""


def single_rows(work: Work) -> tuple[Work, str] | None:
    """A row at a time, as often as there were rows: the same optimiser step."""
    optimiser = work.optimiser
    if optimiser.batch_size == 1:
        return None
    passes = work.passes * optimiser.batch_size
    # How often RL accumulates follows from its batch.
    more = "" if isinstance(optimiser, RlParams) else f", {work.stage}.gradient_accumulation: {passes}"
    return replace(work, passes=passes, optimiser=optimiser.model_copy(update={"batch_size": 1})), f"batch_size: 1{more}"


def checkpoints(work: Work) -> tuple[Work, str] | None:
    """Compute activations again instead of keeping them."""
    if work.optimiser.gradient_checkpointing or work.frozen:
        return None
    changed = work.optimiser.model_copy(update={"gradient_checkpointing": True})
    return replace(work, optimiser=changed), "gradient_checkpointing: true"


def low_rank(work: Work) -> tuple[Work, str] | None:
    """Train a low-rank addition only."""
    if work.optimiser.lora or work.frozen:
        return None
    lora = LoraParams(rank=16, alpha=32)
    return replace(work, optimiser=work.optimiser.model_copy(update={"lora": lora})), "lora: {rank: 16, alpha: 32}"


CHEAP: tuple[Mend, ...] = (single_rows, checkpoints)
"""Those that cost time only."""


@dataclass(frozen=True)
class StagePlan:
    """One stage on one machine."""

    work: Work
    trained: int
    """Parameters that it changes."""
    memory: Memory
    step: tuple[Part, ...]

    @property
    def step_seconds(self) -> float:
        return sum(part.seconds for part in self.step)

    @property
    def hours(self) -> float:
        """Of the whole stage, loading and saving left out."""
        return self.work.steps * self.step_seconds / 3600


def plan_stage(shape: ModelShape, work: Work, launch: LaunchParams, hardware: HardwareParams) -> StagePlan:
    """Reckon a stage; whether it fits is another question (`too_much`)."""
    return StagePlan(
        work,
        trained(shape, work),
        memory_of(shape, work, launch, hardware.memory_gib),
        duration_of(shape, work, launch, hardware),
    )


def too_much(plan: StagePlan, hardware: HardwareParams) -> str | None:
    """What a machine lacks for a plan, in words; None where it fits."""
    memory = plan.memory
    if memory.gpu_gib > hardware.memory_gib:
        return f"a GPU needs {memory.gpu_gib:.0f} GiB and has {hardware.memory_gib:.0f}"
    if memory.host_gib > hardware.host_memory_gib:
        return f"a node's host needs {memory.host_gib:.0f} GiB and has {hardware.host_memory_gib:.0f}"
    return None


def smallest_change(shape: ModelShape, works: Sequence[Work], launch: LaunchParams, hardware: HardwareParams) -> str | None:
    """The change nearest to what was asked for with which every stage fits, as parameters to set; None where none does.

    In this order: what costs time only, then more GPUs, then low-rank training, which is another recipe.
    """
    stronger = _stronger(launch)
    tries = [
        *((words, other, CHEAP) for words, other in [("", launch), *stronger]),
        *((words, other, CHEAP) for words, other in _more_gpus(launch)),
        *((words, other, (*CHEAP, low_rank)) for words, other in [("", launch), *stronger]),
    ]
    for words, other, mends in tries:
        mended = _mend(shape, works, other, hardware, mends)
        if mended is not None:
            return ", ".join(filter(None, [words, *mended]))
    return None


def _mend(
    shape: ModelShape, works: Sequence[Work], launch: LaunchParams, hardware: HardwareParams, mends: Sequence[Mend]
) -> list[str] | None:
    """What to set so that every stage fits under `launch`, each stage with as few of `mends` as do; None where they don't do."""
    words = []
    for work in works:
        changed, left = work, list(mends)
        while too_much(plan_stage(shape, changed, launch, hardware), hardware):
            if not left:
                return None
            mend = left.pop(0)
            if (again := mend(changed)) is not None:
                changed, said = again
                words.append(f"{work.stage}.{said}")
    return words


def _stronger(launch: LaunchParams) -> list[tuple[str, LaunchParams]]:
    kinds: list[tuple[str, str]] = [("zero2", "none"), ("zero3", "none"), ("zero3", "optimizer"), ("zero3", "all")]
    now = (launch.deepspeed, launch.offload)
    found = []
    for kind in kinds[kinds.index(now) + 1 if now in kinds else 0 :]:
        words = [
            f"launch.{name}: {new}" for name, new, old in zip(("deepspeed", "offload"), kind, now, strict=True) if new != old
        ]
        found.append((", ".join(words), _launch(launch, deepspeed=kind[0], offload=kind[1])))
    return found


def _more_gpus(launch: LaunchParams) -> list[tuple[str, LaunchParams]]:
    """Twice as many, again and again: on one node up to eight, then nodes of as many as there are now, eight at least."""
    each, words = max(launch.processes_per_node, NODE), "" if launch.deepspeed == "zero3" else "launch.deepspeed: zero3, "
    found = []
    processes = 2 * launch.processes_per_node
    while launch.nodes == 1 and processes <= NODE:
        found.append(
            (f"{words}launch.processes_per_node: {processes}", _launch(launch, deepspeed="zero3", processes_per_node=processes))
        )
        processes *= 2
    nodes = 2 * launch.nodes
    if each != launch.processes_per_node:
        words += f"launch.processes_per_node: {each}, "
    while nodes * each <= MOST_GPUS:
        other = _launch(launch, deepspeed="zero3", nodes=nodes, processes_per_node=each)
        found.append((f"{words}launch.nodes: {nodes}", other))
        nodes *= 2
    return found


def _launch(launch: LaunchParams, **changes: object) -> LaunchParams:
    return LaunchParams.model_validate(launch.model_dump() | changes)
