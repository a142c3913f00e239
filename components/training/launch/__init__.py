"""How a training stage is started, on one process or on many, and what that asks of the machine.

`command` makes the command line, `launch_stage` runs it, `join` and `end` are the beginning and the end of a worker.
"""

from components.training.launch.command import command, is_launched, node_rank
from components.training.launch.start import end, launch_stage
from components.training.launch.workers import is_worker, join

__all__ = ["command", "end", "is_launched", "is_worker", "join", "launch_stage", "node_rank"]
