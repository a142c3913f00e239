"""TRL's SFT trainer over rows of tokens, one by one or in packs. Loaded with trl, on use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from datasets import Dataset
from torch.utils.data import Sampler
from transformers import PreTrainedModel, PreTrainedTokenizerBase, PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from components.training import shared_prefix
from components.training.packing import StagedOrder, collate_packs, pack
from components.training.params import SftParams
from components.training.rows import Rows

if TYPE_CHECKING:
    from peft import LoraConfig


class RowTrainer(SFTTrainer):  # type: ignore[misc]
    """Learns what the assistant wrote. Loss and metrics are TRL's; packs only change how its inputs are laid out."""

    packing: Literal["shared_prefix", "none"]
    pack_rows: int

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        rows: Rows,
        params: SftParams,
        arguments: SFTConfig,
        lora: LoraConfig | None,
        progress: TrainerCallback,
        announce: Callable[[str], None],
    ) -> None:
        """Announces packing, and that it is not to be had with this model."""
        self.packing = params.packing
        if self.packing == "shared_prefix" and not shared_prefix.supports(model):
            announce("sft: packing none: not every layer of this model attends to all that came before; this is slower")
            self.packing = "none"
        self.pack_rows = params.pack_rows if self.packing == "shared_prefix" else 1
        stages = [int(params.curriculum == "original_first" and not original) for original in rows.original]
        items = [vars(row) for row in rows.kept]
        if self.packing == "shared_prefix":
            shared_prefix.enable(model)
            packs = _packs(rows, stages, params.pack_rows, arguments.seed)
            stages = [stages[indices[0]] for indices in packs]
            items = [{name: [items[index][name] for index in indices] for name in items[0]} for indices in packs]
            # Packs are what the collator takes; TRL would look for rows in them.
            arguments.dataset_kwargs = {"skip_prepare_dataset": True}
            arguments.remove_unused_columns = False
            passed = sum(collate_packs([item])["input_ids"].numel() for item in items)
            announce(f"sft: {len(packs)} packs; of {rows.tokens} tokens {passed} go through the model")
        self._stages = stages
        super().__init__(
            model=model,
            args=arguments,
            train_dataset=Dataset.from_list(items),
            data_collator=collate_packs if self.packing == "shared_prefix" else None,
            processing_class=tokenizer,
            peft_config=lora,
            callbacks=[progress],
        )
        self.remove_callback(PrinterCallback)

    def _get_train_sampler(self, train_dataset: Any = None) -> Sampler[int]:
        return StagedOrder(self._stages, self.args.seed, lambda: int(self.state.epoch or 0))


def _packs(rows: Rows, stages: list[int], most: int, seed: int) -> list[list[int]]:
    """The rows of each stage in packs, by index."""
    packs = []
    for stage in sorted(set(stages)):
        indices = [index for index, own in enumerate(stages) if own == stage]
        tokens = [rows.kept[index].input_ids for index in indices]
        packs += [[indices[place] for place in places] for places in pack(tokens, most, seed)]
    return packs
