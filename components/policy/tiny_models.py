"""Models with random weights, as small as their architectures allow, for tests and smoke runs. Loaded with torch, on use."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen3_5MoeForCausalLM,
    Qwen3_5MoeTextConfig,
    Qwen3_5Tokenizer,
)

from components.policy.renderer import TURN_END, TURN_START, install_template, qwen_template

VOCABULARY = 2048
TEXT_END = "<|endoftext|>"
QWEN_TOKENS = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
"""What Qwen's vocabulary holds as single tokens of ordinary text."""
QWEN_CONTROL_TOKENS = (
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
)


def make_tiny(directory: Path, seed: int, text: Iterable[str]) -> None:
    """Two layers with full attention, and a byte-level tokenizer with the same control tokens and rules as SmolLM2's."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    backend.decoder = decoders.ByteLevel()
    backend.train_from_iterator(
        text,
        trainers.BpeTrainer(
            vocab_size=VOCABULARY,
            show_progress=False,
            special_tokens=[TEXT_END, TURN_START, TURN_END],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, unk_token=TEXT_END, bos_token=TURN_START, eos_token=TURN_END, pad_token=TURN_END
    )
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        tie_word_embeddings=True,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    _save(LlamaForCausalLM, config, tokenizer, directory, seed)


def make_tiny_moe(directory: Path, seed: int, text: Iterable[str]) -> None:
    """Qwen3.6-35B-A3B's architecture with one layer of each kind and four experts, and a small tokenizer of its rules."""
    tokenizer = Qwen3_5Tokenizer(eos_token=TURN_END).train_new_from_iterator(
        text,
        VOCABULARY,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.add_special_tokens({"additional_special_tokens": [TURN_START, TURN_END, *QWEN_CONTROL_TOKENS]})
    tokenizer.add_tokens(list(QWEN_TOKENS))
    tokenizer.chat_template = qwen_template()
    config = Qwen3_5MoeTextConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        num_hidden_layers=2,
        layer_types=["linear_attention", "full_attention"],
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": 10_000_000,
            "partial_rotary_factor": 0.25,
            # Of the rotated pairs, how many count time, height and width; text moves all three together.
            "mrope_section": [2, 1, 1],
            "mrope_interleaved": True,
        },
        linear_key_head_dim=16,
        linear_value_head_dim=16,
        linear_num_key_heads=2,
        linear_num_value_heads=4,
        moe_intermediate_size=32,
        shared_expert_intermediate_size=32,
        num_experts=4,
        num_experts_per_tok=2,
        max_position_embeddings=8192,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    _save(Qwen3_5MoeForCausalLM, config, tokenizer, directory, seed)


def _save(
    kind: type[PreTrainedModel],
    config: LlamaConfig | Qwen3_5MoeTextConfig,
    tokenizer: PreTrainedTokenizerFast,
    directory: Path,
    seed: int,
) -> None:
    install_template(tokenizer)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        kind(config).save_pretrained(directory)
    tokenizer.save_pretrained(directory)
