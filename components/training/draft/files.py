"""A draft head on disk: tensors `mtp.*` beside the main model's, where vLLM (`method: mtp`) looks for them.

A model directory with a head is the model's own, with `mtp.safetensors` added (and named in the index of a model in several
files) and `mtp_num_hidden_layers: 1` in its configuration. transformers loads the main model from it as before. vLLM has
such heads for configurations of model_type qwen3_5 and qwen3_5_moe only; for others the head serves `SpeculativeDecoder`.
Loaded with torch, on use.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from transformers import PreTrainedModel

from components.errors import UserError
from components.files import read_json, write_json
from components.training.draft.head import DraftHead

PREFIX = "mtp."
HEAD_FILE = "mtp.safetensors"
INDEX_FILE = "model.safetensors.index.json"
CONFIG_FILE = "config.json"


def has_head(directory: Path) -> bool:
    """Whether a model directory holds a draft head."""
    return any(_names(path) for path in directory.glob("*.safetensors"))


def load_head(main: PreTrainedModel, directory: Path) -> DraftHead:
    """The head in `directory`, for `main`. Raises UserError where there is none, or one of another shape."""
    tensors = {
        name.removeprefix(PREFIX): tensor
        for path in sorted(directory.glob("*.safetensors"))
        for name, tensor in _read(path).items()
    }
    if not tensors:
        raise UserError(f"{directory}: expected tensors {PREFIX}*; train a draft head first")
    head = DraftHead(main)
    wanted = head.state_dict()
    found = _fuse_experts(tensors)
    wrong = sorted(name for name in wanted if name not in found or found[name].shape != wanted[name].shape)
    if wrong:
        raise UserError(f"{directory}: {PREFIX}{wrong[0]} is missing or of another shape; expected the head of such a model")
    head.load_state_dict({name: found[name] for name in wanted})
    return head


def copy_main(source: Path, target: Path) -> None:
    """All files of a model directory, without a draft head that it may hold."""
    for path in source.iterdir():
        if path.is_file() and path.name != HEAD_FILE:
            shutil.copy2(path, target / path.name)
    for path in target.glob("*.safetensors"):
        if _names(path):
            tensors = load_file(path)
            save_file({n: t for n, t in tensors.items() if not n.startswith(PREFIX)}, path, metadata={"format": "pt"})
    if (target / INDEX_FILE).is_file():
        index = read_json(target / INDEX_FILE)
        index["weight_map"] = {n: file for n, file in index["weight_map"].items() if not n.startswith(PREFIX)}
        write_json(target / INDEX_FILE, index)


def add_head(directory: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    """Put a head's tensors (named as in `DraftHead`) beside the main model's."""
    named = {PREFIX + name: tensor.contiguous() for name, tensor in tensors.items()}
    save_file(named, directory / HEAD_FILE, metadata={"format": "pt"})
    if (directory / INDEX_FILE).is_file():
        index = read_json(directory / INDEX_FILE)
        index["weight_map"] |= dict.fromkeys(named, HEAD_FILE)
        write_json(directory / INDEX_FILE, index)
    config = json.loads((directory / CONFIG_FILE).read_bytes())
    config.get("text_config", config)["mtp_num_hidden_layers"] = 1
    write_json(directory / CONFIG_FILE, config)


def _names(path: Path) -> list[str]:
    with safe_open(path, framework="pt") as file:
        names: list[str] = file.keys()
    return [name for name in names if name.startswith(PREFIX)]


def _read(path: Path) -> dict[str, torch.Tensor]:
    with safe_open(path, framework="pt") as file:
        return {name: file.get_tensor(name) for name in _names(path)}


def _fuse_experts(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Experts that a checkpoint keeps one by one, joined as transformers holds them."""
    experts = "layers.0.mlp.experts."
    count = len({name.split(".")[4] for name in tensors if name.startswith(experts) and name.split(".")[4].isdecimal()})
    if not count:
        return tensors

    def stacked(projection: str) -> torch.Tensor:
        return torch.stack([tensors[f"{experts}{index}.{projection}.weight"] for index in range(count)])

    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith(experts)}
    gate_up = torch.cat([stacked("gate_proj"), stacked("up_proj")], dim=1)
    return kept | {f"{experts}gate_up_proj": gate_up, f"{experts}down_proj": stacked("down_proj")}
