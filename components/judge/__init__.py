"""The judge: says of an episode whether the reply is accurate and how much of the viewer's wish it meets.

Two that never meet: the deterministic fact-and-intent checker scores releases, and a reward judge (the fact matcher, or a
model behind a URL) rewards training.
"""

from components.judge.checker import JUDGE, check
from components.judge.fact_matcher import FactMatcher
from components.judge.reward import RewardJudge, RewardVerdict, check_judges
from components.judge.reward_server import ServerRewardJudge
from components.judge.types import Verdict

__all__ = ["JUDGE", "FactMatcher", "RewardJudge", "RewardVerdict", "ServerRewardJudge", "Verdict", "check", "check_judges"]
