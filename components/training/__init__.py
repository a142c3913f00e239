"""From a model directory and a dataset to the next model directory, one file a stage.

All contact with TRL stays in this room. A stage resumes exactly, and its output is whole or not there.
"""

from components.training.params import SftParams
from components.training.sft import SftSummary, train_sft

__all__ = ["SftParams", "SftSummary", "train_sft"]
