"""HSA-RL: the model learns from whole episodes of the agent loop, in a simulator (hat.md, Training, 3).

Tasks are drawn, rollouts sampled, rewards and advantages computed here; optimisation is TRL's.
"""

from components.training.rl.stage import Episodes, RlSummary, train_rl
from components.training.rl.tasks import RlTask, draw_tasks

__all__ = ["Episodes", "RlSummary", "RlTask", "draw_tasks", "train_rl"]
