"""A head lies beside its model as vLLM wants it, and is read from any checkpoint of Qwen's kind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from components.errors import UserError
from components.files import hash_file, read_json
from components.policy import check_model
from tests.training.draft.test_head import load, random_head


@pytest.fixture
def with_head(singer: Path, tmp_path: Path) -> Path:
    from components.training.draft.files import add_head, copy_main

    directory = tmp_path / "whole"
    directory.mkdir()
    copy_main(singer, directory)
    add_head(directory, random_head(load(singer)).state_dict())
    return directory


def names(path: Path) -> set[str]:
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        return set(file.keys())


def shard(source: Path, target: Path) -> Path:
    """The model in several files, its head in one of them, as large checkpoints are published."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(source, target)
    tensors = load_file(target / "model.safetensors") | load_file(target / "mtp.safetensors")
    for name in ("model.safetensors", "mtp.safetensors"):
        (target / name).unlink()
    ordered = sorted(tensors)
    files = {"model-00001-of-00002.safetensors": ordered[:5], "model-00002-of-00002.safetensors": ordered[5:]}
    for name, part in files.items():
        save_file({tensor: tensors[tensor].clone() for tensor in part}, target / name, metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": {tensor: name for name, part in files.items() for tensor in part}}
    (target / "model.safetensors.index.json").write_text(json.dumps(index))
    return target


def test_what_was_saved_is_read_back_and_the_main_model_is_untouched(singer: Path, with_head: Path) -> None:
    import torch

    from components.training.draft.files import has_head, load_head

    main = load(with_head)
    head, expected = load_head(main, with_head).state_dict(), random_head(main).state_dict()
    assert all(torch.equal(head[name], expected[name]) for name in expected)
    assert has_head(with_head) and not has_head(singer)
    check_model(with_head)
    assert hash_file(with_head / "model.safetensors") == hash_file(singer / "model.safetensors")
    assert all(torch.equal(one, other) for one, other in zip(main.parameters(), load(singer).parameters(), strict=True))
    assert read_json(with_head / "config.json") == read_json(singer / "config.json") | {"mtp_num_hidden_layers": 1}


def test_a_model_in_several_files_names_the_head_in_its_index(with_head: Path, tmp_path: Path) -> None:
    import torch

    from components.training.draft.files import add_head, copy_main, load_head

    published = shard(with_head, tmp_path / "published")
    main = load(published)
    old = load_head(main, published).state_dict()
    copied = tmp_path / "copied"
    copied.mkdir()
    copy_main(published, copied)
    add_head(copied, {name: tensor + 1 for name, tensor in old.items()})
    # An old head in a file of the model's own would be loaded beside the new one.
    assert not any(name.startswith("mtp.") for path in copied.glob("model-*") for name in names(path))
    places = read_json(copied / "model.safetensors.index.json")["weight_map"]
    assert {name for name, file in places.items() if file == "mtp.safetensors"} == {f"mtp.{name}" for name in old}
    assert all(name in names(copied / file) for name, file in places.items())
    new = load_head(load(copied), copied).state_dict()
    assert all(torch.equal(new[name], old[name] + 1) for name in old)
    assert all(torch.equal(one, other) for one, other in zip(load(copied).parameters(), main.parameters(), strict=True))


def test_experts_kept_one_by_one_are_joined(moe: Path, tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    from components.training.draft.files import load_head

    main = load(moe)
    expected = random_head(main).state_dict()
    experts = "layers.0.mlp.experts."
    single = {name: tensor for name, tensor in expected.items() if not name.startswith(experts)}
    for index, (gate_up, down) in enumerate(
        zip(expected[f"{experts}gate_up_proj"], expected[f"{experts}down_proj"], strict=True)
    ):
        gate, up = gate_up.chunk(2)
        parts = {"gate_proj": gate, "up_proj": up, "down_proj": down}
        single |= {f"{experts}{index}.{name}.weight": tensor.clone() for name, tensor in parts.items()}
    save_file({f"mtp.{name}": tensor for name, tensor in single.items()}, tmp_path / "model.safetensors")
    head = load_head(main, tmp_path).state_dict()
    assert all(torch.equal(head[name], expected[name]) for name in expected)


def test_a_head_of_another_shape_or_none_is_refused(singer: Path, moe: Path, with_head: Path) -> None:
    from components.training.draft.files import load_head

    with pytest.raises(UserError, match=r"is missing or of another shape; expected the head of such a model"):
        load_head(load(moe), with_head)
    with pytest.raises(UserError, match=r"expected tensors mtp\.\*; train a draft head first"):
        load_head(load(singer), singer)
