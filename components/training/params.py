"""Parameters of the training stages, checked before anything is loaded."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from components.policy.params import ServerParams


class _Section(BaseModel):
    """A group of parameters; a misspelt key is an error, not a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LoraParams(_Section):
    """Train a low-rank addition, which is merged into the weights at the end."""

    rank: int = Field(gt=0)
    alpha: float = Field(gt=0)
    targets: tuple[str, ...] | Literal["all-linear"] = "all-linear"
    """Names of the layers it is added to."""


class OptimiserParams(_Section):
    """What every stage that changes weights needs to know. Give `epochs` or `max_steps`."""

    epochs: float | None = Field(default=None, gt=0)
    max_steps: int | None = Field(default=None, gt=0)
    """Optimiser steps."""
    learning_rate: float = Field(gt=0)
    batch_size: int = Field(gt=0)
    """Rows (packs, in packed SFT) a forward pass on one device."""
    gradient_accumulation: int = Field(default=1, gt=0)
    """Forward passes an optimiser step."""
    warmup_ratio: float = Field(default=0.0, ge=0, lt=1)
    """Share of the steps in which the learning rate rises to its full value."""
    weight_decay: float = Field(default=0.0, ge=0)
    max_grad_norm: float = Field(default=1.0, gt=0)
    scheduler: Literal["linear", "cosine", "constant", "constant_with_warmup"] = "cosine"
    save_steps: int = Field(default=100, gt=0)
    """Optimiser steps from one checkpoint to the next."""
    divergence: float = Field(default=3.0, gt=1)
    """The stage stops where the mean loss of the last ten steps is this many times that of the best ten (and above 0.1)."""
    gradient_checkpointing: bool = False
    """Less memory for a third more work; a large model needs it."""
    lora: LoraParams | None = None

    @model_validator(mode="after")
    def _one_length(self) -> Self:
        if (self.epochs is None) == (self.max_steps is None):
            raise ValueError("expected either epochs or max_steps")
        return self


class SftParams(OptimiserParams):
    """HSA-SFT: supervised tuning on the teacher's trajectories."""

    max_length: int = Field(gt=0)
    """Tokens. Longer rows are left out, never cut."""
    max_dropped_share: float = Field(default=0.0, ge=0, le=1)
    """The stage fails if a larger share of the rows is too long."""
    packing: Literal["shared_prefix", "none"] = "none"
    """`shared_prefix`: rows that begin alike (one harness) go through the model together, what they share only once."""
    pack_rows: int = Field(default=8, gt=0)
    """Rows in a pack at the most."""
    curriculum: Literal["shuffled", "original_first"] = "shuffled"
    """`original_first`: rows under the original harness before those under variants, each part shuffled."""


class PromptFile(_Section):
    """General prompts of one's own, Tulu 3 for one: JSON lines or Parquet."""

    path: str
    column: str = "messages"
    """The field that holds a prompt: text, or OpenAI chat messages of which the first user message is taken."""


class OpdParams(OptimiserParams):
    """General on-policy distillation: reverse KL to the base model on the student's own samples."""

    prompts: Literal["generated"] | PromptFile = "generated"
    count: int = Field(gt=0)
    """General prompts."""
    max_prompt_length: int = Field(gt=0)
    """Tokens; longer prompts are left out."""
    max_completion_length: int = Field(gt=0)
    temperature: float = Field(default=1.0, gt=0)
    beta: float = Field(default=1.0, ge=0, le=1)
    """1: reverse KL, 0: forward KL, between: generalised Jensen-Shannon."""


class SegmentWeights(_Section):
    """What a reward counts for the tokens of each segment."""

    tool_calls: float = Field(ge=0)
    reply: float = Field(ge=0)


class RewardParams(_Section):
    """The four rewards (hat.md, HSA-RL), and for which segment each counts."""

    accuracy: SegmentWeights = SegmentWeights(tool_calls=0, reply=1)
    effectiveness: SegmentWeights = SegmentWeights(tool_calls=0, reply=1)
    tool_rationality: SegmentWeights = SegmentWeights(tool_calls=1, reply=0)
    skill_selection: SegmentWeights = SegmentWeights(tool_calls=1, reply=0)


class ThinkingPenalty(_Section):
    """Counts reasoning beyond `free` tokens a turn in units of `scale`, at most `most`; normalised in its group like a reward,
    it lowers the segment's advantage by `weight`."""

    free: int = Field(ge=0)
    scale: int = Field(gt=0)
    weight: float = Field(ge=0)
    most: float = Field(default=1.0, ge=0)


class RlParams(OptimiserParams):
    """HSA-RL: GRPO over whole episodes of the agent loop."""

    tasks_per_step: int = Field(gt=0)
    """Groups an optimiser step: (case, harness) pairs."""
    group_size: int = Field(gt=1)
    """Episodes of one task, which are compared with each other."""
    tasks: int = Field(gt=0)
    """Different tasks that are drawn from the training cases."""
    hsa_share: float = Field(ge=0, le=1)
    """Share of the tasks that run under a train variant (arm `rl_fixed`: none)."""
    fault_share: float = Field(ge=0, le=1)
    """Share of the tasks whose tools fail, at the rates of `faults`, scaled so that they add up to `fault_rate`."""
    fault_rate: float = Field(default=0.5, ge=0, le=1)
    temperature: float = Field(default=1.0, gt=0)
    epsilon: float = Field(default=3e-4, gt=0)
    """Clip of the sequence-level ratio from below (GSPO)."""
    epsilon_high: float = Field(default=4e-4, gt=0)
    beta: float = Field(default=0.0, ge=0)
    """Weight of the KL to the model that the stage starts from."""
    rewards: RewardParams = RewardParams()
    thinking_in_tool_calls: ThinkingPenalty
    thinking_in_reply: ThinkingPenalty
    reward_judge: Literal["fact_matcher"] | ServerParams = "fact_matcher"
    """Never the judge that scores the release."""
    samples_logged: int = Field(default=4, ge=0)
    """Trajectories sent to MLflow each time a checkpoint is written."""


class DraftParams(OptimiserParams):
    """The draft head (multi-token prediction) for speculative decoding."""

    tokens: int = Field(default=3, gt=0)
    """Tokens drafted at a time; the head is trained to look as far."""
    rollouts: int = Field(gt=0)
    """Episodes of the trained model that the head learns from."""
    train_main: bool = False
    """Whether the main model learns along, by its own rewarded rollouts; by default it is frozen."""
    main_weight: float = Field(default=1.0, gt=0)
    """Weight of the main model's loss where it learns along."""
    measured_cases: int = Field(gt=0)
    """Held-out episodes on which acceptance is measured."""


class HardwareParams(_Section):
    """The machine that a plan is made for."""

    gpu: str = ""
    memory_gib: float = Field(gt=0)
    """Of one GPU."""
    bf16_tflops: float = Field(gt=0)
    """Peak of dense matrix products, 10¹² operations a second."""
    bandwidth_gbs: float = Field(gt=0)
    """Of its memory, 10⁹ bytes a second."""
    interconnect_gbs: float = Field(gt=0)
    """Between GPUs, 10⁹ bytes a second and direction."""
    host_memory_gib: float = Field(gt=0)
    """Of one node, for what is offloaded."""


class LaunchParams(_Section):
    """How the training stages are started: one process by default, else `accelerate launch`."""

    nodes: int = Field(default=1, gt=0)
    processes_per_node: int = Field(default=1, gt=0)
    deepspeed: Literal["none", "zero2", "zero3"] = "none"
    offload: Literal["none", "optimizer", "all"] = "none"
    """What lives in the host's memory: nothing, the optimiser's state, or parameters too (ZeRO-3)."""
    main_address: str = "127.0.0.1"
    """Of the first node."""
    main_port: int = Field(default=29500, gt=0, lt=65536)
    generator: Literal["transformers", "vllm"] = "transformers"
    """Who writes the samples of OPD and RL: this process, or vLLM beside it (GPU)."""
    hardware: HardwareParams | None = None
    """What `hat plan` reckons with."""

    @model_validator(mode="after")
    def _offload_needs_deepspeed(self) -> Self:
        if self.offload != "none" and self.deepspeed == "none":
            raise ValueError("offload: expected deepspeed zero2 or zero3 beside it")
        if self.offload == "all" and self.deepspeed != "zero3":
            raise ValueError("offload all: parameters can be offloaded under zero3 only")
        return self
