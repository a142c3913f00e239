"""HSA-RL: GRPO over whole episodes of the agent loop, in a simulator with faults and augmented harnesses."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from components.errors import UserError
from components.files import hash_file
from components.harness.records import harness_version, to_dict
from components.harness.types import Harness, JsonObject, Limits
from components.judge import JUDGE
from components.judge.fact_matcher import FactMatcher
from components.judge.reward import RewardJudge, check_judges
from components.judge.reward_server import ServerRewardJudge
from components.liveroom.catalogue import Catalogue
from components.policy.base_models import check_model, load_tokenizer
from components.policy.precision import Precision
from components.training.params import RlParams
from components.training.rl.simulator import Simulator
from components.training.rl.tasks import RlTask, scaled

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from components.training.rl.trainer import SegmentTrainer


@dataclass(frozen=True)
class RlSummary:
    """What a run did. Rewards are means over all episodes and rewards of some steps, from 0 to 1."""

    steps: int
    episodes: int
    tokens: int
    """Prompts, and what the model wrote."""
    first_reward: float
    """Of the first tenth of the steps, at least one."""
    last_reward: float
    """Of the last tenth."""
    tokens_per_second: float
    precision: Precision
    reward_judge: str
    shared_prefix: bool
    """False: the model's layers made every episode of a group read the whole prompt, which is slower."""


@dataclass(frozen=True)
class Episodes:
    """How the episodes of training are run: as those of an evaluation, but with faults."""

    limits: Limits
    faults: Mapping[str, float]
    """Rates of tool faults; only their proportions count, see `RlParams.fault_rate`."""
    max_new_tokens: int
    """Of a turn."""
    batch_size: int
    """Episodes that decode together."""


def train_rl(
    model_dir: Path,
    tasks: Sequence[RlTask],
    harnesses: Mapping[str, Harness],
    catalogue_path: Path,
    output_dir: Path,
    checkpoint_dir: Path,
    log_path: Path,
    params: RlParams,
    seed: int,
    episodes: Episodes,
    final_judge: str = JUDGE,
    generator: Literal["transformers", "vllm"] = "transformers",
    announce: Callable[[str], None] = print,
) -> RlSummary:
    """Train the model in `model_dir` on episodes of `tasks` and put the new model directory at `output_dir`.

    harnesses    `original` and every variant that a task names.
    final_judge  name of the judge that scores releases, which must be another than `params.reward_judge`.
    generator    `vllm` needs a GPU, and its samples are not the same again after a resume.
    A run that was killed goes on from its last checkpoint to the same weights as one that wasn't. `log_path` gets a row a
    step; beside it, `<stem>_samples.jsonl` gets episodes each time a checkpoint is written. Raises UserError for
    parameters that do not fit each other or the model, and for a run that diverges.
    """
    judge: RewardJudge = FactMatcher() if params.reward_judge == "fact_matcher" else ServerRewardJudge(params.reward_judge)
    check_judges(judge.name, final_judge)
    if unknown := sorted({task.variant_id for task in tasks} - harnesses.keys()):
        raise UserError(
            f"rl: tasks name the variant {unknown[0]}, which is not among the harnesses; draw tasks and variants together"
        )
    check_model(model_dir)

    from components.training import running, saving
    from components.training.progress import steps

    tokenizer = load_tokenizer(model_dir)
    precision = running.agree_on_precision()
    announce(f"rl: {len(tasks)} tasks, rewarded by {judge.name}; {precision}")
    identity = running.identity(
        "rl",
        model_dir,
        params,
        seed,
        precision,
        catalogue=hash_file(catalogue_path),
        tasks=_digest([to_dict(task) for task in tasks]),
        harnesses=_digest({name: harness_version(harness) for name, harness in harnesses.items()}),
        episodes=_digest(to_dict(episodes)),
        judge=judge.name,
        generator=generator,
    )
    faults = scaled(episodes.faults, params.fault_rate) if any(task.faults for task in tasks) else {}
    simulator = Simulator(harnesses, Catalogue.open(catalogue_path), judge, faults=faults, limits=episodes.limits)
    trainer = build_trainer(
        model_dir, tokenizer, simulator, tasks, checkpoint_dir, log_path, params, seed, episodes, precision, generator, announce
    )
    running.run(trainer, identity, checkpoint_dir, announce)

    history = steps(trainer)
    summary = _summary(history, len(history) * params.tasks_per_step * params.group_size, trainer, precision, judge.name)
    record = identity | {"steps": summary.steps, "episodes": summary.episodes, "last_reward": summary.last_reward}
    saving.save(trainer, model_dir, tokenizer, output_dir, checkpoint_dir, record)
    return summary


def build_trainer(
    model_dir: Path,
    tokenizer: PreTrainedTokenizerBase,
    simulator: Simulator,
    tasks: Sequence[RlTask],
    checkpoint_dir: Path,
    log_path: Path,
    params: RlParams,
    seed: int,
    episodes: Episodes,
    precision: Precision,
    generator: Literal["transformers", "vllm"],
    announce: Callable[[str], None],
) -> SegmentTrainer:
    """TRL's trainer, set to GSPO (arXiv 2507.18071) with GDPO's normalisation (arXiv 2601.05242)."""
    import torch
    from accelerate import PartialState
    from datasets import Dataset
    from transformers import AutoConfig, AutoModelForCausalLM, PrinterCallback, set_seed
    from trl import GRPOConfig

    from components.training.launch.generator import generator_arguments
    from components.training.progress import Progress
    from components.training.rl.rollouts import Rollouts
    from components.training.rl.samples import Samples
    from components.training.rl.trainer import SegmentTrainer
    from components.training.running import lora_config, trainer_arguments

    parts = _parts(params, PartialState().num_processes, len(tasks))
    set_seed(seed)
    context = AutoConfig.from_pretrained(model_dir).get_text_config().max_position_embeddings
    # Before the model: under ZeRO-3 it is what spreads the weights over the processes as they are read.
    arguments = GRPOConfig(
        **trainer_arguments(params, checkpoint_dir, seed, precision)
        | {"gradient_accumulation_steps": parts, "num_train_epochs": 1, "max_steps": -1},
        # The rows stand in order already: TRL's sampler would draw another order after a resume.
        shuffle_dataset=False,
        steps_per_generation=parts,
        num_generations=params.group_size,
        max_completion_length=episodes.max_new_tokens,
        temperature=params.temperature,
        beta=params.beta,
        epsilon=params.epsilon,
        epsilon_high=params.epsilon_high,
        # Of the token in form, of the sequence in value: see `ratios.py`.
        importance_sampling_level="token",
        # The loss types beside it weigh an episode by its length, which the sequence-level ratio is there to avoid.
        loss_type="grpo",
        multi_objective_aggregation="normalize_then_sum",
        # Corrects a KL by the ratio of single tokens; here the ratio is the sequence's.
        use_bias_correction_kl=False,
        # Of the reward that is told, not of the advantages, which have weights of their own.
        reward_weights=[0.25] * 4,
        **generator_arguments(generator, context),
    )
    # The weights stay in float32 while they are trained; bfloat16, where faster, is for the products (autocast).
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=torch.float32)
    if arguments.generation_batch_size != params.tasks_per_step * params.group_size:
        raise UserError(
            "rl: the processes of the run do not know of each other; start it with `accelerate launch` (on CPUs: --cpu)"
        )
    rollouts = Rollouts(
        simulator,
        {task.task_id: task for task in tasks},
        tokenizer,
        context=context,
        max_new_tokens=episodes.max_new_tokens,
        batch_size=episodes.batch_size,
        temperature=params.temperature,
        seed=seed,
        announce=announce,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="You are using 'rollout_func'")
        trainer = SegmentTrainer(
            params=params,
            model=model,
            args=arguments,
            train_dataset=Dataset.from_list([{"prompt": task_id} for task_id in in_order(tasks, params, seed)]),
            processing_class=tokenizer,
            rollout_func=rollouts,
            peft_config=lora_config(params),
        )
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Progress(log_path, announce, params.divergence))
    samples = log_path.with_name(f"{log_path.stem}_samples.jsonl")
    trainer.add_callback(Samples(samples, params.samples_logged, lambda: trainer.latest))
    if not trainer.shares_prefix:
        announce(f"rl: {model.config.model_type}: its layers do not let a group share its prompt; each episode reads it (slower)")
    return trainer


def in_order(tasks: Sequence[RlTask], params: RlParams, seed: int) -> list[str]:
    """Ids of the tasks of all steps of a run, one after the other: every task in random order, again and again."""
    steps = params.max_steps or int((params.epochs or 1) * len(tasks)) // params.tasks_per_step
    endless = chain.from_iterable(Random(f"{seed}:{number}").sample(tasks, len(tasks)) for number in count())
    return [task.task_id for task in islice(endless, steps * params.tasks_per_step)]


def _parts(params: RlParams, processes: int, tasks: int) -> int:
    """Forward passes of a process in an optimiser step, which takes all episodes of one generation."""
    episodes, rows = params.tasks_per_step * params.group_size, params.batch_size * processes
    if episodes % rows or params.gradient_accumulation not in (1, episodes // rows):
        raise UserError(
            f"rl.batch_size: a step has tasks_per_step x group_size = {episodes} episodes; expected batch_size x processes "
            f"({params.batch_size} x {processes}) to divide them, and gradient_accumulation left at 1, since it follows"
        )
    if tasks < params.tasks_per_step:
        raise UserError(
            f"rl.tasks_per_step: expected at most the {tasks} tasks there are, found {params.tasks_per_step}; draw more"
        )
    return episodes // rows


def _summary(
    history: Sequence[JsonObject], episodes: int, trainer: SegmentTrainer, precision: Precision, judge: str
) -> RlSummary:
    rewards = [row["reward"] for row in history if "reward" in row]
    tenth = max(1, len(rewards) // 10)
    return RlSummary(
        steps=trainer.state.global_step,
        episodes=episodes,
        tokens=trainer.state.num_input_tokens_seen,
        first_reward=fmean(rewards[:tenth]),
        last_reward=fmean(rewards[-tenth:]),
        tokens_per_second=fmean(row["tokens_per_second"] for row in history),
        precision=precision,
        reward_judge=judge,
        shared_prefix=trainer.shares_prefix,
    )


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
