"""The harness: skills, tools, hooks and prompt pipeline as data, and the agent loop that runs over it.

Everything that answers a viewer (teacher collection, training roll-outs, evaluation, serving) runs `AgentLoop`.
"""

from components.harness.check import check_harness
from components.harness.load import load_harness, save_harness
from components.harness.loop import AgentLoop
from components.harness.records import harness_from_dict, harness_version, request_from_dict, to_dict, trajectory_from_dict

__all__ = [
    "AgentLoop",
    "check_harness",
    "harness_from_dict",
    "harness_version",
    "load_harness",
    "request_from_dict",
    "save_harness",
    "to_dict",
    "trajectory_from_dict",
]
