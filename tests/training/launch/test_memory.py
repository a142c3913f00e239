"""The account of memory: by DeepSpeed's own rules, and by what small models really hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from components.training.launch.activations import activation_bytes, cache_bytes
from components.training.launch.memory import GIB, memory_of
from components.training.launch.shape import ModelShape, read_shape
from components.training.launch.work import Work
from components.training.params import LaunchParams, OptimiserParams
from tests.training.launch.saved import saved_bytes
from tests.training.launch.test_shape import LLAMA, MIXTURE, PRODUCTION

SHAPE = read_shape(PRODUCTION)
OPTIMISER = OptimiserParams(max_steps=1, learning_rate=1e-5, batch_size=1, gradient_checkpointing=True)
SFT = Work("sft", OPTIMISER, length=8192, scored=8192, passes=4, steps=1)
STATES = ("weights", "gradients", "optimiser", "float32 gradients", "layer at work")


def states(launch: LaunchParams, shape: ModelShape = SHAPE, work: Work = SFT) -> dict[str, float]:
    """Bytes on a GPU, by line, of what does not depend on the rows."""
    return {line.what: line.gib * GIB for line in memory_of(shape, work, launch, 80).gpu if line.what in STATES}


def small(kind: str, tmp_path: Path, **fields: Any) -> tuple[Any, ModelShape]:
    """A model with random weights in bfloat16, and its shape."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(kind, **fields)
    config.save_pretrained(tmp_path)
    torch.manual_seed(0)
    return AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16), read_shape(tmp_path / "config.json")


@pytest.mark.parametrize("gpus", [4, 8, 64])
def test_zero3_is_within_what_deepspeed_estimates(gpus: int) -> None:
    from deepspeed.runtime.zero.stage3 import estimate_zero3_model_states_mem_needs as estimate

    for offload in ("none", "optimizer", "all"):
        launch = LaunchParams(processes_per_node=gpus, deepspeed="zero3", offload=offload)
        host, gpu, _ = estimate(SHAPE.parameters, SHAPE.largest_layer, gpus, 1, offload != "none", offload == "all")
        held = states(launch)
        # Their rule has gradients of a layer and float32 gradients at once; they are never.
        peak = sum(held.values()) - min(held["layer at work"], held.get("float32 gradients", 0.0))
        assert 0.85 * gpu < peak <= gpu * 1.001
        offloaded = sum(line.gib for line in memory_of(SHAPE, SFT, launch, 80).host if line.what != "loading") * GIB
        assert offload == "none" or offloaded == pytest.approx(host)


@pytest.mark.parametrize("gpus", [4, 8, 64])
def test_zero2_is_what_deepspeed_estimates(gpus: int) -> None:
    from deepspeed.runtime.zero.stage_1_and_2 import estimate_zero2_model_states_mem_needs as estimate

    for offload in ("none", "optimizer"):
        launch = LaunchParams(processes_per_node=gpus, deepspeed="zero2", offload=offload)
        _, gpu = estimate(SHAPE.parameters, gpus, 1, offload != "none")
        held = states(launch)
        # Their rule does not know of gradients on the way to where they belong.
        on_the_way = held.pop("layer at work")
        assert on_the_way == 2 * SHAPE.largest_layer
        assert sum(held.values()) == pytest.approx(gpu)


def test_one_process_holds_16_to_18_bytes_a_parameter() -> None:
    memory = memory_of(SHAPE, SFT, LaunchParams(), 80)
    lines = {line.what: line.gib * GIB / SHAPE.parameters for line in memory.gpu}
    assert lines["weights"] + lines["gradients"] + lines["optimiser"] == 16
    assert lines["bfloat16 copies"] == 2


def test_states_are_those_of_a_real_optimiser(tmp_path: Path) -> None:
    import torch

    model, shape = small("llama", tmp_path, **LLAMA)
    model = model.float()
    optimiser = torch.optim.AdamW(model.parameters())
    model(input_ids=torch.arange(8)[None], labels=torch.arange(8)[None]).loss.backward()
    optimiser.step()
    moments = [value for state in optimiser.state.values() for name, value in state.items() if name != "step"]
    held = states(LaunchParams(), shape)
    assert held["weights"] == sum(one.nbytes for one in model.parameters())
    assert held["gradients"] == sum(one.grad.nbytes for one in model.parameters())
    assert held["optimiser"] == sum(one.nbytes for one in moments)


@pytest.mark.parametrize("kind", ["llama", "qwen3", "qwen3_5_moe_text"])
def test_activations_are_what_autograd_keeps(kind: str, tmp_path: Path) -> None:
    fields: dict[str, Any] = MIXTURE | {"layer_types": ["full_attention"] * 4} if kind.endswith("moe_text") else LLAMA
    wider = {name: 4 * value for name, value in fields.items() if name.endswith(("hidden_size", "intermediate_size"))}
    tokens = 256
    model, shape = small(kind, tmp_path, **fields | wider)
    reckoned = tokens * sum(activation_bytes(shape, index) for index in range(len(shape.mixers)))
    kept = saved_bytes(model, tokens)
    assert kept / 1.3 < reckoned < kept * 1.3
    # Checkpointed, a layer's input is left of it; beside the layers' own, the embedding and the last norm keep a little.
    inputs = tokens * len(shape.mixers) * 2 * shape.hidden
    assert inputs <= saved_bytes(model, tokens, checkpointing=True) < 3 * inputs


def test_the_cache_is_the_one_that_generation_keeps(tmp_path: Path) -> None:
    import torch

    model, shape = small("llama", tmp_path, **LLAMA)
    cache = model(input_ids=torch.arange(9)[None], use_cache=True).past_key_values
    assert cache_bytes(shape, 9) == sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)
    # The production model: 10 layers with keys and values, 30 with a state that does not grow.
    grown = cache_bytes(SHAPE, 1001) - cache_bytes(SHAPE, 1000)
    assert grown == 10 * 2 * 2 * 256 * 2
    assert cache_bytes(SHAPE, 0) == 30 * 32 * 128 * 128 * 4
