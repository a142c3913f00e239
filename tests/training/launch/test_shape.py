"""The shape of a model: counted by formula as the model itself counts, which is built without memory for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from components.errors import UserError
from components.files import write_json
from components.training.launch.shape import ModelShape, read_shape

PRODUCTION = Path(__file__).parents[3] / "infra" / "models" / "qwen3_6_35b_a3b.json"
LLAMA: dict[str, Any] = {"hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "vocab_size": 200}
LLAMA |= {"num_attention_heads": 4, "num_key_value_heads": 2}
MIXTURE: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 4, "vocab_size": 300, "head_dim": 16, "num_experts": 6}
MIXTURE |= {"num_attention_heads": 4, "num_key_value_heads": 2, "moe_intermediate_size": 24, "num_experts_per_tok": 2}
MIXTURE |= {"shared_expert_intermediate_size": 40, "linear_num_value_heads": 4, "linear_num_key_heads": 2}
MIXTURE |= {"linear_value_head_dim": 16, "linear_key_head_dim": 16}
MODELS = {
    "llama": ("llama", LLAMA),
    "llama, tied": ("llama", LLAMA | {"tie_word_embeddings": True}),
    "llama, wide heads": ("llama", LLAMA | {"head_dim": 32}),
    "qwen3": ("qwen3", LLAMA | {"head_dim": 32}),
    "mixture": ("qwen3_5_moe_text", MIXTURE),
}


def build(kind: str, fields: dict[str, Any]) -> Any:
    """The model on the meta device."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    with torch.device("meta"):
        return AutoModelForCausalLM.from_config(AutoConfig.for_model(kind, **fields))


@pytest.fixture(params=MODELS.values(), ids=MODELS.keys())
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Any, ModelShape]:
    """A model, and the shape in the config.json that it saves."""
    model = build(*request.param)
    model.config.save_pretrained(tmp_path)
    return model, read_shape(tmp_path / "config.json")


def test_parameters_are_those_of_the_model(both: tuple[Any, ModelShape]) -> None:
    model, shape = both
    assert shape.parameters == sum(parameter.numel() for parameter in model.parameters())
    layers = [sum(parameter.numel() for parameter in layer.parameters()) for layer in model.model.layers]
    assert [shape.layer(mixer) for mixer in shape.mixers] == layers


def test_a_low_rank_addition_has_the_parameters_that_peft_makes(both: tuple[Any, ModelShape]) -> None:
    from peft import LoraConfig, get_peft_model

    model, shape = both
    expected = [shape.adapter(4, targets) for targets in ("all-linear", ("q_proj", "o_proj", "down_proj"))]
    for targets, count in zip(("all-linear", ["q_proj", "o_proj", "down_proj"]), expected, strict=True):
        tuned = get_peft_model(model, LoraConfig(r=4, target_modules=targets, task_type="CAUSAL_LM"))
        assert count == sum(parameter.numel() for name, parameter in tuned.named_parameters() if "lora" in name)
        model = tuned.unload()


def test_a_token_meets_the_experts_that_are_chosen_for_it() -> None:
    shape = read_shape(PRODUCTION)
    idle = 40 * (256 - 8) * 3 * 2048 * 512
    assert shape.active == shape.parameters - idle - 248320 * 2048 - 2048
    assert 2.9e9 < shape.active < 3.0e9 and 34e9 < shape.parameters < 36e9


def test_the_production_model_is_the_one_that_transformers_knows(tmp_path: Path) -> None:
    from transformers.models.qwen3_5_moe.configuration_qwen3_5_moe import Qwen3_5MoeConfig

    Qwen3_5MoeConfig().save_pretrained(tmp_path)
    default, kept = read_shape(tmp_path / "config.json"), read_shape(PRODUCTION)
    assert (kept.mixers, kept.feed_forward, kept.parameters) == (default.mixers, default.feed_forward, default.parameters)
    model = build("qwen3_5_moe_text", {})
    assert kept.parameters == sum(parameter.numel() for parameter in model.parameters())


def test_a_draft_head_has_the_parameters_that_the_stage_makes(both: tuple[Any, ModelShape]) -> None:
    from components.training.draft.head import DraftHead

    model, shape = both
    assert shape.draft_head == sum(parameter.numel() for parameter in DraftHead(model).parameters())


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "bert"}, "model_type: expected one of llama"),
        ({"model_type": "llama", "hidden_size": 4}, "num_hidden_layers: not found"),
    ],
)
def test_what_cannot_be_reckoned_is_refused(config: dict[str, Any], expected: str, tmp_path: Path) -> None:
    write_json(tmp_path / "config.json", config)
    with pytest.raises(UserError, match=expected):
        read_shape(tmp_path / "config.json")
