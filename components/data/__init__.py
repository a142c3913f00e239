"""Data: what the teacher collects becomes what the student learns.

Collection, the filter, the data set of each arm, checks for leaks, and Great Expectations suites over flat frames.
"""

from components.data.collect import collect
from components.data.datasets import ARMS, build_arm
from components.data.filter import Filtered, filter_collected
from components.data.leaks import LeakError, check_leaks
from components.data.quality import DataQualityError, validate_frames
from components.data.types import ORIGINAL, CollectedTrajectory, collected_from_dict, collected_to_dict

__all__ = [
    "ARMS",
    "ORIGINAL",
    "CollectedTrajectory",
    "DataQualityError",
    "Filtered",
    "LeakError",
    "build_arm",
    "check_leaks",
    "collect",
    "collected_from_dict",
    "collected_to_dict",
    "filter_collected",
    "validate_frames",
]
