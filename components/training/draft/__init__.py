"""The draft head (multi-token prediction): grafted on the model or taken from its base, trained on the model's own episodes,
measured by speculative decoding. All but the names here load torch, on use.
"""

from components.training.draft.acceptance import measure_acceptance
from components.training.draft.rollouts import Rollout, collect_rollouts
from components.training.draft.train import DraftSummary, train_draft

__all__ = ["DraftSummary", "Rollout", "collect_rollouts", "measure_acceptance", "train_draft"]
