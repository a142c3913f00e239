"""Base models: reproducible, whole, and refused in one clear line when they are not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from components.errors import UserError
from components.files import hash_directory
from components.policy import check_model, prepare_base
from components.policy.base_models import load_tokenizer
from tests.policy.conftest import TEXT


def cut(name: str) -> Callable[[Path], None]:
    def apply(directory: Path) -> None:
        path = directory / name
        path.write_bytes(path.read_bytes()[:-200])

    return apply


def remove(name: str) -> Callable[[Path], None]:
    return lambda directory: (directory / name).unlink()


def test_the_tiny_model_is_a_function_of_seed_and_text(tiny: Path, tmp_path: Path) -> None:
    for name, seed in (("same", 1), ("other", 2)):
        prepare_base("tiny", tmp_path / name, seed=seed, text=TEXT)
    assert hash_directory(tmp_path / "same") == hash_directory(tiny)
    assert hash_directory(tmp_path / "other") != hash_directory(tiny)


def test_the_tiny_tokenizer_gives_back_any_text(tiny: Path) -> None:
    tokenizer = load_tokenizer(tiny)
    text = "Übergröße 元 🙂 don't ,  stop ."
    assert tokenizer.decode(tokenizer(text).input_ids) == text


def test_the_tiny_mixture_of_experts_is_a_function_of_seed_and_text(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        prepare_base("tiny-moe", tmp_path / name, seed=seed, text=TEXT)
    assert hash_directory(tmp_path / "same") == hash_directory(tmp_path / "one")
    assert hash_directory(tmp_path / "other") != hash_directory(tmp_path / "one")


def test_the_tiny_mixture_of_experts_has_the_production_models_architecture_and_control_tokens(tmp_path: Path) -> None:
    prepare_base("tiny-moe", tmp_path / "moe", seed=1, text=TEXT)
    config = json.loads((tmp_path / "moe" / "config.json").read_text())
    assert config["architectures"] == ["Qwen3_5MoeForCausalLM"]
    assert set(config["layer_types"]) == {"linear_attention", "full_attention"}
    assert config["num_experts"] > config["num_experts_per_tok"] > 0
    tokenizer = load_tokenizer(tmp_path / "moe")
    for token in ("<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>", "<|image_pad|>"):
        assert len(tokenizer(token).input_ids) == 1
    assert tokenizer.decode(tokenizer("Übergröße 元 🙂 12 don't").input_ids) == "Übergröße 元 🙂 12 don't"


@pytest.mark.parametrize(
    ("damage", "file"),
    [
        (cut("model.safetensors"), "model.safetensors"),
        (remove("model.safetensors"), "model.safetensors"),
        (remove("config.json"), "config.json"),
        (cut("tokenizer.json"), "tokenizer.json"),
        (remove("tokenizer.json"), "tokenizer.json"),
        (cut("chat_template.jinja"), "chat_template.jinja"),
        (remove("chat_template.jinja"), "chat_template.jinja"),
    ],
)
def test_a_damaged_model_is_refused_in_one_line_that_names_the_file(
    damage: Callable[[Path], None], file: str, tiny: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny, tmp_path / "model")
    check_model(tmp_path / "model")
    damage(tmp_path / "model")
    with pytest.raises(UserError) as error:
        check_model(tmp_path / "model")
    assert str(error.value).startswith(str(tmp_path / "model" / file))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("index", ["[]", '{"a": 1}', '{"weight_map": {}}', '{"weight_map": {"a": 1}}', "{"])
def test_an_index_that_names_no_weights_is_refused(index: str, tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "model")
    (tmp_path / "model" / "model.safetensors.index.json").write_text(index)
    with pytest.raises(UserError, match=r"model\.safetensors\.index\.json: expected JSON with a weight_map"):
        check_model(tmp_path / "model")


def test_a_template_without_the_marks_of_what_the_model_writes_is_refused(tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "model")
    template = tmp_path / "model" / "chat_template.jinja"
    template.write_text(template.read_text().replace("{%- generation -%}", "").replace("{%- endgeneration -%}", ""))
    with pytest.raises(UserError, match="generation"):
        check_model(tmp_path / "model")


def test_a_model_directory_is_copied_and_gets_the_projects_template(tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "foreign")
    (tmp_path / "foreign" / "chat_template.jinja").write_text("{{ messages[0].content }}")
    prepare_base(str(tmp_path / "foreign"), tmp_path / "base", seed=0)
    for name in ("model.safetensors", "chat_template.jinja"):
        assert (tmp_path / "base" / name).read_bytes() == (tiny / name).read_bytes()


def test_a_refused_base_model_leaves_nothing_and_what_was_there_stays(tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "base")
    shutil.copytree(tiny, tmp_path / "damaged")
    cut("model.safetensors")(tmp_path / "damaged")
    for source in ("smollm3", str(tmp_path / "damaged")):
        with pytest.raises(UserError):
            prepare_base(source, tmp_path / "base", seed=0)
    assert hash_directory(tmp_path / "base") == hash_directory(tiny)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "damaged"]
