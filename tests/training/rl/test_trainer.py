"""The trainer: TRL's loss with an advantage for each token, log-probabilities that share what rows begin with."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from components.data.types import ORIGINAL
from components.judge import FactMatcher
from components.policy.base_models import load_tokenizer
from components.policy.precision import Precision
from components.training.params import RlParams
from components.training.rl.logprobs import share
from components.training.rl.simulator import Simulator
from components.training.rl.stage import build_trainer
from components.training.rl.tasks import RlTask
from components.training.rl.trainer import SegmentTrainer
from tests.training.rl.conftest import CHATS
from tests.training.rl.world import CHAT, EPISODES, PARAMS, catalogue

TASKS = [RlTask(f"t{number}", case, ORIGINAL, faults=False) for number, case in enumerate(CHATS)]


def trainer_of(model: Path, folder: Path, params: RlParams = PARAMS) -> SegmentTrainer:
    simulator = Simulator({ORIGINAL: CHAT}, catalogue(), FactMatcher(), faults={}, limits=EPISODES.limits)
    precision = Precision("float32", "cpu", 1, 1)
    return build_trainer(
        model, load_tokenizer(model), simulator, TASKS, folder / "checkpoints", folder / "log.jsonl", params, 3, EPISODES,
        precision, "transformers", print,
    )  # fmt: skip


def episodes(random: torch.Generator, vocabulary: int, pad: int) -> dict[str, torch.Tensor]:
    """Four padded rows, two of them with one prompt; what the environment wrote stands in the middle."""

    def tokens(length: int) -> list[int]:
        return [int(token) for token in torch.randint(3, vocabulary, (length,), generator=random)]

    shared = tokens(9)
    prompts = [shared, shared, [*shared[:5], *tokens(2)], tokens(6)]
    completions = [tokens(7), [*tokens(4)], tokens(5), tokens(7)]
    widest = max(map(len, prompts))
    return {
        "prompt_ids": torch.tensor([[pad] * (widest - len(row)) + row for row in prompts]),
        "prompt_mask": torch.tensor([[0] * (widest - len(row)) + [1] * len(row) for row in prompts]),
        "completion_ids": torch.tensor([row + [pad] * (7 - len(row)) for row in completions]),
        "completion_mask": torch.tensor([[1] * len(row) + [0] * (7 - len(row)) for row in completions]),
        "tool_mask": torch.tensor([[1, 1, 0, 0, 1, 1, 1]] * 4),
    }


def plain_logps(model_dir: Path, batch: dict[str, torch.Tensor]) -> np.ndarray:
    """Row by row, without padding, with the model as it comes."""
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=torch.float32).eval()
    out = np.zeros(batch["completion_ids"].shape)
    for row in range(len(out)):
        prompt = batch["prompt_ids"][row][batch["prompt_mask"][row].bool()]
        completion = batch["completion_ids"][row][batch["completion_mask"][row].bool()]
        with torch.no_grad():
            logits = model(torch.cat([prompt, completion])[None]).logits[0].double().numpy()
        logits -= logits.max(axis=1, keepdims=True)
        logps = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        for place, token in enumerate(completion.tolist()):
            out[row, place] = logps[len(prompt) - 1 + place, token]
    return out


@pytest.fixture(scope="module")
def batch(tiny: Path) -> dict[str, torch.Tensor]:
    tokenizer = load_tokenizer(tiny)
    return episodes(torch.Generator().manual_seed(1), len(tokenizer), tokenizer.pad_token_id)


def test_the_loss_is_gspo_with_an_advantage_for_each_token(tiny: Path, batch: dict[str, torch.Tensor], tmp_path: Path) -> None:
    params = PARAMS.model_copy(update={"epsilon": 0.05, "epsilon_high": 0.1, "batch_size": 8})
    trainer = trainer_of(tiny, tmp_path, params)
    trainer.current_gradient_accumulation_steps = 1
    now = plain_logps(tiny, batch)
    mask = (batch["completion_mask"] * batch["tool_mask"]).numpy()
    # Ratios far below, within and far above the clips, as means over the tokens that the model wrote.
    shift = np.array([0.3, 0.02, -0.4, 0.2])
    old = now + shift[:, None] + np.where(mask, 0.0, 5.0)
    advantages = np.array([[1.0, 1.0, 0, 0, -2.0, -2.0, -2.0]] * 3 + [[-1.0, -1.0, 0, 0, 0.5, 0.5, 0.5]])
    ratio = np.exp(-shift)[:, None]
    clipped = np.clip(ratio, 0.95, 1.1)
    per_token = -np.minimum(ratio * advantages, clipped * advantages)
    expected = ((per_token * mask).sum(1) / mask.sum(1)).mean()
    inputs = {
        **batch,
        "old_per_token_logps": torch.tensor(old, dtype=torch.float32),
        "advantages": torch.tensor(advantages, dtype=torch.float32),
        "num_items_in_batch": torch.tensor(4),
    }
    trainer.model.train()
    loss = trainer.compute_loss(trainer.model, inputs)
    assert loss.item() == pytest.approx(expected, rel=1e-4)

    on_policy = {name: value for name, value in inputs.items() if name != "old_per_token_logps"}
    unclipped = (ratio * advantages <= clipped * advantages).astype(float) * ratio
    for given, weights in ((inputs, unclipped * advantages), (on_policy, advantages)):
        trainer.model.zero_grad()
        trainer.compute_loss(trainer.model, given).backward()
        found = {name: weight.grad.clone() for name, weight in trainer.model.named_parameters()}
        check_gradient(tiny, batch, weights, mask, found)


def check_gradient(
    model_dir: Path, batch: dict[str, torch.Tensor], weights: np.ndarray, mask: np.ndarray, found: dict[str, torch.Tensor]
) -> None:
    """Each token's log-probability counts by its own weight, and by no other token's."""
    model = AutoModelForCausalLM.from_pretrained(model_dir, dtype=torch.float32)
    objective = torch.zeros(())
    for row in range(4):
        prompt = batch["prompt_ids"][row][batch["prompt_mask"][row].bool()]
        completion = batch["completion_ids"][row][batch["completion_mask"][row].bool()]
        logits = model(torch.cat([prompt, completion])[None]).logits[0, len(prompt) - 1 : -1]
        logps = logits.log_softmax(-1).gather(1, completion[:, None])[:, 0]
        written = torch.tensor(mask[row, : len(completion)])
        weight = torch.tensor(weights[row, : len(completion)]) * written
        objective = objective - (weight * logps).sum() / written.sum() / 4
    objective.backward()
    for name, weight in model.named_parameters():
        assert torch.allclose(found[name], weight.grad, rtol=1e-3, atol=1e-6), name


def test_shared_beginnings_change_no_log_probability(tiny: Path, batch: dict[str, torch.Tensor], tmp_path: Path) -> None:
    trainer = trainer_of(tiny, tmp_path)
    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], 1)
    attention = torch.cat([batch["prompt_mask"], batch["completion_mask"]], 1)
    expected = plain_logps(tiny, batch)
    score = partial(trainer._get_per_token_logps_and_entropies, trainer.model, ids, attention, 7)
    assert trainer.shares_prefix
    for size in (None, 3):
        found, entropy, _ = score(batch_size=size, compute_entropy=True)
        assert found.detach().numpy() == pytest.approx(expected, abs=1e-4)
    trainer.shares_prefix = False
    trls, trls_entropy, _ = score(compute_entropy=True)
    mask = batch["completion_mask"].bool()
    assert torch.allclose(trls[mask], found[mask], atol=1e-4) and torch.allclose(trls_entropy[mask], entropy[mask], atol=1e-4)


def test_rows_share_what_saves_computation() -> None:
    group, other = [[1] * 10 + [2, number] for number in range(3)], [[5] * 4 + [number] for number in range(2)]
    assert share([group[0], other[0], group[1], other[1], group[2]]) == [[0, 2, 4], [1, 3]]
    # To share two tokens with a stranger would cost the group the ten that it shares.
    assert share([*group, [1, 1, 9]]) == [[0, 1, 2], [3]]
    assert share([[1, 2]]) == [[0]]


def test_a_generation_is_one_step_and_keeps_its_groups_together(taught: Path, tmp_path: Path) -> None:
    params = PARAMS.model_copy(update={"batch_size": 2})
    trainer = trainer_of(taught, tmp_path, params)
    trainer.model.train()
    prompts = [{"prompt": task.task_id} for task in TASKS for _ in range(4)]
    parts = []
    for _ in range(trainer.args.steps_per_generation):
        parts.append(trainer._prepare_inputs(prompts))
        trainer._step += 1
    assert [len(part["prompt_ids"]) for part in parts] == [2, 2, 2, 2]
    assert parts[0]["prompt_ids"].equal(parts[1]["prompt_ids"]) and not parts[0]["prompt_ids"].equal(parts[2]["prompt_ids"])
    written = torch.cat([part["completion_mask"] * part["tool_mask"] for part in parts])
    advantages = torch.cat([part["advantages"] for part in parts])
    assert advantages.shape == written.shape and not advantages[written == 0].any()
    sampled = torch.cat([part["sampling_per_token_logps"] for part in parts])
    ids = torch.cat([torch.cat([part["prompt_ids"], part["completion_ids"]], 1) for part in parts])
    attention = torch.cat([torch.cat([part["prompt_mask"], part["completion_mask"]], 1) for part in parts])
    scored, _, _ = trainer._get_per_token_logps_and_entropies(trainer.model, ids, attention, written.shape[1])
    assert torch.allclose(scored[written == 1], sampled[written == 1], atol=1e-3), "trained on what was sampled"
